"""The turn's panel: who decides, what has happened, the players, the open offers; and the final panel, with everything
revealed. Made from View(None) alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.plaintext import clip, length
from bot.screens.steps import presenter_of
from bot.screens.steps.step import decider
from bot.words.language import N_, _, enumeration, n_, p_, sentence
from bot.words.marks import (
    RESOURCE_SIGNS,
    Names,
    award_title,
    card_count,
    cards,
    city_count,
    development_card_count,
    development_cards,
    knight_count,
    listing,
    point_count,
    resource,
    resource_counts,
    settlement_count,
    sign,
)
from bot.words.narrator import story
from engine.geometry import bits
from engine.resources import KNIGHT, NOTHING, VICTORY_POINT
from engine.rules import data_of
from engine.terms import Award, EndReason, StepKind
from engine.views import OfferView, PlayerView, View, ranked

PANEL_BUDGET = 3800
"""Most characters in a panel; a message has room for 4,000."""
WORTH_TELLING = 3
"""Roads of at least this many segments are mentioned. Shorter ones are only in the picture, so that lines stay short
on a phone."""
_LEAST_STORY = 500
"""Characters kept for the story when the offers are long."""


@dataclass(frozen=True, slots=True)
class Panel:
    """The panel's texts, each possibly empty; together within the budget."""

    headline: str
    story: str
    players: str
    """What the picture doesn't show of the players."""
    offers: tuple[str, ...]
    """A line each, or fewer where there is no room for all."""

    @property
    def length(self) -> int:
        """Characters of all parts together."""
        return sum(map(length, (self.headline, self.story, self.players, *self.offers)))


def headline(view: View, names: Names, computers: int = 0) -> str:
    """Who owes which decision, in one or two sentences; `computers`: mask of the seats that bots play."""
    asked = answering(view, computers)
    if not asked:
        return presenter_of(view).headline(view, view.step, names)
    name, seats = names[decider(view)], list(bits(asked))
    if seats == [view.seat]:
        return _("**{name}** is waiting for your answer.", name=name)
    if len(seats) == 1:
        return _("**{name}** is waiting for **{other}**'s answer.", name=name, other=names[seats[0]])
    whose = listing(p_("answers from", "you") if seat == view.seat else f"**{names[seat]}**" for seat in seats)
    return _("**{name}** is waiting for answers from {whose}.", name=name, whose=whose)


def answering(view: View, computers: int) -> int:
    """Mask of the people whose answers the bot on turn waits for, after making offers, before it does anything else."""
    if view.outcome is not None or view.on_turn is None or not view.awaited & computers & 1 << view.on_turn:
        return 0
    asked = 0
    for offer in view.offers:
        if offer.seat == view.on_turn:
            asked |= offer.to & ~offer.accepted & ~offer.declined & ~computers
    return asked


def acting(view: View) -> int:
    """Mask of the seats to point at: the awaited ones, else the one on turn."""
    return view.awaited or (0 if view.on_turn is None else 1 << view.on_turn)


def heading(view: View, number: int, names: Names) -> str:
    """The panel's title; `number` is the game's."""
    if view.step.kind is StepKind.OVER:
        return _("Game {number} · the end", number=number)
    if view.turn == 0:
        return _("Game {number} · setup", number=number)
    if view.on_turn is None:
        return _("Game {number} · turn {turn}", number=number, turn=view.turn)
    return _("Game {number} · turn {turn} · {name}", number=number, turn=view.turn, name=names[view.on_turn])


