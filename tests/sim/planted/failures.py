"""More faults to plant: something fails or falls silent without anything being lost."""

from __future__ import annotations

import asyncio
import copy
import dataclasses
from types import SimpleNamespace
from typing import Any

from tests.sim.able import Able
from tests.sim.calls import Rested
from tests.sim.machine import ENDS
from tests.sim.planted.faults import CALLED, DUE, FAIR, KEPT, SHOWN, TWICE
from tests.sim.planted.planting import planted, put
from tests.sim.replaced import Replaced
from tests.sim.secrets.marks import everywhere

# --- what fails


@planted("an unexpected error ends the process", ENDS)
def process_ends() -> None:
    from bot.discord import app

    serve = app._serve

    async def some_time(settings: Any) -> bool:
        task = asyncio.create_task(serve(settings))
        await asyncio.wait({task}, timeout=600.0)
        if task.done():
            return task.result()
        raise RuntimeError("planted")

    put(app, _serve=some_time)


@planted("most actions can't be stored, for no reason", Able.name)
def actions_fail() -> None:
    from bot.store import Unavailable
    from bot.store.sql.store import Store

    save, tried = Store.save, 0

    async def seldom(self: Store, change: Any) -> None:
        nonlocal tried
        if change.records and str(change.interaction)[:1].isdigit():
            tried += 1
            if tried > 6 and tried % 3:
                raise Unavailable("planted")
        await save(self, change)

    put(Store, save=seldom)


@planted("a turn with a card's free roads beside an accepted offer can't be shown", SHOWN, CALLED)
def offers_beside_roads() -> None:
    from bot.screens import trade
    from bot.screens.steps.step import Presenter
    from bot.screens.steps.turn import RoadBuilding

    put(trade, _is_trading=lambda viewer: True)
    put(RoadBuilding, actor=Presenter.actor)


@planted("the end of a game can't be stored", Able.name, DUE)
def end_not_stored() -> None:
    from bot.store import Unavailable
    from bot.store.sql.store import Store
    from bot.table.table import OVER

    save = Store.save

    async def unless_over(self: Store, change: Any) -> None:
        if change.table.status == OVER and change.records:
            raise Unavailable("planted")
        await save(self, change)

    put(Store, save=unless_over)


@planted("who may build a road is told that it isn't their turn", Able.name)
def wrongly_refused() -> None:
    from bot.service.games import GameService
    from bot.table.acts.play import Play
    from engine.actions import BuildRoad
    from engine.errors import RefereeError

    act = GameService.act

    async def no_roads(self: GameService, number: int, user: int, it: Any, *rest: Any, **named: Any) -> Any:
        if isinstance(it, Play) and isinstance(it.action, BuildRoad):
            raise RefereeError("wrong-turn")
        return await act(self, number, user, it, *rest, **named)

    put(GameService, act=no_roads)


@planted("the button to trade with the bank is missing", Able.name)
def no_bank() -> None:
    from bot.screens.steps import step, turn

    trading = step.trading
    put(turn, trading=lambda view: [button for button in trading(view) if button.emoji != "🏦"])


@planted("a list of places ends after the 25th", Able.name)
def places_cut() -> None:
    from bot.screens import pickers
    from bot.words.places import regions

    put(pickers, regions=lambda *values: regions(*values)[:1])


@planted("only the three best places are suggested for a command", Able.name)
def suggestions_cut() -> None:
    from bot.discord.talk import commands
    from bot.screens.pickers import legal

    put(commands, legal=lambda *values: [*legal(*values)][:3])


@planted("what people choose for themselves is stored without waiting for the disk", KEPT)
def settings_not_synced() -> None:
    from bot.store.sql.people import PeopleStore

    change = PeopleStore.change_settings

    async def hurried(self: PeopleStore, *values: Any) -> Any:
        part, database = copy.copy(self), self._database
        part._database = SimpleNamespace(write=lambda body: database.write(body, durable=False))  # type: ignore[assignment]
        return await change(part, *values)

    put(PeopleStore, change_settings=hurried)


# --- what is silent


def _silent_while(status: str) -> None:
    """Show nothing of tables with this status, once they have a message with buttons."""
    from bot.discord.show import lanes
    from bot.discord.show.lobby import LOBBY_NAME
    from bot.table.table import LOBBY

    show = lanes.bring_up_to_date

    async def unless(round: Any, head: Any, wanted: Any) -> Any:
        there = round.known.get(LOBBY_NAME)
        if round.table.status == status and (status != LOBBY or (there is not None and there.posted)):
            return None
        return await show(round, head, wanted)

    put(lanes, bring_up_to_date=unless)


@planted("how a game has ended isn't shown", SHOWN)
def end_not_shown() -> None:
    from bot.table.table import OVER

    _silent_while(OVER)


