"""Ending a turn too soon: players with an open offer, or too many cards for a seven, must confirm it in private."""

from __future__ import annotations

from engine.actions import (
    AcceptOffer,
    BankTrade,
    BuildCity,
    BuildRoad,
    BuyCard,
    CloseOffer,
    DeclineOffer,
    EndTurn,
    MakeOffer,
)
from engine.game import Game
from engine.resources import single
from engine.views import View
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_components
from tests.bot.discord.hall import Hall, again, answer, fill, labels, reply, text
from tests.bot.discord.tables import offered

ASKS = "End your turn?"


def rich(game: Game) -> bool:
    """Whether the player on turn holds more cards than a seven allows, and could do something with them."""
    view: View = game.view(None)
    if view.step.kind != "main" or game.turn < 3 or view.on_turn is None or view.offers:
        return False
    options = game.options(view.on_turn)
    can = any(kind in options for kind in (BankTrade, BuildRoad, BuildCity, BuyCard))
    return can and view.players[view.on_turn].hand_size > 7


def poor(game: Game) -> bool:
    """Whether the player on turn holds so few cards that a seven takes none."""
    view = game.view(None)
    plain = view.step.kind == "main" and game.turn > 3 and view.on_turn is not None and not view.offers
    return plain and view.players[view.on_turn or 0].hand_size < 8


async def ended(hall: Hall) -> bool:
    """Whether the last action was the end of a turn."""
    return isinstance((await hall.game()).records[-1].action, EndTurn)


async def test_ending_a_turn_with_too_many_cards_asks_first_by_button_and_by_command(open_hall: Opened) -> None:
    """Both ways ask the same question, which no one else sees. A double click ends only one turn."""
    async with open_hall() as hall:
        await hall.begin(target=14)
        game = await hall.advance(rich)
        person = await hall.person(game.state.on_turn)
        panel_text, requests = text(await hall.panel()), len(hall.env.http_requests)
        clicked = await person.click(await hall.panel(), label="End turn")
        typed = await person.slash(hall.channel, "end")
        assert answer(clicked) == answer(typed)
        assert ASKS in answer(typed)
        assert "a 7 costs you" in answer(typed)
        assert labels(reply(typed)) == ["End turn", "Back"]
        assert not await ended(hall)
        assert text(await hall.panel()) == panel_text
        private = ("/webhooks", "/interactions")
        assert all(r.path.startswith(private) for r in hall.env.http_requests[requests:])
        await person.click(reply(clicked), label="Back")
        assert not await ended(hall)
        await hall.restart()
        await person.click(reply(typed), label="End turn")
        await again(hall)
        assert await ended(hall)
        after = await hall.game()
        assert after.turn == game.turn + 1
        assert after.revision == game.revision + 1


async def test_ending_a_turn_asks_nothing_with_few_cards_or_if_the_player_turned_that_off(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin(target=14)
        game = await hall.advance(poor)
        person = await hall.person(game.state.on_turn)
        assert ASKS not in answer(await person.click(await hall.panel(), label="End turn"))
        assert await ended(hall)
        game = await hall.advance(rich)
        person = await hall.person(game.state.on_turn)
        opened = await person.slash(hall.channel, "settings")
        changed = await fill(person, reply(opened), "Your settings", asks={"ask_to_end": False})
        assert "Ending a turn: **no confirmation**" in answer(changed)
        await person.click(await hall.panel(), label="End turn")
        assert await ended(hall)


async def test_ending_a_turn_asks_about_an_accepted_or_unanswered_offer(open_hall: Opened) -> None:
    """The question names players who have not answered. An accepted offer can be closed right from the question."""
    async with open_hall() as hall:
        await hall.begin(target=14)
        game, maker, others, number = await offered(hall)
        me = game.state.on_turn
        asked = await maker.slash(hall.channel, "end")
        assert "No answer yet from" in answer(asked)
        assert all(person.name.title() in answer(asked) for person in others)
        await by_components(hall, others[0], AcceptOffer(number))
        asked = await maker.click(await hall.panel(), label="End turn")
        assert f"{others[0].name.title()} accepted your offer {number}" in answer(asked)
        seat = (await hall.table()).seat_of(await hall.game(), others[0].id)
        assert seat is not None
        assert labels(reply(asked)) == [f"Trade with {others[0].name.title()}", "End turn", "Back"]
        await maker.click(reply(asked), label=f"Trade with {others[0].name.title()}")
        assert (await hall.game()).records[-1].action == CloseOffer(number, seat)
        assert (await hall.game()).state.on_turn == me


async def test_ending_a_turn_asks_nothing_about_an_offer_that_all_have_declined(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin(target=14)
        game, maker, others, number = await offered(hall)
        for person in others:
            await by_components(hall, person, DeclineOffer(number))
        if (await hall.game()).view(None).players[game.state.on_turn].hand_size < 8:
            await maker.click(await hall.panel(), label="End turn")
            assert await ended(hall)


async def test_an_old_confirm_button_does_not_end_another_turn(open_hall: Opened) -> None:
    """If the turn has ended otherwise, the old confirm button says why it does nothing."""
    async with open_hall() as hall:
        await hall.begin(target=14)
        game = await hall.advance(rich)
        person = await hall.person(game.state.on_turn)
        old = await person.slash(hall.channel, "end")
        again = await person.slash(hall.channel, "end")
        await person.click(reply(again), label="End turn")
        late = await person.click(reply(old), label="End turn")
        assert "It isn't your turn." in answer(late)


async def test_ending_the_trade_phase_asks_about_open_offers(open_hall: Opened) -> None:
    """L11: going on to build can't be undone, so it asks about open offers. Cards don't matter: they can be spent."""
    async with open_hall() as hall:
        await hall.begin(target=14, variants=["separate-phases"])

        def able(game: Game) -> bool:
            view = game.view(None)
            return view.step.kind == "trade_phase" and any(game.state.hands[game.state.on_turn])

        game = await hall.advance(able)
        me = game.state.on_turn
        person, kind = await hall.person(me), next(k for k, n in enumerate(game.state.hands[me]) if n)
        await by_components(hall, person, MakeOffer(single(kind), single((kind + 1) % 5)))
        for asked in (
            await person.click(await hall.panel(), label="Go on to build"),
            await person.slash(hall.channel, "trade done"),
        ):
            assert "Go on to build?" in answer(asked)
            assert labels(reply(asked)) == ["Go on to build", "Back"]
        await person.click(reply(asked), label="Go on to build")
        assert (await hall.game()).view(None).step.kind == "building_phase"


async def test_the_question_can_be_turned_off_in_the_settings(open_hall: Opened) -> None:
    async with open_hall() as hall:
        ann = hall.people[0]
        assert (await hall.services.people.settings(ann.id)).choices.ask_to_end
        opened = await ann.slash(hall.channel, "settings")
        await fill(ann, reply(opened), "Your settings", asks={"ask_to_end": False})
        await hall.restart()
        assert not (await hall.services.people.settings(ann.id)).choices.ask_to_end
