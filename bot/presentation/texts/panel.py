"""The turn panel: who decides, what has happened, the players, the open offers; a function of View(None)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.presentation.texts.headline import acting, headline
from bot.presentation.texts.marks import AWARD_TITLES, RESOURCE_SIGNS, cards, clip, count, length, listing, sign
from bot.presentation.texts.story import story
from engine.geometry import bits
from engine.resources import KNIGHT, RESOURCES
from engine.terms import Award
from engine.views import OfferView, PlayerView, View

Names = Sequence[str]

BUDGET = 3800
"""Characters that a panel may take of the 4,000 of a message."""
WORTH_TELLING = 3
"""Segments of a road that is told; shorter ones stand in the picture only, and lines stay short on a phone."""
_LEAST_STORY = 500
"""Characters kept for the story before the offers are shortened."""


@dataclass(frozen=True, slots=True)
class Panel:
    """The panel's texts, each possibly empty; together within the budget."""

    headline: str
    story: str
    players: str
    offers: str
    footer: str

    @property
    def length(self) -> int:
        """Characters of all parts together."""
        return sum(map(length, (self.headline, self.story, self.players, self.offers, self.footer)))


def panel(view: View, names: Names, budget: int = BUDGET) -> Panel:
    """The panel's texts within `budget` characters (at least 1,500).

    What is shortened first: older lines of the story, then who answered which offer, then offers beyond the
    first ones, then anything else.
    """
    head = clip(headline(view, names), budget // 4)
    foot = footer(view)
    rows = clip("\n".join(player_line(view, p, names) for p in view.players), budget // 2)
    free = budget - sum(map(length, (head, foot, rows)))
    lines = story(view.events, view, names)
    least = min(_LEAST_STORY, sum(length(text) + 1 for text in lines), free // 2)
    offers = _offers(view, names, free - least)
    return Panel(head, newest(lines, free - length(offers)), rows, offers, foot)


def player_line(view: View, player: PlayerView, names: Names) -> str:
    """One player: sign, name, points, numbers of cards, knights, road, awards."""
    over = player.all_points is not None and view.outcome is not None
    points = player.all_points if over and player.all_points is not None else player.points
    arrow = "➤ " if acting(view) >> player.seat & 1 else ""
    parts = [f"{arrow}{sign(player.color)} **{names[player.seat]}** · **{count(points, 'point')}**"]
    if player.resigned:
        return parts[0] + " · left the game"
    shown = player.hand if view.outcome is None else None  # open hands; the final panel tells them its own way
    parts.append(count(player.hand_size, "card") + (f" ({cards(shown)})" if shown and any(shown) else ""))
    if player.development_count:
        parts.append(count(player.development_count, "development card"))
    if player.played[KNIGHT]:
        parts.append(count(player.played[KNIGHT], "knight"))
    if player.road_length >= WORTH_TELLING:
        parts.append(f"road {player.road_length}")
    awards = {Award.LONGEST_ROAD: view.longest_road, Award.LARGEST_ARMY: view.largest_army}
    parts += [f"🏆 {AWARD_TITLES[name]}" for name, seat in awards.items() if seat == player.seat]
    if view.end_votes >> player.seat & 1 and view.outcome is None:
        parts.append("agrees to end")
    return " · ".join(parts)


def footer(view: View) -> str:
    """The bank, the deck, the round and the target."""
    bank = " ".join(f"{RESOURCE_SIGNS[kind]}{n}" for kind, n in enumerate(view.bank))
    empty = [RESOURCES[kind] for kind, n in enumerate(view.bank) if not n]
    parts = [f"Bank {bank}" + (f" (no {listing(empty, 'or')})" if empty else "")]
    parts.append(count(view.deck, "development card") + " left")
    limit = f" of {view.config.round_limit}" if view.config.round_limit else ""
    if view.round:
        parts.append(f"round {view.round}{limit}")
    parts.append(f"to {view.config.target} points")
    return "-# " + " · ".join(parts)


def newest(lines: Sequence[str], limit: int) -> str:
    """The newest lines that fit, the number of older ones told first; "" where nothing fits."""
    kept: list[str] = []
    room = limit
    for at in range(len(lines) - 1, -1, -1):
        note = len("-# … 999 lines before\n") if at else 0
        if length(lines[at]) + 1 > room - note:
            if not kept and room - note > 20:
                kept.insert(0, clip(lines[at], room - note - 1))
                at -= 1
            before = at + 1
            return "\n".join([f"-# … {count(before, 'line')} before"] * bool(before) + kept) if kept else ""
        kept.insert(0, lines[at])
        room -= length(lines[at]) + 1
    return "\n".join(kept)


def _offers(view: View, names: Names, limit: int) -> str:
    """All open offers, as fully as fits."""
    if not view.offers:
        return ""
    for write in (offer_line, _brief):
        text = "\n".join(write(view, offer, names) for offer in view.offers)
        if length(text) <= limit:
            return text
    lines: list[str] = []
    for at, offer in enumerate(view.offers):
        more = f"… and {count(len(view.offers) - at, 'more offer')}"
        text = _brief(view, offer, names)
        if length("\n".join([*lines, text, more])) > limit:
            return clip("\n".join([*lines, more]), max(limit, 1))
        lines.append(text)
    return "\n".join(lines)


def offer_line(view: View, offer: OfferView, names: Names) -> str:
    """An open offer with who was asked and who has answered."""
    parts = [_terms(offer, names)]
    everyone = sum(1 << p.seat for p in view.players if p.seat != offer.seat and not p.resigned)
    if offer.to and offer.to != everyone:
        parts[0] += " to " + _who(offer.to, names)
    if offer.answers >= 0:
        parts[0] += f" (answer to {offer.answers})"
    if offer.accepted:
        parts.append(f"✅ {_who(offer.accepted, names)}")
    if offer.declined:
        parts.append(f"❌ {_who(offer.declined, names)}")
    return " · ".join(parts)


def _brief(view: View, offer: OfferView, names: Names) -> str:
    return f"{_terms(offer, names)} · ✅ {offer.accepted.bit_count()} ❌ {offer.declined.bit_count()}"


def _terms(offer: OfferView, names: Names) -> str:
    return f"**Offer {offer.id}** {names[offer.seat]} gives {cards(offer.give)} for {cards(offer.want)}"


def _who(mask: int, names: Names) -> str:
    return listing(names[s] for s in bits(mask))
