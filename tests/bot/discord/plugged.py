"""Plays what docs/extending.md builds: tests/test_examples.py runs this in a copy of the program that has it all.

The program itself has none of it, so the page's modules are imported by name.
"""

from __future__ import annotations

import json
import random
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from discord import app_commands

from bot.cli import main
from bot.commands import COMMANDS
from bot.discord.features import FEATURES
from bot.screens import options as sheets
from bot.screens.controls import ChoiceField
from bot.screens.steps import PRESENTERS
from bot.table.acts import seats
from bot.table.acts.options import SetOptions
from bot.table.options import TABLE
from engine.actions import EndTurn, Roll
from engine.chance import SeededChance
from engine.config import Config
from engine.errors import RefereeError
from engine.game import Game
from engine.geometry import bits
from engine.resources import ORE, WOOL
from engine.scenarios import SCENARIOS
from engine.variants import VARIANTS
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import answer, fill, labels, manager, reply, text
from tests.bot.discord.moments import at
from tests.bot.playground import new_file
from tests.bot.table.desk import ANN, BOB, EVE, Desk
from tests.engine.builder import BOARD, Script, Seeded, node, seat, table
from tests.engine.invariants import check_position
from tests.soak.games import any_action, replays

gift = import_module("engine.variants.lucky_twelve")


def test_the_registries_have_what_their_lines_name() -> None:
    assert {"late-cards", "lucky-twelve"} <= VARIANTS.keys()
    assert "islet" in SCENARIOS
    assert "gift" in PRESENTERS
    assert "console" in COMMANDS
    named = {command.name: command for feature in FEATURES for command in feature.commands}
    assert isinstance(named["gift"], app_commands.Command)
    assert [option.name for option in named["gift"].parameters] == ["card"]
    assert any("reach" in feature.buttons for feature in FEATURES)


def test_a_twelve_gives_a_card_of_ones_choice() -> None:
    t = table(seat(), seat(), variants=("lucky-twelve",), step="pre_roll", dice=[(6, 6)], bank="bo")
    t.play(0, Roll())
    assert (t.game.to_act, t.step.kind) == ((0,), "gift")
    assert [*t.game.options(0)[gift.TakeGift]] == [gift.TakeGift(0), gift.TakeGift(ORE)]
    assert str(t.refused(0, gift.TakeGift(WOOL))) == "The bank has none of that."
    assert t.code(0, EndTurn()) == "wrong-phase"
    assert t.code(1, gift.TakeGift(ORE)) == "wrong-turn"
    t.play(0, gift.TakeGift(ORE))
    assert (t.hand(0), t.step.kind) == ("o", "main")


def test_games_with_all_examples_are_played_to_their_end_and_replayed() -> None:
    taken = 0
    for number, scenario in enumerate(("islet", "base")):
        config = Config(("white", "blue"), scenario, variants=tuple(VARIANTS), target=7)
        game, rng = Game.new(config, Seeded(number)), random.Random(number)
        while game.outcome is None and game.state.turn < 2000:
            who, action = any_action(game, rng)
            if who < 0 or game.options(who).allows(action):
                game.play(who, action)
        assert game.outcome is not None
        taken += sum(isinstance(record.action, gift.TakeGift) for record in game.records)
        check_position(game, {})
        replays(game)
    assert taken


