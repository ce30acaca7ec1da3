"""Motions: several proposals at a time, votes for and against, and strangers who ask for a seat."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.projections import Kind, Name
from bot.table.act import Act
from bot.table.acts.motions import Agree, AskForSeat, Object, Propose, open_motion, settled
from bot.table.acts.seats import OfferSeat, Replace, ReturnToSeat, TakeSeat
from bot.table.parts import PACE, PAUSE, RESUME, SUBSTITUTE, Motion
from bot.table.preferences import DM
from engine.actions import Resign
from tests.bot.table.desk import ANN, BOB, CEM, DAY, DOT, EVE, HOUR, Desk
from tests.engine.builder import table as position

COMPUTER = 3
"""The place of the bot in a game of three people and one bot."""


def desk_of(players: int, *, computers: int = 0, **options: int) -> Desk:
    return Desk.at(position(players=players + computers), computers=computers, **options)


def votes(desk: Desk, what: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The users who are for a proposal, and those who are against it."""
    motion = open_motion(desk.table, what)
    assert motion is not None
    return motion.ayes, motion.noes


def proposed(desk: Desk) -> set[str]:
    return {proposal.kind for proposal in desk.table.motions}


# --- more than half of those who play


@pytest.mark.parametrize(
    ("players", "said", "done", "void"),
    [
        (1, [Propose], True, False),
        (2, [Propose], False, False),
        (2, [Propose, Agree], True, False),
        (2, [Propose, Object], False, True),
        (3, [Propose, Object], False, False),  # one vote against it is no veto
        (3, [Propose, Object, Agree], True, False),
        (3, [Propose, Object, Object], False, True),
        (4, [Propose, Agree], False, False),
        (4, [Propose, Agree, Object, Agree], True, False),
        (4, [Propose, Object, Object], False, True),  # the others would be only half
    ],
)
def test_a_proposal_needs_more_than_half_of_the_players(
    players: int, said: list[type[Propose | Agree | Object]], done: bool, void: bool
) -> None:
    """They vote in the order of their seats."""
    desk = desk_of(players, computers=max(0, 2 - players))
    for user, kind in zip(desk.table.users, said, strict=False):
        result = desk.say(user, kind(PAUSE))
    assert (result.done, result.void, result.of) == (done, void, players)
    assert (desk.table.paused == desk.now) == done
    assert (open_motion(desk.table, PAUSE) is None) == (done or void)


def test_a_player_who_changes_their_vote_is_counted_once() -> None:
    desk = desk_of(4)
    desk.say(ANN, Propose(PAUSE))
    for act, expected in ((Object(PAUSE), ((ANN,), (BOB,))), (Agree(PAUSE), ((ANN, BOB), ()))):
        desk.say(BOB, act)
        assert votes(desk, PAUSE) == expected


def test_a_proposal_ends_when_its_only_supporter_withdraws_it() -> None:
    desk = desk_of(4)
    desk.say(ANN, Propose(PAUSE))
    assert desk.say(ANN, Object(PAUSE)).void
    assert desk.refused(CEM, Agree(PAUSE)) == "no-proposal"


def test_proposing_the_same_thing_counts_as_agreeing() -> None:
    desk = desk_of(3)
    desk.say(ANN, Propose(PACE, pace=HOUR))
    assert desk.say(BOB, Propose(PACE, pace=HOUR)).done
    assert desk.table.options.pace == HOUR


def test_several_proposals_and_a_strangers_request_for_a_seat_can_be_open_together() -> None:
    desk = desk_of(3, computers=1)
    desk.say(ANN, Propose(PAUSE))
    desk.say(BOB, Propose(PACE, pace=HOUR))
    desk.say(EVE, AskForSeat("Eve", COMPUTER))
    assert proposed(desk) == {PAUSE, PACE, SUBSTITUTE}
    assert desk.say(CEM, Agree(PAUSE)).done
    assert desk.say(CEM, Agree(PACE)).done
    desk.say(ANN, Agree(SUBSTITUTE))
    assert desk.say(BOB, Agree(SUBSTITUTE)).done
    table = desk.table
    assert (table.users, table.motions, table.options.pace) == ((ANN, BOB, CEM, EVE), (), HOUR)


