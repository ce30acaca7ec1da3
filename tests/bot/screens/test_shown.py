"""What a form has shown: its id tells what the person has changed in it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.discord.interaction import MODAL, Address, parse_id
from bot.screens import options, orders, people
from bot.screens.controls import ChoiceField, Form, ListOption, TextField
from bot.screens.forms import code, digest, filled, merged
from bot.screens.options import Scope
from bot.screens.subscriptions import SUBSCRIPTION_SCOPE, subscription_options
from bot.table.preferences import UserSettings
from bot.table.subscriptions import Subscription
from bot.table.table import LOBBY
from engine.variants import VARIANTS
from tests.bot.screens.played import table
from tests.bot.screens.tables import config


def form(text: str = "", one: str = "a", some: str = "") -> Form:
    letters = "abcde"
    return Form(
        "Form",
        [
            TextField("text", "Text", default=text or None),
            ChoiceField("one", "One", [ListOption(letter, letter, default=letter == one) for letter in letters]),
            ChoiceField("some", "Some", [ListOption(n, n, default=n in some) for n in letters], required=False, most=5),
        ],
    )


def entries(text: str = "", one: str = "a", some: str = "") -> dict[str, list[str]]:
    return {"text": [text], "one": [one], "some": [*some]}


def test_what_was_left_as_it_was_shown_takes_the_value_of_now() -> None:
    shown = code(form("x", "a", "ab"))
    now = form("y", "b", "bc")
    assert merged(now, shown, entries("x", "a", "ab")) == entries("y", "b", "bc")
    assert merged(now, shown, entries("z", "a", "ab")) == entries("z", "b", "bc")
    assert merged(now, shown, entries("x", "d", "ab")) == entries("y", "d", "bc")


def test_of_several_choices_each_counts_for_itself() -> None:
    shown = code(form(some="ab"))
    assert merged(form(some="bc"), shown, entries(some="abd"))["some"] == ["b", "c", "d"]
    assert merged(form(some="abc"), shown, entries(some="b"))["some"] == ["b", "c"]
    assert merged(form(), shown, entries())["some"] == []


def test_an_id_without_a_code_changes_all_that_was_entered() -> None:
    assert merged(form("y", "b", "bc"), "", entries("x", "a", "ab")) == entries("x", "a", "ab")


def test_a_field_that_was_not_shown_counts_as_entered() -> None:
    shown = code(Form("Form", form().fields[:1]))
    assert merged(form("y", "b"), shown, entries("", "c")) == entries("y", "c")


def test_the_code_changes_with_all_that_is_shown_but_the_base_of_a_form_that_is_filled_in_again_does_not() -> None:
    assert len({code(form()), code(form("x")), code(form(one="b")), code(form(some="a"))}) == 4
    again = code(filled(form(), entries("x", "b", "a")))
    assert again.partition(".")[0] == code(form("x", "b", "a")).partition(".")[0]
    assert again.partition(".")[2] == code(form()).partition(".")[2]


@pytest.mark.parametrize("scope", [options.TABLE_SCOPE, orders.ORDERS_SCOPE, people.PERSONAL_SCOPE, SUBSCRIPTION_SCOPE])
def test_all_fields_of_a_form_have_different_marks(scope: Scope) -> None:
    for sheet in scope.sheets:
        fields = scope.entries([sheet.name])
        assert len({digest(name, 2) for name in fields}) == len(fields)


def test_the_longest_id_of_a_form_fits() -> None:
    number = 10**17
    chosen = replace(table(config("base", variants=tuple(VARIANTS), edition="1996")), status=LOBBY)
    for scope, page in (
        (people.PERSONAL_SCOPE, people.personal_options(UserSettings(1), 0.0)),
        (SUBSCRIPTION_SCOPE, subscription_options(Subscription(), UserSettings(1))),
        (options.TABLE_SCOPE, options.table_options(chosen)),
    ):
        for sheet in filter(page.asks, scope.sheets):
            address = Address(scope.verb, number, "", (sheet.name,), code(page.form(sheet.name)))
            assert parse_id(address.custom_id(MODAL)) == address
