"""What a feature consists of: its commands, and the handlers of its buttons, lists and forms; pages of settings, which
several have; and the person of an interaction as the server sees them: their permissions, roles and channel."""

from __future__ import annotations

import hmac
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import discord
from discord import app_commands

from bot.discord.interaction import BUTTON, MODAL, SELECT
from bot.discord.talk.call import Call
from bot.discord.talk.door import Arrival, Shape
from bot.screens.controls import Reply
from bot.screens.forms import FormKind
from bot.screens.options import NewValues, Page, Scope
from bot.service.servers import Asker
from bot.words.refusals import known_code, refusal_sentence
from engine.actions import Action
from engine.errors import RefereeError

Command = app_commands.Command[Any, ..., Any] | app_commands.Group | app_commands.ContextMenu
Handler = Callable[[Call], Awaitable[Reply | None]] | Callable[[Call], Awaitable[None]]


NO_DETAILS = Shape()
"""Shape of a button whose verb says everything."""


@dataclass(frozen=True, slots=True)
class Verb:
    """What a control does: its handler, and the shape that its interactions must have."""

    run: Handler
    shape: Shape = NO_DETAILS
    modal: bool = False
    """Whether it opens a form, which must be the first answer."""


@dataclass(frozen=True, slots=True)
class Feature:
    """Something that a person can do at the table."""

    commands: Sequence[Command] = ()
    buttons: Mapping[str, Verb] = field(default_factory=dict)
    selects: Mapping[str, Verb] = field(default_factory=dict)
    modals: Mapping[str, Verb] = field(default_factory=dict)
    forms: Sequence[FormKind] = ()
    """Forms that end in an action; the verb "form" opens them."""
    openers: Mapping[str, Callable[[Call], Awaitable[None]]] = field(default_factory=dict)
    """Functions that open forms that end in something else, by the form's name. The verb "form" calls them, too."""
    opener_details: str = ""
    """Pattern of what follows the name in the ids of buttons that open those forms."""
    actions: Sequence[type[Action]] = ()
    """Actions that its buttons carry out directly."""


class Verbs:
    """All verbs, by kind of control and name."""

    def __init__(self, features: Iterable[Feature]) -> None:
        self._verbs: dict[tuple[str, str], Verb] = {}
        for feature in features:
            for prefix, verbs in ((BUTTON, feature.buttons), (SELECT, feature.selects), (MODAL, feature.modals)):
                for name, verb in verbs.items():
                    if (prefix, name) in self._verbs:
                        raise ValueError(f"two features have a verb {name}")
                    self._verbs[prefix, name] = verb

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._verbs)

    def of(self, arrival: Arrival) -> Verb | None:
        """The verb that is asked for; None if no such control was ever offered."""
        address, entered = arrival.address, arrival.entered
        verb = self._verbs.get((arrival.prefix, address.verb)) if address is not None else None
        if verb is None or address is None or entered is None or not verb.shape.fits(address, entered):
            return None
        return verb


ShowPage = Callable[[Call, str], Awaitable[Reply]]
"""Makes the whole page, with what came of the last click."""


def settings_forms(
    scope: Scope,
    load: Callable[[Call], Awaitable[Page]],
    change: Callable[[Call, NewValues], Awaitable[Reply]],
    show: ShowPage | None = None,
    details: str = "",
) -> dict[str, Any]:
    """What opens a scope's forms and takes what was entered in them, as arguments of its `Feature`.

    `load` finds what is set, `change` makes the changes. With `show`, the page says why a form was refused, and has a
    button that opens it again. `details`: pattern of what follows a form's name in ids.
    """

    async def ask(call: Call) -> None:
        name, *more = call.address.args
        sheet = name.removeprefix(AGAIN_PREFIX).removeprefix(scope.prefix)
        await call.ask((await load(call)).form(sheet), scope.verb, sheet, *more)

    async def sent(call: Call) -> Reply:
        sheet, *more = call.address.args
        try:
            return await change(call, (await load(call)).entered(sheet, call.address.shown, call.values))
        except RefereeError as error:
            if show is None:
                raise
            return await refused_page(call, error, show, f"{scope.prefix}{sheet}", *more)

    names = [sheet.name for sheet in scope.sheets]
    opened = [f"{again}{scope.prefix}{name}" for again in ("", AGAIN_PREFIX) for name in names]
    shape = Shape(f"({'|'.join(names)}){details}", scope.entries)
    openers = dict.fromkeys(opened, ask)
    return {"modals": {scope.verb: Verb(sent, shape)}, "openers": openers, "opener_details": details}


