"""The words in pictures."""

from __future__ import annotations

from collections.abc import Sequence

from bot.presentation.texts.language import _, n_
from bot.presentation.texts.marks import listing, point_count
from engine.data import Data
from engine.views import View
from render import CostWords, DiceWords, EndWords


def end(view: View, names: Sequence[str]) -> EndWords:
    """Those of the end of a game; raises `ValueError` for one that isn't over."""
    if view.outcome is None:
        raise ValueError("the game isn't over")
    winners = view.outcome.winners
    when = _("turn {turn} · round {round}", turn=view.turn, round=view.round)
    who = listing(names[seat] for seat in winners)
    return EndWords(
        title=_("{names} won", names=who) if winners else _("Nobody won"),
        detail=f"{point_count(view.outcome.points[winners[0]])} · {when}" if winners else when,
        points=_("points"),
        counts=(_("made"), _("took"), _("lost"), _("traded")),
        course=_("Points by turn"),
        rolls=n_("{n} roll", "{n} rolls", sum(view.rolls)),
    )


def dice(view: View) -> DiceWords:
    """Those of the dice so far."""
    return DiceWords(n_("{n} roll so far", "{n} rolls so far", sum(view.rolls)), _("expected"))


def costs(data: Data, bridges: bool) -> list[CostWords]:
    """Those of what can be bought: road, perhaps bridge, settlement, city, development card."""
    award = _("longest of {n}+: 2 points", n=data.road_award)
    bridge = [CostWords(_("Bridge"), _("counts as a road"))] if bridges else []
    return [
        CostWords(_("Road"), award),
        *bridge,
        CostWords(_("Settlement"), point_count(1)),
        CostWords(_("City"), _("2 points, double yield")),
        CostWords(_("Development card"), _("knights, points and more")),
    ]
