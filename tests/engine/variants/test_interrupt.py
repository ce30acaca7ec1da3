"""L8: knights that answer the robber, chains of them, and that a question betrays no one."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from engine.actions import EndTurn, Expire, LeaveRobber, MoveRobber, PassOn, PlayKnight, Resign, Roll, TakeCard
from engine.errors import IllegalAction
from engine.events import AwardMoved, CardPlayed, CardTaken, NothingTaken, RobberMoved
from engine.record import REFEREE
from engine.resources import KNIGHT
from engine.terms import Award
from tests.engine.builder import Seat, Table, events_of, hex_, seat, table

L8 = ("knight-interrupt",)


def around(*cards: str, played: str = "", step: str = "pre_roll", **config: Any) -> Table:
    """A player for each string of development cards, each with a settlement and two resource cards of one kind."""
    spots = ("B4", "D4", "E6", "C8")
    seats: list[Seat] = []
    for number, letters in enumerate(cards):
        kind = "bwlo"[number]
        seats.append(seat(settlements=spots[number], hand=kind * 2, cards=letters, played=played))
    variants = config.pop("variants", L8)
    return table(*seats, step=step, variants=variants, **config)


def moved(t: Table, mover: int = 0, to: str = "4.1") -> Table:
    """Let the mover roll a seven, if the dice aren't rolled yet, and move the robber."""
    if t.game.view().step.kind == "pre_roll":
        t.rolls((3, 4))
        t.play(mover, Roll())
    t.play(mover, MoveRobber(hex_(to)))
    return t


def step(t: Table) -> str:
    """The kind of decision that all see."""
    return t.game.view().step.kind


def everything(t: Table, seat: int | None) -> bytes:
    """All that a seat or an onlooker can learn: view, options, decision, and why something is refused."""
    answers: list[object] = [pickle.dumps(t.game.view(seat))]
    if seat is not None:
        answers += [sorted(c.name for c in t.game.options(seat)), t.game.decision(seat), t.game.can_undo(seat)]
        for action in (Roll(), MoveRobber(0), TakeCard(0), Expire(1)):
            with pytest.raises(IllegalAction) as refused:
                t.game.play(seat, action)
            answers.append((refused.value.code, str(refused.value), refused.value.params))
    return pickle.dumps(answers)


def test_L8_a_knight_moves_the_robber_again_before_a_card_is_taken() -> None:
    t = moved(around("", "k", ""))
    assert (step(t), t.hand(0), t.hand(1)) == ("interrupt", "bb", "ww")
    t.play(1, PlayKnight())
    assert step(t) == "move_robber"
    events = t.play(1, MoveRobber(hex_("5.2")))
    assert events_of(events, CardTaken)[0].seat == 1
    assert (t.hand(0), t.hand(1), t.hand(2)) == ("bb", "lww", "l")
    assert (step(t), t.state.on_turn) == ("main", 0)


def test_L8_the_earlier_mover_gets_nothing_even_if_the_victim_stays_the_same() -> None:
    """The robber can move to another hex of the same victim; the last mover takes the card."""
    t = moved(around("", "", "k"))
    t.play(2, PlayKnight())
    t.play(2, MoveRobber(hex_("3.2")))
    assert (t.hand(0), t.hand(1), t.hand(2)) == ("bb", "w", "llw")


def test_L8_the_robber_can_move_to_any_other_hex_even_back_to_its_first_one() -> None:
    t = moved(around("", "k"))
    t.play(1, PlayKnight())
    assert t.code(1, MoveRobber(hex_("4.1"))) == "same-hex"
    t.play(1, MoveRobber(hex_("3.3")))  # where it stood before the seven
    assert t.state.robber == hex_("3.3")


def test_L8_only_other_players_with_a_hidden_card_are_asked() -> None:
    t = moved(around("k", "v", "", "m"))
    assert t.game.view().awaited == 0b1010
    assert t.game.to_act == (1, 3)
    assert t.code(1, PlayKnight()) == "no-such-card"
    assert t.code(2, PassOn()) == "not-asked"
    assert t.code(0, PlayKnight()) == "not-asked"  # the mover isn't asked


def test_L8_a_player_with_only_a_new_knight_is_asked_but_cannot_play_it() -> None:
    t = around("", "k", "")
    t.state.fresh[1][KNIGHT] = 1
    moved(t)
    assert t.game.view().awaited == 0b010
    assert t.code(1, PlayKnight()) == "no-such-card"
    t.play(1, PassOn())
    assert step(t) == "main"


def test_L8_there_is_no_window_when_no_other_player_holds_a_card() -> None:
    t = moved(around("kk", "", ""))
    assert (step(t), t.hand(0)) == ("main", "bbw")


def test_L8_the_window_closes_immediately_when_all_players_have_passed() -> None:
    t = moved(around("", "k", "v"))
    t.play(2, PassOn())
    assert step(t) == "interrupt"
    assert t.code(2, PassOn()) == "not-asked"
    events = t.play(1, PassOn())
    assert events_of(events, CardTaken)
    assert (step(t), t.hand(0)) == ("main", "bbw")


