"""A seat changes hands: to somebody who accepts it, or from a computer to a substitute."""

from __future__ import annotations

import random

import pytest

from bot.projections import HAND
from bot.table.seats import who_plays
from bot.table.table import RUNNING, Table
from bot.table.waiting import DAY
from engine.actions import AgreeToCallOff, AgreeToEnd, Resign
from engine.errors import RefereeError
from engine.game import Game
from tests.bot.playground import ANN, BOB, CEM, DOT, EVE, FAY, Playground
from tests.bot.service.tables import replace


async def place_of(ground: Playground, number: int, user: int) -> int:
    place = (await ground.table(number)).player(user)
    assert place is not None
    return place


async def taken(ground: Playground, table: Table, user: int, place: int) -> Table:
    return await ground.services.handover.accept(table.number, user, "Eve", place, ground.id())


@pytest.mark.on_databases
async def test_a_seat_goes_to_who_accepts_it_with_all_that_is_in_it(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    before = await ground.game(table.number)
    place = await place_of(ground, table.number, BOB)
    await ground.services.handover.offer(table.number, BOB, EVE, ground.id())
    after = await taken(ground, table, EVE, place)
    assert after.users == (ANN, EVE, CEM)
    assert after.members[place].name == "Eve"
    assert after.members[place].color == table.members[place].color
    await ground.kill()
    stored, game = await ground.table(table.number), await ground.game(table.number)
    assert stored.users == (ANN, EVE, CEM)
    assert [(told.what, told.name, told.newcomer) for told in stored.choices.news] == [("seated", "Bob", "Eve")]
    assert game.hash() == before.hash()
    assert not stored.choices.handovers
    marks = await ground.store.visible(table.number)
    assert marks[f"{HAND}{EVE}"].pending
    with pytest.raises(RefereeError) as refused:
        await ground.play(table.number, BOB, Resign())
    assert refused.value.code == "not-playing"
    await ground.play(table.number, EVE, Resign())


async def test_nobody_asks_about_who_left_the_server_and_takes_a_seat_again(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    await ground.services.absence.left_server(table.number, BOB)
    for back in (EVE, BOB):
        whose = BOB if back == EVE else EVE
        place = await place_of(ground, table.number, whose)
        await ground.services.handover.offer(table.number, whose, back, ground.id())
        after = await taken(ground, table, back, place)
        assert after.choices.gone == (), back


async def test_who_left_and_takes_another_seat_is_there(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    await ground.services.absence.left_server(table.number, BOB)
    place = await place_of(ground, table.number, BOB)
    await ground.services.handover.offer(table.number, BOB, EVE, ground.id())
    await taken(ground, table, EVE, place)
    place = await place_of(ground, table.number, CEM)
    await ground.services.handover.offer(table.number, CEM, BOB, ground.id())
    assert (await taken(ground, table, BOB, place)).choices.gone == ()


async def test_the_host_s_office_goes_with_the_seat(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    await ground.services.handover.offer(table.number, ANN, 0, ground.id())
    assert (await taken(ground, table, EVE, 0)).host == EVE


async def test_only_the_host_takes_back_what_was_offered_for_another(ground: Playground) -> None:
    table, handover = await ground.begun(ANN, BOB, CEM, DOT), ground.services.handover
    for by in (ANN, CEM):
        await replace(ground, table.number, BOB, by)
    await handover.offer(table.number, ANN, EVE, ground.id(), absent=BOB)
    await handover.offer(table.number, DOT, FAY, ground.id())
    for user, place in ((CEM, 1), (FAY, 1), (ANN, 3), (ANN, 0)):
        with pytest.raises(RefereeError) as refused:
            await handover.decline(table.number, user, "Bob", ground.id(), place=place)
        assert refused.value.key == "handover/not offered"
    after = await handover.decline(table.number, ANN, "Ann", ground.id(), place=1)
    assert [offered.to for offered in after.choices.handovers] == [FAY]


async def test_an_offer_to_anybody_is_for_the_first_who_takes_it(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    await ground.services.handover.offer(table.number, BOB, 0, ground.id())
    place = await place_of(ground, table.number, BOB)
    await taken(ground, table, EVE, place)
    with pytest.raises(RefereeError) as refused:
        await taken(ground, table, DOT, place)
    assert refused.value.code == "handover"


async def test_the_host_finds_another_person_for_who_is_replaced(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    with pytest.raises(RefereeError) as refused:
        await ground.services.handover.offer(table.number, ANN, EVE, ground.id(), absent=BOB)
    assert "plays themselves" in str(refused.value) or refused.value.code == "handover"
    for by in (ANN, CEM):
        await replace(ground, table.number, BOB, by)
    with pytest.raises(RefereeError) as refused:
        await ground.services.handover.offer(table.number, CEM, EVE, ground.id(), absent=BOB)
    assert refused.value.code == "not-host"
    await ground.services.handover.offer(table.number, ANN, EVE, ground.id(), absent=BOB)
    after = await taken(ground, table, EVE, await place_of(ground, table.number, BOB))
    assert set(who_plays(after, await ground.game(table.number))) == {ANN, EVE, CEM}
    with pytest.raises(RefereeError) as refused:
        await ground.services.seats.play_again(table.number, BOB, ground.id())
    assert refused.value.code == "not-playing"


async def test_a_substitute_is_let_in_by_more_than_half(ground: Playground) -> None:
    table = await ground.lobby(ANN, BOB)
    await ground.services.lobby.add_computer(table.number, ANN, "easy", ground.id())
    await ground.services.lobby.start(table.number, ANN, "closing-1", ground.id())
    agreement = ground.services.agreement
    found = await agreement.substitute(table.number, EVE, "Eve", 2, ground.id())
    assert not found.done
    assert not (await agreement.agree(table.number, ANN, "substitute", ground.id())).done
    assert (await agreement.agree(table.number, BOB, "substitute", ground.id())).done
    after, game = await ground.table(table.number), await ground.game(table.number)
    assert after.users == (ANN, BOB, EVE)
    assert len(who_plays(after, game)) == 3
    assert Game.replay(game.config, game.records).hash() == game.hash()


@pytest.mark.parametrize(
    ("user", "to", "code"), [(EVE, DOT, "not-playing"), (ANN, BOB, "handover"), (ANN, ANN, "handover")]
)
async def test_who_cannot_offer_or_take_a_seat_is_told(ground: Playground, user: int, to: int, code: str) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    with pytest.raises(RefereeError) as refused:
        await ground.services.handover.offer(table.number, user, to, ground.id())
    assert refused.value.code == code
    assert not (await ground.table(table.number)).choices.handovers


async def test_nobody_takes_what_isnt_offered_to_them(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    await ground.services.handover.offer(table.number, BOB, EVE, ground.id())
    place = await place_of(ground, table.number, BOB)
    for user, at in ((DOT, place), (EVE, 0), (CEM, place)):
        with pytest.raises(RefereeError) as refused:
            await taken(ground, table, user, at)
        assert refused.value.code == "handover"
    await ground.services.handover.decline(table.number, EVE, "Eve", ground.id())
    with pytest.raises(RefereeError):
        await taken(ground, table, EVE, place)


async def test_who_wants_no_seat_is_not_asked_again_the_same_day(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    handover = ground.services.handover
    await handover.offer(table.number, BOB, EVE, ground.id())
    with pytest.raises(RefereeError) as refused:
        await handover.offer(table.number, ANN, EVE, ground.id())
    assert refused.value.key == "handover/asked", "one seat at a time"
    [told] = (await handover.decline(table.number, EVE, "Eve", ground.id())).choices.news
    assert (told.what, told.user, told.name, told.newcomer) == ("declined", BOB, "Bob", "Eve")
    for user in (BOB, ANN):
        with pytest.raises(RefereeError) as refused:
            await handover.offer(table.number, user, EVE, ground.id())
        assert refused.value.key == "handover/declined"
    await handover.offer(table.number, BOB, DOT, ground.id())
    await handover.decline(table.number, BOB, "Bob", ground.id())  # who takes an offer back has declined nothing
    await handover.offer(table.number, BOB, 0, ground.id())
    ground.clock += DAY + 1
    assert (await handover.offer(table.number, BOB, EVE, ground.id())).choices.handovers[0].to == EVE


async def extension(ground: Playground) -> int:
    """A running game with special building phases (J1), of all but Eve; its number."""
    number = (await ground.lobby(ANN, BOB, CEM, DOT)).number
    await ground.services.lobby.set_options(number, ANN, ground.id(), scenario="extension")
    await ground.services.lobby.join(number, FAY, "Fay", ground.id())
    await ground.services.lobby.start(number, ANN, "closing-1", ground.id())
    return number


async def test_who_takes_a_seat_brings_their_own_standing_number(ground: Playground) -> None:
    """It says with how many cards they are called to build (J2)."""
    await ground.services.people.change_settings(BOB, standing=7, interaction=ground.id())
    await ground.services.people.change_settings(EVE, standing=2, interaction=ground.id())
    number = await extension(ground)
    place, before = await place_of(ground, number, BOB), await ground.game(number)
    seat = before.state.order.index(place)
    assert before.state.standing[seat] == 7
    await ground.services.handover.offer(number, BOB, EVE, ground.id())
    await ground.services.handover.accept(number, EVE, "Eve", place, ground.id())
    game = await ground.game(number)
    assert game.state.standing[seat] == 2
    assert Game.replay(game.config, game.records).hash() == game.hash()


async def test_a_computer_is_called_to_build_by_its_cards_and_who_is_back_is_not(ground: Playground) -> None:
    """From the start of a game, and in the place of a person who is called only when they ask (J2)."""
    number = (await ground.lobby(ANN, BOB)).number
    await ground.services.lobby.set_options(number, ANN, ground.id(), scenario="extension")
    await ground.services.lobby.add_computer(number, ANN, "easy", ground.id(), fill=True)
    table = await ground.services.lobby.start(number, ANN, "closing-1", ground.id())
    game = await ground.game(number)
    people = [table.seat_of(game, user) for user in (ANN, BOB)]
    assert game.state.standing == [0 if seat in people else 4 for seat in range(game.config.players)]
    await replace(ground, number, BOB, BOB)
    assert (await ground.game(number)).state.standing[people[1] or 0] == 4
    await ground.services.people.change_settings(BOB, standing=0, interaction=ground.id())
    assert (await ground.game(number)).state.standing[people[1] or 0] == 4, "the computer's still"
    await ground.services.seats.play_again(number, BOB, ground.id())
    game = await ground.game(number)
    assert game.state.standing[people[1] or 0] == 0
    assert Game.replay(game.config, game.records).hash() == game.hash()


async def test_a_substitute_brings_their_own_standing_number(ground: Playground) -> None:
    await ground.services.people.change_settings(EVE, standing=0, interaction=ground.id())
    number = await extension(ground)
    place = await place_of(ground, number, BOB)
    for by in (ANN, CEM, DOT):
        await replace(ground, number, BOB, by)
    agreement = ground.services.agreement
    await agreement.substitute(number, EVE, "Eve", place, ground.id())
    for by in (ANN, CEM, DOT):
        await agreement.agree(number, by, "substitute", ground.id())
    game = await ground.game(number)
    assert (await ground.table(number)).users[place] == EVE
    assert game.state.standing[game.state.order.index(place)] == 0


async def test_an_offer_is_taken_back_and_a_seat_that_resigned_is_no_longer_there(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    place = await place_of(ground, table.number, BOB)
    await ground.services.handover.offer(table.number, BOB, EVE, ground.id())
    await ground.services.handover.decline(table.number, BOB, "Bob", ground.id())
    with pytest.raises(RefereeError):
        await taken(ground, table, EVE, place)
    await ground.services.handover.offer(table.number, BOB, EVE, ground.id())
    await ground.play(table.number, BOB, Resign())
    with pytest.raises(RefereeError):
        await taken(ground, table, EVE, place)


async def test_the_same_click_twice_seats_once(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    place = await place_of(ground, table.number, BOB)
    await ground.services.handover.offer(table.number, BOB, EVE, ground.id())
    id = ground.id()
    for _ in range(2):
        after = await ground.services.handover.accept(table.number, EVE, "Eve", place, id)
        assert after.users == (ANN, EVE, CEM)


@pytest.mark.on_databases
async def test_who_takes_a_seat_has_not_agreed_to_end_the_game(ground: Playground) -> None:
    table, rng = await ground.begun(ANN, BOB, CEM), random.Random(1)
    number = table.number
    while (await ground.game(number)).turn < 5:
        await ground.step(number, rng)
    for vote in (AgreeToCallOff(), AgreeToEnd()):
        await ground.play(number, ANN, vote)
    await ground.services.handover.offer(number, ANN, EVE, ground.id())
    await taken(ground, table, EVE, 0)
    await ground.kill()
    game = await ground.game(number)
    assert (game.view(None).end_votes, game.view(None).call_off_votes) == (0, 0)
    for user in (BOB, CEM):
        await ground.play(number, user, AgreeToCallOff())
    assert (await ground.table(number)).status == RUNNING
    game = (await ground.play(number, EVE, AgreeToCallOff())).game
    assert game.outcome is not None
    assert Game.replay(game.config, game.records).hash() == game.hash()


@pytest.mark.on_databases
async def test_who_gets_a_seat_because_another_leaves_brings_their_own_standing_number(ground: Playground) -> None:
    await ground.services.people.change_settings(EVE, standing=0, interaction=ground.id())
    number = await extension(ground)
    place, agreement = await place_of(ground, number, BOB), ground.services.agreement
    await replace(ground, number, BOB, BOB)
    await agreement.substitute(number, EVE, "Eve", place, ground.id())
    for by in (ANN, CEM):
        await agreement.agree(number, by, "substitute", ground.id())
    before, resigned = await ground.revision(number), ground.id()
    played = await ground.play(number, DOT, Resign(), interaction=resigned)
    again = await ground.play(number, DOT, Resign(), interaction=resigned)
    assert (played.revision, again.revision, again.events) == (before + 1, before + 1, played.events)
    await ground.kill()
    game = await ground.game(number)
    assert (await ground.table(number)).users[place] == EVE
    assert game.state.standing[game.state.order.index(place)] == 0
    assert Game.replay(game.config, game.records).hash() == game.hash()