@planted("who joins isn't shown", SHOWN)
def lobby_not_shown() -> None:
    from bot.table.table import LOBBY

    _silent_while(LOBBY)


@planted("a hand that has changed counts as the one that was sent", SHOWN)
def hands_stale() -> None:
    from bot.discord.show import private
    from bot.discord.show.wanted import Letter

    letter = private._letter_of

    def unchanged(*values: Any) -> Any:
        found = letter(*values)
        return dataclasses.replace(found, key=1) if isinstance(found, Letter) else found

    put(private, _letter_of=unchanged)


@planted("whose turn begins isn't called", CALLED)
def turn_not_called() -> None:
    from bot.discord.show import panel

    messages = panel.turn_messages

    def quiet(*values: Any) -> Any:
        present, *others = messages(*values)
        return [dataclasses.replace(present, users=()), *others]

    put(panel, turn_messages=quiet)


@planted("who must act in the turn of someone else isn't called", CALLED)
def pings_missing() -> None:
    from bot.discord.show import pings

    put(pings, ping_messages=lambda *values: [])


@planted("who can answer the robber with a knight isn't called", CALLED)
def windows_not_called() -> None:
    from bot.screens.steps.robber import Interrupt

    put(Interrupt, pings=lambda *values: [])


@planted("whom an offer names isn't called", CALLED)
def offers_not_called() -> None:
    from bot.screens import trade

    put(trade, offer_pings=lambda public: [])


@planted("who wants direct messages isn't called by any", CALLED)
def letters_silent() -> None:
    from bot.discord.show import private
    from bot.discord.show.wanted import Letter

    letter = private._letter_of

    def quiet(*values: Any) -> Any:
        found = letter(*values)
        return dataclasses.replace(found, notify_again=False) if isinstance(found, Letter) else found

    put(private, _letter_of=quiet)


@planted("each change of a turn is a new topic to call players about", TWICE)
def topics_change() -> None:
    from bot.discord.show import panel

    topic = panel.turn_topic
    put(panel, turn_topic=lambda public: f"{topic(public)}.{public.table.changes}")


@planted("nothing is decided for players whose time is over", DUE)
def nothing_decided() -> None:
    from bot.table.acts import waiting

    put(waiting, _decided=lambda table, game, late: table)


@planted("where a bot must decide, players whose time is over are only marked as late", DUE)
def only_late() -> None:
    from bot.table.acts import waiting

    put(waiting, DECIDE="never")


@planted("downtime counts where all have the same time to answer", FAIR)
def window_runs() -> None:
    from bot.table import waiting

    deadline = waiting._deadline

    def running(table: Any, game: Any) -> Any:
        return deadline(dataclasses.replace(table, downtime=(), stops=()), game)

    put(waiting, _deadline=running)


@planted("a reminder counts as given, and no one sees it", DUE)
def reminders_unseen() -> None:
    from bot.table.acts.waiting import LookAfter

    reminded = LookAfter._reminded

    def unseen(self: LookAfter, *values: Any) -> Any:
        return dataclasses.replace(reminded(self, *values), pinged=0.0, written=0.0)

    put(LookAfter, _reminded=unseen)


# --- what is said when it must not


@planted("quiet hours and vacations don't hold reminders up", Rested.name)
def no_rest() -> None:
    from bot.table import reminders

    everywhere(reminders.held_until, lambda choices, now: None)


@planted("reminders stay put off after a vacation is canceled", DUE)
def put_off_for_nothing() -> None:
    from bot.service.games import GameService
    from bot.service.waiting import AbsenceService
    from bot.store.base import LOOK_JOB
    from bot.table.acts.waiting import RefreshTimes

    jobs = GameService._jobs

    def unmoved(self: GameService, before: Any, old: Any, outcome: Any, act: Any, by: Any) -> Any:
        found = jobs(self, before, old, outcome, act, by)
        return {name: at for name, at in found.items() if (act.kind, name) != (RefreshTimes.kind, LOOK_JOB)}

    async def changed(self: AbsenceService, user: int, change: Any) -> Any:
        def chosen(settings: Any) -> Any:
            vacation = change(settings.choices.vacation)
            return dataclasses.replace(settings, choices=dataclasses.replace(settings.choices, vacation=vacation))

        settings = await self._jobs.change_settings(user, chosen, [])
        for number in await self._store.played_by(user):
            await self._games.act(number, 0, RefreshTimes())
        return settings

    put(GameService, _jobs=unmoved)
    put(AbsenceService, _set=changed)


@planted("the host has a bot play for anyone at once", Replaced.name)
def replaced_at_once() -> None:
    from bot.table.acts import seats

    put(seats, can_replace_alone_from=lambda table, *others, **named: 0.0)
