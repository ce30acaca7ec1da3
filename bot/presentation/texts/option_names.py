"""A scenario's own options as people type them: name=value, several with commas between."""

from __future__ import annotations

import re

from bot.params import Typed
from engine.errors import RefereeError
from engine.refusals import Listed, Word
from engine.scenarios import Scenario
from engine.scenarios.checks import NO_CHOICE, NO_OPTION, NO_OPTIONS

_PAIR = re.compile(r"\s*([A-Za-z0-9_-]+)\s*=\s*([A-Za-z0-9_-]+)\s*")


def read(text: str, scenario: Scenario) -> tuple[dict[str, str], list[RefereeError]]:
    """The options that were typed as far as the scenario has them, and what is wrong with the others."""
    found, wrong = dict[str, str](), list[RefereeError]()
    for part in text.split(","):
        pair = _PAIR.fullmatch(part)
        if pair is None:
            wrong.append(RefereeError("option/typed", typed=Typed(part)))
        elif (error := _wrong(pair[1], pair[2], scenario)) is not None:
            wrong.append(error)
        else:
            found[pair[1]] = pair[2]
    return found, wrong


def _wrong(name: str, value: str, scenario: Scenario) -> RefereeError | None:
    options = {option.name: option for option in scenario.options}
    if name not in options:
        said, title = repr(name), Word(scenario.title)
        known = Listed([*options])
        return NO_OPTION(scenario=title, name=said, known=known) if options else NO_OPTIONS(scenario=title, name=said)
    values = [choice for choice, _phrase in options[name].choices]
    if value in values:
        return None
    return NO_CHOICE(option=Word(options[name].title), value=repr(value), known=Listed(values))
