"""Advice: the move is the one that the bot would make, and the reasons are what it brings in the position."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engine.actions import (
    AcceptOffer,
    Action,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    BuyCard,
    DeclineOffer,
    Discard,
    EndTrade,
    EndTurn,
    MakeOffer,
    MoveRobber,
    PlayYearOfPlenty,
    Roll,
)
from engine.config import COLORS, Config
from engine.domains import Options
from engine.game import Game
from engine.resources import GRAIN, KNIGHT, LUMBER, ORE, single
from players.advice import MOST_REASONS, Advice, advice
from players.chances import weights
from players.details import DETAILS
from players.reasons import GROUPS, REASON_KINDS, Reason
from players.sensible import HardPlayer
from players.table import carry_out, move
from players.thinking import STANDING
from tests.engine.builder import BOARD, Table, node, seat, table
from tests.engine.randomly import chance
from tests.seeds import few_of


def asked(found: Table | Game, who: int = 0, *only: type[Action]) -> Advice:
    game = found.game if isinstance(found, Table) else found
    options = Options({kind: domain for kind, domain in game.options(who).items() if not only or kind in only})
    return advice(HardPlayer(random.Random(0)), game.view(who, counted=True), options)


def hidden_knights(game: Game, who: int) -> int:
    state = game.state
    return state.deck[KNIGHT] + sum(cards[KNIGHT] for s, cards in enumerate(state.development_cards) if s != who)


def kinds(found: Advice) -> list[str]:
    return [reason.kind for reason in found.reasons]


@pytest.mark.parametrize("seed", few_of((2, 0, 1)))
def test_the_advice_is_the_bots_own_move_with_true_reasons(seed: int) -> None:
    """Through a game: the move is the bot's own, the reasons are known ones, and chances are between 0 and 1."""
    rng = random.Random(seed)
    game = Game.new(Config(colors=COLORS[:4], variants=("separate-phases",) * (seed == 2)), chance(seed))
    players = [HardPlayer(rng) for _ in range(4)]
    reasons = Counter[str]()
    while game.outcome is None and game.turn < 60:
        who, action = move(game, players)
        if rng.random() < 0.3:
            hint = asked(game, who)
            assert hint.action == action == hint.plan[0]
            assert {*kinds(hint)} <= {*REASON_KINDS}
            assert len(hint.reasons) <= MOST_REASONS
            assert 0.0 <= hint.before <= 1.0
            assert hint.other is None or (hint.other.action, hint.plan) != (action, (action,))
            if hint.other and type(hint.other.action) in {*STANDING, DeclineOffer} - {EndTrade}:
                assert hint.before == hint.other.after <= hint.after
            assert len(hint.plan) == 1 or type(hint.plan[-1]) not in STANDING
            reasons.update(kinds(hint))
            for reason in hint.reasons:
                assert reason.kind != "card" or reason.n == hidden_knights(game, who)
        carry_out(game, who, action)
    assert len(reasons) >= 5


def test_each_group_holds_numbers_that_bots_judge_by_and_no_number_is_in_two_groups() -> None:
    named = [name for group in GROUPS.values() for name in group]
    assert {*named} <= {*weights(), *DETAILS}
    assert len(named) == len({*named})


def test_a_city_is_advised_for_its_point_and_its_dots() -> None:
    t = table(seat(settlements="C4", hand="ooogg"), seat(settlements="D6"))
    hint = asked(t)
    assert hint.action == BuildCity(node("C4"))
    assert {*kinds(hint)} == {"points", "production"}
    dots = next(reason.n for reason in hint.reasons if reason.kind == "production")
    assert dots == t.game.state.board.pips_at(node("C4"))
    assert hint.after > hint.before


def test_a_card_is_advised_for_the_victory_point_that_would_win() -> None:
    t = table(seat(settlements="C4", hand="owg", played="vvv"), seat(settlements="D6"), target=5)
    hint = asked(t, 0, BuyCard, EndTurn)
    assert hint.action == BuyCard()
    assert Reason("victory", 2) in hint.reasons  # five, less the three that were played
    assert "rival" not in kinds(hint)


def test_the_build_that_brings_more_comes_first() -> None:
    t = table(seat(settlements="C4", roads="d2 c3", hand="bblllwg"), seat(settlements="D6"))
    hint = asked(t)
    assert [type(action) for action in hint.plan[:2]] == [BuildSettlement, BuildRoad]


def test_the_robber_on_ones_own_hex_is_a_reason() -> None:
    hexes = BOARD.grid.node_hexes[node("C4")]
    at = BOARD.grid.hex_names[hexes[0]]
    t = table(seat(settlements="C4"), seat(settlements="D6", hand="bb"), robber=at, step="pre_roll", dice=[(3, 4)])
    t.play(0, Roll())
    hint = asked(t)
    assert isinstance(hint.action, MoveRobber)
    assert hint.action.at != hexes[0]
    assert {*kinds(hint)} <= {"free", "stolen", "rival", "army"}


def test_an_accepted_offer_names_what_it_brings_nearer() -> None:
    t = table(seat(settlements="C4", hand="ooglb"), seat(settlements="D6", hand="o"))
    t.play(0, EndTurn())
    t.play(1, Roll())
    t.play(1, MakeOffer(single(ORE), single(LUMBER)))
    hint = asked(t)
    assert isinstance(hint.action, AcceptOffer)
    assert Reason("nearer", 3) in hint.reasons


def test_the_advice_warns_of_a_player_who_may_be_about_to_win() -> None:
    t = table(seat(settlements="C4", hand="o"), seat(settlements="D6", hand="g", played="vvv"), target=5)
    t.play(0, EndTurn())
    t.play(1, Roll())
    t.play(1, MakeOffer(single(GRAIN), single(ORE)))
    hint = asked(t)
    assert isinstance(hint.action, DeclineOffer)
    assert kinds(hint) == ["finisher"]


def test_a_discard_needs_no_reason() -> None:
    t = table(seat(settlements="C4", hand="bbbbbbbb"), seat(), step="pre_roll", dice=[(3, 4)])
    t.play(0, Roll())
    hint = asked(t)
    assert isinstance(hint.action, Discard)
    assert hint.reasons == ()


def test_the_advice_names_the_best_affordable_build_that_has_a_place() -> None:
    t = table(seat(settlements="C4", hand="lwooo", cards="y"), seat(settlements="D6"), step="pre_roll")
    hint = asked(t, 0, PlayYearOfPlenty)
    assert hint.action == PlayYearOfPlenty(single(GRAIN, 2))
    assert Reason("pays", 2) in hint.reasons
