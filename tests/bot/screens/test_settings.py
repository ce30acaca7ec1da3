"""Every option that is declared is asked for, can be set, and is told by its page: of tables, people, people on a
server, autopilots and servers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

import pytest

from bot.discord.features import FEATURES
from bot.discord.interaction import BUTTON, MODAL, SELECT, Address, parse_id
from bot.discord.talk.door import Arrival
from bot.discord.talk.feature import Verbs
from bot.screens import beginning, options, orders, people, servers
from bot.screens.controls import Button, Open, Pick, Reply, Select
from bot.screens.forms import code
from bot.screens.options import Page, Scope
from bot.screens.subscriptions import SUBSCRIPTION_SCOPE, subscription_options
from bot.screens.viewer import Viewer
from bot.servers import ServerSettings
from bot.table.act import By
from bot.table.acts.options import SetOptions, begin_with
from bot.table.beginning import Beginning
from bot.table.option import Boxes, Ids, Option, Typed, options_of
from bot.table.options import ANYONE, LIVE, RULES, SCENARIO, TableOptions
from bot.table.orders import Orders
from bot.table.preferences import DM, LEAVING, PersonalChoices, UserSettings
from bot.table.subscriptions import Subscription
from bot.table.table import LOBBY, Table
from engine.config import Config
from engine.errors import ConfigError, RefereeError
from engine.game import Game
from engine.scenarios import SCENARIOS
from engine.variants import VARIANTS
from tests.bot.screens.played import table
from tests.bot.screens.tables import config
from tests.engine.randomly import chance

NOW = 1_750_000_000.0
TYPED = {"begin": ("22:00", "2026-05-01"), "end": ("8:00", "2026-05-03"), "zone": ("Berlin", "Berlin")}
"""What is typed in a form, about quiet hours and about a vacation."""
SEEN_ELSEWHERE = {("table", "anyone_starts"): "the lobby says it"}


@dataclass(frozen=True)
class Kind:
    """Pages of one kind: what can be set, and how."""

    states: Sequence[Any]
    """What is set, so that each option can be chosen in one of them."""
    page: Callable[[Any], Page]
    reply: Callable[[Any], Reply]
    stored: Callable[[Any, Any], Any]
    """What is set after changes."""
    scope: Scope | None = None


def _tables() -> Iterator[Table]:
    options_ = TableOptions(pace=3600)
    for scenario in SCENARIOS.values():
        chosen = config(scenario.id, max(scenario.players), variants=tuple(VARIANTS) if scenario.id == "base" else ())
        for own in ((), *{(option.only_with,) for option in scenario.options if option.only_with}):
            seated = table(replace(chosen, options=own), options=options_, status=LOBBY)
            yield replace(seated, members=(*seated.members[:-1], replace(seated.members[-1], user=-1, level="easy")))


def _viewer() -> Viewer:
    six: Config = config("extension", 6)
    return Viewer.of(table(six), Game.new(six, chance(1)), 11)


def _personal(settings: UserSettings, changes: dict[str, Any]) -> UserSettings:
    own = {"messages": changes["dms"]} if "dms" in changes else {}
    own |= {name: value for name, value in changes.items() if name not in ("dms", "standing")}
    standing = changes.get("standing", settings.standing)
    return replace(settings, standing=standing, choices=replace(settings.choices, **own))


KINDS = {
    "table": Kind(
        [*_tables()],
        partial(options.table_options, web=LIVE),
        partial(options.table_page, reader=options.Reader(host=True, plays=True), web=LIVE),
        lambda seated, changes: SetOptions(changes).on(seated, None, By(11, 0.0)),
        options.TABLE_SCOPE,
    ),
    "person": Kind(
        [
            UserSettings(1, choices=PersonalChoices(building=building, building_chosen=True, zone="UTC"))
            for building in ((), ("road",))
        ],
        lambda settings: people.personal_options(settings, NOW),
        lambda settings: people.personal_page(settings, NOW),
        _personal,
        people.PERSONAL_SCOPE,
    ),
    "game": Kind(
        [Orders(11), Orders(11, end=True, keep=())],
        lambda mine: orders.order_options(_viewer(), mine),
        lambda mine: orders.orders_page(_viewer(), mine),
        lambda mine, changes: replace(mine, **changes),
        orders.ORDERS_SCOPE,
    ),
    "person on a server": Kind(
        [Subscription(DM)],
        lambda chosen: subscription_options(chosen, UserSettings(1)),
        lambda chosen: people.personal_page(UserSettings(1), NOW, here=chosen),
        lambda chosen, changes: replace(chosen, **changes),
        SUBSCRIPTION_SCOPE,
    ),
    "server": Kind(
        [ServerSettings()],
        servers.server_options,
        lambda chosen: servers.server_page(servers.server_options(chosen), None, "", ""),
        lambda chosen, changes: replace(chosen, **changes),
    ),
    "beginning": Kind(
        [Beginning(replace(seated.config, colors=()), options=seated.options) for seated in _tables()],
        partial(beginning.beginning_options, web=LIVE),
        lambda chosen: beginning.beginning_page(chosen, True, LIVE, "", ""),
        begin_with,
        beginning.BEGINNING_SCOPE,
    ),
}
OWN = [option.name for state in KINDS["table"].states for option in options.table_options(state).options]
DECLARED = {
    "table": {*RULES, ANYONE.name, *options_of(TableOptions), *filter(lambda name: name.startswith("option."), OWN)},
    "person": {*options_of(PersonalChoices)},
    "game": {*options_of(Orders)},
    "person on a server": {*options_of(Subscription)},
    "server": {*options_of(ServerSettings)},
}
DECLARED["beginning"] = DECLARED["table"] | {*options_of(Beginning)}


def tried(option: Option, page: Page) -> list[list[str]]:
    """What can be entered for an option to change it."""
    if isinstance(option, Typed):
        return [[TYPED[option.name][0]]]
    if isinstance(option, Ids):
        return [["5"]]
    now = [str(value) for value in option.picked(page.value(option))]
    return [[str(choice.value)] for choice in option.offered(page.of(option)) if [str(choice.value)] != now]


def controls(reply: Reply) -> list[Button | Select | Pick]:
    """The page's own controls."""
    rows = [row if isinstance(row, Sequence) else [row] for row in reply.rows]
    return [control for row in rows for control in row if isinstance(control, Button | Select | Pick)]


