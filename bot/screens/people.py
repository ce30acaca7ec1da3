"""Which player is meant: suggestions whose value means exactly one, and typed texts, which mean one or are refused."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bot.plaintext import Typed, plain, safe_name, searchable
from bot.screens.viewer import Viewer
from bot.words.language import _
from engine.errors import RefereeError
from engine.refusals import Listed

NOBODY, LEAVE = "<nobody>", "<leave>"
"""Values that no name can be."""
_MENTION = re.compile(r"<@!?([0-9]{1,20})>")


def label(viewer: Viewer, seat: int) -> str:
    """A player's name and color; the color makes it unambiguous."""
    name, color = viewer.names[seat], f"({_(viewer.view.players[seat].color)})"
    return name if name.endswith(color) else f"{name} {color}"


def suggested(viewer: Viewer, seats: Iterable[int]) -> list[tuple[str, str]]:
    """These players as suggestions. The value means only that player, whatever others are called."""
    return [(label(viewer, seat), unmistakable(viewer, seat)) for seat in seats]


def others(viewer: Viewer) -> list[tuple[str, str]]:
    """All other players who are still in the game, as suggestions."""
    return suggested(viewer, [p.seat for p in viewer.view.players if p.seat != viewer.seat and not p.resigned])


def unmistakable(viewer: Viewer, seat: int) -> str:
    """A value that means only this seat."""
    user = viewer.users[seat]
    return f"<@{user}>" if user > 0 else str(user)


def seat_of(viewer: Viewer, user: int, name: str) -> int:
    """The seat of a user; `name`: of the user, for the refusal. Code: "no-player"."""
    if user not in viewer.users:
        raise RefereeError("no-player/here", name=safe_name(name))
    return viewer.users.index(user)


def seat_named(viewer: Viewer, text: str) -> int:
    """The seat that a mention, a name, a color or a user's id means.

    Codes: "no-player", "several-players" when it could mean more than one.
    """
    fitting = _fitting(viewer, text)
    if len(fitting) == 1:
        return fitting[0]
    raise _unclear(viewer, text, [label(viewer, seat) for seat in fitting])


def seat_or_nobody(viewer: Viewer, text: str) -> int | None:
    """As `seat_named`, or None for "nobody". If a player has that name, the text is refused as ambiguous."""
    fitting = _fitting(viewer, text)
    nobody = text.strip().casefold() in (NOBODY, "nobody", "no one", _("no one"))
    if len(fitting) + nobody == 1:
        return fitting[0] if fitting else None
    meanings = [label(viewer, seat) for seat in fitting]
    if nobody:
        meanings.append(_("no one at all"))
    raise _unclear(viewer, text, meanings)


def _fitting(viewer: Viewer, text: str) -> list[int]:
    """The seats that a text could mean; a mention means at most one."""
    typed = text.strip()
    if mention := _MENTION.fullmatch(typed):
        return [seat for seat, user in enumerate(viewer.users) if user == int(mention[1])]
    if typed in (NOBODY, LEAVE):  # cleaned, it could be a name
        return []
    spellings = {searchable(typed.removeprefix("@")), searchable(plain(text, 32))} - {""}
    return [seat for seat in range(len(viewer.users)) if spellings & _ways(viewer, seat)]


def _ways(viewer: Viewer, seat: int) -> set[str]:
    """All that a seat can be called, case-folded. Its names are clean: what is typed is cleaned to match them."""
    user, color = viewer.users[seat], viewer.view.players[seat].color
    names = {viewer.names[seat], *(member.name for member in viewer.table.members if member.user == user)}
    colors = {color, _(color)}
    marked = {f"{name} ({one})" for name in names for one in colors}
    return {searchable(way) for way in (*names, *marked, *colors, str(user))}


def _unclear(viewer: Viewer, text: str, choices: list[str]) -> RefereeError:
    if choices:
        return RefereeError("several-players", typed=Typed(text, 32), choices=Listed(choices, choice=True))
    everyone = Listed([label(viewer, seat) for seat in range(len(viewer.users))])
    return RefereeError("no-player", typed=Typed(text, 32), players=everyone)