def panel(view: View, names: Names, budget: int = PANEL_BUDGET, computers: int = 0, calling: Names = ()) -> Panel:
    """The panel's texts within `budget` characters (at least 1,500); `computers`: mask of the seats that bots play;
    `calling`: names for the headline, the part that notifies people.

    It is shortened in this order: older lines of the story, who answered which offer, offers after the first ones,
    anything else.
    """
    head = clip(headline(view, calling or names, computers), budget // 4)
    players = clip(beside_picture(view, names), budget // 2)
    free = budget - sum(map(length, (head, players)))
    lines = story(view.events, view, names)
    least = min(_LEAST_STORY, sum(length(text) + 1 for text in lines), free // 2)
    offers = _offer_lines(view, names, free - least)
    return Panel(head, newest(lines, free - sum(length(text) + 1 for text in offers)), players, offers)


def beside_picture(view: View, names: Names) -> str:
    """What the strip under the board doesn't show: open hands, votes to end, what the bank lacks, the round."""
    lines = [player_line(view, p, names) for p in view.players if view.outcome is None and p.hand]
    open_hands = bool(lines)  # then the votes are in these lines
    for votes, text in ((view.end_votes, _("votes to end")), (view.call_off_votes, _("votes to void"))):
        if votes and not open_hands:
            lines.append(_("{names}: {votes}", names=listing(names[seat] for seat in bits(votes)), votes=text))
    parts = []
    if out := [resource(kind) for kind, n in enumerate(view.bank) if not n]:
        parts.append(_("The bank lacks {resources}", resources=listing(out)))
    if not view.deck:
        parts.append(_("No dev cards left"))
    if view.round and view.config.round_limit:
        parts.append(_("round {n} of {limit}", n=view.round, limit=view.config.round_limit))
    return "\n".join([*lines, *(["-# " + " · ".join(parts)] if parts else [])])


def standing(view: View, names: Names) -> str:
    """How all players stand, in words: what the strip under the board shows, and the bank."""
    return "\n".join([*(player_line(view, player, names) for player in view.players), footer(view)])


def player_line(view: View, player: PlayerView, names: Names) -> str:
    """One player: sign, name, points, numbers of cards, knights, road, awards."""
    over = player.all_points is not None and view.outcome is not None
    points = player.all_points if over and player.all_points is not None else player.points
    arrow = "➤ " if acting(view) >> player.seat & 1 else ""
    parts = [f"{arrow}{sign(player.color)} **{names[player.seat]}** · **{point_count(points)}**"]
    if player.resigned:
        return " · ".join([*parts, _("left the game")])
    shown = player.hand if view.outcome is None else None  # open hands; the final panel shows them its own way
    parts.append(card_count(player.hand_size) + (f" ({cards(shown)})" if shown and any(shown) else ""))
    if player.development_count:
        parts.append(development_card_count(player.development_count))
    if player.played[KNIGHT]:
        parts.append(knight_count(player.played[KNIGHT]))
    if player.road_length >= WORTH_TELLING:
        parts.append(_("road {n}", n=player.road_length))
    awards = {Award.LONGEST_ROAD: view.longest_road, Award.LARGEST_ARMY: view.largest_army}
    parts += [f"🏆 {award_title(award)}" for award, seat in awards.items() if seat == player.seat]
    if view.outcome is None and view.end_votes >> player.seat & 1:
        parts.append(_("votes to end"))
    if view.outcome is None and view.call_off_votes >> player.seat & 1:
        parts.append(_("votes to void"))
    return " · ".join(parts)


def footer(view: View) -> str:
    """The bank, the deck, the round and the target."""
    bank = " ".join(f"{RESOURCE_SIGNS[kind]}{n}" for kind, n in enumerate(view.bank))
    if empty := [resource(kind, sign=False) for kind, n in enumerate(view.bank) if not n]:
        parts = [_("Bank {cards} (out of {resources})", cards=bank, resources=listing(empty))]
    else:
        parts = [_("Bank {cards}", cards=bank)]
    parts.append(n_("{n} dev card left", "{n} dev cards left", view.deck))
    if view.round and (limit := view.config.round_limit):
        parts.append(_("round {n} of {limit}", n=view.round, limit=limit))
    elif view.round:
        parts.append(_("round {n}", n=view.round))
    parts.append(n_("first to {n} point", "first to {n} points", view.config.target))
    return "-# " + " · ".join(parts)


def newest(lines: Sequence[str], limit: int) -> str:
    """The newest lines that fit, below the number of older ones; "" if nothing fits."""
    kept: list[str] = []
    room = limit
    for at in range(len(lines) - 1, -1, -1):
        note = length(_before(999)) + 1 if at else 0
        if length(lines[at]) + 1 > room - note:
            if not kept and room - note > 20:
                kept.insert(0, clip(lines[at], room - note - 1))
                at -= 1
            if kept and (before := at + 1):
                kept.insert(0, _before(before))
            return "\n".join(kept)
        kept.insert(0, lines[at])
        room -= length(lines[at]) + 1
    return "\n".join(kept)


def _before(n: int) -> str:
    return n_("-# … {n} earlier line", "-# … {n} earlier lines", n)


def _offer_lines(view: View, names: Names, limit: int) -> tuple[str, ...]:
    """All open offers, in as much detail as fits."""
    for write in (offer_line, _brief_offer):
        texts = [write(view, offer, names) for offer in view.offers]
        if length("\n".join(texts)) <= limit:
            return tuple(texts)
    lines: list[str] = []
    for at, offer in enumerate(view.offers):
        more = n_("… and {n} more offer", "… and {n} more offers", len(view.offers) - at)
        text = _brief_offer(view, offer, names)
        if length("\n".join([*lines, text, more])) > limit:
            return (*lines, more) if lines else (clip(more, max(limit, 1)),)
        lines.append(text)
    return tuple(lines)


def offer_line(view: View, offer: OfferView, names: Names) -> str:
    """An open offer with who was asked and who has answered."""
    to = listing(names[s] for s in bits(offer.to)) if offer.to and offer.to != everyone(view, offer.seat) else ""
    parts = [_offer_terms(offer, names, to)]
    if any(other.id == offer.answers for other in view.offers):  # a counter can outlast the offer it answers (E3)
        parts[0] += " " + _("(counter to {n})", n=offer.answers)
    if offer.accepted:
        parts.append(f"✅ {listing(names[s] for s in bits(offer.accepted))}")
    if offer.declined:
        parts.append(f"❌ {listing(names[s] for s in bits(offer.declined))}")
    return " · ".join(parts)


def everyone(view: View, seat: int) -> int:
    """Mask of all other seats that are still playing."""
    return sum(1 << p.seat for p in view.players if p.seat != seat and not p.resigned)


def _brief_offer(view: View, offer: OfferView, names: Names) -> str:
    return f"{_offer_terms(offer, names)} · ✅ {offer.accepted.bit_count()} ❌ {offer.declined.bit_count()}"


def _offer_terms(offer: OfferView, names: Names, to: str = "") -> str:
    terms = {"n": offer.id, "name": names[offer.seat], "give": cards(offer.give), "want": cards(offer.want)}
    if to:
        return _("**Offer {n}** · {name} gives {give} for {want} · to {to}", **terms, to=to)
    return _("**Offer {n}** · {name} gives {give} for {want}", **terms)


# --- the final panel

_HOW_IT_ENDED = {
    EndReason.TARGET: N_("First to {target}"),
    EndReason.LAST: N_("Everyone else left"),
    EndReason.AGREEMENT: N_("Ended by vote: most points wins"),
    EndReason.ROUNDS: N_("Last round over: most points wins"),
    EndReason.CALLED_OFF: N_("Voided: no winner, nothing counts"),
}


def final_panel(view: View, names: Names, budget: int = PANEL_BUDGET) -> Panel:
    """The panel of a finished game: who won and how, then all players, best first and who left last, with the cards
    they held."""
    head, why = headline(view, names), _why_it_ended(view)
    players = ranked(view, [_final_points(view, player) for player in view.players])
    table = ""
    for write in (_full_line, _short_line):
        table = "\n".join(write(view, p, names) for p in players)
        if length(head) + length(why) + length(table) <= budget:
            break
    return Panel(head, why, table, ())


def _why_it_ended(view: View) -> str:
    """How the game ended, and when."""
    if view.outcome is None:
        return ""
    how = _(_HOW_IT_ENDED[view.outcome.reason], target=view.config.target)
    if not view.turn:
        return sentence(how)
    return _("{how} · turn {turn}, round {round}", how=how, turn=view.turn, round=view.round)


def _final_points(view: View, player: PlayerView) -> int:
    if view.outcome is not None:
        return view.outcome.points[player.seat]
    return player.all_points if player.all_points is not None else player.points


def _short_line(view: View, player: PlayerView, names: Names) -> str:
    crown = "🏆 " if view.outcome and player.seat in view.outcome.winners else ""
    text = f"{crown}{sign(player.color)} **{names[player.seat]}** · **{point_count(_final_points(view, player))}**"
    return " · ".join([text, _("left the game")]) if player.resigned else text


def _full_line(view: View, player: PlayerView, names: Names) -> str:
    """The lines of a player, with where the points come from and the cards they held."""
    parts = []
    if player.settlements:
        parts.append(settlement_count(player.settlements.bit_count()))
    if player.cities:
        parts.append(city_count(player.cities.bit_count()))
    awards = {Award.LONGEST_ROAD: view.longest_road, Award.LARGEST_ARMY: view.largest_army}
    parts += [f"{award_title(name)} +2" for name, seat in awards.items() if seat == player.seat]
    unplayed = list(player.development_cards or NOTHING)
    counted = player.played[VICTORY_POINT]
    if data_of(view.config).hidden_points:  # else they count only once played (L1)
        counted += unplayed[VICTORY_POINT]
        unplayed[VICTORY_POINT] = 0
    if counted:
        parts.append(n_("{n} Victory Point card", "{n} Victory Point cards", counted))
    held = [*resource_counts(player.hand or NOTHING), *development_cards(unplayed)]
    text = " · ".join([_short_line(view, player, names), enumeration(parts) or _("no buildings")])
    return "\n-# ".join([text, _("held {things}", things=enumeration(held))]) if held else text
