"""A player's last offer, to be made again. It is read from the log."""

from __future__ import annotations

from collections.abc import Iterable

from bot.screens.history import has_done, latest_offer
from bot.screens.viewer import Viewer
from bot.table.table import seatings
from engine.actions import MakeOffer
from engine.errors import RefereeError
from engine.refusals import Listed


def last_offer(viewer: Viewer) -> MakeOffer:
    """The player's last offer, with the same cards and people, adapted to the present turn; not always legal.

    In another player's turn it goes to the player on turn, if the last offer asked that player. Codes:
    "no-last-offer", "nobody-to-ask".
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
    """Whether the person in the seat has made an offer there, so that the seat's latest isn't a former player's."""
    place = viewer.table.place_of(viewer.users[viewer.my_seat])
    since = max((taken.recorded for taken in seatings(viewer.table, place)), default=0)
    return has_done(viewer, MakeOffer, since)


def _names(viewer: Viewer, seats: Iterable[int]) -> Listed:
    return Listed([viewer.names[seat] for seat in sorted(seats)])


def repeatable(viewer: Viewer) -> MakeOffer | None:
    """The last offer, adapted in the same way; None if it can't be made now."""
    try:
        offer = last_offer(viewer)
    except RefereeError:
        return None
    return offer if viewer.options.allows(offer) else None
