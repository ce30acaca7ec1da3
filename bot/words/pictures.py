"""The words in pictures; their alternative texts, the same view in at most 1,024 characters; and the dice as text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.plaintext import clip, length
from bot.words.hands import card_title, mine
from bot.words.language import N_, NN_, P_, _, decimal, enumeration, n_, noted, sentence, sentences
from bot.words.marks import (
    card_count,
    cards,
    color_title,
    development_cards,
    harbor,
    hex_kind,
    hex_text,
    listing,
    point_count,
    resource,
    with_color,
    without_color,
)
from bot.words.narrator import newest
from bot.words.narrator.building import NAMED_PIECES
from bot.words.places import buildings, useless_harbors
from engine.board import pips
from engine.changes import Changes
from engine.data import Data
from engine.geometry import bits
from engine.log.chronicle import Story
from engine.outcome import Outcome
from engine.resources import NOTHING, SEA
from engine.rules import data_of
from engine.terms import Piece
from engine.views import View, ranked
from render import CostWords, FigureWords, HandWords, legible

WAYS = {
    "made": P_("cards", "produced"),
    "plenty": P_("cards", "Year of Plenty"),
    "robbed": P_("cards", "by robber"),
    "lost": P_("cards", "to robber"),
    "won": P_("cards", "by monopoly"),
    "ceded": P_("cards", "to monopoly"),
    "got": P_("cards", "from players"),
    "gave": P_("cards", "to players"),
    "bought": P_("cards", "from bank"),
    "paid": P_("cards", "to bank"),
    "discarded": P_("cards", "discarded"),
    "spent": P_("cards", "spent"),
    "returned": P_("cards", "returned"),
    "held": P_("cards", "left in hand"),
}
"""Ways in which cards come and go, a word or two for each (`engine.log.chronicle.Account`)."""


def drawn_names(view: View, names: Sequence[str]) -> list[str]:
    """Names by seat for sentences in pictures: a player whose name the font can't show is called by their color."""
    return [names[p.seat] if legible(names[p.seat]) else color_title(p.color) for p in view.players]


def names_beside_marks(view: View, names: Sequence[str]) -> list[str]:
    """The same for places next to the player's mark, where no name needs its color."""
    return drawn_names(view, [without_color(names[player.seat], player.color) for player in view.players])


def figure_words(view: View, names: Sequence[str]) -> FigureWords:
    """The words in the picture of a game's stats."""
    title, detail = result(view, drawn_names(view, names))
    return FigureWords(
        title=title,
        detail=detail,
        points=_("points"),
        course=_("Points by turn"),
        rolls=n_("{n} roll", "{n} rolls", sum(view.rolls)),
        expected=_("expected"),
        robberies=_("Stolen by the robber"),
        thief=_("who"),
        source=_("from"),
        cards=_("Resource cards"),
        ways={way: _(words) for way, words in WAYS.items()},
    )


def result(view: View, names: Sequence[str]) -> tuple[str, str]:
    """Who has won, or how far the game is: title and detail."""
    return _end_words(view, view.outcome, names) if view.outcome else _so_far_words(view)


def _so_far_words(view: View) -> tuple[str, str]:
    """How far a game is: title and detail."""
    if not data_of(view.config).hidden_points:
        return _("Turn {turn}", turn=view.turn), _("round {n}", n=view.round)
    return _("Turn {turn}", turn=view.turn), _("round {round} · without hidden points", round=view.round)


def _end_words(view: View, outcome: Outcome, names: Sequence[str]) -> tuple[str, str]:
    """Who has won, and with how many points: title and detail."""
    when = _("turn {turn} · round {round}", turn=view.turn, round=view.round)
    if not outcome.winners:
        return _("No winner"), when
    who = listing(names[seat] for seat in outcome.winners)
    won = n_("{names} won", "{names} won", len(outcome.winners), names=who)
    return won, f"{point_count(outcome.points[outcome.winners[0]])} · {when}"


