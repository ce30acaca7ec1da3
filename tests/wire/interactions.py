"""The REST routes of an interaction: its callback, @original and follow-ups, with Discord's time limits."""

from __future__ import annotations

import time
from typing import Any

from tests.wire import described
from tests.wire.calls import AUTOCOMPLETE, COMMAND, COMPONENT, MODAL, Interaction, Request
from tests.wire.components import number
from tests.wire.limits import check_choices
from tests.wire.messages import EPHEMERAL, LOADING, Message
from tests.wire.modals import check_modal
from tests.wire.model import Json, Refused
from tests.wire.rest import Handler
from tests.wire.world import World

TOKEN = 900.0  # seconds that an interaction's token lives
# Which callback types answer which interaction. 6 and 7 need a message that the interaction came from.
ANSWERS = {COMMAND: {4, 5, 9}, COMPONENT: {4, 5, 6, 7, 9}, AUTOCOMPLETE: {8}, MODAL: {4, 5, 6, 7}}


class Interactions:
    """Handlers as in `rest.Rest`. `limit` is Discord's own 3 seconds for the first answer."""

    def __init__(self, world: World) -> None:
        self.world, self.limit = world, 3.0

    def routes(self) -> list[tuple[str, str, Handler]]:
        """Method, path below /api/v10, handler."""
        message = "/webhooks/{app}/{token}/messages/{message}"
        return [
            ("POST", "/interactions/{id}/{token}/callback", self.callback),
            ("POST", "/webhooks/{app}/{token}", self.follow_up),
            ("GET", message, self.get),
            ("PATCH", message, self.edit),
            ("DELETE", message, self.delete),
        ]

    def callback(self, call: Request, id: str, token: str) -> Json:
        """The first answer. discord.py reads `resource` when it asks with_response."""
        it = self.world.interactions.get(token)
        if it is None or (time.perf_counter() - it.sent > self.limit and it.callback is None):
            raise Refused(404, 10062, "Unknown interaction")
        call.interaction = it
        it.requests.append(call)
        if it.callback is not None:
            raise Refused(400, 40060, "Interaction has already been acknowledged.")
        described.check(call)
        kind, data = call.json["type"], call.json.get("data") or {}
        if kind not in ANSWERS[it.payload["type"]] or (kind in (6, 7) and it.source is None):
            error = {"code": "BASE_TYPE_CHOICES", "message": "This interaction can't be answered so."}
            raise Refused(400, 50035, "Invalid Form Body", {"type": {"_errors": [error]}})
        try:
            self._apply(it, kind, data, call)
        except Refused as refused:
            raise refused.below("data") from None
        it.callback = call.json
        return self._answer(it, kind)

    def _apply(self, it: Interaction, kind: int, data: Json, call: Request) -> None:
        """Do what a callback asks. :raises Refused: if it breaks a limit; the interaction then stays open."""
        only_for = it.user if (data.get("flags") or 0) & EPHEMERAL else None
        if kind == 4:
            it.response = self.world.post(it.channel, data, call.files, only_for, it)
        elif kind == 5:
            it.response = self.world.loading(it.channel, only_for, it)
        elif kind == 6:
            it.response = it.source
        elif kind == 7 and it.source:
            if it.source.deleted:
                raise Refused(404, 10008, "Unknown Message")
            it.response = self.world.edit(it.source, data, call.files, keep_files=False, it=it)
        elif kind == 8:
            check_choices(data.get("choices", []))
        elif kind == 9:
            check_modal(data, self.world.emoji)
            number(data["components"])
            if it.user.phone:
                data["components"] = it.user.modals.setdefault(data["custom_id"], data["components"])

    def _answer(self, it: Interaction, kind: int) -> Json:
        out: Json = {"interaction": {"id": str(it.id), "type": it.payload["type"]}}
        if it.response:
            about = {"response_message_id": str(it.response.id), "response_message_loading": kind == 5}
            out["interaction"] |= {**about, "response_message_ephemeral": it.response.only_for is not None}
        out["resource"] = {"type": kind}
        if it.response and kind in (4, 7):
            out["resource"]["message"] = it.response.json()
        return out

    def _open(self, call: Request, token: str) -> Interaction:
        """:raises Refused: if the token is unknown or over, or its interaction isn't acknowledged yet."""
        it = self.world.interactions.get(token)
        if it is not None:
            call.interaction = it
            it.requests.append(call)
        if it is None or it.expired or self.world.ids.age(it.id) > TOKEN:
            raise (Refused(401, 50027, "Invalid Webhook Token") if it else Refused(404, 10015, "Unknown Webhook"))
        if it.callback is None:
            raise Refused(404, 10015, "Unknown Webhook")
        described.check(call)
        return it

    def _find(self, call: Request, token: str, which: str) -> tuple[Interaction, Message]:
        it = self._open(call, token)
        for message in it.messages:
            if (which == "@original" and message is it.response) or which == str(message.id):
                if message.deleted:
                    break
                return it, message
        raise Refused(404, 10008, "Unknown Message")

    def follow_up(self, call: Request, app: str, token: str) -> Json:
        """Post another message. The first one after a deferred answer replaces it and keeps its privacy."""
        it = self._open(call, token)
        if it.response and not it.response.deleted and it.response.flags & LOADING:
            return self.world.edit(it.response, call.json, call.files, keep_files=True, it=it).json()
        private = (call.json.get("flags") or 0) & EPHEMERAL
        message = self.world.post(it.channel, call.json, call.files, it.user if private else None, it)
        it.followups.append(message)
        return message.json()

    def get(self, call: Request, app: str, token: str, message: str) -> Json:
        return self._find(call, token, message)[1].json()

    def edit(self, call: Request, app: str, token: str, message: str) -> Json:
        it, target = self._find(call, token, message)
        return self.world.edit(target, call.json, call.files, keep_files=True, it=it).json()

    def delete(self, call: Request, app: str, token: str, message: str) -> Any:
        self.world.delete(self._find(call, token, message)[1])
