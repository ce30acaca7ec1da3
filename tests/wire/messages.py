"""Messages as the server has them: text, components, attachments, and whom they mention and notified."""

from __future__ import annotations

import copy
import re
from collections.abc import Container, Iterator
from dataclasses import dataclass, field

from tests.wire.attachments import NOT_FOUND, Attachment, media_of
from tests.wire.model import Json, User, timestamp
from tests.wire.places import Channel

LOADING, EPHEMERAL, SILENT, V2 = 1 << 7, 1 << 6, 1 << 12, 1 << 15  # flags of a message
DEFAULT, REPLY, CHAT_INPUT_COMMAND = 0, 19, 20  # types of a message


def walk(components: list[Json]) -> Iterator[Json]:
    """Every component. Nested ones follow the one that holds them. (Gallery items are no components.)"""
    for component in components:
        yield component
        inner = [component.get("accessory"), component.get("component")]
        yield from walk([*component.get("components", []), *(c for c in inner if c)])


def live(components: list[Json]) -> list[Json]:
    """Buttons and selects that aren't disabled."""
    return [c for c in walk(components) if "custom_id" in c and not c.get("disabled")]


def find_live(components: list[Json], which: str, kinds: Container[int]) -> Json | None:
    """The live component of these kinds with this custom id, or else label, or else placeholder."""
    candidates = [c for c in live(components) if which and c["type"] in kinds]
    return next((c for k in ("custom_id", "label", "placeholder") for c in candidates if c.get(k) == which), None)


def texts(body: Json) -> list[str]:
    """All readable text in a message, or in the request that makes it: content and text displays."""
    shown = [body.get("content"), *(c["content"] for c in walk(body.get("components") or []) if c["type"] == 10)]
    return [text for text in shown if text]


_CALL = re.compile(r"((<@!?[0-9]+>|\*\*[^*]+\*\*) )+· |<@")
"""People who are mentioned, or names in bold of people who don't want to be notified."""


def is_ping(body: Json) -> bool:
    """Whether a message begins with the people it is for. No panel does; both can have buttons."""
    return _CALL.match("".join(texts(body)[:1])) is not None


@dataclass(eq=False)
class Message:
    """A message as it is now. `history` has every earlier state, oldest first."""

    id: int
    channel: Channel
    author: User
    flags: int = 0
    content: str = ""
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    only_for: User | None = None  # ephemeral
    mentions: list[User] = field(default_factory=list)  # people it mentions, whom therefore every client knows
    mention_everyone: bool = False
    mention_roles: tuple[int, ...] = ()
    """Ids of roles."""
    notified: list[User] = field(default_factory=list)  # people who got a notification when it was posted
    used_by: User | None = None  # the user of the command that it answers, as everyone sees
    interaction: Json | None = None  # `interaction_metadata`
    reference: Message | None = None  # the message that it replies to
    deleted: bool = False
    history: list[Json] = field(default_factory=list)

    @property
    def said(self) -> list[str]:
        """Its content and text displays, in which people can be mentioned."""
        return texts({"content": self.content, "components": self.components})

    @property
    def text(self) -> str:
        """All readable text in it: content, text displays and embeds, a line each."""
        shown = self.said
        for embed in self.embeds:
            shown += [embed.get("title", ""), embed.get("description", "")]
            shown += [f"{f['name']}: {f['value']}" for f in embed.get("fields", [])]
        return "\n".join(filter(None, shown))

    @property
    def files(self) -> dict[str, bytes]:
        """Its attachments now, by file name."""
        return {a.filename: a.data for a in self.attachments}

    @property
    def alt_texts(self) -> list[str]:
        """Alternative texts of its attachments and of the media in it."""
        items = [i for c in walk(self.components) for i in [c, *c.get("items", [])]]
        alts = [a.description for a in self.attachments] + [i.get("description") for i in items if "media" in i]
        return [alt for alt in alts if alt]

    @property
    def broken_media(self) -> list[str]:
        """Links of pictures in it that can't be loaded."""
        return [media["url"] for media in media_of(walk(self.components)) if media.get("loading_state") == NOT_FOUND]

    @property
    def hidden_files(self) -> list[str]:
        """Files of a V2 message that no one sees, because no component shows them."""
        shown = {media.get("attachment_id") for media in media_of(walk(self.components))}
        return [a.filename for a in self.attachments if self.flags & V2 and str(a.id) not in shown]

    @property
    def interactive(self) -> list[Json]:
        """Its live buttons and selects."""
        return live(self.components)

    @property
    def is_panel(self) -> bool:
        """Whether it has live controls and is no ping."""
        return bool(self.interactive) and not is_ping({"content": self.content, "components": self.components})

    def json(self) -> Json:
        """The message object, with links that hold. For a V2 message Discord lists no attachments."""
        self._sign_anew()
        files = [] if self.flags & V2 else [a.json() for a in self.attachments]
        edited = timestamp(self.id) if self.history else None
        kind = REPLY if self.reference else CHAT_INPUT_COMMAND if self.used_by else DEFAULT
        head = {"id": str(self.id), "channel_id": str(self.channel.id), "type": kind, "author": self.author.json()}
        body = {"content": self.content, "embeds": self.embeds, "components": self.components}
        people = {
            "mentions": [u.json() for u in self.mentions],
            "mention_roles": [str(role) for role in self.mention_roles],
            "mention_everyone": self.mention_everyone,
        }
        times = {"timestamp": timestamp(self.id), "edited_timestamp": edited, "tts": False, "pinned": False}
        return {**head, **body, **people, **times, **self._origin(), "attachments": files, "flags": self.flags}

    def without(self, kept: list[Attachment]) -> list[Json]:
        """Its components if only these files are left. The other files can no longer be loaded."""
        left, there = copy.deepcopy(self.components), {str(a.id) for a in kept}
        for media in media_of(walk(left)):
            if media.get("attachment_id") and media["attachment_id"] not in there:
                url = media["url"]
                media.clear()
                media |= {"url": url, "proxy_url": url, "loading_state": NOT_FOUND}
        return left

    def _sign_anew(self) -> None:
        """Give new links to files whose old links expire soon. Earlier states keep theirs."""
        files = {str(a.id): a for a in self.attachments}

        def is_worn(media: Json) -> bool:
            file = files.get(media.get("attachment_id", ""))
            return file is not None and file.cdn.is_worn(media["url"])

        if files and any(is_worn(media) for media in media_of(walk(self.components))):
            self.components = copy.deepcopy(self.components)
            for media in filter(is_worn, media_of(walk(self.components))):
                url = files[media["attachment_id"]].url
                media |= {"url": url, "proxy_url": url}

    def _origin(self) -> Json:
        """What it answers: an interaction, or another message."""
        origin: Json = {"interaction_metadata": self.interaction} if self.interaction else {}
        if self.reference:
            where = {"message_id": str(self.reference.id), "channel_id": str(self.reference.channel.id)}
            origin["message_reference"] = {"type": 0, **where}
            origin["referenced_message"] = None if self.reference.deleted else self.reference.json()
        return origin
