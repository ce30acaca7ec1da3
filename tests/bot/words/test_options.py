"""What a page says about the options that were chosen for a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from types import SimpleNamespace

import pytest

from bot import languages
from bot.screens import options, orders, people
from bot.screens.subscriptions import SUBSCRIPTION_SCOPE
from bot.servers import SERVER
from bot.table.beginning import FIXED
from bot.table.option import Choice, Option
from bot.table.options import DECIDE, REMIND, RULES, TableOptions
from bot.table.preferences import DM
from bot.table.subscriptions import DAYS, HOURS, SUBSCRIPTION, Subscription
from bot.words.options import label, lines, table_lines
from engine.rules import data_of
from engine.scenarios import SCENARIOS
from engine.variants import VARIANTS
from tests.bot.screens.played import table
from tests.bot.screens.tables import config


@pytest.mark.parametrize(("pace", "expiry", "told"), [(120, DECIDE, 1), (3600, DECIDE, 0), (120, REMIND, 0)])
def test_the_options_say_when_placements_in_setup_have_more_time(pace: int, expiry: str, told: int) -> None:
    of = replace(table(config()), options=TableOptions(pace=pace, expiry=expiry))
    assert sum("30 minutes for each placement" in line for line in table_lines(of)) == told


def test_an_edition_is_described_by_what_it_changes_in_every_scenario() -> None:
    [edition] = [choice for choice in RULES["edition"].offered(config()) if choice.value == "1996"]
    ours, theirs = (
        [data_of(config(scenario, max(SCENARIOS[scenario].players), edition=n)) for scenario in SCENARIOS]
        for n in ("1996", "2007")
    )
    assert all(new.may_decline_card > old.may_decline_card for new, old in zip(ours, theirs, strict=True))
    assert "needn't steal" in edition.phrase
    assert any(new.bank == old.bank for new, old in zip(ours, theirs, strict=True))
    assert "bank" not in edition.phrase


def test_names_in_lists_are_neither_translated_nor_filled_in() -> None:
    [never] = [option for option in orders.ORDERS_SCOPE.options if option.name == "refused"]
    assert [label(choice) for choice in never.offered(SimpleNamespace(others=[(13, "{n} Roll")]))] == ["{n} Roll"]


def test_wishes_of_which_any_is_enough_are_joined_by_or() -> None:
    wishes = Subscription(how=DM, scenarios=("base", "islands"), timers=(HOURS, DAYS))
    assert lines(SUBSCRIPTION.values(), lambda option: wishes, lambda option: getattr(wishes, option.name)) == [
        "New tables on this server: **by direct message**",
        "New tables on this server: **only The base game or Islands**",
        "New tables on this server: **only with a turn timer of some hours or a day or more**",
    ]


def declared() -> Iterator[Option]:
    """All options that are declared anywhere, including those of the scenarios."""
    for scope in (options.TABLE_SCOPE, orders.ORDERS_SCOPE, people.PERSONAL_SCOPE, SUBSCRIPTION_SCOPE):
        yield from scope.options
    yield from (*SERVER.values(), FIXED)


def offered(option: Option) -> Sequence[Choice]:
    """The choices of an option; none if they depend on a game."""
    try:
        return option.offered(config())
    except (AttributeError, TypeError):  # names of people, in a game
        return ()


def test_each_choice_has_a_translation_or_a_name() -> None:
    german = languages.resolve("de")
    choices = [choice for option in declared() for choice in offered(option) if not choice.named]
    labels = {choice.label if isinstance(choice.label, str) else choice.label[0] for choice in choices}
    keys = {tuple(label.split("\x04")) if "\x04" in label else (None, label) for label in labels}
    assert keys <= german._texts.keys()


LONGER = 1.4
"""How many times as long as English another language can be."""


def test_texts_of_options_have_room_for_longer_languages() -> None:
    """Discord's limits: 45 characters for a form's label, 100 for a choice and for its description, 150 for what a
    list says when nothing is chosen."""
    longest = {"title": 45, "label": 100, "phrase": 100, "hint": 100, "list": 150}
    summaries = [one.summary for one in SCENARIOS.values()] + [one.summary for one in VARIANTS.values()]
    texts = {("phrase", summary) for summary in summaries}
    boxed = {one.name for one in declared() if {choice.value for choice in offered(one)} == {True, False}}
    for option in declared():
        title = "label" if option.name in boxed else "title" if option.sheet else "list"
        texts |= {(title, option.title), ("hint", option.hint)}
        for choice in offered(option):
            texts |= {("label", choice.label if isinstance(choice.label, str) else choice.label[1])}
            texts.add(("phrase", choice.phrase))
    assert len(texts) > 100
    assert [text for kind, text in texts if len(text) * LONGER > longest[kind]] == []
