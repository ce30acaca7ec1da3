"""What alternate rules, and players who have left, change about what bots think."""

from __future__ import annotations

import random

import pytest

from bot.words.why import why
from engine.actions import BuildRoad, BuildSettlement, EndTrade, MoveRobber, PassOn, PlayKnight, Resign, Roll
from engine.config import Config
from engine.game import Game
from engine.scenarios import SCENARIOS
from engine.terms import StepKind
from players import computer
from players.advice import advice
from players.net import NetChances
from players.reasons import Reason, reason_for
from players.sensible import SensiblePlayer
from players.situation import Situation
from players.table import carry_out, move
from players.thinking import Line
from tests.engine.builder import BOARD, Seat, Table, edge, hex_, seat, table
from tests.engine.randomly import chance
from tests.native import interpreted

LEVELS = ("hard", "expert")


def bot(level: str) -> SensiblePlayer:
    player = computer(level, random.Random(0))
    assert isinstance(player, SensiblePlayer)
    return player


def lines(found: Table, level: str, who: int = 0) -> list[Line]:
    """What a bot thinks of each thing that a seat can do, the best first."""
    return bot(level).lines(found.game.view(who, counted=True), found.game.options(who))


def value_of(knight: type, found: list[Line]) -> float:
    return next(line.value for line in found if type(line.actions[0]) is knight)


@pytest.mark.parametrize("level", LEVELS)
def test_L8_a_knight_is_worth_as_much_where_others_can_answer_it(level: str) -> None:
    values = []
    for variants in ((), ("knight-interrupt",)):
        mine = seat(settlements="C4", cards="kk", played="kk", hand="gg")
        t = table(mine, seat(settlements="E3", cards="v", hand="o"), seat(hand="l"), step="pre_roll", variants=variants)
        values.append(value_of(PlayKnight, lines(t, level)))
    assert values[0] == values[1]


@pytest.mark.parametrize("level", LEVELS)
def test_L8_an_answer_is_judged_by_what_it_leads_to(level: str) -> None:
    """Others are asked at the same time: a bot that took what it sees then for the end would play every knight."""
    last = seat(settlements="E3", cards="k", played="kk"), seat(settlements="B2", cards="v", hand="l")
    t = table(
        seat(settlements="C4", played="kkk"), *last, step="pre_roll", dice=[(3, 4)], variants=("knight-interrupt",)
    )
    t.play(0, Roll())
    t.play(0, MoveRobber(hex_("5.1")))
    assert t.step.kind is StepKind.INTERRUPT
    assert t.step.awaited == 0b110
    found = lines(t, level, 1)
    assert {type(line.actions[0]) for line in found} == {PlayKnight, PassOn}
    assert found[0].value != found[1].value


def test_L8_knights_that_do_not_count_yet_are_seen_nevertheless() -> None:
    seats = seat(settlements="C4"), seat(settlements="E3", cards="k"), seat(settlements="B2", cards="v", hand="l")
    t = table(*seats, step="pre_roll", dice=[(3, 4)], variants=("knight-interrupt",))
    for who, action in ((0, Roll()), (0, MoveRobber(hex_("5.1"))), (1, PlayKnight()), (2, PassOn())):
        t.play(who, action)
    assert t.step.kind is StepKind.MOVE_ROBBER
    assert Situation.of(t.game.view(0)).unseen == [13, 2, 2, 2, 5]


@pytest.mark.parametrize("level", LEVELS)
def test_L11_trades_are_made_for_what_can_be_built_after_them(level: str) -> None:
    found = []
    for variants in ((), ("separate-phases",)):
        mine = seat(settlements="C4 D6", roads="c4", hand="wbgob")
        others = seat(settlements="E3 B2", roads="e3", hand="wbw"), seat(settlements="F3", hand="golwwo")
        t = table(mine, *others, step="pre_roll", dice=[(1, 1)], variants=variants)
        t.play(0, Roll())
        best = lines(t, level)[0]
        found.append(([action for action in best.actions if action != EndTrade()], best.value))
    assert found[0] == found[1]
    assert isinstance(found[0][0][1], BuildSettlement)