def test_L8_the_first_answer_clockwise_from_the_mover_counts_and_other_players_keep_their_knights() -> None:
    t = around("kv", "k", "v", "k", on_turn=2)
    moved(t, mover=2)
    t.play(1, PlayKnight())
    t.play(0, PlayKnight())
    events = t.play(3, PlayKnight())  # the last to answer, and the first clockwise from seat 2
    assert events_of(events, CardPlayed) == [CardPlayed(3, KNIGHT)]
    assert [t.state.development_cards[s][KNIGHT] for s in range(4)] == [1, 1, 0, 0]
    t.play(3, MoveRobber(hex_("1.3")))
    assert t.game.to_act == (0, 1, 2)  # a new window asks all others again; seat 3 holds no card anymore
    assert all(t.can(s, PlayKnight()) for s in (0, 1))


def test_L8_the_earlier_mover_can_answer_without_using_up_the_one_card_of_their_turn() -> None:
    t = around("kk", "k", "", step="main")
    t.play(0, PlayKnight())
    moved(t)
    t.play(1, PlayKnight())
    t.play(1, MoveRobber(hex_("1.1")))
    t.play(0, PlayKnight())
    t.play(0, MoveRobber(hex_("4.1")))
    assert (step(t), t.hand(0), t.hand(1)) == ("main", "bbw", "w")
    assert [p[KNIGHT] for p in t.state.played] == [2, 1, 0]
    fresh = around("ky", "k", step="pre_roll")  # an answer in one's own turn isn't the one card of that turn
    moved(fresh)
    fresh.play(1, PlayKnight())
    fresh.play(1, MoveRobber(hex_("1.1")))
    fresh.play(0, PlayKnight())
    fresh.play(0, MoveRobber(hex_("4.1")))
    assert not fresh.game.view().card_played


def test_L8_played_knights_count_for_the_army_in_order_when_the_chain_has_ended() -> None:
    t = around("k", "k", "", played="kk", step="main")
    t.play(0, PlayKnight())
    moved(t)
    t.play(1, PlayKnight())
    assert t.game.view().largest_army is None
    assert [p[KNIGHT] for p in t.state.played] == [2, 2, 2]
    events = t.play(1, MoveRobber(hex_("2.1")))
    assert [p[KNIGHT] for p in t.state.played] == [3, 3, 2]
    assert events_of(events, AwardMoved) == [
        AwardMoved(Award.LARGEST_ARMY, None, 0, 3)
    ]  # the first with three keeps it


def test_L8_an_army_won_by_an_answer_wins_the_game_only_in_the_players_own_turn() -> None:
    t = table(
        seat(settlements="B4", cards="v"),
        seat(cities="D4 C8 E6", settlements="B9", cards="k", played="kk"),
        step="pre_roll",
        target=9,
        variants=L8,
        dice=[(3, 4), (1, 1)],
    )
    t.play(0, Roll())
    t.play(0, MoveRobber(hex_("4.1")))
    t.play(1, PlayKnight())
    t.play(1, MoveRobber(hex_("2.1")))
    t.play(0, PassOn())
    assert (t.state.all_points(1), t.game.outcome) == (9, None)
    t.play(0, EndTurn())
    assert t.game.outcome is not None
    assert t.game.outcome.winners == (1,)


def test_L8_the_army_of_a_chain_can_win_for_the_current_player() -> None:
    t = around("k", "k", played="kk", step="main", target=3)
    t.play(0, PlayKnight())
    assert moved(t).game.outcome is None
    t.play(1, PassOn())
    assert t.game.outcome is not None
    assert t.game.outcome.winners == (0,)


def test_L8_answers_stay_hidden_until_the_window_closes() -> None:
    t = moved(around("", "k", "kv", ""))
    others: tuple[int | None, ...] = (None, 0, 2, 3)
    before = {viewer: everything(t, viewer) for viewer in (*others, 1)}
    revision, decisions = t.game.view().revision, [t.game.decision(s) for s in (0, 2, 3)]
    assert t.play(1, PlayKnight()) == ()
    assert {viewer: everything(t, viewer) for viewer in others} == {v: before[v] for v in others}
    assert everything(t, 1) != before[1]  # the seat that answered sees it
    assert t.game.view(1).awaited == 0b100
    assert (t.game.view().revision, [t.game.decision(s) for s in (0, 2, 3)]) == (revision, decisions)


def test_L8_the_question_looks_the_same_for_any_hidden_cards() -> None:
    """Positions that differ only in hidden cards look alike to all others, from the question to the end."""
    tables = [moved(around("", letter, "v")) for letter in ("k", "v", "m")]
    for answer in (None, 2, 1):
        if answer is not None:
            for t in tables:
                t.play(answer, PassOn())
        for viewer in (None, 0, 2):
            assert len({everything(t, viewer) for t in tables}) == 1


