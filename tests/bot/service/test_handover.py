"""A seat changes hands: to somebody who accepts it, or from a computer to a substitute."""

from __future__ import annotations

import random

import pytest

from bot.projections import HAND
from bot.table.acts.lobby import AddComputer, Join
from bot.table.acts.motions import Agree, AskForSeat
from bot.table.acts.options import SetOptions
from bot.table.acts.seats import DeclineSeat, OfferSeat, PlayAgain, TakeSeat
from bot.table.seats import who_plays
from bot.table.table import RUNNING, Table
from bot.table.waiting import DAY
from engine.actions import AgreeToCallOff, AgreeToEnd, Resign
from engine.errors import RefereeError
from engine.game import Game
from tests.bot.playground import ANN, BOB, CEM, DOT, EVE, FAY, Playground
from tests.bot.service.tables import replace, say


async def place_of(ground: Playground, number: int, user: int) -> int:
    place = (await ground.table(number)).player(user)
    assert place is not None
    return place


async def taken(ground: Playground, table: Table, user: int, place: int) -> Table:
    return (await ground.act(table.number, user, TakeSeat("Eve", place))).table


@pytest.mark.on_databases
async def test_a_seat_goes_to_who_accepts_it_with_all_that_is_in_it(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    before = await ground.game(table.number)
    place = await place_of(ground, table.number, BOB)
    await ground.act(table.number, BOB, OfferSeat(EVE))
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
        await ground.act(table.number, whose, OfferSeat(back))
        after = await taken(ground, table, back, place)
        assert after.choices.gone == (), back


async def test_who_left_and_takes_another_seat_is_there(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    await ground.services.absence.left_server(table.number, BOB)
    place = await place_of(ground, table.number, BOB)
    await ground.act(table.number, BOB, OfferSeat(EVE))
    await taken(ground, table, EVE, place)
    place = await place_of(ground, table.number, CEM)
    await ground.act(table.number, CEM, OfferSeat(BOB))
    assert (await taken(ground, table, BOB, place)).choices.gone == ()


async def test_the_host_s_office_goes_with_the_seat(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    await ground.act(table.number, ANN, OfferSeat(0))
    assert (await taken(ground, table, EVE, 0)).host == EVE


async def test_only_the_host_takes_back_what_was_offered_for_another(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM, DOT)
    for by in (ANN, CEM):
        await replace(ground, table.number, BOB, by)
    await ground.act(table.number, ANN, OfferSeat(EVE, absent=BOB))
    await ground.act(table.number, DOT, OfferSeat(FAY))
    for user, place in ((CEM, 1), (FAY, 1), (ANN, 3), (ANN, 0)):
        with pytest.raises(RefereeError) as refused:
            await ground.act(table.number, user, DeclineSeat("Bob", place=place))
        assert refused.value.key == "handover/not offered"
    after = await ground.act(table.number, ANN, DeclineSeat("Ann", place=1))
    assert [offered.to for offered in after.table.choices.handovers] == [FAY]


async def test_an_offer_to_anybody_is_for_the_first_who_takes_it(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    await ground.act(table.number, BOB, OfferSeat(0))
    place = await place_of(ground, table.number, BOB)
    await taken(ground, table, EVE, place)
    with pytest.raises(RefereeError) as refused:
        await taken(ground, table, DOT, place)
    assert refused.value.code == "handover"


async def test_the_host_finds_another_person_for_who_is_replaced(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    with pytest.raises(RefereeError) as refused:
        await ground.act(table.number, ANN, OfferSeat(EVE, absent=BOB))
    assert "plays themselves" in str(refused.value) or refused.value.code == "handover"
    for by in (ANN, CEM):
        await replace(ground, table.number, BOB, by)
    with pytest.raises(RefereeError) as refused:
        await ground.act(table.number, CEM, OfferSeat(EVE, absent=BOB))
    assert refused.value.code == "not-host"
    await ground.act(table.number, ANN, OfferSeat(EVE, absent=BOB))
    after = await taken(ground, table, EVE, await place_of(ground, table.number, BOB))
    assert set(who_plays(after, await ground.game(table.number))) == {ANN, EVE, CEM}
    with pytest.raises(RefereeError) as refused:
        await ground.act(table.number, BOB, PlayAgain())
    assert refused.value.code == "not-playing"


async def test_a_substitute_is_let_in_by_more_than_half(ground: Playground) -> None:
    table = await ground.lobby(ANN, BOB)
    await ground.services.lobby.add_computer(table.number, ANN, AddComputer("easy"), ground.id())
    await ground.services.lobby.start(table.number, ANN, "closing-1", ground.id())
    found = await say(ground, table.number, EVE, AskForSeat("Eve", 2))
    assert not found.done
    assert not (await say(ground, table.number, ANN, Agree("substitute"))).done
    assert (await say(ground, table.number, BOB, Agree("substitute"))).done
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
        await ground.act(table.number, user, OfferSeat(to))
    assert refused.value.code == code
    assert not (await ground.table(table.number)).choices.handovers


async def test_nobody_takes_what_isnt_offered_to_them(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    await ground.act(table.number, BOB, OfferSeat(EVE))
    place = await place_of(ground, table.number, BOB)
    for user, at in ((DOT, place), (EVE, 0), (CEM, place)):
        with pytest.raises(RefereeError) as refused:
            await taken(ground, table, user, at)
        assert refused.value.code == "handover"
    await ground.act(table.number, EVE, DeclineSeat("Eve"))
    with pytest.raises(RefereeError):
        await taken(ground, table, EVE, place)


async def test_who_wants_no_seat_is_not_asked_again_the_same_day(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    await ground.act(table.number, BOB, OfferSeat(EVE))
    with pytest.raises(RefereeError) as refused:
        await ground.act(table.number, ANN, OfferSeat(EVE))
    assert refused.value.key == "handover/asked", "one seat at a time"
    [told] = (await ground.act(table.number, EVE, DeclineSeat("Eve"))).table.choices.news
    assert (told.what, told.user, told.name, told.newcomer) == ("declined", BOB, "Bob", "Eve")
    for user in (BOB, ANN):
        with pytest.raises(RefereeError) as refused:
            await ground.act(table.number, user, OfferSeat(EVE))
        assert refused.value.key == "handover/declined"
    await ground.act(table.number, BOB, OfferSeat(DOT))
    await ground.act(table.number, BOB, DeclineSeat("Bob"))  # who takes an offer back has declined nothing
    await ground.act(table.number, BOB, OfferSeat(0))
    ground.clock += DAY + 1
    assert (await ground.act(table.number, BOB, OfferSeat(EVE))).table.choices.handovers[0].to == EVE


async def extension(ground: Playground) -> int:
    """A running game with special building phases (J1), of all but Eve; its number."""
    number = (await ground.lobby(ANN, BOB, CEM, DOT)).number
    await ground.act(number, ANN, SetOptions({"scenario": "extension"}))
    await ground.act(number, FAY, Join("Fay"))
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
    await ground.act(number, BOB, OfferSeat(EVE))
    await ground.act(number, EVE, TakeSeat("Eve", place))
    game = await ground.game(number)
    assert game.state.standing[seat] == 2
    assert Game.replay(game.config, game.records).hash() == game.hash()


async def test_a_computer_is_called_to_build_by_its_cards_and_who_is_back_is_not(ground: Playground) -> None:
    """From the start of a game, and in the place of a person who is called only when they ask (J2)."""
    number = (await ground.lobby(ANN, BOB)).number
    await ground.act(number, ANN, SetOptions({"scenario": "extension"}))
    await ground.services.lobby.add_computer(number, ANN, AddComputer("easy", fill=True), ground.id())
    table = (await ground.services.lobby.start(number, ANN, "closing-1", ground.id())).table
    game = await ground.game(number)
    people = [table.seat_of(game, user) for user in (ANN, BOB)]
    assert game.state.standing == [0 if seat in people else 4 for seat in range(game.config.players)]
    await replace(ground, number, BOB, BOB)
    assert (await ground.game(number)).state.standing[people[1] or 0] == 4
    await ground.services.people.change_settings(BOB, standing=0, interaction=ground.id())
    assert (await ground.game(number)).state.standing[people[1] or 0] == 4, "the computer's still"
    await ground.act(number, BOB, PlayAgain())
    game = await ground.game(number)
    assert game.state.standing[people[1] or 0] == 0
    assert Game.replay(game.config, game.records).hash() == game.hash()


async def test_a_substitute_brings_their_own_standing_number(ground: Playground) -> None:
    await ground.services.people.change_settings(EVE, standing=0, interaction=ground.id())
    number = await extension(ground)
    place = await place_of(ground, number, BOB)
    for by in (ANN, CEM, DOT):
        await replace(ground, number, BOB, by)
    await say(ground, number, EVE, AskForSeat("Eve", place))
    for by in (ANN, CEM, DOT):
        await say(ground, number, by, Agree("substitute"))
    game = await ground.game(number)
    assert (await ground.table(number)).users[place] == EVE
    assert game.state.standing[game.state.order.index(place)] == 0


async def test_an_offer_is_taken_back_and_a_seat_that_resigned_is_no_longer_there(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    place = await place_of(ground, table.number, BOB)
    await ground.act(table.number, BOB, OfferSeat(EVE))
    await ground.act(table.number, BOB, DeclineSeat("Bob"))
    with pytest.raises(RefereeError):
        await taken(ground, table, EVE, place)
    await ground.act(table.number, BOB, OfferSeat(EVE))
    await ground.play(table.number, BOB, Resign())
    with pytest.raises(RefereeError):
        await taken(ground, table, EVE, place)


async def test_the_same_click_twice_seats_once(ground: Playground) -> None:
    table = await ground.begun(ANN, BOB, CEM)
    place = await place_of(ground, table.number, BOB)
    await ground.act(table.number, BOB, OfferSeat(EVE))
    id = ground.id()
    for _ in range(2):
        after = (await ground.services.games.act(table.number, EVE, TakeSeat("Eve", place), id)).table
        assert after.users == (ANN, EVE, CEM)


@pytest.mark.on_databases
async def test_who_takes_a_seat_has_not_agreed_to_end_the_game(ground: Playground) -> None:
    table, rng = await ground.begun(ANN, BOB, CEM), random.Random(1)
    number = table.number
    while (await ground.game(number)).turn < 5:
        await ground.step(number, rng)
    for vote in (AgreeToCallOff(), AgreeToEnd()):
        await ground.play(number, ANN, vote)
    await ground.act(number, ANN, OfferSeat(EVE))
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
    place = await place_of(ground, number, BOB)
    await replace(ground, number, BOB, BOB)
    await say(ground, number, EVE, AskForSeat("Eve", place))
    for by in (ANN, CEM):
        await say(ground, number, by, Agree("substitute"))
    before, resigned = await ground.revision(number), ground.id()
    played = await ground.play(number, DOT, Resign(), interaction=resigned)
    again = await ground.play(number, DOT, Resign(), interaction=resigned)
    assert (played.revision, again.revision, again.events) == (before + 1, before + 1, played.events)
    await ground.kill()
    game = await ground.game(number)
    assert (await ground.table(number)).users[place] == EVE
    assert game.state.standing[game.state.order.index(place)] == 0
    assert Game.replay(game.config, game.records).hash() == game.hash()
