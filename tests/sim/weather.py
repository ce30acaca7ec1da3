"""What happens to the town: machines die, Discord is away, disks are full, members do things. `Weather` has a method
for each kind of event in a plan."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

from tests.sim.aims import Aims
from tests.sim.flips import Flips
from tests.sim.machine import Machine
from tests.sim.plan import Event
from tests.sim.stops import Stops
from tests.sim.town import Town
from tests.wire.faults import Fault
from tests.wire.messages import Message
from tests.wire.model import Permission
from tests.wire.rates import Limit

QUIET = {
    *("slow_messages", "limits", "slow_disk", "slow_database", "full_disk", "failing_disk"),
    *("forbid", "delete_message", "purge", "leave", "close_dms"),
}
"""Kinds of events that keep no one from getting a first answer."""
LASTING = {
    *("errors", "lost_answers", "slowness", "slow_messages", "limits"),
    *("slow_disk", "slow_database", "full_disk", "failing_disk"),
}
"""Kinds of events whose consequences are looked at when they are over: people go on meanwhile."""
LONG = 20.0
"""Seconds that people must be unable to act so that no one's time is over soon afterward."""
RECOVERY = 60.0
"""Seconds after the end of a trouble within which everything must be right again."""


class Weather:
    """Makes the events of a plan happen, and knows since when it has been calm."""

    def __init__(self, town: Town) -> None:
        self.town = town
        self.rng = town.universe.chance("weather")
        self.over = 0.0
        """When the last trouble is over, as far as is known."""
        self.deaf_until = 0.0
        """When the last trouble is over that kept people from getting answers."""
        self.lost = 0.0
        """When the last long trouble is over in which people couldn't act."""
        self.cutting = list[Callable[[], None]]()
        """Called before connections are cut that can be resumed."""
        self.happened = asyncio.Event()
        """Set by each event that must be looked at."""
        self._under_way = self._deaf = 0
        self._quiet = self._lasts = False
        self._at = town.machines[0]
        """The machine to which an event happens."""
        self._aims, self._flips, self._stops = Aims(town), Flips(town), Stops(town)

    async def go_on(self, begun: float) -> None:
        """Let all events happen in time. `begun`: when the plan begins."""
        for event in self.town.plan.events:
            await asyncio.sleep(max(begun + event.at - self.town.universe.now, 0.0))
            if event.aim:
                self._aims.wait(event, partial(self._happen, event))
            else:
                self._happen(event)

    def _happen(self, event: Event, at: Machine | None = None) -> None:
        """Let an event happen. `at`: the machine at which it is aimed; None: that which its number says."""
        self.town.universe.log(f"event {event.kind} {event.value:.3f} {event.which} {event.aim}")
        self.rng = self.town.universe.chance(f"event {event}")  # its own: others can be left out
        self._quiet, self._at = event.kind in QUIET, at or self.town.machine(event.which)
        self._lasts = event.kind in LASTING
        self._stops.events += 1
        getattr(self, event.kind)(event)
        if not self._lasts:
            self.happened.set()

    def answers(self, seconds: float = RECOVERY) -> bool:
        """Whether nothing has kept people from getting answers for so many seconds."""
        return not self._deaf and self.town.universe.now - self.deaf_until >= seconds

    def calm(self, seconds: float = RECOVERY) -> bool:
        """Whether there has been no trouble for so many seconds."""
        return not self._under_way and self.town.universe.now - self.over >= seconds

    def _for(self, seconds: float, begin: Callable[[], None], end: Callable[[], None]) -> None:
        """A trouble that lasts for a while."""
        quiet, lasts = self._quiet, self._lasts
        self._under_way += 1
        self._deaf += not quiet
        begin()

        def finish() -> None:
            end()
            self._under_way -= 1
            self._deaf -= not quiet
            self._at_once(quiet)
            if lasts:
                self.happened.set()

        self.town.universe.loop.call_later(seconds, finish)

    def _at_once(self, quiet: bool | None = None) -> None:
        self.over = self.town.universe.now
        if not (self._quiet if quiet is None else quiet):
            self.deaf_until = self.over

    def _unreachable(
        self, seconds: float, begin: Callable[[], None], end: Callable[[], None], machine: Machine | None = None
    ) -> None:
        """A trouble in which people can't act. `machine`: the only one that has it; it ends with its process."""
        life = len(machine.lives) if machine else 0

        def over() -> None:
            end()
            if seconds >= LONG and (machine is None or len(machine.lives) == life):
                self.lost = self.town.universe.now

        self._for(seconds, begin, over)

    def _down(self, seconds: float) -> None:
        """A process is down for so many seconds."""
        self._for(seconds, lambda: None, lambda: None)

    # --- machines

    def kill(self, event: Event) -> None:
        """A process is killed, and started again some seconds later."""
        self._down(event.value + 5.0)
        self._die(event.value)

    def power(self, event: Event) -> None:
        """A machine loses power."""
        self._down(event.value + 5.0)
        self._die(event.value, power=True)

    def _die(self, again: float, *, power: bool = False) -> None:
        self._at.kill(power=power, again=again)
        self._flips.begin()

    def stand_still(self, event: Event) -> None:
        """A process stands still, as after SIGSTOP."""
        machine = self._at
        if machine.alive:
            stop = partial(machine.stop, event.value)
            if self.town.plan.processes == 1:
                self._unreachable(event.value, stop, machine.proceed, machine)
            else:
                self._for(event.value, stop, machine.proceed)

    def restart(self, event: Event) -> None:
        """A process is killed and starts again at once."""
        self._down(5.0)
        self._die(0.0)

    def stop(self, event: Event) -> None:
        """A host stops a process, or all of them one after another, and starts them again."""
        machines = self.town.machines if event.which % 2 else [self._at]
        self._down(self._stops.begin(machines, self.calm()))

    def set_clock(self, event: Event) -> None:
        """A machine's clock is set."""
        self._at_once()
        if self.town.plan.processes == 1:
            self._at.ahead += event.value

    def full_disk(self, event: Event) -> None:
        """The disk is full for a while."""
        self._disk(event, "full")

    def failing_disk(self, event: Event) -> None:
        """The disk fails now and then for a while."""
        self._disk(event, "failing")

    def _disk(self, event: Event, what: str) -> None:
        disk = self.town.disk
        self._for(event.value, lambda: setattr(disk, what, True), lambda: setattr(disk, what, False))

    def slow_disk(self, event: Event) -> None:
        """The disk takes long for a while."""
        disk, usual = self.town.disk, (0.0002, 0.004)
        assert disk is not None
        self._for(
            event.value,
            lambda: setattr(disk, "delay", (0.05, 2.0)),
            lambda: setattr(disk, "delay", usual),
        )

    def slow_database(self, event: Event) -> None:
        """The lines to the database take long for a while."""
        server, usual = self.town.server, (0.0003, 0.004)
        if server is not None:
            self._for(
                event.value,
                lambda: setattr(server, "delay", (0.05, 1.0)),
                lambda: setattr(server, "delay", usual),
            )

    def no_database(self, event: Event) -> None:
        """A machine can't reach the database."""
        server, name = self.town.server, self._at.name
        if server is not None:
            away = server.away
            self._for(event.value, lambda: away.add(name), lambda: away.discard(name))

    # --- Discord

    def cut(self, event: Event) -> None:
        """All connections to the gateway are cut."""
        for cutting in self.cutting:
            cutting()
        self._at_once()
        self.town.wire.gateway.cut()

    def silence(self, event: Event) -> None:
        """The gateway answers no heartbeat for a while."""
        gateway = self.town.wire.gateway
        self._for(event.value, lambda: setattr(gateway, "deaf", True), lambda: setattr(gateway, "deaf", False))

    def reconnect(self, event: Event) -> None:
        """Discord asks for a new connection."""
        for cutting in self.cutting:
            cutting()
        self._at_once()
        self._start(self.town.wire.gateway.reconnect())

    def new_session(self, event: Event) -> None:
        """Discord ends the session."""
        self._at_once()
        self._start(self.town.wire.gateway.invalidate())

    def outage(self, event: Event) -> None:
        """Discord is away for a while: no gateway, and no request works."""
        gateway = self.town.wire.gateway
        fault = Fault("", self.rng.choice((500, 502, 503)), times=1_000_000)

        def begin() -> None:
            gateway.open = False
            gateway.cut()
            self.town.wire.faults.append(fault)

        def end() -> None:
            gateway.open = True
            self.town.wire.faults.remove(fault)

        self._unreachable(event.value, begin, end)

    def _fault(self, event: Event, fault: Fault) -> None:
        faults = self.town.wire.faults
        self._for(event.value, lambda: faults.append(fault), lambda: faults.remove(fault))

    def errors(self, event: Event) -> None:
        """Some requests fail for a while, and some of these were carried out."""
        fault = Fault("", self.rng.choice((500, 502, 504)), times=1_000_000, effect=self.rng.random() < 0.5)
        self._fault(event, _Sometimes(self, fault, 0.4))

    def lost_answers(self, event: Event) -> None:
        """The answers to some requests are lost for a while."""
        self._fault(event, _Sometimes(self, Fault("", cut=True, times=1_000_000, effect=True), 0.4))

    def slowness(self, event: Event) -> None:
        """Discord is slow for a while."""
        self._fault(event, _Sometimes(self, Fault("", times=1_000_000, reply_delay=self.rng.uniform(0.5, 9.0)), 0.5))

    def slow_messages(self, event: Event) -> None:
        """Discord takes long for all messages but first answers for a while."""
        fault = Fault("/channels/", times=1_000_000, reply_delay=self.rng.uniform(2.0, 6.0))
        self._fault(event, _Sometimes(self, fault, 0.5))

    def limits(self, event: Event) -> None:
        """Discord allows fewer messages for a while."""
        rates = self.town.wire.rates
        usual = {name: rates.rules[name].limit for name in ("create message", "edit message")}

        def begin() -> None:
            for name in usual:
                rates.set(name, Limit(1, 8.0))

        def end() -> None:
            for name, limit in usual.items():
                rates.set(name, limit)

        self._for(event.value, begin, end)

    # --- members

    def forbid(self, event: Event) -> None:
        """A manager takes a permission from the bot for a while."""
        staff, world = self.town.wire.staff, self.town.wire.world
        room = self.town.games[event.which % len(self.town.games)].channel
        what = self.rng.choice((Permission.SEND_MESSAGES, Permission.ATTACH_FILES, Permission.VIEW_CHANNEL))
        self._for(event.value, lambda: staff.deny(room, world.bot, what), lambda: staff.allow(room, world.bot, what))

    def delete_message(self, event: Event) -> None:
        """A manager deletes the game message."""
        self._at_once()
        game = self.town.games[event.which % len(self.town.games)]
        if panels := game.panels():
            self._delete(panels[-1])

    def purge(self, event: Event) -> None:
        """A manager deletes all messages of a channel."""
        self._at_once()
        game = self.town.games[event.which % len(self.town.games)]
        for message in self.town.wire.messages(game.channel):
            self._delete(message)

    def _delete(self, message: Message) -> None:
        self.town.wire.world.delete(message)
        self.town.deleted.add(message.id)

    def leave(self, event: Event) -> None:
        """A member leaves the server, and comes back."""
        staff, guild = self.town.wire.staff, self.town.games[0].channel.guild
        human = self.town.wire.users[1 + event.which % (len(self.town.plan.habits) - 1)]
        assert guild is not None
        if human.id not in guild.left:
            self._for(event.value, lambda: staff.leave(guild, human), lambda: staff.join(guild, human))

    def close_dms(self, event: Event) -> None:
        """A person takes no direct messages for a while."""
        human = self.town.wire.users[event.which % len(self.town.plan.habits)]
        self._for(event.value, lambda: setattr(human, "dm_refusal", 50007), lambda: setattr(human, "dm_refusal", 0))

    def _start(self, work: object) -> None:
        task: asyncio.Task[Any] = self.town.universe.loop.create_task(work)  # type: ignore[arg-type]
        task.add_done_callback(lambda done: done.cancelled() or done.exception())


class _Sometimes(Fault):
    """A fault that takes only some of the requests."""

    def __init__(self, weather: Weather, fault: Fault, share: float) -> None:
        self.__dict__.update(fault.__dict__)
        self._rng, self._share = weather.rng, share

    def takes(self, call: object) -> bool:
        return self._rng.random() < self._share and super().takes(call)  # type: ignore[arg-type]
