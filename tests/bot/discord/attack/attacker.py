"""Delivers interactions that may be forged, and judges what comes of each: what is answered, shown and stored."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simcord.backend import serializers
from simcord.components import walk_components

from bot.discord.talk.dispatch import BROKEN
from bot.screens.servers import list_title
from bot.table.table import Table
from engine.game import Game
from tests.bot import oracle
from tests.bot.discord.attack.clients import Clients, user_of
from tests.bot.discord.attack.lawful import Change, follows, shows_everyone
from tests.bot.discord.attack.stored import Faults, Rows, Stored
from tests.wire.calls import AUTOCOMPLETE
from tests.wire.model import Json

PRIVATE = 1 << 6
MESSAGE, DEFERRED = 4, 5
"""Types of first answers."""


@dataclass
class Verdict:
    """What came of an interaction."""

    payload: Json
    record: Any
    """Discord's own notes of it."""
    offered: bool
    """Whether the person's client offered it."""
    changed: bool
    """Whether anything is stored because of it."""
    faults: list[str]


class Attacker:
    """Sends what no client would, and what clients would."""

    def __init__(self, clients: Clients) -> None:
        self.clients = clients
        self.stored = Stored(clients.hall.path)
        self.secrets = self.stored.secrets()
        self._log = Faults()
        self._looked = dict[int, int]()
        """The changes of each table that were looked at."""
        self._running: Sequence[int] = ()
        self._seen = -1

    def __enter__(self) -> Attacker:
        logging.getLogger().addHandler(self._log)
        return self

    def __exit__(self, *_: object) -> None:
        logging.getLogger().removeHandler(self._log)
        self.stored.close()

    @property
    def env(self) -> Any:
        """The simulated Discord."""
        return self.clients.hall.env

    def payload(self, kind: Any, data: Any, user: int, channel: int, source: Json | None = None) -> tuple[Json, Any]:
        """An interaction that isn't delivered yet, as Discord makes it, with Discord's own notes of it."""
        backend = self.env.backend
        place = backend.channels[channel]
        record = backend.new_interaction(kind, channel, user, place.guild_id)
        account = dict(serializers.user_payload(backend.users[user]))
        payload: Json = {
            "id": str(record.id),
            "application_id": str(backend.application_id),
            "type": kind,
            "token": record.token,
            "version": 1,
            "data": data,
            "channel_id": str(channel),
            "channel": dict(serializers.channel_payload(backend, place)),
            "locale": "en-US",
            "entitlements": [],
            "authorizing_integration_owners": {},
            "context": int(place.guild_id is None),
        }
        if source is not None:
            payload["message"] = source
            record.source_message_id = int(source["id"])
        if place.guild_id is None:
            return {**payload, "user": account, "app_permissions": "0"}, record
        member = backend.guilds[place.guild_id].members.get(user)
        rights = backend.compute_permissions(place.guild_id, user, channel) if member else 0
        roles = [str(role) for role in member.role_ids] if member else []
        payload |= {"guild_id": str(place.guild_id), "guild_locale": "en-US"}
        payload["member"] = {"nick": None, "roles": roles, "user": account, "permissions": str(rights), "flags": 0}
        own = backend.compute_permissions(place.guild_id, backend.bot_user.id, channel)
        return {**payload, "app_permissions": str(own)}, record

    async def send(self, payload: Json, record: Any, garbled: Json | None = None) -> Verdict:
        """Deliver an interaction, and judge what comes of it. `garbled`: how it arrives."""
        offered, games, since = self.clients.offers(payload), await self.games(), len(self.env.http_requests)
        public = self._public(user_of(payload))
        await self.deliver(payload if garbled is None else garbled)
        rows, made = self.stored.changed(), self.env.http_requests[since:]
        faults = [*self._log.taken(), *self._told(made), *self._answer_faults(record)]
        if rows and not offered:
            faults += (await self._change(payload, rows, games)).unlawful()
        if not rows and not offered and not shows_everyone(payload):
            faults += self._seen_by_others(made, public, user_of(payload))
        await self._look()
        return Verdict(payload, record, offered, bool(rows), faults)

    async def again(self, payloads: Sequence[Json], together: bool, reused: bool = False) -> list[str]:
        """Deliver interactions again that have their answers, one after the other or `together`. `reused`: it is
        only the id of one that has its answer, with other data. Returns faults."""
        since, public, games = len(self.env.http_requests), self._public(0), await self.games()
        for payload in payloads:
            await self.deliver(payload, wait=not together)
        await self.env._settle_internal(dispatch="INTERACTION_CREATE")
        made, rows = self.env.http_requests[since:], self.stored.changed()
        faults = [*self._log.taken(), *self._told(made)]
        faults += [] if rows else self._seen_by_others(made, public, 0)
        if rows:
            change = await self._change(payloads[0], rows, games)
            acts = [f"does {deed.act} again" for deed in change.deeds if not follows(deed)]
            faults += change.unlawful() if reused else acts
        await self._look()
        return faults

    async def skip(self) -> list[str]:
        """Take what has happened since as given. Returns what the log has that it must not have."""
        await self.env._settle_internal(dispatch="INTERACTION_CREATE")
        self.stored.changed()
        self.secrets = self.stored.secrets()
        await self._look()
        return self._log.taken()

    async def games(self) -> Mapping[int, Game]:
        """All games that are running, by their tables' numbers."""
        return {number: await self.clients.hall.services.repository.game(number) for number in self._running}

    # --- what was done

    async def _change(self, payload: Json, rows: Rows, games: Mapping[int, Game]) -> Change:
        store, repository = self.clients.hall.bot.store, self.clients.hall.services.repository
        assert store is not None
        deeds, opened, unexplained = list[oracle.Deed](), list[Table](), list[int]()
        for number in await store.numbers():
            table = await repository.table(number)
            if number not in self._looked:
                opened.append(table)
            noted = oracle._DEEDS.get(oracle._key(store, number), {})
            new = range(self._looked.get(number, table.changes), table.changes)
            deeds += [noted[n] for n in new if n in noted]
            if not all(n in noted for n in new):
                unexplained.append(number)
        user = user_of(payload)
        tables = [await repository.table(number) for number in self._looked]
        plays_in = frozenset(table.channel for table in tables if user in table.users)
        return Change(payload, user, rows, deeds, games, unexplained, opened, plays_in)

    async def _look(self) -> None:
        store, repository = self.clients.hall.bot.store, self.clients.hall.services.repository
        assert store is not None
        if self.stored.version != self._seen:
            self._seen = self.stored.version
            tables = [await repository.table(number) for number in await store.numbers()]
            self._looked = {table.number: table.changes for table in tables}
            self._running = [table.number for table in tables if table.status == "running"]

    async def deliver(self, payload: Json, *, wait: bool = True) -> None:
        """Deliver an interaction, however malformed: the simulated Discord would look into its data."""
        parsers = self.clients.hall.bot._connection.parsers
        parse, text = parsers["INTERACTION_CREATE"], json.dumps(payload)
        parsers["INTERACTION_CREATE"] = lambda _: parse(json.loads(text))
        try:
            self.env.backend.emit("INTERACTION_CREATE", _plain(payload))
        finally:
            parsers["INTERACTION_CREATE"] = parse
        if wait:
            await self.env._settle_internal(dispatch="INTERACTION_CREATE")

    # --- what was sent

    def _answer_faults(self, record: Any) -> Iterator[str]:
        """What is wrong with the answer to a person."""
        if not record.responded:
            yield "not answered"
            return
        if record.loading:
            yield "left thinking"
        said = self.said(record)
        if BROKEN in said:
            yield "broken"
        gone = record.source_message_id not in self.env.backend.messages[record.channel_id]
        if record.type != AUTOCOMPLETE and record.modal is None and not said and not gone:
            yield f"says nothing: {record.response_kind}"

    def said(self, record: Any) -> str:
        """What a person reads as the answer."""
        messages = self.env.backend.messages[record.channel_id]
        answers = [messages[n] for n in (record.message_id, *record.followup_ids) if n in messages]
        return "\n".join(f"{_text(message.components)}{message.content}" for message in answers)

    def _seen_by_others(self, made: Sequence[Any], before: Mapping[int, list[Json]], user: int) -> Iterator[str]:
        """What others than a user could notice. `before`: the messages that others see, as they were."""
        direct = f"/channels/{self.env.backend.dm_channels.get(user)}/"
        for request in made:
            path, body = request.path, request.json or {}
            if path.startswith("/interactions/"):
                public = body["type"] in (MESSAGE, DEFERRED) and not (body.get("data") or {}).get("flags", 0) & PRIVATE
            elif path.startswith("/webhooks/"):
                public = request.method == "POST" and not body.get("flags", 0) & PRIVATE
            else:
                public = (
                    request.method != "GET"
                    and not path.startswith(direct)
                    and body.get("recipient_id") != user  # their own direct messages are opened
                    and not _is_list(body.get("components") or [])
                )
            if public:
                yield f"sends {request.method} {path} {str(body)[:300]}"
        present = self._public(user)
        for number in before.keys() | present.keys():
            old, new = before.get(number), present.get(number)
            if old is not new and old != new:
                yield f"changes a public message: {_text(old or [])[:150]!r} to {_text(new or [])[:150]!r}"

    def _public(self, user: int) -> dict[int, list[Json]]:
        """The components of all messages that others than a user see, by their ids."""
        backend = self.env.backend
        rooms = [room for channel, room in backend.messages.items() if channel != backend.dm_channels.get(user)]
        shown = [message for room in rooms for message in room.values() if not message.is_ephemeral]
        return {m.id: m.components for m in shown if not _is_list(m.components)}

    def _told(self, made: Sequence[Any]) -> Iterator[str]:
        """Mentions in answers, and secrets in anything."""
        for request in made:
            sent = json.dumps(request.json)
            yield from (f"tells the seed: {sent[:300]}" for secret in self.secrets if secret in sent)
            if request.path.startswith("/interactions/") and (request.json or {}).get("type") == MESSAGE:
                allowed = request.json["data"].get("allowed_mentions") or {"parse": ["everyone"]}
                yield from (f"mentions {allowed}" for one in ("users", "roles", "parse") if allowed.get(one))


def _plain(payload: Json) -> Json:
    """An interaction as the simulated Discord notes it: who sent it, and from where."""
    found = {"id": payload["id"], "token": payload["token"], "user": {"id": str(user_of(payload))}}
    if isinstance(payload.get("message"), dict) and "flags" in payload["message"]:
        found["message"] = {key: payload["message"].get(key) for key in ("id", "channel_id", "flags")}
    return found


def _is_list(components: list[Json]) -> bool:
    """Whether a message is a server's list of games, which is brought up to date as time passes."""
    return any(
        inner.get("content") == list_title() for one in components[:1] for inner in one.get("components", [])[:1]
    )


def _text(components: list[Json]) -> str:
    return "\n".join(c["content"] for c in walk_components(components) if c["type"] == 10)
