"""Messages as they stand on the server: text, components, attachments, and who was notified."""

from __future__ import annotations

import struct
from collections.abc import Container, Iterator
from dataclasses import dataclass, field

from tests.wire.model import Channel, Json, User, timestamp

LOADING, EPHEMERAL, SILENT, V2 = 1 << 7, 1 << 6, 1 << 12, 1 << 15  # flags of a message


@dataclass(eq=False)
class Attachment:
    """A file of a message: its bytes as received, and its alternative text."""

    id: int
    filename: str
    data: bytes
    description: str | None
    url: str

    def json(self) -> Json:
        """The attachment object; also what a media item of Components V2 resolves to."""
        kind = {"png": "image/png", "gif": "image/gif", "webp": "image/webp"}
        content_type = kind.get(self.filename.rpartition(".")[2], "application/octet-stream")
        size = struct.unpack(">II", self.data[16:24]) if self.data[:4] == b"\x89PNG" else (None, None)
        where = {"url": self.url, "proxy_url": self.url, "content_type": content_type}
        what = {"id": str(self.id), "filename": self.filename, "size": len(self.data)}
        extra = {"description": self.description} if self.description else {}
        return {**what, **where, **extra, "width": size[0], "height": size[1]}


def walk(components: list[Json]) -> Iterator[Json]:
    """Every component, nested ones after the one they stand in (gallery items are no components)."""
    for component in components:
        yield component
        inner = [component.get("accessory"), component.get("component")]
        yield from walk([*component.get("components", []), *(c for c in inner if c)])


def live(components: list[Json]) -> list[Json]:
    """Buttons and selects that aren't disabled."""
    return [c for c in walk(components) if "custom_id" in c and not c.get("disabled")]


def find_live(components: list[Json], which: str, kinds: Container[int]) -> Json | None:
    """The live one of these kinds with this custom_id, else label, else placeholder."""
    there = [c for c in live(components) if which and c["type"] in kinds]
    return next((c for k in ("custom_id", "label", "placeholder") for c in there if c.get(k) == which), None)


def texts(body: Json) -> list[str]:
    """What can be read in a message, or in the request that makes it: content and text displays."""
    shown = [body.get("content"), *(c["content"] for c in walk(body.get("components") or []) if c["type"] == 10)]
    return [text for text in shown if text]


def is_ping(body: Json) -> bool:
    """Whether it begins with whom it is for, as no panel does; either may have buttons."""
    return "".join(texts(body)[:1]).startswith("<@")


@dataclass(eq=False)
class Message:
    """A message as it stands now; `history` has every state shown before, oldest first."""

    id: int
    channel: Channel
    author: User
    flags: int = 0
    content: str = ""
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    only_for: User | None = None  # ephemeral
    mentions: list[User] = field(default_factory=list)  # whom it notified when it was posted
    deleted: bool = False
    history: list[Json] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Everything to be read in it: content, text displays, embeds, a line each."""
        shown = texts({"content": self.content, "components": self.components})
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
        """Alternative texts of attachments and of the media in it."""
        items = [i for c in walk(self.components) for i in [c, *c.get("items", [])]]
        alts = [a.description for a in self.attachments] + [i.get("description") for i in items if "media" in i]
        return [alt for alt in alts if alt]

    @property
    def interactive(self) -> list[Json]:
        """Its live buttons and selects (disabled ones left out)."""
        return live(self.components)

    @property
    def is_panel(self) -> bool:
        """Whether it can be used and is no ping."""
        return bool(self.interactive) and not is_ping({"content": self.content, "components": self.components})

    def json(self) -> Json:
        """The message object; real Discord lists no attachments for a V2 message."""
        files = [] if self.flags & V2 else [a.json() for a in self.attachments]
        edited = timestamp(self.id) if self.history else None
        head = {
            "id": str(self.id),
            "channel_id": str(self.channel.id),
            "type": 0,
            "author": self.author.json(),
        }
        body = {"content": self.content, "embeds": self.embeds, "components": self.components}
        people = {
            "mentions": [u.json() for u in self.mentions],
            "mention_roles": [],
            "mention_everyone": False,
        }
        times = {"timestamp": timestamp(self.id), "edited_timestamp": edited, "tts": False, "pinned": False}
        return {**head, **body, **people, **times, "attachments": files, "flags": self.flags}
