"""The last offer that somebody made, to be made again: it stands in the log."""

from __future__ import annotations

from collections.abc import Iterable

from bot.screens.history import has_done, latest_offer
from bot.screens.viewer import Viewer
from bot.table.reporting import seatings
from engine.actions import MakeOffer
from engine.errors import RefereeError
from engine.refusals import Listed


def last_offer(viewer: Viewer) -> MakeOffer:
    """The same cards to the same people, as it can be offered now; whether it is legal is another matter.

    In another's turn it goes to the player on turn, if that is one of those people. Raises `RefereeError`.
    """
    me, on_turn = viewer.my_seat, viewer.view.on_turn
    made = latest_offer(viewer)
    if made is None or not _is_own(viewer):
        raise RefereeError("no-last-offer")
    playing = {p.seat for p in viewer.view.players if p.seat != me and not p.resigned}
    to = playing & set(made.to) if made.to else playing
    if not to:
        raise RefereeError("nobody-to-ask/repeat", names=_names(viewer, made.to))
    if on_turn != me:
        if on_turn is not None and on_turn not in to:
            raise RefereeError("nobody-to-ask/repeat on turn", names=_names(viewer, to))
        to = playing
    return MakeOffer(made.give, made.want, () if to == playing else tuple(sorted(to)))


def _is_own(viewer: Viewer) -> bool:
    """Whether the latest offer of the seat is of who sits there now, and not of who gave the seat away."""
    place = viewer.table.place_of(viewer.users[viewer.my_seat])
    since = max((taken.recorded for taken in seatings(viewer.table, place)), default=0)
    return has_done(viewer, MakeOffer, since)


def _names(viewer: Viewer, seats: Iterable[int]) -> Listed:
    return Listed([viewer.names[seat] for seat in sorted(seats)])


def repeatable(viewer: Viewer) -> MakeOffer | None:
    """The same, if it can be made now."""
    try:
        offer = last_offer(viewer)
    except RefereeError:
        return None
    return offer if viewer.options.allows(offer) else None