def entered(page: Page, reply: Reply, option: Option, values: list[str]) -> Any:
    """What the option's form or list changes if this is entered there, and all else is left as it is."""
    sheet = option.asked_by
    if sheet is None:
        titles = [one.label if isinstance(one, Button) else one.placeholder for one in controls(reply)]
        assert any(title.startswith(option.title) for title in titles), "neither a form nor the page asks for it"
        return page.picked(option, "", values)
    form, filled = page.form(sheet.name), dict[str, list[str]]()
    for field in form.fields:
        shown = [one.value for one in getattr(field, "options", ()) if one.default]
        filled[field.name] = shown or [getattr(field, "default", None) or ""]
    if isinstance(option.sheet, Boxes):
        others = [name for name in filled[option.sheet.name] if name not in (option.name, "")]
        filled[option.sheet.name] = others + [option.name] * (values == ["True"])
    elif isinstance(option, Typed):  # such texts belong together
        filled |= {name: [typed[sheet.name == "vacation"]] for name, typed in TYPED.items()}
    else:
        filled[option.name] = values
    return page.entered(sheet.name, code(form), filled)


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in DECLARED for name in sorted(DECLARED[kind])])
def test_every_option_is_asked_for_can_be_set_and_is_told(kind: str, name: str) -> None:
    of, told, changed = KINDS[kind], 0, 0
    for state in of.states:
        page = of.page(state)
        for option in page.options:
            if option.name != name or option in LEAVING or not option.when(page.of(option)):
                continue
            reply, value = of.reply(state), page.value(option)
            for values in tried(option, page):
                try:
                    after = of.stored(state, entered(page, reply, option, values))
                except ConfigError:  # a scenario can allow only some of them together
                    continue
                told += of.reply(after).text != reply.text
                changed += of.page(after).value(option) != value
    assert changed, "no form or list changes it"
    assert bool(told) is ((kind, name) not in SEEN_ELSEWHERE), "the page is always the same"