def test_L8_views_change_when_the_window_closes_even_if_nothing_else_happens() -> None:
    """If the mover has a choice of victims, closing brings no event. What is shown must still change."""
    t = around("", "v", "")
    t.state.settlements[2] = 1 << t.game.board.grid.node_names.index("E3")
    moved(t)
    revision = t.game.view().revision
    t.play(1, PassOn())
    assert step(t) == "take_card"
    assert t.game.view().revision == revision + 1
    late = around("", "v", "")
    late.state.settlements[2] = 1 << t.game.board.grid.node_names.index("E3")
    moved(late)
    late.play(REFEREE, Expire(late.state.agenda[-1].serial))
    assert late.game.view().revision == revision + 1


def test_L8_the_referee_closes_the_window_when_the_time_is_over() -> None:
    t = moved(around("", "k", "k", "v"))
    serial = t.state.agenda[-1].serial
    t.play(2, PlayKnight())
    for wrong in (serial - 1, serial + 1):
        assert t.code(REFEREE, Expire(wrong)) == "not-due"
    assert t.code(1, Expire(serial)) == "wrong-phase"  # only the referee can
    events = t.play(REFEREE, Expire(serial))
    assert events_of(events, CardPlayed) == [CardPlayed(2, KNIGHT)]  # the player who answered in time acts
    assert t.code(REFEREE, Expire(serial)) == "not-due"
    t.play(2, MoveRobber(hex_("2.1")))
    t.play(REFEREE, Expire(t.state.agenda[-1].serial))
    assert step(t) == "main"
    assert t.code(REFEREE, Expire(serial)) == "not-due"


def test_L8_the_referee_closes_a_window_without_answers() -> None:
    t = moved(around("", "k", ""))
    events = t.play(REFEREE, Expire(t.state.agenda[-1].serial))
    assert events_of(events, CardTaken)
    assert (t.hand(0), t.state.development_cards[1][KNIGHT]) == ("bbw", 1)


def test_L8_the_record_of_an_expired_window_survives_json() -> None:
    t = around("", "k", "v")
    moved(t)
    assert [r.to_json() for r in t.game.records[-1:]] == [{"n": 2, "by": 0, "do": ["move_robber", hex_("4.1")]}]
    t.play(REFEREE, Expire(t.state.agenda[-1].serial))
    record = t.game.records[-1]
    assert type(record).from_json(record.to_json()) == record


def test_L8_a_player_answers_only_once() -> None:
    t = moved(around("", "k", "k"))
    t.play(1, PlayKnight())
    assert t.code(1, PassOn()) == "not-asked"
    assert t.code(1, PlayKnight()) == "not-asked"
    assert not t.game.can_undo(1)


def test_L8_a_player_who_resigns_is_no_longer_asked_and_their_answer_is_void() -> None:
    t = moved(around("", "k", "v"))
    t.play(1, PlayKnight())
    t.play(1, Resign())
    assert step(t) == "interrupt"
    t.play(2, PassOn())
    assert not events_of(t.game.last_events, CardPlayed)
    assert step(t) == "main"
    t = moved(around("", "k", "v"))
    t.play(2, PassOn())
    t.play(1, Resign())
    assert step(t) == "main"


def test_L8_a_mover_who_resigns_takes_nothing_but_an_answer_still_counts() -> None:
    t = moved(around("", "k", "v"))
    t.play(0, Resign())
    t.play(1, PlayKnight())
    t.play(2, PassOn())
    t.play(1, MoveRobber(hex_("5.2")))
    t.play(2, PassOn())
    assert t.hand(1) == "lww"
    assert t.game.view().on_turn == 1
    t = moved(around("", "k", ""))
    t.play(0, Resign())
    events = t.play(1, PassOn())
    assert NothingTaken(0) in events
    assert t.hand(1) == "ww"


def test_L8_a_knight_played_before_the_roll_can_be_answered() -> None:
    t = around("k", "k", step="pre_roll")
    t.play(0, PlayKnight())
    t.play(0, MoveRobber(hex_("4.1")))
    t.play(1, PlayKnight())
    t.play(1, MoveRobber(hex_("2.1")))
    assert step(t) == "pre_roll"
    assert t.game.view().card_played


def test_L8_without_the_rule_there_is_no_window() -> None:
    t = moved(around("", "k", "k", variants=()))
    assert step(t) == "main"


def test_L8_and_L5_a_robber_that_stays_opens_no_window_but_a_moved_one_does() -> None:
    for action, after in ((LeaveRobber(), "main"), (MoveRobber(hex_("1.1")), "interrupt")):
        t = around("", "k", variants=(*L8, "optional-robber"), dice=[(3, 4)])
        t.play(0, Roll())
        events = t.play(0, action)
        assert events_of(events, RobberMoved)
        assert step(t) == after
