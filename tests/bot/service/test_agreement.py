"""What people agree on: proposals beside each other, votes for and against, and strangers who ask for a seat."""

from __future__ import annotations

import pytest

from bot.models import Table
from bot.proposals import PACE, PAUSE, SUBSTITUTE
from bot.service.waiting import DAY
from engine.actions import Resign
from engine.errors import RefereeError
from tests.bot.playground import ANN, BOB, CEM, DOT, EVE, Playground
from tests.bot.service.test_seats import replace


async def with_computer(ground: Playground, *people: int) -> tuple[Table, int]:
    """A game of these people and a computer, and the computer's place."""
    table = await ground.lobby(*people)
    await ground.services.lobby.add_computer(table.number, people[0], "easy", ground.id())
    return await ground.services.lobby.start(table.number, people[0], "closing-1", ground.id()), len(people)


async def refused(ground: Playground, number: int, user: int, place: int) -> str:
    with pytest.raises(RefereeError) as found:
        await ground.services.agreement.substitute(number, user, "Eve", place, ground.id())
    return found.value.key


@pytest.mark.on_databases
async def test_a_stranger_who_asks_for_a_seat_leaves_alone_what_the_players_propose(ground: Playground) -> None:
    table, place = await with_computer(ground, ANN, BOB, CEM)
    agreement = ground.services.agreement
    await agreement.propose(table.number, ANN, PAUSE, ground.id())
    await agreement.propose(table.number, BOB, PACE, ground.id(), pace=3600)
    await agreement.substitute(table.number, EVE, "Eve", place, ground.id())
    assert {p.what for p in (await ground.table(table.number)).choices.proposals} == {PAUSE, PACE, SUBSTITUTE}
    assert (await agreement.agree(table.number, CEM, PAUSE, ground.id())).done
    assert (await agreement.agree(table.number, CEM, PACE, ground.id())).done
    await agreement.agree(table.number, ANN, SUBSTITUTE, ground.id())
    assert (await agreement.agree(table.number, BOB, SUBSTITUTE, ground.id())).done
    after = await ground.table(table.number)
    assert EVE in after.users
    assert (after.choices.proposals, after.choices.pace, bool(after.choices.paused)) == ((), 3600, True)


async def test_one_stranger_asks_at_a_time_and_asking_again_takes_no_votes_away(ground: Playground) -> None:
    table, place = await with_computer(ground, ANN, BOB, CEM)
    agreement = ground.services.agreement
    await agreement.substitute(table.number, EVE, "Eve", place, ground.id())
    await agreement.agree(table.number, ANN, SUBSTITUTE, ground.id())
    before = await ground.table(table.number)
    found = await agreement.substitute(table.number, EVE, "Eve", place, ground.id())
    assert found.proposal.agreed == (ANN,)
    assert (await ground.table(table.number)).version == before.version, "nobody is pinged again"
    assert await refused(ground, table.number, DOT, place) == "handover/another asks"
    ground.clock += DAY
    await agreement.substitute(table.number, DOT, "Dot", place, ground.id())


@pytest.mark.on_databases
async def test_who_was_refused_a_seat_asks_again_after_a_day_at_the_earliest(ground: Playground) -> None:
    table, place = await with_computer(ground, ANN, BOB)
    agreement = ground.services.agreement
    await agreement.substitute(table.number, EVE, "Eve", place, ground.id())
    assert (await agreement.decline(table.number, BOB, SUBSTITUTE, ground.id())).void
    assert await refused(ground, table.number, EVE, place) == "handover/turned away"
    await agreement.substitute(table.number, DOT, "Dot", place, ground.id())
    assert (await agreement.decline(table.number, DOT, SUBSTITUTE, ground.id())).void, "they may take it back"
    assert await refused(ground, table.number, DOT, place) == "handover/turned away"
    await ground.kill()
    assert await refused(ground, table.number, EVE, place) == "handover/turned away"
    ground.clock += DAY
    await ground.services.agreement.substitute(table.number, EVE, "Eve", place, ground.id())


async def test_one_against_it_is_no_veto(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    agreement = ground.services.agreement
    await agreement.propose(table.number, ANN, PAUSE, ground.id())
    found = await agreement.decline(table.number, BOB, PAUSE, ground.id())
    assert not found.void
    assert (await agreement.agree(table.number, CEM, PAUSE, ground.id())).done


async def test_who_changes_their_mind_is_counted_once_and_who_takes_it_back_ends_it(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM, DOT)
    agreement = ground.services.agreement
    await agreement.propose(table.number, ANN, PAUSE, ground.id())
    await agreement.decline(table.number, BOB, PAUSE, ground.id())
    found = await agreement.agree(table.number, BOB, PAUSE, ground.id())
    assert (found.proposal.agreed, found.proposal.against) == ((ANN, BOB), ())
    await agreement.decline(table.number, BOB, PAUSE, ground.id())
    assert (await agreement.decline(table.number, ANN, PAUSE, ground.id())).void
    with pytest.raises(RefereeError):
        await agreement.agree(table.number, CEM, PAUSE, ground.id())


async def test_a_yes_is_for_the_proposal_that_was_read(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    agreement = ground.services.agreement
    first = await agreement.propose(table.number, ANN, PACE, ground.id(), pace=14 * 86_400)
    await agreement.propose(table.number, ANN, PACE, ground.id(), pace=120)
    with pytest.raises(RefereeError) as found:
        await agreement.agree(table.number, BOB, PACE, ground.id(), made=first.proposal.made)
    assert found.value.code == "no-proposal"
    assert (await ground.table(table.number)).choices.pace == 0


async def test_nobody_gets_the_seat_of_who_is_back(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    for by in (ANN, CEM):
        await replace(ground, table.number, BOB, by)
    await ground.services.handover.offer(table.number, ANN, EVE, ground.id(), absent=BOB)
    await ground.services.agreement.substitute(table.number, DOT, "Dot", 1, ground.id())
    await ground.services.seats.play_again(table.number, BOB, ground.id())
    after = await ground.table(table.number)
    assert (after.choices.handovers, after.choices.proposals) == ((), ())
    with pytest.raises(RefereeError):
        await ground.services.handover.accept(table.number, EVE, "Eve", 1, ground.id())


async def test_the_votes_of_who_gives_up_the_seat_go_with_them(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    await ground.services.agreement.propose(table.number, BOB, PAUSE, ground.id())
    await ground.services.agreement.propose(table.number, ANN, PACE, ground.id(), pace=3600)
    await ground.services.handover.offer(table.number, BOB, EVE, ground.id())
    await ground.services.handover.accept(table.number, EVE, "Eve", 1, ground.id())
    assert [p.what for p in (await ground.table(table.number)).choices.proposals] == [PACE]
    await ground.play(table.number, CEM, Resign())
    assert (await ground.services.agreement.agree(table.number, EVE, PACE, ground.id())).done
