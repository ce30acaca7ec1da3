"""What is said about a type of event, in all of its forms, and who reads it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, cast

from bot.words.language import _
from bot.words.marks import cards, hex_sign, hex_text, listing, resource
from engine.codec import fields_of
from engine.events import Event
from engine.views import View

E = TypeVar("E", bound=Event)
Values = dict[str, object]
"""What messages mention, by name."""


@dataclass(frozen=True, slots=True)
class Reader:
    """The reader: what they can see, and how the players are named for them."""

    view: View
    names: Sequence[str]
    named: bool = False
    """Whether places have their names, as in a file; the board that everyone sees shows no names."""
    upcoming: deque[Event] = field(default_factory=deque)
    """The events that are told after the present one."""

    def who(self, seats: Iterable[int]) -> str:
        """ "Ann, Bob and Cy"."""
        return listing(self.names[seat] for seat in seats)

    def take(self, kind: type[E], fits: Callable[[E], bool] = lambda event: True) -> E | None:
        """Take the next event to tell, if it is of a kind and fits; it is then told along with the one before."""
        if self.upcoming and isinstance(event := self.upcoming[0], kind) and fits(event):
            self.upcoming.popleft()
            return event
        return None

    def values(self, event: Event) -> Values:
        """An event's fields in words: `seat` as "name", `seats` as "names". Cards that can be hidden are left out."""
        found: Values = {}
        for fact, _hint in fields_of(cast(Any, type(event))):
            match fact, getattr(event, fact):
                case "seat", int(seat):
                    found["name"] = self.names[seat]
                case "seats" | "winners", seats:
                    found["names"] = self.who(seats)
                case "victim" | "partner" as name, seat:
                    found[name] = self.names[seat]
                case "cards" | "give" | "get" | "want" as name, held:
                    found[name] = cards(held)
                case "resource" as name, kind:
                    found[name] = resource(kind)
                case "hex" as name, hex_ if hex_ >= 0:
                    found[name] = (hex_text if self.named else hex_sign)(self.view.board, hex_)
                case "turn" | "offer" as name, number:
                    found[name] = number
        return found


Wording = str | Callable[[E, Reader, Values], str]
"""A message, or a function that makes the sentence; "": nothing is said."""


@dataclass(frozen=True)
class Telling(Generic[E]):
    """All that is ever said about a type of event."""

    line: Wording[E]
    """By itself."""
    own: Wording[E] | None = None
    """For the player who did it, or to whom it was done: what only they learn is told to them as "you". None: as
    `line`."""
    story: Wording[E] | None = None
    """As a line of the panel, merged with the following events that belong to it; "" if the headline says it. None:
    as `line`."""
    log: Wording[E] | None = None
    """As a sentence of the log, below a heading that says who rolled what. None: as in the panel."""
    while_away: Wording[E] = ""
    """What it did to the cards of a reader who was away."""
    all_while_away: Callable[[Sequence[E], Reader], list[str]] = lambda events, reader: []
    """What all events of the type together did to these cards."""
    alt: Wording[E] = ""
    """What is new on the board, for a reader who can't see it."""
    decided: str = ""
    """What was done in this way for a player whose time was over: "rolled the dice"."""
    more: Callable[[E, Reader], Values] = lambda event, reader: {}
    """What messages mention in addition to the event's fields."""


Tellings = dict[type[Event], Telling[Any]]


def either(fact: str, yes: str, no: str) -> Callable[[Event, Reader, Values], str]:
    """One of two messages, depending on whether a field of the event is true."""
    return lambda event, reader, values: _(yes if getattr(event, fact) else no, **values)
