"""Files of a message: kept by id or new, named by `attachment://`, and how a component shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from tests.wire.media import Cdn, file_name
from tests.wire.model import Json

LOADING, LOADED, NOT_FOUND = 1, 2, 3  # states of a media item
FILE = 13  # the component that shows any file
IS_ANIMATED, IS_ANIMATED_MEDIA = 1 << 5, 1 << 0  # flags of an attachment, of a media item


@dataclass(eq=False)
class Attachment:
    """A file of a message: its bytes as received, and its alternative text."""

    id: int
    filename: str
    data: bytes
    description: str | None
    channel: int
    cdn: Cdn

    def __post_init__(self) -> None:
        self.size = len(self.data)
        self.look = self.cdn.look(self.data, self.filename)

    @property
    def url(self) -> str:
        """A link that is valid from now on."""
        return self.cdn.link(f"/attachments/{self.channel}/{self.id}/{self.filename}")

    def json(self) -> Json:
        """The attachment object."""
        where = {"url": (url := self.url), "proxy_url": url}
        what = {"id": str(self.id), "filename": self.filename, "size": self.size}
        extra: Json = {"description": self.description} if self.description else {}
        flags = IS_ANIMATED if self.look.animated else 0
        return {**what, **where, **extra, **self.look.json(), "flags": flags}

    def media(self, anything: bool = False) -> Json:
        """The media item that a component shows. Unless it can show `anything`, only pictures load."""
        item: Json = {"url": (url := self.url), "proxy_url": url, "attachment_id": str(self.id)}
        if not anything and not self.look.is_picture:
            return {**item, "content_type": self.look.content_type, "loading_state": NOT_FOUND}
        flags = IS_ANIMATED_MEDIA if self.look.animated else 0
        return {**item, **self.look.json(), "loading_state": LOADED, "flags": flags}


def items(component: Json) -> Iterator[tuple[str, Json, str]]:
    """Each place where a component shows a media item: its path, the dictionary that holds it, and the key there."""
    inner = {f"items.{i}.": item for i, item in enumerate(component.get("items", []))}
    for path, holder in {"": component, **inner}.items():
        yield from ((path + key, holder, key) for key in ("media", "file") if isinstance(holder.get(key), dict))


def media_of(components: Iterable[Json]) -> list[Json]:
    """All media items of components."""
    return [holder[key] for component in components for _, holder, key in items(component)]


def referenced(listed: list[Json] | None, kept: list[Attachment], new: dict[int, Attachment]) -> dict[str, Attachment]:
    """The files that `attachment://name` finds: new ones, and kept ones if the request has their id and file name."""
    given = {str(entry["id"]): entry.get("filename") for entry in listed or []}
    by_name = {file_name(name): a for a in kept if (name := given.get(str(a.id)))}
    return {a.filename: a for a in reversed(new.values())} | by_name


def resolve(
    component: Json, by_name: dict[str, Attachment], cdn: Cdn, find: Callable[[str], Attachment | None]
) -> Iterator[str]:
    """Replace the links of a component's media by media items, as Discord does. Yields the paths that have no file.

    `find`: returns the file that a link leads to.
    """
    for path, holder, key in items(component):
        url = holder[key].get("url", "")
        scheme, _, name = url.partition("://")
        if scheme == "attachment":
            file = by_name.get(file_name(name))
            if file is None:
                yield f"{path}.url"
                continue
            holder[key] = file.media(anything=component["type"] == FILE)
            if component["type"] == FILE:
                holder |= {"name": file.filename, "size": file.size}
        elif cdn.owns(url):
            found = file.media() if (file := find(url)) else {"url": url, "proxy_url": url, "loading_state": NOT_FOUND}
            holder[key] = {k: found[k] for k in found if k != "attachment_id"}
        else:
            holder[key] = {"url": url, "proxy_url": url, "loading_state": LOADING}
