"""Two worlds: people who can't know which of two games is played see the same of both, byte for byte (section M)."""

from __future__ import annotations

import pytest

from engine.actions import AcceptOffer, AskToBuild, MakeOffer, PassOn, PlayKnight, Roll
from engine.autoplay import default_action
from engine.config import Config
from engine.game import Game
from engine.resources import hand, single
from tests.bot.discord.doing import by_commands, by_components
from tests.bot.discord.hall import answer, order
from tests.bot.playground import choose
from tests.bot.worlds.compare import INTERRUPT, compare, probe
from tests.bot.worlds.plans import Twins, differ, found, in_window, main_of
from tests.bot.worlds.probes import LOOKS, look, meddle
from tests.bot.worlds.stage import Stage, Theatre

SEEN = 12
"""How many steps are played through the real front while there is an autopilot."""


async def cards(stage: Stage, twins: Twins) -> list[object]:
    """Play the first part, through the real front from just before the worlds part; then outsiders probe everything."""
    assert twins.parting is not None
    steps = twins.part(0)
    await stage.past(steps[: twins.parting - 1])
    for seat, action in steps[twins.parting - 1 :]:
        await stage.does(seat, action)
    return await probe(stage, twins)


# --- what cards players hold


async def an_offer_that_a_player_cant_pay_for(stage: Stage, twins: Twins) -> list[object]:
    """A player who tries to accept without the cards looks like someone who has them and does nothing."""
    await stage.past(twins.part(1)[:-1])
    await stage.does(*twins.part(1)[-1])
    if stage.world == 0:
        game = await stage.hall.game()
        [offer] = game.view(None).offers
        [kind] = (kind for kind, n in enumerate(hand(offer.want)) if n)
        person = await stage.person(next(seat for seat in (0, 1) if not game.state.hands[seat][kind]))
        for way in (by_components, by_commands):
            assert "you only have" in answer(await way(stage.hall, person, AcceptOffer(offer.id)))
    return await probe(stage, twins)


async def what_a_player_tries_in_vain(stage: Stage, twins: Twins) -> list[object]:
    """In one world a player tries everything in vain, in the other the player does nothing."""
    await stage.past(twins.part(2))
    if stage.world == 0:
        await look(stage, 1, tuple(command for command in LOOKS if command != "board"))  # sends the panel again
        await meddle(stage, 1)
    return await probe(stage, twins)


async def an_autopilot(stage: Stage, twins: Twins) -> list[object]:
    """In one world a player has an autopilot and standing refusals, in the other the player decides everything. No one
    notices, neither immediately nor when offers come that the refusals don't cover."""
    before, after = twins.part(3)[:-SEEN], twins.part(3)[-SEEN:]
    await stage.past(before)
    if stage.world == 0:
        person = await stage.person(1)
        await order(stage.hall, person, "What to do for me", does={"discards": True}, keep=["4"])
        await order(stage.hall, person, "What to decline", never=["4"], least="1")
    for seat, action in after:
        await stage.does(seat, action)
    return await probe(stage, twins)


async def test_only_two_players_know_what_they_hold_try_and_order(theatre: Theatre) -> None:
    def plan(config: Config) -> Twins:
        twins = found(config, (0, 1), differ((0, 1)), more=6)
        twins.mark()
        assert twins.play(lambda here, there: _deal(here, there) is not None, choose, 200)
        assert (deal := _deal(*twins.games)) is not None
        assert twins.step(*deal)
        for seat in (2, 3):
            twins.mark()
            assert twins.play(main_of(seat), choose, 200)
        return twins

    acts = (cards, an_offer_that_a_player_cant_pay_for, what_a_player_tries_in_vain, an_autopilot)
    here, there = await compare(theatre, plan, *acts)
    assert all(here[seat] != there[seat] for seat in (0, 1)), "the bench sees nothing"


def _deal(here: Game, there: Game) -> tuple[int, MakeOffer] | None:
    """The player on turn, and an offer to all that asks for a card that seat 0 or 1 lacks here but has there."""
    view = here.view(None)
    if view.step.kind != "main" or view.on_turn in (0, 1, None) or view.offers or not here.state.hands[view.on_turn]:
        return None
    mine = here.state.hands[view.on_turn]
    for seat in (0, 1):
        for kind in range(5):
            lacks = not here.state.hands[seat][kind] and there.state.hands[seat][kind]
            give = next((k for k, n in enumerate(mine) if n and k != kind), None)
            if lacks and give is not None:
                return view.on_turn, MakeOffer(single(give, 1), single(kind, 1))
    return None


async def test_others_cant_tell_which_development_card_was_bought(theatre: Theatre) -> None:
    """A hidden victory point or a knight: no one can tell, although an interrupt asks all who hold a card."""

    def points(here: Game, there: Game) -> bool:
        return differ((2,), "development_cards")(here, there) and here.state.all_points(2) != there.state.all_points(2)

    here, there = await compare(
        theatre, lambda config: found(config, (2,), points, more=4, cards=True), cards, **INTERRUPT
    )
    assert here[2] != there[2], "the bench sees nothing"


