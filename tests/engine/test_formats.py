"""A game keeps the behavior of the rules that it began with: the format in its configuration selects it."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engine.actions import ACTIONS
from engine.config import FORMAT, Config
from engine.data import Data
from engine.errors import ConfigError
from engine.events import Event
from engine.formats import FORMATS, Format
from engine.game import Game
from engine.rules import rules_of
from tests.engine.builder import Seeded
from tests.engine.randomly import random_action

CONFIG = Config(colors=("red", "blue", "white"))


STORED = """
    accept_offer agree_to_call_off agree_to_end ask_to_build bank_trade build_bridge build_city build_road
    build_settlement buy_card call_off choose_yield close_offer decide_for decline_card decline_for decline_offer
    discard end_trade end_turn expire leave_robber make_offer move_robber pass play_knight play_monopoly
    play_road_building play_victory_point play_year_of_plenty resign roll set_standing take_back_discard take_card
    undo withdraw_offer
"""
"""The names of the actions, in logs."""
TOLD = """
    award_moved bank_traded builders_called built call_off_agreed card_bought card_played card_taken decided_for
    discard_chosen discard_taken_back discarded discards_due end_agreed first_player first_rolls game_ended
    interrupt_opened interrupt_passed monopolised nothing_taken offer_answered offer_made offer_withdrawn passed
    plenty_taken produced requests_opened resigned robber_moved rolled seats_taken shortage trade_ended traded
    turn_began turn_ended undone
"""
"""The names of the events, in their JSON."""


def test_actions_and_events_keep_their_names() -> None:
    assert {*ACTIONS} == {*STORED.split()}
    assert {kind.name for kind in Event.__subclasses__()} == {*TOLD.split()}


def play_on(game: Game, actions: int) -> Game:
    """The game after this number of random actions, always the same ones in the same positions."""
    rng = random.Random(7)
    for _ in range(actions):
        if game.outcome is None:
            game.play(*random_action(game, rng))
    return game


def test_new_games_have_the_newest_format() -> None:
    assert max(FORMATS) == FORMAT == CONFIG.format


@pytest.mark.parametrize("format", [0, FORMAT + 1, -1])
def test_an_unknown_format_is_refused(format: int) -> None:
    with pytest.raises(ConfigError) as refused:
        Game.new(replace(CONFIG, format=format), Seeded(1))
    assert refused.value.code == "format"
    assert "format 1" in str(refused.value)


def test_each_game_keeps_the_rules_of_its_own_format(monkeypatch: pytest.MonkeyPatch) -> None:
    """A future format discards from five cards on. Games of the format before it replay and go on as usual."""

    def five(data: Data) -> Data:
        return replace(data, discard_limit=4)

    monkeypatch.setitem(FORMATS, FORMAT + 1, Format(data=five))
    rules_of.cache_clear()
    games = {}
    for format in (FORMAT, FORMAT + 1):
        game = play_on(Game.new(replace(CONFIG, format=format), Seeded(5)), 300)
        assert game.rules.data.discard_limit == {FORMAT: 7, FORMAT + 1: 4}[format]
        again = Game.replay(game.config, game.records, Seeded(5))
        assert again.hash() == game.hash()
        games[format] = game.hash()
    assert games[FORMAT] != games[FORMAT + 1]
    monkeypatch.undo()
    rules_of.cache_clear()
    assert play_on(Game.new(CONFIG, Seeded(5)), 300).hash() == games[FORMAT]
