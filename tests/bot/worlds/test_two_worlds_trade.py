"""Two worlds in trade: what only an offer's maker learns, who is asked before a turn ends, which discard was undone."""

from __future__ import annotations

import pytest

from bot.screens.play import question_before_end
from bot.screens.viewer import Viewer
from bot.table.parts import Member
from bot.table.table import RUNNING, Table
from engine.actions import BuildRoad, Discard, EndTurn, MakeOffer, Roll, TakeBackDiscard
from engine.config import Config
from engine.game import Game
from engine.resources import single
from tests.bot.discord.doing import by_commands, by_components
from tests.bot.discord.hall import answer, labels, reply
from tests.bot.worlds.compare import as_planned, compare, probe
from tests.bot.worlds.plans import Twins, before_discards, found
from tests.bot.worlds.stage import Stage, Theatre


def _last_of_a_road(here: Game, there: Game) -> int | None:
    """Brick or lumber, if seat 0 has one of it here and more there, and can build a road in both worlds."""
    view = here.view(None)
    if view.step.kind != "main" or view.on_turn != 0 or view.offers:
        return None
    if any(BuildRoad not in game.options(0) for game in (here, there)):
        return None
    hands = here.state.hands[0], there.state.hands[0]
    return next((k for k in (0, 1) if hands[0][k] == 1 and hands[1][k] > 1), None)


@pytest.mark.parametrize("way", [by_components, pytest.param(by_commands, marks=pytest.mark.soak)])
async def test_only_the_maker_learns_that_they_cant_keep_an_offer(theatre: Theatre, way: object) -> None:
    """The maker builds, in one world with the last such card. Then only the maker is told, and all else is the same."""

    def plan(config: Config) -> Twins:
        return found(config, (0, 1), lambda a, b: _last_of_a_road(a, b) is not None, lengths=(160,))

    async def act(stage: Stage, twins: Twins) -> object:
        await stage.past(twins.steps)
        kind = _last_of_a_road(*twins.games)
        assert kind is not None
        await stage.does(0, MakeOffer(single(kind), single(4)))
        person = await stage.person(0)
        road = next(iter((await stage.hall.game()).options(0)[BuildRoad]))
        do = by_components if way is by_components else by_commands
        message = answer(await do(stage.hall, person, road))
        assert ("You can't keep your offer" in message) == (stage.world == 0)
        return await probe(stage, twins)

    here, there = await compare(theatre, plan, act)
    assert here[0] != there[0], "the bench sees nothing"


def _asked(game: Game) -> bool:
    """Whether seat 0 must confirm the end of its turn."""
    colors = enumerate(game.config.colors)
    members = tuple(Member(100 + n, f"P{n}", color, True, "", str(n)) for n, color in colors)
    table = Table(1, 1, 1, RUNNING, 100, False, game.config, members, "", ("1",), 1, 0.0, 0.0)
    return question_before_end(Viewer(table, game, 0), EndTurn()) is not None


def _asked_in_one(here: Game, there: Game) -> bool:
    """Whether seat 0 is on turn with eight cards or more, and must confirm the end of its turn in one world only."""
    views = [game.view(None) for game in (here, there)]
    if any(v.step.kind != "main" or v.on_turn != 0 or v.offers or v.players[0].hand_size < 8 for v in views):
        return False
    return _asked(here) != _asked(there)


async def test_others_cant_tell_that_a_player_had_to_confirm_the_end_of_a_turn(theatre: Theatre) -> None:
    """Only the player sees the question and its answer, and the turn ends like any other."""

    async def act(stage: Stage, twins: Twins) -> object:
        await stage.past(twins.steps)
        person = await stage.person(0)
        clicked = await person.click(await stage.hall.panel(), label="End turn")
        if clicked.followups:
            assert labels(reply(clicked)) == ["End turn", "Back"]
            await person.click(reply(clicked), label="End turn")
        assert isinstance((await stage.hall.game()).records[-1].action, EndTurn)
        return await probe(stage, twins, most=1)

    def plan(config: Config) -> Twins:
        return found(config, (0, 1), _asked_in_one, lengths=(60, 160, 400))

    await compare(theatre, plan, act, players=3, target=16)


async def a_discard_that_is_undone(stage: Stage, twins: Twins) -> object:
    """No one learns which cards it was, neither while they are discarded nor when they are back in the hand."""
    await stage.does(twins.games[0].to_act[0], Roll())
    game, person = await stage.hall.game(), await stage.person(0)
    choice = list(game.options(0)[Discard])[-1 if stage.world else 0]
    await by_components(stage.hall, person, choice)
    probes = [await probe(stage, twins, most=1)]
    await by_components(stage.hall, person, TakeBackDiscard())
    probes.append(await probe(stage, twins, most=1))
    await by_commands(stage.hall, person, choice)
    await by_commands(stage.hall, person, TakeBackDiscard())
    return probes


async def a_discard_while_another_chooses(stage: Stage, twins: Twins) -> object:
    """No one learns what one player chose while another is still choosing."""
    game = await stage.hall.game()
    choices = list(game.options(0)[Discard])
    await stage.does(0, choices[-1 if stage.world else 0])
    for seat in game.to_act[2:]:
        await stage.does(seat, next(iter(game.options(seat)[Discard])))
    return await probe(stage, twins)


async def test_discards_are_secret_until_all_are_in(theatre: Theatre) -> None:
    await compare(
        theatre,
        lambda config: found(config, (0,), before_discards, lengths=(160,)),
        as_planned,
        a_discard_that_is_undone,
        a_discard_while_another_chooses,
    )
