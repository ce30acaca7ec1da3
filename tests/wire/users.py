"""What people do: slash commands, autocompletes, buttons, selects, modals, as a Discord client lets them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Container, Mapping
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from tests.wire.calls import AUTOCOMPLETE, COMMAND, COMPONENT, MODAL, Interaction
from tests.wire.commands import fill, resolve_user
from tests.wire.filled import check_values, row
from tests.wire.limits import BUTTON, SELECTS
from tests.wire.messages import Message, find_live
from tests.wire.model import Json, Permission, User
from tests.wire.places import Channel, Guild
from tests.wire.seen import Client

if TYPE_CHECKING:
    from tests.wire.server import WireServer

Values = Mapping[str, Any]
ON_USER = 2
"""Type of a command in a person's menu."""
TYPING = 0.05  # seconds that filling in a modal takes at least


class Delivery(TypedDict, total=False):
    """How an interaction is delivered: `twice` sends it twice, `wait=False` doesn't wait for the callback."""

    twice: bool
    wait: bool


class Human(User):
    """A user who acts. Each action returns its `Interaction` once the bot has acknowledged it.

    :raises TimeoutError: if the bot doesn't do that within Discord's 3 seconds.
    """

    server: WireServer

    async def slash(
        self,
        path: str,
        options: Values | None = None,
        *,
        channel: Channel | None = None,
        **how: Unpack[Delivery],
    ) -> Interaction:
        """Run a command. `path` is "build road" for /build road. User options take a `User`."""
        return await self._act(COMMAND, self._command(path, options or {}, channel), channel, None, how)

    async def use_on(
        self, person: User, name: str, *, channel: Channel | None = None, **how: Unpack[Delivery]
    ) -> Interaction:
        """Choose a command in a person's menu."""
        commands = self.server.world.commands_for(self, channel or self.server.world.table)
        command = next(c for c in commands if (c.get("type"), c["name"]) == (ON_USER, name))
        resolved: Json = {}
        resolve_user(person, resolved)
        data = {"id": command["id"], "name": name, "type": ON_USER, "target_id": str(person.id), "resolved": resolved}
        return await self._act(COMMAND, data, channel, None, how)

    async def autocomplete(
        self, path: str, options: Values, focused: str, *, channel: Channel | None = None
    ) -> list[Json]:
        """The choices offered for the option `focused`, whose value is the text typed so far: [{"name", "value"}]."""
        data = self._command(path, {focused: "", **options}, channel, focused)
        it = await self._act(AUTOCOMPLETE, data, channel, None, {})
        return list(it.data["choices"])

    async def click(self, message: Message, which: str, *, stale: bool = False, **how: Unpack[Delivery]) -> Interaction:
        """Press the button with this custom id or label.

        `stale` also finds it in an earlier state of the message, or in a deleted one, as when a click and an edit
        cross. The interaction then has that earlier state.

        :raises LookupError: if the button isn't there or is disabled, or the user can't see the message.
        """
        component, shown = self._find(message, which, stale, (BUTTON,))
        data = {"custom_id": component["custom_id"], "component_type": component["type"]}
        return await self._act(COMPONENT, data, message.channel, message, how, shown)

    async def select(
        self, message: Message, which: str, values: list[Any], *, stale: bool = False, **how: Unpack[Delivery]
    ) -> Interaction:
        """Choose in the select with this custom id or placeholder. `values`: option values, or users.

        :raises LookupError: as `click`.
        :raises ValueError: for a value that it doesn't offer, or too few or too many.
        """
        component, shown = self._find(message, which, stale, SELECTS)
        check_values(component, values)
        resolved: Json = {}
        for user in (v for v in values if isinstance(v, User)):
            resolve_user(user, resolved)
        raw = [str(v.id) if isinstance(v, User) else v for v in values]
        data = {"custom_id": component["custom_id"], "component_type": component["type"], "values": raw}
        return await self._act(COMPONENT, {**data, "resolved": resolved}, message.channel, message, how, shown)

    async def submit_modal(self, modal: Interaction | str, fields: Values, **how: Unpack[Delivery]) -> Interaction:
        """Send a modal that an interaction of this user has opened (or the newest modal with this custom id).

        `fields` by custom id or label: a text, or a list of values for a select. Other fields keep their defaults.

        :raises ValueError: if a client wouldn't send it.
        """
        opened = self._modal(modal) if isinstance(modal, str) else modal
        if opened.kind != 9 or opened.user is not self:
            raise ValueError(f"no modal of {self.name}: callback {opened.kind}")
        unused = dict(fields)
        resolved: Json = {}
        rows = [row(top, unused, resolved) for top in opened.data["components"]]
        if unused:
            raise ValueError(f"the modal has no field {sorted(unused)}")
        data = {"custom_id": opened.data["custom_id"], "components": rows, "resolved": resolved}
        # discord.py knows its modal once it has read the answer to the callback, and people are slower than that
        await self.server.until(lambda: any(r.accepted for r in opened.requests), what="its callback isn't answered")
        answered = max(r.answered for r in opened.requests if r.accepted)
        await asyncio.sleep(max(0.0, answered + TYPING - time.perf_counter()))
        return await self._act(MODAL, data, opened.channel, opened.source, how)

    def reads(self, what: Message | Interaction) -> str:
        """The text that the user's client shows of a message, or of the modal that an interaction has opened.

        The client has just been started, and has looked only at the message's channel and those in `looked`.

        :raises LookupError: if the user can't see the message.
        """
        client = Client(self.server.world, self)
        return client.read(what) if isinstance(what, Message) else client.read_modal(what.data)

    async def raw(
        self,
        kind: int,
        data: Any,
        *,
        channel: Channel | None = None,
        source: Message | None = None,
        **how: Unpack[Delivery],
    ) -> Interaction:
        """Deliver an interaction with any type and data, even some that no client sends."""
        return await self._act(kind, data, channel, source, how)

    def _command(self, path: str, options: Values, channel: Channel | None, focused: str | None = None) -> Json:
        name, *rest = path.split()
        world = self.server.world
        commands = world.commands_for(self, channel or world.table)
        command = next((c for c in commands if c["name"] == name), None)
        if command is None:
            raise ValueError(f"/{name} isn't registered; there are {sorted(c['name'] for c in commands)}")
        return fill(command, rest, options, focused)

    def _find(self, message: Message, which: str, stale: bool, kinds: Container[int]) -> tuple[Json, Json]:
        """The component, and the state of the message that has it."""
        if message.only_for not in (None, self) or (message.deleted and not stale):
            raise LookupError(f"{self.name} can't see message {message.id}")
        if not self._can_open(message.channel):
            raise LookupError(f"{self.name} can't use anything in an archived thread: their client can't open it")
        states = [message.json(), *reversed(message.history)] if stale else [message.json()]
        for state in states:
            if component := find_live(state["components"], which, kinds):
                return component, state
        controls = [(c.get("label") or c.get("placeholder"), c["custom_id"]) for c in message.interactive]
        raise LookupError(f"no live {which!r} in this message; there are {controls}")

    def _can_open(self, room: Channel) -> bool:
        """Whether the client can open a thread, as it does before it sends a click (discord-api-docs #8474)."""
        staff = Permission.MANAGE_THREADS in room.rights(self)
        return not room.archived or staff or (self.id in room.members and not room.locked)

    def _modal(self, custom_id: str) -> Interaction:
        mine = [i for i in self.server.world.interactions.values() if i.user is self and i.kind == 9]
        fitting = [i for i in mine if i.data["custom_id"] == custom_id]
        if not fitting:
            raise ValueError(f"{self.name} has no modal {custom_id!r}; {[i.data['custom_id'] for i in mine]}")
        return fitting[-1]

    async def _act(
        self,
        kind: int,
        data: Any,
        channel: Channel | None,
        source: Message | None,
        how: Delivery,
        shown: Json | None = None,
    ) -> Interaction:
        """Make and deliver an interaction. `shown` is the state of `source` on this user's screen."""
        world = self.server.world
        where = channel or world.table
        iid = world.ids()
        if where.recipient:
            world.direct.acted.add(self.id)
        place = where.guild
        if place:
            guild = {"id": str(place.id), "locale": "en-US", "features": []}
            member = place.member(self, where)
            who: Json = {"member": member, "guild_id": str(place.id), "guild": guild, "guild_locale": "en-US"}
        else:
            who = {"user": self.json()}
        payload: Json = {
            "id": str(iid),
            "token": f"token-{iid}",
            "application_id": str(world.application_id),
            "type": kind,
            "version": 1,
            "data": _without_nothing(data),
            "channel_id": str(where.id),
            "channel": where.json(),
            "app_permissions": str(int(where.app_permissions)),
            "locale": "en-US",
            "entitlements": [],
            "context": 1 if where.recipient else 0,
            "authorizing_integration_owners": self._owners(place),
            "attachment_size_limit": world.file_limit,
            **who,
            **({"message": shown or source.json()} if source else {}),
        }
        if source is not None:
            world.archive(where, False)
        it = Interaction(iid, payload["token"], self, where, payload, source)
        world.interactions[it.token] = it
        self.looked.add(where.id)
        await self.server.deliver(it)
        if how.get("twice"):
            await self.server.deliver(it)
        if how.get("wait", True):
            left = it.sent + self.server.interactions.limit - time.perf_counter()
            await self.server.until(lambda: it.callback, left, f"{self.name}: the application did not respond")
        return it

    def _owners(self, place: Guild | None) -> Json:
        """Who installed the bot so that they can use it here: the server, the user, or both."""
        by_guild = {"0": str(place.id) if place else "0"} if place is None or place.commands_in else {}
        return by_guild | ({"1": str(self.id)} if self.id in self.server.world.installed_by else {})


def _without_nothing(data: Any) -> Any:
    """The data as a client sends it: without `resolved` if nothing is resolved."""
    return {k: v for k, v in data.items() if k != "resolved" or v} if isinstance(data, dict) else data
