"""What the door lets in and what it doesn't; and that an answer comes even if a refusal fails."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from simcord.actors import _dispatch_actor_interaction

from bot.discord.features import FEATURES
from bot.discord.interaction import BUTTON, MODAL, SELECT, Address, now, parse_id
from bot.discord.talk import dispatch
from bot.discord.talk.commands import fits_command
from bot.discord.talk.door import Arrival
from bot.discord.talk.feature import Verbs
from engine.actions import ACTIONS, Action
from engine.errors import RefereeError
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import answer

VERBS = Verbs(FEATURES)


@pytest.mark.parametrize(
    "custom_id",
    [
        *("", "hb", "hb:hand", "hb:hand:", "hb:hand:x:", "hb:hand:-1:", "hb:hand:²:", "hb:hand:٣:", "hb:hand:1:1.²:"),
        *("hb:hand:9999999999999999999:", "hb:hand:1:" + "9" * 99, "hb:Hand:1:", "hx:hand:1:", "hb:hand:1:1.2.3:"),
        *("hb:hand:1:.:", "hb:hand:1::" + "x" * 100, " hb:hand:1:", "hb:hand:1:\n"),
    ],
)
def test_a_custom_id_of_another_shape_belongs_to_no_verb(custom_id: str) -> None:
    assert parse_id(custom_id) is None


def test_a_games_number_fits_into_the_store() -> None:
    address = parse_id(f"hb:hand:{'9' * 18}:")
    assert address is not None
    assert address.game < 2**63


def asked(prefix: str, verb: str, *args: str, **entered: list[str]) -> bool:
    """Whether a click, choice or form with these details and values is let in."""
    values = {"": entered.pop("chosen")} if "chosen" in entered else entered
    return VERBS.of(Arrival(prefix, "", Address(verb, 1, "", args), values)) is not None


def test_the_stats_button_of_the_first_release_still_works() -> None:
    """That release's last messages still have their button for the dice."""
    assert asked(BUTTON, "stats")
    assert asked(BUTTON, "dice")


@pytest.mark.parametrize("cls", ACTIONS.values())
def test_a_button_takes_only_actions_that_are_offered_as_buttons(cls: type[Action]) -> None:
    offered = {
        "accept_offer": "1",
        "decline_offer": "1",
        "withdraw_offer": "1",
        "take_card": "1",
        "build_road": "1",
        "build_city": "1",
    }
    words = (offered.get(cls.name, ""),) if cls.name in offered else ()
    never = {
        "expire",
        "set_standing",
        "discard",
        "bank_trade",
        "make_offer",
        "ask_to_build",
    }
    if cls.name in never:
        assert not any(asked(BUTTON, "do", cls.name, *more) for more in ((), ("1",), ("true",), ("1", "1")))
    elif cls.name in offered or cls.name in ("roll", "end_turn", "undo", "resign"):
        assert asked(BUTTON, "do", cls.name, *words)
        assert not asked(BUTTON, "do", cls.name, *words, "1")


def test_each_verb_takes_only_its_own_kind_of_control_and_its_own_fields() -> None:
    for prefix, verb in VERBS:
        for other in {BUTTON, SELECT, MODAL} - {prefix}:
            if (other, verb) not in VERBS:
                assert not asked(other, verb)
        assert not asked(prefix, verb, strange=["1"])
    assert asked(SELECT, "put", "road", "0", chosen=["build_road.12"])
    for chosen in ([], [""], ["build_road.²"], ["build_road.-1"], ["build_road.1", "build_road.2"], ["expire.1"]):
        assert not asked(SELECT, "put", "road", "0", chosen=chosen)
    assert asked(MODAL, "sent", "bank", give=["1.2"], get=["4"])
    for give in (["1.0"], ["5.1"], ["1"], ["1.2.3"], ["²"], []):
        assert not asked(MODAL, "sent", "bank", give=give, get=["4"])
    assert not asked(MODAL, "sent", "monopoly", give=["1.2"], get=["4"])