async def test_the_gift_is_offered_and_taken_and_reach_answers(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    def sixes(self: SeededChance, kind: str, ordinal: int, n: int) -> int:
        return 5 if kind == "dice" else drawn(self, kind, ordinal, n)

    drawn = SeededChance.draw
    monkeypatch.setattr(SeededChance, "draw", sixes)
    async with open_hall(2) as hall:
        early = await hall.people[0].slash(hall.channel, "reach")
        assert answer(early).startswith("There is no game in this channel")
        await hall.begin(variants=["lucky-twelve"])
        game = await hall.advance(at("gift"))
        mine = game.to_act[0]
        person, other = await hall.person(mine), await hall.person(1 - mine)
        panel = await hall.panel()
        assert f"A twelve! **<@{person.id}>** takes a card from the bank." in text(panel)
        assert labels(panel) == ["Brick", "Lumber", "Wool", "Grain", "Ore", "My hand", "More"]
        assert answer(await other.click(panel, label="Ore")).startswith("It isn't your turn.")
        assert (await hall.game()).revision == game.revision
        await person.click(panel, label="Ore")
        now = await hall.game()
        assert now.records[-1].action == gift.TakeGift(ORE)
        assert now.state.hands[mine][ORE] == game.state.hands[mine][ORE] + 1
        assert f"{person.name.title()} took 1 🪨 ore from the bank." in text(await hall.panel())

        lines = answer(await other.slash(hall.channel, "reach")).splitlines()
        assert (lines[0], sorted(lines[1:])) == ("**To the target:**", ["Ann: 8 points", "Bob: 8 points"])

        game = await hall.advance(lambda game: at("gift")(game) and game.to_act[0] != mine)
        assert "from the bank" in answer(await other.slash(hall.channel, "gift", card="wool"))
        assert (await hall.game()).records[-1].action == gift.TakeGift(WOOL)


async def test_players_are_called_and_the_rules_stay_in_the_channel(open_hall: Opened) -> None:
    def said(*phrases: str) -> list[str]:
        return [words for words in map(text, hall.channel.history()) if all(phrase in words for phrase in phrases)]

    async with open_hall(3) as hall:
        await hall.begin(target=3)
        await hall.advance(at("pre_roll"))  # each has two points then
        assert len(said("needs one more point")) == 3
        await hall.advance(lambda game: game.outcome is not None)
        assert said("needs one more point") == []
        assert len(said("**First to 3 points**", "The base game")) == 1


def test_an_option_has_its_field_its_check_and_stays_as_it_is_in_the_game() -> None:
    desk = Desk.lobby(ANN, BOB)
    page = sheets.table_options(desk.table)
    [boxes] = [field for field in page.form("set_table").fields if field.name == "table"]
    assert isinstance(boxes, ChoiceField)
    assert "Trades end after a minute" in [option.label for option in boxes.options]
    assert page.entered("set_table", "", {"table": ["quick_trades"]})["quick_trades"] is True
    with pytest.raises(RefereeError):
        TABLE["quick_trades"].check(desk.table, "now and then")
    assert desk.refused(ANN, SetOptions({"quick_trades": 3})) == "option/choice"
    desk.act(ANN, SetOptions({"quick_trades": True}))
    assert desk.table.options.quick_trades  # type: ignore[attr-defined]
    assert "**Offers** end after a minute." in sheets.chosen_options(desk.table)
    desk.start(Game.new(desk.table.config, Script()))
    assert desk.refused(ANN, SetOptions({"quick_trades": False})).startswith("not-lobby")


async def test_an_option_is_among_those_with_which_a_servers_tables_begin(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        ann, bob = hall.people
        await manager(hall)
        page = reply(await ann.click(reply(await ann.slash(hall.channel, "server")), label="New tables begin with…"))
        page = reply(await fill(ann, page, "Table and pictures", table={"quick_trades": True}))
        assert "**Offers** end after a minute." in text(page)
        page = reply(await fill(ann, page, "Only managers change", fixed=["quick_trades"]))
        assert "**Only managers change:** Trades end after a minute" in text(page)
        await bob.slash(hall.channel, "game new")
        table = await hall.table()
        assert table.options.quick_trades  # type: ignore[attr-defined]
        with pytest.raises(RefereeError) as refused:
            await hall.options(quick_trades=False)
        assert refused.value.key == "fixed"


def test_an_act_is_done_or_refused() -> None:
    allow: Any = vars(seats)["AllowHints"]
    desk = Desk.at(table(players=3))
    assert desk.refused(EVE, allow(False)) == "not-member"
    assert desk.refused(BOB, allow(False)) == "not-host"
    desk.act(ANN, allow(False))
    assert not desk.table.options.hints


def test_two_people_play_at_one_keyboard(
    quick_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    site = node("D3")
    road = next(bits(BOARD.grid.node_edge_mask[site]))
    moves = [["build_settlement", site], ["build_road", road], ["roll"], "?", ["resign"]]
    typed = iter([json.dumps(move) for move in moves])
    monkeypatch.chdir(quick_path)
    monkeypatch.setattr("builtins.input", lambda prompt: next(typed))
    assert main(["console", "--database", str(new_file(quick_path / "console.db"))]) == 0
    lines = re.sub("Ann|Bob", "X", capsys.readouterr().out).splitlines()  # seats are shuffled
    events = {"Setup: **X**, place your first settlement.", "X placed a road.", "X left the game."}
    assert events | {"Place a settlement first.", "That is no action."} <= {*lines}