@pytest.mark.parametrize("level", LEVELS)
def test_L11_going_on_to_build_is_advised_for_what_is_built(level: str) -> None:
    found = []
    for variants in ((), ("separate-phases",)):
        t = table(seat(settlements="C4", hand="ooogg"), seat(), step="pre_roll", dice=[(1, 1)], variants=variants)
        t.play(0, Roll())
        found.append(advice(bot(level), t.game.view(0, counted=True), t.game.options(0)))
    plain, hint = found
    assert hint.plan == (EndTrade(), *plain.plan)
    assert (hint.before, hint.reasons, hint.after) == (plain.before, plain.reasons, plain.after)
    assert hint.before < hint.after


def left(*seats: Seat, step: str = "main", who: int = 2) -> Table:
    """A table at which a player has left."""
    t = table(*seats, step=step, dice=[(3, 4)])
    t.play(who, Resign())
    return t


def test_I7_easy_does_not_send_the_robber_to_who_has_left() -> None:
    """It would cost no one anything."""
    t = left(seat(settlements="C4"), seat(settlements="E3", hand="o"), seat(cities="B2 D6"), step="pre_roll")
    t.play(0, Roll())
    chosen = computer("easy", random.Random(0)).decide(t.game.view(0), t.game.options(0))
    assert isinstance(chosen, MoveRobber)
    assert BOARD.hex_node_mask[chosen.at] & t.state.settlements[1]


@pytest.mark.parametrize("level", LEVELS)
def test_I7_no_one_has_to_beat_the_road_or_the_army_of_who_has_left(level: str) -> None:
    mine = seat(roads="e1 f1 g1", hand="bl", played="kk")
    t = left(mine, seat(settlements="E3"), seat(roads="c7 c8 d4 d5 e8 e9", played="kkkkk"))
    thinker = bot(level).thinker(t.game.view(0, counted=True))
    inputs = thinker.chances.inputs(thinker.situation, 0)
    assert inputs["road_gap"] == pytest.approx(-0.1)
    assert inputs["army_gap"] == 0.0
    line = thinker.line(thinker.situation, BuildRoad(edge("g2")))
    assert reason_for(thinker.chances, ("road", -1), thinker.situation, line) == Reason("road", 1)


def test_I7_expert_compares_itself_only_with_who_still_plays() -> None:
    mine = seat(roads="e1 f1 g1", hand="bl", played="kkk")
    t = left(mine, seat(settlements="E3"), seat(cities="B2 D6", roads="c7 c8 d4 d5 e8 e9", played="kkkkk"))
    t.state.longest = 0
    thinker = bot("expert").thinker(t.game.view(0, counted=True))
    state, inputs = thinker.situation.state, thinker.chances.inputs
    names = ("road_margin", "army_margin", "others")
    assert [inputs(thinker.situation, 0)[name] for name in names] == pytest.approx([0.6, 1.0, 0.1])
    site = 1 << thinker.chances.judge.sites(state, 0).best
    for who, contested in ((2, 0.0), (1, 1.0)):
        state.reach[who] |= site
        assert inputs(thinker.situation, 0)["site_contested"] == contested


def test_I7_cards_that_left_with_a_player_are_as_unseen_as_the_deck() -> None:
    t = left(seat(cards="kv", hand="owg"), seat(cards="r"), seat(cards="kkv"))
    view = t.game.view(0, counted=True)
    assert Situation.of(view).unseen == [13, 2, 2, 2, 4]
    lines = why(view, ("Ann", "Bob", "Cleo"), advice(bot("hard"), view, t.game.options(0)))
    assert lines.startswith("13 of the 23 cards that you haven't seen are knights.")


@interpreted
@pytest.mark.parametrize("seed", [1, 2])
def test_a_strength_that_is_kept_is_the_one_that_would_be_found_again(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = 0

    def strength(self: NetChances, situation: Situation, who: int) -> float:
        nonlocal compared
        key, now = self.key(situation, who), self.sum(self.inputs(situation, who))
        assert self._strengths.setdefault(key, now) == pytest.approx(now)
        compared += 1
        return now

    monkeypatch.setattr(NetChances, "strength", strength)
    scenario = SCENARIOS["base"]
    game = Game.new(Config(colors=scenario.colors_for(4)[:4]), chance(seed))
    players = [bot("expert") for _ in range(4)]
    while game.turn < 12:
        carry_out(game, *move(game, players))
    assert compared > 1000