def hand_words(view: View) -> HandWords:
    """The words in the picture of the viewer's cards; raises `ValueError` for an onlooker."""
    me = mine(view)
    held, fresh = me.development_cards or NOTHING, me.fresh_cards or NOTHING
    marks = [_new(n, n == all_of) if n else "" for n, all_of in zip(fresh, held, strict=True)]
    return HandWords([resource(kind, sign=False) for kind in range(5)], [card_title(kind) for kind in range(5)], marks)


def _new(n: int, every: bool) -> str:
    return _("new") if every else n_("{n} new", "{n} new", n)


def cost_words(data: Data, bridges: bool) -> list[CostWords]:
    """The words in the picture of the costs: road, perhaps bridge, settlement, city, development card."""
    award = _("Longest Road ({n}+): 2 points", n=data.road_award)
    bridge = [CostWords(_("Bridge"), _("counts as a road"))] if bridges else []
    return [
        CostWords(_("Road"), award),
        *bridge,
        CostWords(_("Settlement"), point_count(1)),
        CostWords(_("City"), _("2 points, double resources")),
        CostWords(_("Development card"), _("knights, points and more")),
    ]


def then_and_now_titles(then: View, now: View, own: bool) -> tuple[str, str]:
    """The titles of two boards; `own`: the first is as the reader's own last action left it."""
    if own:
        before = _("After your last move")
    else:
        before = _("When turn {turn} began", turn=then.turn) if then.turn else _("Before")
    return before, _("The end") if now.outcome else _("Now, turn {turn}", turn=now.turn) if now.turn else _("Now")


# --- alternative texts

LONGEST_ALT = 1024
"""Maximum characters of an alternative text."""


def board_alt(view: View, names: Sequence[str]) -> str:
    """The board of a view in words: turn, buildings, robber, newest piece, harbors, hexes, roads.

    What doesn't fit is left out from the end of that list.
    """
    return _fit([_turn(view, names), *_board(view, names), newest(view, names), *_ground(view, names)])


def _board(view: View, names: Sequence[str]) -> list[str]:
    """The buildings and the robber."""
    mine = [
        _("{name}: {buildings}.", name=with_color(names[p.seat], p.color), buildings=buildings(view, p.seat))
        for p in view.players
    ]
    return [*mine, _robber(view)]


def _ground(view: View, names: Sequence[str]) -> list[str]:
    """The land, the harbors and the roads."""
    parts = []
    parts += _terrain(view)
    parts += [_harbors(view), useless_harbors(view)]
    parts += [_roads(view, p.seat, names) for p in view.players if p.roads]
    return parts


def then_and_now_alt(then: View, now: View, changes: Changes, names: Sequence[str]) -> str:
    """Two pictures of a board in words: what is new, then the board as it is now."""
    grid = now.board.grid
    parts = [_("The board then and now."), _turn(now, names)]
    for player in now.players:
        groups = (
            (Piece.CITY, changes.nodes & player.cities, grid.node_names),
            (Piece.SETTLEMENT, changes.nodes & player.settlements, grid.node_names),
            (Piece.ROAD, changes.edges & player.roads & ~now.board.bridge_mask, grid.edge_names),
            (Piece.BRIDGE, changes.edges & player.roads & now.board.bridge_mask, grid.edge_names),
        )
        new = [_(NAMED_PIECES[piece], place=places[at]) for piece, mask, places in groups for at in bits(mask)]
        if new:
            parts.append(_("New for {name}: {list}.", name=names[player.seat], list=listing(new)))
    if changes.robber >= 0:
        parts.append(_("The robber came from {hex}.", hex=hex_text(now.board, changes.robber)))
    return _fit([*parts, *_board(now, names), *_ground(now, names)])


def hand_alt(view: View) -> str:
    """The picture of the viewer's hand in words."""
    if view.seat is None:
        raise ValueError("an onlooker has no hand")
    me = view.players[view.seat]
    text = _("Your hand: {cards}.", cards=cards(me.hand or NOTHING, signs=False))
    if held := development_cards(me.development_cards or NOTHING):
        text = sentences([text, _("Development cards: {cards}.", cards=listing(held))])
    return _fit([text])