AGAIN_PREFIX = "again_"
"""Prefix of the name of a form in buttons of 0.2.0 that open it again."""


async def refused_page(call: Call, error: RefereeError, show: ShowPage, *form: str) -> Reply:
    """The page with the reason for a refusal; `form`: the refused form, to be opened again."""
    call.app.metrics.refusals.labels(known_code(error)).inc()
    page = await show(call, f"⚠️ {refusal_sentence(error)}")
    page.rows = [*([[call.try_again(*form)]] if form else []), *page.rows]
    return page


PASS_PATTERN = "[A-Za-z0-9_-]{16,33}"
"""Pattern of a pass: when it was made, and what only this program can make of that, the server and the person. Those of
earlier versions were longer, and are valid no more."""
PASS_LASTS = 900.0
"""Seconds for which a pass is valid: as long as Discord accepts answers to the command."""


def asker_of(call: Call) -> Asker | None:
    """The person who wants to open a table on a server. None where no server decides: in direct messages, and at the
    offline table."""
    interaction = call.interaction
    if interaction.guild_id is None or not call.app.messages:
        return None
    channel: Any = interaction.channel
    parent = channel.parent_id if isinstance(channel, discord.Thread) else None
    # Roles by id: discord.py has no role objects, since it caches no servers.
    roles = frozenset[int](getattr(call.user, "_roles", ()))
    channel_id = parent or interaction.channel_id or 0
    return Asker(call.user.id, interaction.guild_id, channel_id, manages(call), roles)


def manages(call: Call) -> bool:
    """Whether the person can manage the server, by the permissions that Discord sent with this interaction."""
    permissions = call.interaction.permissions
    return call.interaction.guild_id is not None and (permissions.administrator or permissions.manage_guild)


def managed_server(call: Call) -> int:
    """The server that the person may set up. Code: "not-manager".

    Discord decides who can run the command: people who manage the server, and others who are allowed it under
    *Integrations*. A click says only whether its user manages the server, so the controls of the others carry a pass.
    """
    guild = call.interaction.guild_id
    command = call.interaction.type is discord.InteractionType.application_command
    if guild is None or not (command or manages(call) or _is_valid_pass(call, pass_of(call))):
        raise RefereeError("not-manager/server")
    return guild


def pass_of(call: Call) -> str:
    """What the controls on the page carry, so that this person can use them here for a while; empty for managers."""
    if manages(call):
        return ""
    if call.interaction.type is discord.InteractionType.application_command:
        return _signed_pass(call, int(call.app.clock()))
    last = call.address.args[-1] if call.address.args else ""
    return last if re.fullmatch(PASS_PATTERN, last) else ""


def _signed_pass(call: Call, at: int) -> str:
    what = f"server:{call.interaction.guild_id}:{call.user.id}:{at}"
    key = (call.app.client.http.token or "").encode()
    return urlsafe_b64encode(at.to_bytes(4) + hmac.digest(key, what.encode(), "sha256")[:8]).decode()


def _is_valid_pass(call: Call, given: str) -> bool:
    """Whether this pass was made for this person on this server, lately."""
    if len(given) != 16:
        return False
    at = int.from_bytes(urlsafe_b64decode(given)[:4])
    return hmac.compare_digest(given, _signed_pass(call, at)) and 0 <= call.app.clock() - at + 1 < PASS_LASTS
