"""Two worlds: people who can't know which of two games is played see the same of both, byte for byte (section M)."""

from __future__ import annotations

from engine.actions import AcceptOffer, AskToBuild, Discard, MakeOffer, PassOn, PlayKnight, Roll
from engine.autoplay import default_action
from engine.config import Config
from engine.game import Game
from engine.resources import single
from tests.bot.discord.doing import by_commands, by_components
from tests.bot.discord.hall import answer, order
from tests.bot.playground import choose
from tests.bot.worlds.compare import INTERRUPT, compare, probe
from tests.bot.worlds.plans import Twins, before_discards, differ, found, in_window, main_of
from tests.bot.worlds.probes import LOOKS, look, meddle
from tests.bot.worlds.stage import Stage, Theatre


async def act_out(stage: Stage, twins: Twins) -> list[object]:
    """Play the plan, through the real front from just before the worlds part; then outsiders probe everything."""
    assert twins.parting is not None
    await stage.past(twins.steps[: twins.parting - 1])
    for seat, action in twins.steps[twins.parting - 1 :]:
        await stage.does(seat, action)
    return await probe(stage, twins, most=3)


# --- what cards players hold


async def test_only_thief_and_victim_know_which_card_was_stolen(theatre: Theatre) -> None:
    """Thief and victim hold different cards in each world, and play on. Only these two see the difference."""

    def plan(config: Config) -> Twins:
        return found(config, (0, 1), differ((0, 1)), more=6)

    here, there = await compare(theatre, plan, act_out)
    assert all(here[seat] != there[seat] for seat in (0, 1)), "the bench sees nothing"


async def test_others_cant_tell_which_development_card_was_bought(theatre: Theatre) -> None:
    """A hidden victory point or a knight: no one can tell, although an interrupt asks all who hold a card."""

    def points(here: Game, there: Game) -> bool:
        return differ((2,), "development_cards")(here, there) and here.state.all_points(2) != there.state.all_points(2)

    here, there = await compare(
        theatre, lambda config: found(config, (2,), points, more=4, cards=True), act_out, **INTERRUPT
    )
    assert here[2] != there[2], "the bench sees nothing"


async def test_others_cant_tell_which_card_was_stolen_in_a_game_of_five(theatre: Theatre) -> None:
    """The same with a special building phase and the older edition."""

    def plan(config: Config) -> Twins:
        return found(config, (0, 3), differ((0, 3)), more=4)

    await compare(theatre, plan, act_out, players=5, scenario="extension", edition="1996")


# --- what players try in private


async def test_others_cant_tell_that_a_player_cant_pay_for_an_offer(theatre: Theatre) -> None:
    """A player who tries to accept without the cards looks like one who has them and does nothing."""

    def plan(config: Config) -> Twins:
        return found(config, (0, 1), lambda here, there: _deal(here, there) is not None)

    async def act(stage: Stage, twins: Twins) -> object:
        await stage.past(twins.steps)
        deal = _deal(*twins.games)
        assert deal is not None
        seat, offer = deal
        await stage.does(offer[0], offer[1])
        if stage.world == 0:
            number = (await stage.hall.game()).view(None).offers[0].id
            person = await stage.person(seat)
            for way in (by_components, by_commands):
                assert "you only have" in answer(await way(stage.hall, person, AcceptOffer(number)))
        return await probe(stage, twins)

    await compare(theatre, plan, act)


def _deal(here: Game, there: Game) -> tuple[int, tuple[int, MakeOffer]] | None:
    """A seat that lacks a card here but has it there, and an offer to all by the player on turn that asks for it."""
    view = here.view(None)
    if view.step.kind != "main" or view.on_turn in (0, 1, None) or view.offers or not here.state.hands[view.on_turn]:
        return None
    mine = here.state.hands[view.on_turn]
    for seat in (0, 1):
        for kind in range(5):
            lacks = not here.state.hands[seat][kind] and there.state.hands[seat][kind]
            give = next((k for k, n in enumerate(mine) if n and k != kind), None)
            if lacks and give is not None:
                return seat, (view.on_turn, MakeOffer(single(give, 1), single(kind, 1)))
    return None


async def test_others_dont_see_what_a_player_tries_in_vain(theatre: Theatre) -> None:
    """In one world a player tries everything in vain, in the other the player does nothing."""

    def plan(config: Config) -> Twins:
        return found(config, (1,), main_of(2))

    async def act(stage: Stage, twins: Twins) -> object:
        await stage.past(twins.steps)
        if stage.world == 0:
            await look(stage, 1, tuple(command for command in LOOKS if command != "board"))  # sends the panel again
            await meddle(stage, 1)
        return await probe(stage, twins)

    await compare(theatre, plan, act)


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


async def test_discards_are_secret_until_all_are_in(theatre: Theatre) -> None:
    """No one learns what one player chose while another is still choosing."""

    async def act(stage: Stage, twins: Twins) -> object:
        await stage.past(twins.steps)
        roller = twins.games[0].to_act[0]
        await stage.does(roller, Roll())
        game = await stage.hall.game()
        choices = list(game.options(0)[Discard])
        await stage.does(0, choices[-1 if stage.world else 0])
        for seat in game.to_act[2:]:
            await stage.does(seat, next(iter(game.options(seat)[Discard])))
        return await probe(stage, twins)

    await compare(theatre, lambda config: found(config, (0,), before_discards, lengths=(60, 160)), act)


# --- the autopilot


async def test_others_cant_tell_that_a_player_has_an_autopilot(theatre: Theatre) -> None:
    """In one world a player has an autopilot and standing refusals, in the other the player decides everything. No one
    notices, neither immediately nor when offers come that the refusals don't cover."""

    def plan(config: Config) -> Twins:
        twins = found(config, (1,), main_of(2))
        assert twins.play(main_of(3), choose, 200)
        return twins

    async def act(stage: Stage, twins: Twins) -> object:
        most = next(n for n, (seat, _action) in enumerate(twins.steps) if n > len(twins.steps) // 2 and seat != 1)
        await stage.past(twins.steps[:most])
        if stage.world == 0:
            person = await stage.person(1)
            await order(stage.hall, person, "What to do for me", does={"discards": True}, keep=["4"])
            await order(stage.hall, person, "What to decline", never=["4"], least="1")
        for seat, action in twins.steps[most:]:
            await stage.does(seat, action)
        return await probe(stage, twins)

    await compare(theatre, plan, act)