@pytest.mark.soak
async def test_others_cant_tell_which_card_was_stolen_in_a_game_of_five(theatre: Theatre) -> None:
    """The same with a special building phase and the older edition."""

    def plan(config: Config) -> Twins:
        return found(config, (0, 3), differ((0, 3)), more=4)

    await compare(theatre, plan, cards, players=5, scenario="extension", edition="1996")


# --- secret decisions


async def test_others_cant_tell_that_a_player_asked_to_build_and_canceled(theatre: Theatre) -> None:
    """No one notices, neither immediately nor when the turn of the player who asked comes."""

    asked_after = 0

    def plan(config: Config) -> Twins:
        nonlocal asked_after
        twins = found(config, (1,), main_of(3))
        asked_after = len(twins.steps)
        assert twins.play(main_of(1), choose, 200)
        return twins

    async def act(stage: Stage, twins: Twins) -> object:
        await stage.past(twins.steps[:asked_after])
        person = await stage.person(1)
        if stage.world == 0:
            assert "Saved" in answer(await by_components(stage.hall, person, AskToBuild(True)))
            assert "Canceled" in answer(await person.slash(stage.hall.channel, "build ask", cancel=True))
        for seat, action in twins.steps[asked_after:]:
            await stage.does(seat, action)
        return await probe(stage, twins)

    await compare(theatre, plan, act, players=5, scenario="extension")


async def test_others_cant_tell_how_players_answer_the_robber(theatre: Theatre) -> None:
    """A knight held back or none held, a vain try, who answers first: all looks the same until the window closes, and
    after."""

    async def act(stage: Stage, twins: Twins) -> object:
        await stage.past(twins.steps[:-1])
        await stage.does(*twins.steps[-1])
        people = [await stage.person(seat) for seat in (0, 1)]
        if stage.world == 0:
            assert "no knight" in answer(await by_components(stage.hall, people[0], PlayKnight()))
        for seat in (0, 1) if stage.world else (1, 0):
            await stage.does(seat, PassOn())
        before = await probe(stage, twins, most=1)
        game = await stage.hall.game()
        for seat in game.to_act:
            await stage.does(seat, PassOn())
        assert (await stage.hall.game()).view(None).step.kind != "interrupt"
        return [before, await probe(stage, twins, most=1)]

    await compare(
        theatre, lambda config: found(config, (0, 1), in_window, cards=True, lengths=(160,)), act, **INTERRUPT
    )


async def test_others_cant_tell_an_answer_from_a_timeout(theatre: Theatre) -> None:
    """When the time is over, no one can tell who had answered, not even by the ids of later buttons."""

    async def act(stage: Stage, twins: Twins) -> object:
        await stage.past(twins.steps[:-1])
        await stage.does(*twins.steps[-1])
        if stage.world == 0:
            await stage.does(0, PassOn())
        await stage.hall.env.advance_time(2 * twins.games[0].config.answer_time)
        assert (await stage.hall.game()).view(None).step.kind != "interrupt"
        while (game := await stage.hall.game()).view(None).on_turn != 0:
            seat = game.to_act[0]
            await stage.past([(seat, default_action(game.state, seat, game.options(seat)))])
        await stage.does(0, Roll())
        return None

    def window(here: Game, there: Game) -> bool:
        return in_window(here, there) and here.view(None).on_turn != 0

    await compare(theatre, lambda config: found(config, (0, 1), window, cards=True, lengths=(160,)), act, **INTERRUPT)


async def test_a_secret_request_does_not_trigger_a_pending_panel_update(theatre: Theatre) -> None:
    """A panel that Discord refused is tried again when that is due, not when a player secretly asks to build."""

    async def act(stage: Stage, twins: Twins) -> object:
        hall = stage.hall
        await stage.past(twins.steps[:-1])
        path = f"/channels/{hall.channel.id}/messages/*"
        hall.env.inject_error("PATCH", path, status=503, code=0, message="down", times=20)
        await stage.past(twins.steps[-1:])
        hall.env.backend.faults.clear()
        if stage.world == 0:
            assert "Saved" in answer(await (await stage.person(1)).slash(hall.channel, "build ask"))
        return None

    await compare(theatre, lambda config: found(config, (1,), main_of(3)), act, players=5, scenario="extension")


async def test_others_cant_tell_a_knight_from_a_pass_while_answers_are_awaited(theatre: Theatre) -> None:
    """While others are awaited, an answer with a knight looks like a pass, and like no answer."""

    async def act(stage: Stage, twins: Twins) -> object:
        await stage.past(twins.steps)
        if stage.world == 1:
            await stage.does(0, PlayKnight())
        else:
            await stage.does(1, PassOn())
        return await probe(stage, twins, most=1)

    await compare(
        theatre, lambda config: found(config, (0, 1), in_window, cards=True, lengths=(160,)), act, **INTERRUPT
    )
