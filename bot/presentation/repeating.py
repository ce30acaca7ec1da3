"""The last offer that somebody made, to be made again: out of the log, so that it outlives everything."""

from __future__ import annotations

from bot.presentation.viewer import Viewer
from engine.actions import MakeOffer, Roll
from engine.errors import RefereeError
from engine.geometry import bits, mask_of
from engine.refusals import Listed


def last_offer(viewer: Viewer) -> MakeOffer:
    """The same cards to the same people, as it can be offered now; whether it is legal is another matter.

    In another's turn it goes to the player on turn, if that is one of those people. Raises `RefereeError`.
    """
    me, on_turn = viewer.player, viewer.view.on_turn
    made = _latest(viewer, me)
    if made is None:
        raise RefereeError("no-last-offer")
    offer, asked = made
    playing = mask_of(p.seat for p in viewer.view.players if p.seat != me and not p.resigned)
    to = asked & playing
    if not to:
        raise RefereeError("nobody-to-ask/repeat", names=Listed([viewer.names[seat] for seat in bits(asked)]))
    if on_turn != me:
        if on_turn is not None and not to >> on_turn & 1:
            raise RefereeError("nobody-to-ask/repeat on turn", names=Listed([viewer.names[seat] for seat in bits(to)]))
        to = playing
    return MakeOffer(offer.give, offer.want, () if to == playing else tuple(bits(to)))


def repeatable(viewer: Viewer) -> MakeOffer | None:
    """The same, if it can be made now."""
    try:
        offer = last_offer(viewer)
    except RefereeError:
        return None
    return offer if viewer.options.allows(offer) else None


def _latest(viewer: Viewer, me: int) -> tuple[MakeOffer, int] | None:
    """The seat's last offer or counter-offer, and the mask of those whom it asked."""
    makers: list[int] = []
    """Of all offers so far; they are numbered from 1."""
    found: tuple[MakeOffer, int] | None = None
    on_turn = -1
    everyone = (1 << viewer.game.config.players) - 1
    for record in viewer.game.records:
        if isinstance(record.action, Roll):
            on_turn = record.actor
        elif isinstance(record.action, MakeOffer):
            makers.append(record.actor)
            if record.actor == me:
                found = record.action, _asked(record.action, me, on_turn, makers) & everyone & ~(1 << me)
    return found


def _asked(offer: MakeOffer, me: int, on_turn: int, makers: list[int]) -> int:
    """Mask of the seats that an offer asked when it was made (E2)."""
    if me != on_turn:
        return 1 << on_turn
    if offer.to:
        return mask_of(offer.to)
    return 1 << makers[offer.answers - 1] if offer.answers > 0 else -1
