"""What a feature consists of: its commands, and the handlers of its buttons, lists and forms."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from discord import app_commands

from bot.discord.ids import BUTTON, MODAL, SELECT
from bot.discord.talk.call import Call
from bot.discord.talk.door import Arrival, Shape
from bot.screens.controls import Reply
from bot.screens.forms import FormKind
from engine.actions import Action

Command = app_commands.Command[Any, ..., Any] | app_commands.Group | app_commands.ContextMenu
Handler = Callable[[Call], Awaitable[Reply | None]] | Callable[[Call], Awaitable[None]]


PLAIN = Shape()
"""Shape of a button whose verb says everything."""


@dataclass(frozen=True, slots=True)
class Verb:
    """What a control does: its handler, and the shape that its interactions must have."""

    run: Handler
    shape: Shape = PLAIN
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