def figures_alt(view: View, story: Story, names: Sequence[str]) -> str:
    """The picture of a game's stats in words: who won, points, whom the robber served, cards, dice.

    What doesn't fit is left out from the end of that list.
    """
    points = story.points[-1]
    parts = [_ending(view, view.outcome, names) if view.outcome else _so_far(view)]
    standing = enumeration(f"{names[player.seat]} {points[player.seat]}" for player in ranked(view, points))
    parts.append(_("Points: {list}.", list=standing))
    parts += _robber_served(story, names)
    parts += _counted(N_("Cards produced: {list}."), story, "made", names)
    parts.append(_rolls(view))
    for text, way in _COUNTED_WAYS:
        parts += _counted(text, story, way, names)
    for thief, row in enumerate(story.robberies):
        if any(row):
            parts.append(_("{name} stole from {list}.", name=names[thief], list=_highest(row, names)))
    return _fit(parts)


_COUNTED_WAYS = (
    (N_("Discarded: {list}."), "discarded"),
    (N_("Given to other players in trades: {list}."), "gave"),
    (N_("Traded to the bank: {list}."), "paid"),
    (N_("Won by monopolies: {list}."), "won"),
    (N_("Spent: {list}."), "spent"),
    (N_("Stolen by the robber: {list}."), "robbed"),
    (N_("Lost to the robber: {list}."), "lost"),
)


def _counted(sentence: str, story: Story, way: str, names: Sequence[str]) -> list[str]:
    """A sentence with each player's number of cards that came or went this way, if there are any."""
    counts = [getattr(account, way) for account in story.accounts]
    return [_(sentence, list=_highest(counts, names))] if any(counts) else []


def _highest(counts: Sequence[int], names: Sequence[str]) -> str:
    """Names with their counts, highest first, without those that have none: "Ann 5, Bob 2"."""
    seats = sorted(range(len(counts)), key=lambda seat: (-counts[seat], seat))
    return enumeration(f"{names[seat]} {counts[seat]}" for seat in seats if counts[seat])


def _ending(view: View, outcome: Outcome, names: Sequence[str]) -> str:
    if not outcome.winners:
        return _("The end in turn {turn}: no winner.", turn=view.turn)
    best = outcome.points[outcome.winners[0]]
    values = {"turn": view.turn, "names": listing(names[seat] for seat in outcome.winners), "points": point_count(best)}
    others = [n for seat, n in enumerate(outcome.points) if seat not in outcome.winners]
    if others and (ahead := best - max(others)) > 0:
        return _("{names} won in turn {turn} with {points}, {n} ahead.", **values, n=ahead)
    return _("{names} won in turn {turn} with {points}.", **values)


def _so_far(view: View) -> str:
    if not data_of(view.config).hidden_points:
        return sentence(" · ".join(_so_far_words(view)))
    return _("Turn {turn}, round {round}, without hidden points.", turn=view.turn, round=view.round)


def _robber_served(story: Story, names: Sequence[str]) -> list[str]:
    """Who stole the most with the robber, and who lost the most to it."""
    taken, lost = ([getattr(account, way) for account in story.accounts] for way in ("robbed", "lost"))
    if not any(taken):
        return []
    most, least = max(taken), max(lost)
    return [
        _(
            "Most stolen: {thieves} ({taken}). Most lost: {victims} ({lost}).",
            thieves=listing(names[seat] for seat, n in enumerate(taken) if n == most),
            victims=listing(names[seat] for seat, n in enumerate(lost) if n == least),
            taken=card_count(most),
            lost=card_count(least),
        )
    ]


def _rolls(view: View) -> str:
    """How often each sum was rolled, and how often it was expected."""
    total = sum(view.rolls)
    parts = enumeration(
        _("{what}: {cost}", what=sum_, cost=noted(str(view.rolls[sum_]), decimal(total * _chance(sum_))))
        for sum_ in range(2, 13)
    )
    one, many = NN_("{n} roll. Each sum rolled (expected): {parts}.", "{n} rolls. Each sum rolled (expected): {parts}.")
    return n_(one, many, total, parts=parts)


