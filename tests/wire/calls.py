"""What went over the wire: the bot's requests, and interactions with all answers to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.wire.messages import Message
from tests.wire.model import Json, User
from tests.wire.places import Channel

COMMAND, COMPONENT, AUTOCOMPLETE, MODAL = 2, 3, 4, 5  # types of interactions
Files = dict[int, tuple[str, bytes]]  # number in `files[n]` -> (file name, content)


@dataclass(eq=False)
class Request:
    """One REST call of the bot. Times are `perf_counter` seconds: head in, all bytes in, answer sent."""

    method: str
    path: str
    at: float
    done: float = 0.0
    answered: float = 0.0
    json: Any = None
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    files: Files = field(default_factory=dict)
    route: str | None = None  # of Discord's description, if there is such a one
    errors: list[Any] = field(default_factory=list)  # where the body differs from the description
    status: int = 0
    code: int = 0  # Discord's error code, 0 when accepted
    interaction: Interaction | None = None

    @property
    def accepted(self) -> bool:
        """Whether it was answered, and without an error."""
        return bool(self.answered) and 200 <= self.status < 300

    def __str__(self) -> str:
        return f"{self.method} {self.path} -> {self.status or 'no answer'} {self.code or ''}"


@dataclass(eq=False)
class Interaction:
    """What a user did, and all that the bot answered."""

    id: int
    token: str
    user: User
    channel: Channel
    payload: Json
    source: Message | None = None  # the message whose component was used
    sent: float = 0.0  # last dispatch
    deliveries: int = 0
    callback: Json | None = None  # the callback that was accepted
    response: Message | None = None  # @original
    followups: list[Message] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    expired: bool = False  # set it to make the token fail before its fifteen minutes are over

    @property
    def shown_user(self) -> User | None:
        """The user as a public answer names them: above the answer to a command, everyone sees who used it."""
        return self.user if self.payload.get("type") == COMMAND else None

    def metadata(self) -> Json:
        """`interaction_metadata` of the messages that answer it."""
        owners = self.payload.get("authorizing_integration_owners", {})
        who = {"user": self.user.json(), "authorizing_integration_owners": owners}
        return {"id": str(self.id), "type": self.payload.get("type", COMMAND), **who}

    @property
    def kind(self) -> int | None:
        """Type of the accepted callback (4 message, 5 and 6 deferred, 7 update, 8 choices, 9 modal)."""
        return self.callback["type"] if self.callback else None

    @property
    def data(self) -> Json:
        """`data` of the accepted callback: the modal, the choices, or the message as first sent."""
        return (self.callback or {}).get("data") or {}

    @property
    def messages(self) -> list[Message]:
        """The messages that it made: its response (for an update, the updated message), then its follow-ups."""
        return ([self.response] if self.response else []) + self.followups

    @property
    def text(self) -> str:
        """All that these messages show now."""
        return "\n".join(m.text for m in self.messages if not m.deleted)

    @property
    def refusals(self) -> list[Request]:
        """The bot's requests about this interaction that were refused."""
        return [r for r in self.requests if r.answered and not r.accepted]

    def latency(self) -> Json:
        """Seconds from the dispatch to the callback's `head` and `body`, and to the `last` byte about it."""
        first = next(r for r in self.requests if r.status < 400)
        times = {"head": first.at, "body": first.done, "last": max(r.done for r in self.requests)}
        return {name: at - self.sent for name, at in times.items()}