@pytest.mark.parametrize(
    ("user", "act", "key"),
    [
        (EVE, Propose(PAUSE), "not-playing"),
        (ANN, Propose(RESUME), "not-paused"),
        (ANN, Propose(PACE), "pace/same"),
        (ANN, Propose(PACE, pace=1), "pace"),
        (ANN, Propose(PACE, expiry="never"), "option/choice"),
        (ANN, Agree(PAUSE), "no-proposal"),
        (ANN, Object(PAUSE), "no-proposal"),
        (EVE, AskForSeat("Eve", 0), "handover/no seat"),
        (EVE, AskForSeat("Eve", 9), "handover/no seat"),
        (ANN, AskForSeat("Ann", COMPUTER), "handover/you play"),
    ],
)
def test_invalid_proposals_and_votes_are_refused(user: int, act: Act, key: str) -> None:
    assert desk_of(3, computers=1).refused(user, act) == key


def test_a_pause_cant_be_proposed_during_a_pause() -> None:
    desk = desk_of(3)
    desk.agree(PAUSE)
    assert desk.refused(ANN, Propose(PAUSE)) == "paused/already"


def test_a_player_for_whom_a_bot_has_played_for_days_cant_propose_or_vote() -> None:
    desk = desk_of(3)
    desk.say(ANN, Propose(PAUSE))
    desk.go_away(BOB)
    for act in (Propose(PAUSE), Agree(PAUSE), Object(PAUSE)):
        assert desk.refused(BOB, act) == "replaced"


# --- one proposal of a kind at a time


def test_a_vote_counts_only_for_the_proposal_that_the_player_saw() -> None:
    desk = desk_of(3)
    first = desk.say(ANN, Propose(PACE, pace=14 * DAY)).proposal
    desk.say(ANN, Propose(PACE, pace=120))
    for act in (Agree(PACE, made=first.made), Object(PACE, made=first.made)):
        assert desk.refused(BOB, act) == "no-proposal"
    assert desk.say(BOB, Agree(PACE, made=first.made + 1)).done
    assert desk.table.options.pace == 120


def test_only_its_proposer_can_replace_a_pace_proposal_until_a_day_without_votes() -> None:
    """Only its proposer can make another proposal. After a day without votes, others can, too."""
    desk = desk_of(4)
    desk.say(ANN, Propose(PACE, pace=HOUR))
    desk.say(BOB, Agree(PACE))
    assert desk.refused(CEM, Propose(PACE, pace=2 * HOUR)) == "pace/another"
    desk.say(ANN, Propose(PACE, pace=3 * HOUR))
    assert votes(desk, PACE) == ((ANN,), ())
    desk.now += DAY - 1
    assert desk.refused(CEM, Propose(PACE, pace=2 * HOUR)) == "pace/another"
    desk.now += 1
    proposal = desk.say(CEM, Propose(PACE, pace=2 * HOUR)).proposal
    assert (proposal.ayes, proposal.pace) == ((CEM,), 2 * HOUR)


def test_a_proposals_number_doesnt_reveal_reminders() -> None:
    """M: all see the number in the buttons. It must not show whom a direct message has reminded, or who sleeps."""
    desk = desk_of(3, pace=HOUR)
    desk.choose(ANN, reminders=DM, direct=7)
    version = desk.table.version
    desk.pass_time(HOUR / 2)
    assert desk.table.version > version, "she is reminded"
    for number in (1, 2):
        assert desk.say(BOB, Propose(PAUSE)).proposal.made == number
        desk.say(BOB, Object(PAUSE, made=number))


# --- a player leaves, or is back


def test_a_proposal_passes_when_a_player_leaving_gives_it_a_majority() -> None:
    desk = desk_of(4)
    for user in (ANN, BOB):
        desk.say(user, Propose(PAUSE))
    desk.say(CEM, Object(PAUSE))
    desk.play(DOT, Resign())
    assert (desk.table.paused, desk.table.motions) == (desk.now, ())


def test_a_proposal_that_can_no_longer_pass_is_void_when_a_player_leaves() -> None:
    desk = desk_of(4)
    desk.say(ANN, Propose(PAUSE))
    desk.say(BOB, Object(PAUSE))
    desk.go_away(CEM)
    assert proposed(desk) == {PAUSE}
    desk.play(DOT, Resign())
    assert (desk.table.paused, desk.table.motions) == (0.0, ())


