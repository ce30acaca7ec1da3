"""A campaign against a town: forged interactions among honest ones, whose games go on."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from engine.errors import RefereeError
from tests.bot.discord.attack.attacker import Attacker, Verdict
from tests.bot.discord.attack.clients import Clients, Shown
from tests.bot.discord.attack.town import Town
from tests.bot.discord.hall import Hall
from tests.bot.playground import choose
from tests.wire.calls import AUTOCOMPLETE, COMMAND, COMPONENT, MODAL
from tests.wire.forged import Forger
from tests.wire.forged_commands import Forged, command_data
from tests.wire.limits import BUTTON, SELECT
from tests.wire.messages import live
from tests.wire.model import Json
from tests.wire.mutations import REMOVED, WRONG, paths, replaced

PAGES = (
    *("hand", "board", "game options", "game timer", "games", "settings", "help", "stats", "auto", "catchup"),
    *("server", "privacy", "leaderboard", "profile", "hint", "game rules", "game log", "game verify"),
)
"""Commands that open pages."""
AROUND = 250
"""Honest interactions at the beginning, at most."""
OFTEN, SELDOM = 15, 60
"""So many forged interactions come before an honest one, and before the game goes on."""
LATER = 200.0
"""Seconds that pass then: the time of messages with buttons is over."""
SOON = 30.0
"""Seconds in which everything is done that follows from a change."""
RESTART = 500
"""So many forged interactions come before the process is started again."""
NEEDED = (("id",), ("token",), ("member",), ("user",), ("message", "flags"))
"""Fields of a payload by which an interaction is answered, and by which it is known who can see the message."""
REMEMBERED = 300
"""Interactions that can be delivered again."""


@dataclass
class Tried:
    """What a campaign has tried, by kind."""

    kinds: Counter[str] = field(default_factory=Counter)
    offered: Counter[str] = field(default_factory=Counter)
    changed: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


class Campaign:
    """Attacks a hall by a seed."""

    def __init__(self, hall: Hall, seed: int) -> None:
        self.rng = random.Random(seed)
        self.town, self.clients = Town(hall), Clients(hall)
        self.tried = Tried()
        self._past: list[Json] = []
        self._held: list[tuple[Json, Any]] = []
        """An interaction that is delivered only after a later one."""

    async def run(self, times: int) -> Tried:
        """Send so many forged interactions."""
        await self.town.build()
        town, registered = self.town, self.town.hall.bot.tree.registered
        self.everyone = [person.id for person in (*town.people, *town.others)]
        self.forger = Forger(self.rng, registered, self.everyone, tables=[*range(1, len(town.rooms) + 1)])
        with Attacker(self.clients) as self.attacker:
            await self.go_on()
            for _ in range(min(AROUND, times)):
                await self.honest()
            for n in range(times):
                if n % OFTEN == 0:
                    await self.honest()
                if n % SELDOM == 0:
                    await self.go_on()
                if n % RESTART == RESTART - 1:
                    await self.restart()
                await (self.forged() if self._past and self.rng.random() > 0.05 else self.repeated())
        return self.tried

    # --- what is sent

    async def forged(self) -> None:
        """One forged interaction, of any person, from anywhere."""
        forged, user = self.forger.forge(), self.rng.choice(self.everyone)
        shown: Shown | None = forged.source
        anywhere = [room.id for room in (*self.town.rooms, self.town.quiet)]
        channel = self.rng.choice(anywhere)
        if forged.type in (COMMAND, AUTOCOMPLETE) and self._refused_by_discord(forged, user, channel):
            return await self.forged()
        if shown is not None and self.rng.random() < 0.8:
            channel = shown.channel
        elif self.rng.random() < 0.1 and user in self.clients.hall.env.backend.dm_channels:
            channel = self.clients.hall.env.backend.dm_channels[user]
        if forged.type == MODAL and self.rng.random() < 0.7:
            shown = self.rng.choice([*self.forger.components.values()])[1]
            channel = shown.channel
        if self.rng.random() < 0.1:
            shown = None
        source = None if shown is None else self.clients.source(shown)
        payload, record = self.attacker.payload(forged.type, forged.data, user, channel, source)
        name, garbled = forged.name, None
        if self.rng.random() < 0.05 and name != "form of junk":  # which can be too deep to go through
            name, garbled = "payload with a wrong field", self._garbled(payload)
        held, self._held = self._held, []
        if not held and self.rng.random() < 0.05:
            self._held = [(payload, record)]
            return
        verdicts = [(name, await self.attacker.send(payload, record, garbled))]
        for earlier in held:
            verdicts.append(("interaction after a later one", await self.attacker.send(*earlier)))
        for which, verdict in verdicts:
            await self._note(which, verdict)

    def _garbled(self, payload: Json) -> Json:
        """A payload in which a field is missing, or has another type."""
        known = [path for path in paths(payload) if path[:1] not in NEEDED and path[:2] not in NEEDED]
        garbled: Json = replaced(payload, self.rng.choice(known), self.rng.choice((REMOVED, *WRONG)))
        return garbled

    async def repeated(self) -> None:
        """Interactions that were delivered before, in any order: one, some one after the other, or at the same time."""
        some = self.rng.sample(self._past, min(len(self._past), self.rng.choice((1, 2, 2, 3))))
        name = "interaction delivered again"
        self.tried.kinds[name] += 1
        if reused := self.rng.random() < 0.3:
            some = [{**some[0], "data": self.rng.choice(self._past)["data"]}]
        together = self.rng.random() < 0.5
        for fault in await self.attacker.again(some, together, reused):
            self.tried.faults.append(f"{name}: {fault}: {[one['data'] for one in some]}"[:2500])

    async def honest(self) -> None:
        """Press what a client shows, send a form that it has opened, or open a page."""
        user = self.rng.choice(self.everyone)
        messages, forms = [*self.clients.messages(user)], self.clients.forms[user]
        if not messages:
            return
        message = self.rng.choice(messages)
        kind, data = COMMAND, command_data(self.forger.commands, self.rng.choice(PAGES))
        source = None
        if forms and self.rng.random() < 0.3:
            custom_id = self.rng.choice([*forms])
            kind, data = MODAL, self.forger.filled_form(custom_id, forms.pop(custom_id))
        elif (controls := live(message.components)) and self.rng.random() < 0.7:
            kind, data = COMPONENT, self._used(self.rng.choice(controls))
            source = self.clients.shown(message).payload
        elif self._refused_by_discord(Forged("", COMMAND, data), user, message.channel_id):
            return
        payload, record = self.attacker.payload(kind, data, user, message.channel_id, source)
        await self._note("honest interaction", await self.attacker.send(payload, record))

    def _used(self, control: Json) -> Json:
        data: Json = {"custom_id": control["custom_id"], "component_type": control["type"]}
        if control["type"] == SELECT:
            options = [option["value"] for option in control["options"]]
            data["values"] = self.rng.sample(options, max(control.get("min_values", 1), 1))
        elif control["type"] != BUTTON:
            data["values"] = []
        return data

    async def go_on(self) -> None:
        """A player acts, and time passes."""
        hall, game = self.town.hall, await self.town.hall.game()
        for _ in range(self.rng.choice((1, 1, 2, 5))):
            if game.outcome is None:
                seat = self.rng.choice(game.to_act)
                try:
                    await self.town.play((await hall.table()).number, game, seat, choose(game, seat, self.rng))
                except RefereeError:  # the game is paused, or a bot plays for them
                    break
                game = await hall.game()
        self._held = []
        await hall.env.advance_time(LATER)
        self.tried.faults += await self.attacker.skip()
        self._look_around()

    async def restart(self) -> None:
        """Start another process, which knows of no earlier interaction but what is stored."""
        self._held = []
        await self.town.hall.restart()
        self.tried.faults += await self.attacker.skip()

    # --- what comes of it

    async def _note(self, name: str, verdict: Verdict) -> None:
        tried, record = self.tried, verdict.record
        tried.kinds[name] += 1
        tried.offered[name] += verdict.offered
        tried.changed[name] += verdict.changed
        data = f"{str(verdict.payload['data'])[:400]} by {record.user_id} in {record.channel_id}"
        tried.faults += [f"{name}: {fault}: {data}" for fault in verdict.faults]
        if verdict.changed:  # what follows, such as bots' turns, takes its time
            self._held = []
            await self.town.hall.env.advance_time(SOON)
            tried.faults += await self.attacker.skip()
        if record.modal is not None:
            self.clients.opened(record.user_id, record.modal)
            self.forger.learn(modal=record.modal)
        there = self.clients.hall.env.backend.messages[record.channel_id]
        for message in filter(None, map(there.get, (record.message_id, *record.followup_ids))):
            self.forger.learn(self.clients.shown(message))
        self._past = [*self._past[-REMEMBERED:], verdict.payload]

    def _look_around(self) -> None:
        """Learn all controls that people see."""
        for message in {id(m): m for user in self.everyone for m in self.clients.messages(user)}.values():
            self.forger.learn(self.clients.shown(message))

    def _refused_by_discord(self, forged: Forged, user: int, channel: int) -> bool:
        """Whether Discord itself lets the person not use a command, which therefore need not be checked here."""
        named: Any = forged.data.get("name") if isinstance(forged.data, dict) else None
        backend = self.clients.hall.env.backend
        needed = next((c.get("default_member_permissions") for c in self.forger.commands if c["name"] == named), None)
        guild = backend.channels[channel].guild_id
        if needed is None or guild is None:
            return False
        there = user in backend.guilds[guild].members
        return not there or not int(needed) & backend.compute_permissions(guild, user, channel)
