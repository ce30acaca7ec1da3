"""What people agree on: proposals beside each other, votes for and against, and strangers who ask for a seat."""

from __future__ import annotations

import pytest

from bot.projections import hand_name
from bot.table.acts.lobby import AddComputer, Join
from bot.table.acts.motions import Agree, AskForSeat, Object, Propose
from bot.table.acts.options import SetOptions
from bot.table.acts.seats import OfferSeat, PlayAgain, TakeSeat
from bot.table.preferences import DM
from bot.table.proposals import PACE, PAUSE, SUBSTITUTE
from bot.table.table import Table
from bot.table.waiting import DAY
from engine.actions import Resign
from engine.errors import RefereeError
from tests.bot.playground import ANN, BOB, CEM, DOT, EVE, Playground
from tests.bot.service.tables import HOUR, look, paced, replace, say


async def with_computer(ground: Playground, *people: int) -> tuple[Table, int]:
    """A game of these people and a computer, and the computer's place."""
    table = await ground.lobby(*people)
    await ground.services.lobby.add_computer(table.number, people[0], AddComputer("easy"), ground.id())
    return (await ground.services.lobby.start(table.number, people[0], "closing-1", ground.id())).table, len(people)


async def refused(ground: Playground, number: int, user: int, place: int) -> str:
    with pytest.raises(RefereeError) as found:
        await ground.act(number, user, AskForSeat("Eve", place))
    return found.value.key


@pytest.mark.on_databases
async def test_a_stranger_who_asks_for_a_seat_leaves_alone_what_the_players_propose(ground: Playground) -> None:
    table, place = await with_computer(ground, ANN, BOB, CEM)
    await say(ground, table.number, ANN, Propose(PAUSE))
    await say(ground, table.number, BOB, Propose(PACE, pace=3600))
    await say(ground, table.number, EVE, AskForSeat("Eve", place))
    assert {p.what for p in (await ground.table(table.number)).choices.proposals} == {PAUSE, PACE, SUBSTITUTE}
    assert (await say(ground, table.number, CEM, Agree(PAUSE))).done
    assert (await say(ground, table.number, CEM, Agree(PACE))).done
    await say(ground, table.number, ANN, Agree(SUBSTITUTE))
    assert (await say(ground, table.number, BOB, Agree(SUBSTITUTE))).done
    after = await ground.table(table.number)
    assert EVE in after.users
    assert (after.choices.proposals, after.choices.pace, bool(after.choices.paused)) == ((), 3600, True)


async def test_one_stranger_asks_at_a_time_and_asking_again_takes_no_votes_away(ground: Playground) -> None:
    table, place = await with_computer(ground, ANN, BOB, CEM)
    await say(ground, table.number, EVE, AskForSeat("Eve", place))
    await say(ground, table.number, ANN, Agree(SUBSTITUTE))
    before = await ground.table(table.number)
    found = await say(ground, table.number, EVE, AskForSeat("Eve", place))
    assert found.proposal.agreed == (ANN,)
    assert (await ground.table(table.number)).version == before.version, "nobody is pinged again"
    assert await refused(ground, table.number, DOT, place) == "handover/another asks"
    ground.clock += DAY
    await say(ground, table.number, DOT, AskForSeat("Dot", place))


@pytest.mark.on_databases
async def test_who_was_refused_a_seat_asks_again_after_a_day_at_the_earliest(ground: Playground) -> None:
    table, place = await with_computer(ground, ANN, BOB)
    await say(ground, table.number, EVE, AskForSeat("Eve", place))
    assert (await say(ground, table.number, BOB, Object(SUBSTITUTE))).void
    assert await refused(ground, table.number, EVE, place) == "handover/turned away"
    await say(ground, table.number, DOT, AskForSeat("Dot", place))
    assert (await say(ground, table.number, DOT, Object(SUBSTITUTE))).void, "they may take it back"
    assert await refused(ground, table.number, DOT, place) == "handover/turned away"
    await ground.kill()
    assert await refused(ground, table.number, EVE, place) == "handover/turned away"
    ground.clock += DAY
    await ground.act(table.number, EVE, AskForSeat("Eve", place))