def test_a_substitute_gets_the_seat_when_the_players_who_didnt_vote_leave() -> None:
    desk = desk_of(3, computers=1)
    desk.say(EVE, AskForSeat("Eve", COMPUTER))
    desk.say(ANN, Agree(SUBSTITUTE))
    desk.go_away(BOB)
    assert EVE not in desk.table.users
    change = desk.play(CEM, Resign())
    assert desk.table.users[COMPUTER] == EVE
    assert Name(Kind.HAND, user=EVE) in change.due


def test_a_replaced_players_vote_counts_again_when_they_return() -> None:
    desk = desk_of(3)
    desk.say(ANN, Propose(PAUSE))
    desk.go_away(ANN)
    assert not desk.say(BOB, Agree(PAUSE)).done
    desk.act(ANN, ReturnToSeat())
    assert desk.table.paused == desk.now


def test_seat_offers_and_substitute_votes_end_when_the_seats_player_returns() -> None:
    desk = desk_of(3)
    desk.go_away(BOB)
    desk.act(ANN, OfferSeat(EVE, absent=BOB))
    desk.act(DOT, AskForSeat("Dot", 1))
    desk.act(BOB, ReturnToSeat())
    assert (desk.table.handovers, desk.table.motions) == ((), ())
    assert desk.refused(EVE, TakeSeat("Eve", 1)) == "handover/none"


def test_a_players_votes_end_when_they_give_up_their_seat() -> None:
    desk = desk_of(3)
    desk.say(BOB, Propose(PAUSE))
    desk.say(ANN, Propose(PACE, pace=HOUR))
    desk.act(BOB, OfferSeat(EVE))
    desk.act(EVE, TakeSeat("Eve", 1))
    assert proposed(desk) == {PACE}
    desk.play(CEM, Resign())
    assert desk.say(EVE, Agree(PACE)).done


@pytest.mark.parametrize("resigns", [True, False])
def test_votes_of_players_who_left_dont_count(resigns: bool) -> None:
    desk = desk_of(4)
    desk.say(BOB, Propose(PAUSE))
    if resigns:
        desk.play(BOB, Resign())
    else:
        desk.go_away(BOB)
    result = desk.say(CEM, Propose(PAUSE))
    assert (result.done, result.proposal.ayes, result.of) == (False, (CEM,), 3)


def test_a_proposal_supported_only_by_a_player_who_resigns_ends() -> None:
    desk = desk_of(4)
    desk.say(BOB, Propose(PACE, pace=HOUR))
    desk.say(ANN, Propose(PAUSE))
    desk.say(BOB, Agree(PAUSE))
    desk.play(BOB, Resign())
    assert proposed(desk) == {PAUSE}
    assert votes(desk, PAUSE) == ((ANN,), ())


@pytest.mark.parametrize(("players", "done"), [(4, False), (5, True)])
def test_a_vote_to_replace_a_player_is_counted_again_when_another_leaves(players: int, done: bool) -> None:
    """Two of four others are no majority, two of three are; one of two isn't."""
    desk = Desk.at(position(players=players, scenario="extension" if players > 4 else "base"))
    absent = desk.table.users[-1]
    for by in (BOB, CEM)[: players - 3]:
        desk.act(by, Replace(absent))
    assert absent in desk.playing
    desk.play(desk.table.users[-2], Resign())
    assert (absent not in desk.playing) == done


def test_a_vote_to_replace_a_player_is_void_when_only_one_other_player_is_left() -> None:
    """The only player left, apart from the absent one, can ask for it again."""
    desk = desk_of(4)
    desk.act(BOB, Replace(DOT))
    desk.play(CEM, Resign())
    assert DOT in desk.playing
    desk.go_away(BOB)
    assert desk.table.motions == ()
    assert desk.playing == (ANN, DOT)


def test_a_motion_from_a_newer_version_is_left_alone() -> None:
    desk = desk_of(3)
    strange = Motion("newer", (ANN, BOB, CEM), at=desk.now)
    desk.table = replace(desk.table, motions=(strange,))
    assert settled(desk.table, desk.played, desk.now) == desk.table
