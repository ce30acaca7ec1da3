"""Texts as they are before a client's own emoji and commands are written into them."""

from __future__ import annotations

import re

from bot.discord.show.messages import SIGNS

OWN = re.compile(rf"<:({'|'.join(SIGNS)}):[0-9]+>")
MENTION = re.compile(r"</([a-z -]+):[0-9]+>(?: `([^`]*)`)?")


def without_signs(text: str) -> str:
    """A text as it was before `OwnSigns.write`."""
    text = MENTION.sub(lambda found: f"`/{found[1]} {found[2]}`" if found[2] else f"`/{found[1]}`", text)
    return OWN.sub(lambda found: SIGNS[found[1]], text)