def test_every_field_of_settings_with_an_option_is_declared_once() -> None:
    for kind, settings in (
        ("person", PersonalChoices),
        ("game", Orders),
        ("person on a server", Subscription),
        ("server", ServerSettings),
        ("table", TableOptions),
    ):
        names = [name or one.name for one in fields(settings) for name in one.metadata.get("options", ())]
        assert len({*names}) == len(names)
        assert {*names} <= DECLARED[kind]


def test_a_vacation_is_what_was_entered_even_if_it_is_what_the_form_proposed() -> None:
    page = people.personal_options(UserSettings(1, choices=PersonalChoices(zone="UTC")), NOW)
    form = page.form("vacation")
    proposed = form.fields[0]
    assert getattr(proposed, "default", None) == "2025-06-15"
    later = people.personal_options(UserSettings(1, choices=PersonalChoices(zone="UTC")), NOW + 86_400)
    sent = {"begin": ["2025-06-15"], "end": ["2025-06-20"], "zone": ["UTC"]}
    first, last = later.entered("vacation", code(form), sent)["vacation"]
    assert (last - first) / 86_400 == 6


def test_the_scenario_is_chosen_from_a_list_and_told_first() -> None:
    [lobby, *_] = KINDS["table"].states
    reply = options.table_page(lobby, options.Reader(host=True, plays=True))
    assert isinstance(reply.rows[0], Select)
    assert reply.rows[0].target.verb == SCENARIO.name
    for choice in reply.rows[0].options:
        chosen = SetOptions({SCENARIO.name: choice.value}).on(lobby, None, By(11, 0.0))
        assert options.chosen_options(chosen)[0].startswith(f"**{SCENARIOS[choice.value].title}**")


@pytest.mark.parametrize("kind", KINDS)
def test_the_door_takes_all_that_the_page_offers(kind: str) -> None:
    of, verbs = KINDS[kind], Verbs(FEATURES)
    for state in of.states:
        for control in controls(of.reply(state)):
            assert isinstance(control.target, Open)
            address = Address(control.target.verb, 7, "", control.target.args, control.target.shown)
            for value in [one.value for one in control.options] if isinstance(control, Select) else ["5"]:
                click = isinstance(control, Button)
                prefix, given = (BUTTON, {}) if click else (SELECT, {"": [value]})
                assert verbs.of(Arrival(prefix, "", parse_id(address.custom_id(prefix)), given)), (address, value)
        page = of.page(state)
        for sheet in filter(page.asks, of.scope.sheets if of.scope else ()):
            form = page.form(sheet.name)
            assert of.scope is not None
            address = Address(of.scope.verb, 7, "", (sheet.name,), code(form))
            for field in form.fields:
                for value in [one.value for one in getattr(field, "options", ())] or [""]:
                    assert verbs.of(Arrival(MODAL, "", address, {field.name: [value]})), (address, field.name)


@pytest.mark.parametrize(
    ("kind", "sheet", "field", "value"),
    [("game", "orders", "few", "9999"), ("person", "building", "standing", "0"), ("table", "set_table", "pause", "61")],
)
def test_a_number_that_no_form_offers_is_refused(kind: str, sheet: str, field: str, value: str) -> None:
    with pytest.raises(RefereeError) as refused:
        KINDS[kind].page(KINDS[kind].states[0]).entered(sheet, "", {field: [value]})
    assert refused.value.key == "option/choice"


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "game"])
def test_what_belongs_to_another_option_is_refused(kind: str) -> None:
    """The lists of a page can share a verb, so the door takes for each what any of them can send."""
    page = KINDS[kind].page(KINDS[kind].states[0])
    for option in page.options:
        if option.asked_by is None and not isinstance(page.value(option), bool):
            with pytest.raises(RefereeError):
                page.picked(option, "", ["what no list has"])


def test_a_form_without_anything_to_ask_isnt_opened() -> None:
    [lobby, *_] = KINDS["table"].states
    with pytest.raises(RefereeError) as refused:
        options.table_options(lobby).form("set_land")
    assert refused.value.key == "nothing-to-set"
