"""Names that are stored: what earlier versions wrote must mean the same in all later ones."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

from bot.table import acts
from bot.table.act import Act
from bot.table.option import options_of
from bot.table.options import TableOptions
from bot.table.preferences import PersonalChoices

ACTS = """
agree ask away back call-off cancel computer decline forget forget-in-game give-up gone join keep leave let-back level
look make-host move no-computer no-thanks no-tips no-wish object offer options order orders phrase play propose put-away
rename replace return start take take-off take-up tips told warn wish
"""


def test_the_kinds_of_acts_in_audits_stay_as_they_are() -> None:
    for module in pkgutil.iter_modules(acts.__path__, f"{acts.__name__}."):
        importlib.import_module(module.name)
    kinds = {kind.kind for kind in below(Act) if kind.kind}
    assert sorted(kinds) == sorted(ACTS.split())


def below(kind: type[Act]) -> Iterator[type[Act]]:
    """All classes below a class of this program."""
    for one in kind.__subclasses__():
        if one.__module__.startswith("bot."):
            yield one
        yield from below(one)


VALUES = {
    "building": ["road", "settlement", "city", "development card"],
    "calls": ["always", "asked", "pay"],
    "expiry": ["remind", "decide", "vote"],
    "look": ["colorblind", "dark", "large"],
    "reminders": ["channel", "dm", "never"],
    "web": ["never", "over", "running"],
}


def test_the_values_of_options_stay_as_they_are() -> None:
    options = options_of(TableOptions) | options_of(PersonalChoices)
    found = {
        name: [choice.value for choice in one.choices] for name, one in options.items() if not callable(one.choices)
    }
    assert {name: values for name, values in found.items() if values and isinstance(values[0], str)} == VALUES