async def test_one_against_it_is_no_veto(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    await say(ground, table.number, ANN, Propose(PAUSE))
    found = await say(ground, table.number, BOB, Object(PAUSE))
    assert not found.void
    assert (await say(ground, table.number, CEM, Agree(PAUSE))).done


async def test_who_changes_their_mind_is_counted_once_and_who_takes_it_back_ends_it(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM, DOT)
    await say(ground, table.number, ANN, Propose(PAUSE))
    await say(ground, table.number, BOB, Object(PAUSE))
    found = await say(ground, table.number, BOB, Agree(PAUSE))
    assert (found.proposal.agreed, found.proposal.against) == ((ANN, BOB), ())
    await say(ground, table.number, BOB, Object(PAUSE))
    assert (await say(ground, table.number, ANN, Object(PAUSE))).void
    with pytest.raises(RefereeError):
        await say(ground, table.number, CEM, Agree(PAUSE))


async def test_a_yes_is_for_the_proposal_that_was_read(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    first = await say(ground, table.number, ANN, Propose(PACE, pace=14 * 86_400))
    await say(ground, table.number, ANN, Propose(PACE, pace=120))
    with pytest.raises(RefereeError) as found:
        await say(ground, table.number, BOB, Agree(PACE, made=first.proposal.made))
    assert found.value.code == "no-proposal"
    assert (await ground.table(table.number)).choices.pace == 0


async def test_the_number_of_a_proposal_tells_of_no_reminder(ground: Playground) -> None:
    """M: all see it in the buttons, and not whom a direct message has reminded, or who sleeps."""
    table, game = await paced(ground), await ground.game(1)
    absent = table.user_at(game, game.to_act[0])
    await ground.services.people.change_settings(absent, choices={"reminders": DM, "direct": 7})
    await look(ground, HOUR / 2)
    assert (await ground.table(table.number)).version > table.version, "they are reminded"
    other = next(user for user in table.users if user != absent)
    for number in (1, 2):
        assert (await say(ground, table.number, other, Propose(PAUSE))).proposal.made == number
        await say(ground, table.number, other, Object(PAUSE, made=number))


async def test_nobody_gets_the_seat_of_who_is_back(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    for by in (ANN, CEM):
        await replace(ground, table.number, BOB, by)
    await ground.act(table.number, ANN, OfferSeat(EVE, absent=BOB))
    await ground.act(table.number, DOT, AskForSeat("Dot", 1))
    await ground.act(table.number, BOB, PlayAgain())
    after = await ground.table(table.number)
    assert (after.choices.handovers, after.choices.proposals) == ((), ())
    with pytest.raises(RefereeError):
        await ground.act(table.number, EVE, TakeSeat("Eve", 1))


async def test_the_votes_of_who_gives_up_the_seat_go_with_them(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    await ground.act(table.number, BOB, Propose(PAUSE))
    await ground.act(table.number, ANN, Propose(PACE, pace=3600))
    await ground.act(table.number, BOB, OfferSeat(EVE))
    await ground.act(table.number, EVE, TakeSeat("Eve", 1))
    assert [p.what for p in (await ground.table(table.number)).choices.proposals] == [PACE]
    await ground.play(table.number, CEM, Resign())
    assert (await say(ground, table.number, EVE, Agree(PACE))).done


@pytest.mark.on_databases
async def test_a_majority_that_comes_about_because_somebody_leaves_counts(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM, DOT)
    for user in (ANN, BOB):
        await say(ground, table.number, user, Propose(PAUSE))
    await say(ground, table.number, CEM, Object(PAUSE))
    await ground.play(table.number, DOT, Resign())
    after = await ground.table(table.number)
    assert after.choices.paused
    assert not after.choices.proposals
    await ground.kill()
    assert await ground.table(table.number) == after


async def test_what_nobody_can_agree_on_any_more_is_void_when_somebody_leaves(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM, DOT)
    await say(ground, table.number, ANN, Propose(PAUSE))
    await say(ground, table.number, BOB, Object(PAUSE))
    await replace(ground, table.number, CEM, CEM)
    assert (await ground.table(table.number)).choices.proposals
    await replace(ground, table.number, DOT, DOT)
    after = await ground.table(table.number)
    assert (after.choices.proposals, after.choices.paused) == ((), 0.0)


async def test_a_substitute_gets_the_seat_when_who_has_not_answered_leaves(ground: Playground) -> None:
    table, place = await with_computer(ground, ANN, BOB, CEM)
    await say(ground, table.number, EVE, AskForSeat("Eve", place))
    await say(ground, table.number, ANN, Agree(SUBSTITUTE))
    await replace(ground, table.number, BOB, BOB)
    assert EVE not in (await ground.table(table.number)).users
    await ground.play(table.number, CEM, Resign())
    after = await ground.table(table.number)
    assert after.users[place] == EVE
    assert (await ground.store.visible(table.number))[hand_name(EVE)].pending


async def test_a_vote_counts_that_somebody_gave_who_was_away(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    await say(ground, table.number, ANN, Propose(PAUSE))
    await replace(ground, table.number, ANN, ANN)
    assert not (await say(ground, table.number, BOB, Agree(PAUSE))).done
    await ground.act(table.number, ANN, PlayAgain())
    assert (await ground.table(table.number)).choices.paused


async def test_a_vote_to_replace_somebody_counts_when_another_leaves(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM, DOT)
    assert not (await replace(ground, table.number, DOT, BOB)).done
    await ground.play(table.number, CEM, Resign())
    assert not (await ground.table(table.number)).members[3].level, "one of two others is no majority"
    await replace(ground, table.number, BOB, BOB)
    after = await ground.table(table.number)
    assert not after.members[3].level
    assert not after.choices.replacing, "the only other one can be asked anew"


@pytest.mark.on_databases
async def test_two_votes_of_four_to_replace_somebody_are_enough_of_three(ground: Playground) -> None:
    number = (await ground.lobby(ANN, BOB, CEM, DOT)).number
    await ground.act(number, ANN, SetOptions({"scenario": "extension"}))
    await ground.act(number, EVE, Join("Eve"))
    await ground.services.lobby.start(number, ANN, "closing-1", ground.id())
    for by in (BOB, CEM):
        assert not (await replace(ground, number, EVE, by)).done
    await ground.play(number, DOT, Resign())
    after = await ground.table(number)
    assert after.members[4].level == "hard"
    await ground.kill()
    assert (await ground.table(number)).members == after.members


async def test_nobody_voids_the_pace_that_others_have_agreed_to(ground: Playground) -> None:
    """Whoever proposed it can, and others where nobody has cared for a day."""
    table = await ground.begun(ANN, BOB, CEM, DOT)
    await say(ground, table.number, ANN, Propose(PACE, pace=3600))
    await say(ground, table.number, BOB, Agree(PACE))
    with pytest.raises(RefereeError) as refused:
        await say(ground, table.number, CEM, Propose(PACE, pace=7200))
    assert refused.value.key == "pace/another"
    found = await say(ground, table.number, ANN, Propose(PACE, pace=10_800))
    assert found.proposal.agreed == (ANN,)
    ground.clock += DAY + 1
    found = await say(ground, table.number, CEM, Propose(PACE, pace=7200))
    assert (found.proposal.agreed, found.proposal.pace) == ((CEM,), 7200)


async def test_votes_of_those_who_have_left_are_not_told(ground: Playground) -> None:
    """Nor is anybody asked for what nobody who plays wants, or for the seat of who has resigned."""
    table = await ground.begun(ANN, BOB, CEM, DOT)
    await say(ground, table.number, BOB, Propose(PACE, pace=3600))
    await say(ground, table.number, ANN, Propose(PAUSE))
    await say(ground, table.number, BOB, Agree(PAUSE))
    await ground.act(table.number, BOB, OfferSeat(EVE))
    await ground.play(table.number, BOB, Resign())
    await ground.act(table.number, CEM, OfferSeat(EVE))
    [proposal] = (await ground.table(table.number)).choices.proposals
    assert (proposal.what, proposal.agreed) == (PAUSE, (ANN,))
    await replace(ground, table.number, ANN, ANN)
    found = await say(ground, table.number, DOT, Propose(PACE, pace=7200))
    assert (found.done, found.proposal.agreed, found.of) == (False, (DOT,), 2)
    found = await say(ground, table.number, CEM, Agree(PAUSE))
    assert (found.done, found.proposal.agreed) == (False, (CEM,)), "a computer plays for Ann"