def _chance(number: int) -> float:
    """The chance of rolling a sum with two dice."""
    return (6 if number == 7 else pips(number)) / 36


def _fit(parts: Sequence[str]) -> str:
    """The parts in order, as far as they fit: what is too long is cut between two words."""
    text = sentences(parts)
    if length(text) <= LONGEST_ALT:
        return text
    cut = clip(text, LONGEST_ALT)
    whole = re.match(r"(?s).*(?=[ 。、])|.*", cut)  # not every language has blanks
    return clip(whole[0] if whole else cut, LONGEST_ALT - 1).rstrip("…,;:·") + "…"


def _turn(view: View, names: Sequence[str]) -> str:
    if view.outcome is not None:
        if not view.outcome.winners:
            return _("The final board: no winner.")
        who = listing(names[seat] for seat in view.outcome.winners)
        many = len(view.outcome.winners)
        return n_("The final board: {names} won.", "The final board: {names} won.", many, names=who)
    if view.on_turn is None:
        return _setup(view, names)
    values = {"turn": view.turn, "name": names[view.on_turn]}
    if view.dice is None:
        return _("Board, turn {turn}: {name}, before the roll.", **values)
    return _("Board, turn {turn}: {name} rolled {sum}.", **values, sum=sum(view.dice))


def _setup(view: View, names: Sequence[str]) -> str:
    if not view.awaited:
        return _("The board during setup.")
    return _("The board during setup: next is {names}.", names=listing(names[seat] for seat in bits(view.awaited)))


def _robber(view: View) -> str:
    if view.robber < 0:
        return _("The robber is off the board.")
    return _("Robber on {hex}.", hex=hex_text(view.board, view.robber))


def _terrain(view: View) -> list[str]:
    """The land, row by row."""
    rows: dict[str, list[str]] = {}
    for h, name in enumerate(view.board.grid.hex_names):
        if not name.startswith("s"):
            rows.setdefault(name.partition(".")[0], []).append(
                hex_kind(view.board, h) if view.board.terrain[h] != SEA else _("sea")
            )
    return [_("Row {row}: {hexes}.", row=row, hexes=enumeration(kinds)) for row, kinds in rows.items()]


def _harbors(view: View) -> str:
    grid = view.board.grid
    found = [
        _("{harbor} at {places}", harbor=harbor(kind), places=listing(grid.node_names[n] for n in bits(nodes)))
        for kind, nodes, hex_ in view.board.harbor_nodes
    ]
    return _("Harbors: {harbors}.", harbors=enumeration(found)) if found else ""


def _roads(view: View, seat: int, names: Sequence[str]) -> str:
    edges = [view.board.grid.edge_names[e] for e in bits(view.players[seat].roads)]
    values = {"name": names[seat], "edges": enumeration(edges)}
    return n_("{name}: {n} road {edges}.", "{name}: {n} roads {edges}.", len(edges), **values)


# --- the dice


def dice_line(view: View) -> str:
    """The number of rolls and the most frequent sums, in one line."""
    total, most = sum(view.rolls[2:13]), max(view.rolls[2:13])
    if not total:
        return _("No dice have been rolled yet.")
    often = _times([str(number) for number in range(2, 13) if view.rolls[number] == most], most)
    return n_(
        "**The dice:** {n} roll; most often {often}.",
        "**The dice:** {n} rolls; most often {often}.",
        total,
        often=often,
    )


def _times(numbers: list[str], n: int) -> str:
    """Which sums came how often: "8 (30 times)", "3 and 4 (once each)"."""
    each, sums = len(numbers) > 1, listing(numbers)
    if n == 1:
        return _("{numbers} (once each)", numbers=sums) if each else _("{numbers} (once)", numbers=sums)
    if n == 2:
        return _("{numbers} (twice each)", numbers=sums) if each else _("{numbers} (twice)", numbers=sums)
    if each:
        return n_("{numbers} ({n} time each)", "{numbers} ({n} times each)", n, numbers=sums)
    return n_("{numbers} ({n} time)", "{numbers} ({n} times)", n, numbers=sums)
