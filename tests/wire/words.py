"""Text as Discord keeps it: trimmed, without the characters that it strips, and with the changes that a test adds."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterable

from tests.wire.messages import walk
from tests.wire.model import Json

STRIPPED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters except tab and line feed
    "\u202a-\u202e\u2066-\u2069"  # characters that change the direction of writing
    "\ud800-\udfff\ufffe\uffff]"  # code points that are no characters
)
"""Discord keeps no list of the characters it strips. These are known (discord-api-docs #1189, #1193)."""
EMBED = ("title", "description")
Rewrite = Callable[[str], str]


def kept(text: str, rewrites: Iterable[Rewrite] = ()) -> str:
    """The part of a text that Discord keeps."""
    text = STRIPPED.sub("", text.replace("\r\n", "\n"))
    for rewrite in rewrites:
        text = rewrite(text)
    return text.strip()


def rewritten(body: Json, rewrites: Iterable[Rewrite]) -> Json:
    """A message's body, with all readable text as Discord keeps it."""
    body = {key: copy.deepcopy(body[key]) if key in ("components", "embeds") else body[key] for key in body}
    if body.get("content"):
        body["content"] = kept(body["content"], rewrites)
    for component in walk(body.get("components") or []):
        if component["type"] == 10:
            component["content"] = kept(component["content"], rewrites)
    for embed in body.get("embeds") or []:
        for part in (embed, *embed.get("fields", [])):
            for key in {*EMBED, "name", "value"} & part.keys():
                part[key] = kept(part[key] or "", rewrites)
    return body