@pytest.mark.parametrize("broken", ["with_panel", "viewer"])
async def test_an_error_during_a_refusal_is_answered_too(
    open_hall: Opened, broken: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_hall() as hall:
        await hall.begin()
        ann = hall.people[0]

        async def fail(*_: Any) -> None:
            raise KeyError(broken)

        monkeypatch.setattr(f"bot.discord.talk.call.Call.{broken}", fail)

        async def refuse(*_: Any) -> None:
            raise RefereeError("wrong-turn" if broken == "viewer" else "any")

        monkeypatch.setattr("bot.discord.features.lobby._rematch", refuse)
        content = answer(await ann.slash(hall.channel, "game rematch"))
        assert content == dispatch.BROKEN
        assert sum(record.levelno == logging.ERROR for record in caplog.records) == 1
        caplog.clear()


async def test_half_a_character_is_refused_in_a_form(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        await hall.lobby()
        ann, panel = hall.people[0], await hall.panel()
        stored = hall.env.backend.messages[hall.channel.id][panel.id]
        for custom_id, field in (
            ("hm:settings:0::reminders:=sLOu4.pTaeN.5v47D.Nh47D.VD47D", "begin"),
            ("hm:phrased:1:", "phrase"),
        ):
            top = {"type": 18, "component": {"type": 4, "custom_id": field, "value": "\ud83d"}}
            data = {"custom_id": custom_id, "components": [top]}
            sent = await _dispatch_actor_interaction(ann, 5, hall.channel, data, source_message_id=stored.id)
            assert "expired" in answer(sent)


async def test_a_click_without_a_message_is_answered_even_if_it_would_only_close_one(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        await hall.begin()
        data = {"custom_id": "hb:dismiss:1:", "component_type": 2}
        assert answer(await _dispatch_actor_interaction(hall.people[0], 3, hall.channel, data)) == "Done."


async def test_half_a_character_in_a_command_is_answered(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        await hall.lobby()
        words = {"name": "lucky-words", "type": 3, "value": "\ud83d"}
        data = {"name": "game", "type": 1, "options": [{"name": "join", "type": 1, "options": [words]}]}
        assert answer(await _dispatch_actor_interaction(hall.people[0], 2, hall.channel, data))


COMMANDS: list[dict[str, Any]] = [
    {
        "name": "go",
        "options": [
            {"name": "place", "type": 3, "required": True, "autocomplete": True, "max_length": 5},
            {"name": "count", "type": 4, "min_value": 1, "max_value": 9},
            {"name": "who", "type": 6},
            {"name": "color", "type": 3, "choices": [{"name": "Red", "value": "red"}]},
        ],
    },
    {"name": "game", "options": [{"name": "new", "type": 1, "options": []}]},
    {"name": "Go there", "type": 2},
]
ON_ANN = {"name": "Go there", "type": 2, "target_id": "12", "resolved": {"users": {"12": {"id": "12"}}}}
"""Data of the command in the menu of a person, Ann."""


def go(*options: Any, **more: Any) -> dict[str, Any]:
    """Data of `/go`, with further options."""
    place = {"name": "place", "type": 3, "value": "C4"}
    return {"name": "go", "type": 1, "options": [place, *options], **more}


@pytest.mark.parametrize(
    "data",
    [
        go(),
        go({"name": "count", "type": 4, "value": 9}, {"name": "color", "type": 3, "value": "red"}),
        go({"name": "who", "type": 6, "value": "12"}, resolved={"users": {"12": {"id": "12"}}}),
        {"name": "game", "options": [{"name": "new", "type": 1}]},
        ON_ANN,
    ],
)
def test_a_command_that_matches_its_registration_fits(data: object) -> None:
    assert fits_command(COMMANDS, data, typing=False)


@pytest.mark.parametrize(
    "data",
    [
        *(None, [], {}, {"name": "x"}, {"name": ["go"]}, {"name": "go"}, {"name": "go", "options": None}),
        *({"name": "game"}, {"name": "game", "options": [{"name": "x", "type": 1}]}, go(type=2), go(guild_id="x")),
        *(go({"name": "count", "type": 4, "value": n}) for n in (0, 10, True, "1", 1.0, None, 2**60)),
        *(go({"name": "who", "type": 6, "value": who}) for who in ("12", "x", 12)),
        *(go({"name": "color", "type": 3, "value": color}) for color in ("blue", ["red"], None)),
        *(go({"name": "place", "type": 3, "value": "C5"}), go({"name": "x", "type": 3, "value": ""}), go(None), go("")),
        *({**ON_ANN, "target_id": who} for who in ("13", "x", 12, None)),
        *({**ON_ANN, **more} for more in ({"resolved": None}, {"type": 3}, {"type": 1}, {"guild_id": "1"})),
        {"name": "go", "options": [{"name": "place", "type": 3, "value": "123456"}]},
        {"name": "go", "options": [{"name": "place", "type": 4, "value": 1}]},
    ],
    ids=str,
)
def test_a_command_that_differs_from_its_registration_does_not_fit(data: object) -> None:
    assert not fits_command(COMMANDS, data, typing=False)
    assert not fits_command(COMMANDS, data, typing=True)


def test_while_typing_one_option_has_focus_and_others_can_be_incomplete() -> None:
    focused = {"name": "place", "type": 3, "value": "longer than five", "focused": True}
    half = {"name": "count", "type": 4, "value": "1 o"}
    assert fits_command(COMMANDS, {"name": "go", "options": [focused, half]}, typing=True)
    assert not fits_command(COMMANDS, {"name": "go", "options": [half]}, typing=True)
    assert not fits_command(COMMANDS, {"name": "go", "options": [{**half, "focused": True}]}, typing=True)


async def test_an_interaction_near_a_process_start_may_have_reached_another_process(open_hall: Opened) -> None:
    """Discord gives its time in whole seconds, so no one can tell which came first."""
    async with open_hall() as hall:
        app = hall.bot.app
        app.services.ownership._began = now() - 60.0
        began = app.age(at_second(app.services.ownership.held_for(None)))
        assert app.had_by_others(at_second(began + 0.4))
        assert not app.had_by_others(at_second(began + 1.4))


def at_second(seconds: float) -> Any:
    """An interaction that was created so many seconds after the epoch."""
    return SimpleNamespace(created_at=datetime.fromtimestamp(seconds, UTC), guild_id=None)
