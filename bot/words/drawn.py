"""The words in pictures."""

from __future__ import annotations

from collections.abc import Sequence

from bot.words.hands import card_title
from bot.words.language import P_, _, n_
from bot.words.marks import color_title, listing, point_count, resource, without_color
from bot.words.purchases import mine
from engine.data import Data
from engine.outcome import Outcome
from engine.resources import NOTHING
from engine.views import View
from render import CostWords, FigureWords, HandWords, legible

_WAYS = {
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


def called(view: View, names: Sequence[str]) -> list[str]:
    """Names by seat for sentences in pictures: a player whose name the font can't show is called by their color."""
    return [names[p.seat] if legible(names[p.seat]) else color_title(p.color) for p in view.players]


def beside_marks(view: View, names: Sequence[str]) -> list[str]:
    """The same for places next to the player's mark, where no name needs its color."""
    return called(view, [without_color(names[player.seat], player.color) for player in view.players])


def figures(view: View, names: Sequence[str]) -> FigureWords:
    """The words in the picture of a game's stats."""
    title, detail = _end(view, view.outcome, called(view, names)) if view.outcome else _so_far(view)
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
        ways={way: _(words) for way, words in _WAYS.items()},
    )


def _so_far(view: View) -> tuple[str, str]:
    """How far a game is: title and detail."""
    return _("Turn {turn}", turn=view.turn), _("round {round} · without hidden points", round=view.round)


def _end(view: View, outcome: Outcome, names: Sequence[str]) -> tuple[str, str]:
    """Who has won, and with how many points: title and detail."""
    when = _("turn {turn} · round {round}", turn=view.turn, round=view.round)
    if not outcome.winners:
        return _("No winner"), when
    who = listing(names[seat] for seat in outcome.winners)
    return _("{names} won", names=who), f"{point_count(outcome.points[outcome.winners[0]])} · {when}"


def hand(view: View) -> HandWords:
    """The words in the picture of the viewer's cards; raises `ValueError` for an onlooker."""
    me = mine(view)
    held, fresh = me.development_cards or NOTHING, me.fresh_cards or NOTHING
    marks = [_new(n, n == all_of) if n else "" for n, all_of in zip(fresh, held, strict=True)]
    return HandWords([resource(kind, sign=False) for kind in range(5)], [card_title(kind) for kind in range(5)], marks)


def _new(n: int, every: bool) -> str:
    return _("new") if every else n_("{n} new", "{n} new", n)


def costs(data: Data, bridges: bool) -> list[CostWords]:
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


def then_and_now(then: View, now: View, own: bool) -> tuple[str, str]:
    """The titles of two boards; `own`: the first is as the reader's own last action left it."""
    if own:
        before = _("After your last move")
    else:
        before = _("When turn {turn} began", turn=then.turn) if then.turn else _("Before")
    return before, _("The end") if now.outcome else _("Now, turn {turn}", turn=now.turn) if now.turn else _("Now")
