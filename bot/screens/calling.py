"""A game's pings, in addition to the panel's own."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from bot.screens import agreement, offers, seats, votes, waiting
from bot.screens.steps import Ping, presenter_of
from bot.screens.viewer import Viewer
from bot.table.seats import who_decides
from engine.geometry import bits


def pings(public: Viewer) -> list[Ping]:
    """All pings of a game, in addition to the panel's own. They depend only on public facts."""
    view, deciding = public.view, who_decides(public.table, public.game)
    computers = {*bits(public.computers)}
    silent = {seat for seat, user in enumerate(public.users) if user not in deciding}
    voting = _without(votes.pings(view, public.names), silent)
    found = list[Ping]()
    if not public.table.paused:
        reminded = {*computers, *waiting.reminded(public)}
        found = [
            *_without(presenter_of(view).pings(view, view.step), reminded),
            *offers.pings(public),
            *waiting.pings(public),
        ]
    return [*voting, *_without(found, computers), *seats.pings(public), *agreement.pings(public)]


def _without(pings: Iterable[Ping], silent: Collection[int]) -> Iterator[Ping]:
    """The pings without these seats; a ping with no other seats is dropped."""
    for ping in pings:
        if others := tuple(seat for seat in ping.seats if seat not in silent):
            yield replace(ping, seats=others)
