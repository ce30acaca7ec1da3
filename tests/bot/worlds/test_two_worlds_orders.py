"""Two worlds that differ in private settings: autopilot, or its owner by hand at the same time; sleep; vacation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bot.screens.play import CARD_ACTIONS
from bot.table.options import DAY
from bot.table.orders import MOST_FEW
from bot.table.preferences import DM
from bot.table.waiting import decisions
from engine.actions import Action, DeclineOffer, Discard, EndTurn, MakeOffer, MoveRobber, PassOn, Roll
from engine.config import Config
from engine.game import Game
from engine.resources import RESOURCES, single
from tests.bot.discord.doing import by_commands, by_components
from tests.bot.discord.hall import answer, order, reply, text
from tests.bot.worlds.compare import Act, as_planned, compare, probe
from tests.bot.worlds.ordering import TAKES, done, ordered
from tests.bot.worlds.plans import Twins, found, main_of, only_there, throws
from tests.bot.worlds.stage import Stage, Theatre

pytestmark = pytest.mark.usefixtures("in_time")

HOUR = 3600.0


# --- offers


def _can_offer(here: Game, there: Game) -> bool:
    """Whether it is the main part of seat 2's turn, and seat 2 has a card to offer."""
    return main_of(2)(here, there) and not here.view(None).offers and any(here.state.hands[2])


def _declined(which: str, way: Any, other: int) -> Act:
    """An offer that one kind of refusal covers is declined. `other`: how far the wanted kind of card is from the given
    one, as the same offer can't be made twice."""

    async def act(stage: Stage, twins: Twins) -> object:
        hall = stage.hall
        game = await hall.game()
        kind = next(k for k, n in enumerate(game.state.hands[2]) if n)
        want = (kind + other) % 5
        entries = {"never": [str(want)], "refused": [str((await stage.person(2)).id)], "least": "1"}
        await ordered(stage, 1, "What to decline", **{"never": [], "refused": [], which: entries[which]})
        await stage.does(2, MakeOffer(single(kind), single(want, 2)))
        number = (await hall.game()).view(None).offers[-1].id
        await done(stage, 1, DeclineOffer(number), way)
        before = await probe(stage, twins)
        for seat in (0, 3):
            await stage.does(seat, DeclineOffer(number))
        return before

    act.__name__ = f"offers declined by {which!r}"
    return act


async def test_an_offer_declined_by_autopilot_looks_like_one_declined_by_hand(theatre: Theatre) -> None:
    """No one can tell from panel, pings, messages to others, order of requests, or the process's log."""
    ways = (("never", by_components), ("refused", by_commands), ("least", by_commands))
    acts = [_declined(which, way, number) for number, (which, way) in enumerate(ways, 1)]
    await compare(theatre, lambda config: found(config, (1,), _can_offer), as_planned, *acts)


# --- turns


def _rolls_a_seven(here: Game, there: Game) -> bool:
    """Whether seat 1 must roll, without development cards, and must then discard, as must others."""
    if here.view(None).step.kind != "pre_roll" or here.to_act != (1,) or any(here.state.development_cards[1]):
        return False
    trial = here.copy()
    trial.play(1, Roll())
    return trial.view(None).step.kind == "discard" and len(trial.to_act) > 1 and throws(trial, 1) is not None


async def test_a_roll_and_a_discard_by_autopilot_look_like_those_by_hand(theatre: Theatre) -> None:
    """The cards that the autopilot keeps affect the discard just as a choice by hand would."""

    async def act(stage: Stage, twins: Twins) -> object:
        hall = stage.hall
        await stage.past(twins.steps)
        await ordered(stage, 1, "What to do for me", does={"roll": True, "discards": True}, keep=["4"])
        await done(stage, 1, Roll())
        probes = [await probe(stage, twins, most=1)]
        cards = throws(await hall.game(), 1)
        assert cards is not None
        await done(stage, 1, Discard(cards), by_commands)
        probes.append(await probe(stage, twins, most=1))
        for seat in (await hall.game()).to_act:
            await stage.does(seat, next(iter((await hall.game()).options(seat)[Discard])))
        await stage.does(1, next(iter((await hall.game()).options(1)[MoveRobber])))
        return [*probes, await probe(stage, twins, most=1)]

    await compare(theatre, lambda config: found(config, (1,), _rolls_a_seven, lengths=(160,)), act)


def _has_little(here: Game, there: Game) -> bool:
    """Whether it is the main part of seat 1's turn, who has one card at most."""
    seat = here.view(None).players[1]
    return main_of(1)(here, there) and seat.hand_size <= 1 and not seat.development_count


async def test_a_turn_ended_by_autopilot_looks_like_one_ended_by_hand(theatre: Theatre) -> None:
    async def act(stage: Stage, twins: Twins) -> object:
        await stage.past(twins.steps)
        await ordered(stage, 1, "What to do for me", does={"end": True})
        await done(stage, 1, EndTurn())
        before = await probe(stage, twins)
        await stage.does(2, Roll())
        return before

    await compare(theatre, lambda config: found(config, (1,), _has_little), act)


def _could_play(step: str) -> Callable[[Game, Game], bool]:
    """Whether seat 1 decides in a step, and can play a development card in one world only."""

    def reached(here: Game, there: Game) -> bool:
        if here.view(None).step.kind != step or here.to_act != (1,) or here.view(None).offers:
            return False
        can = [any(card in game.options(1) for card in CARD_ACTIONS) for game in (here, there)]
        return can[0] != can[1] and here.view(None).players[1].hand_size <= MOST_FEW

    return reached


def _could_build(here: Game, there: Game) -> bool:
    """Whether seat 1 has no development card, and can build or trade with the bank in one world only."""
    seat = here.view(None).players[1]
    if not main_of(1)(here, there) or seat.development_count or seat.hand_size > MOST_FEW or here.view(None).offers:
        return False
    idle = [{*game.options(1)} <= {EndTurn, MakeOffer} for game in (here, there)]
    return idle[0] != idle[1]


@pytest.mark.parametrize(
    ("until", "hiding", "acts"),
    [(_could_play("pre_roll"), (1,), []), (_could_play("main"), (1,), []), (_could_build, (0, 1), [EndTurn()])],
    ids=["cards before the roll", "cards after it", "resources"],
)
async def test_whether_an_autopilot_rolls_or_ends_a_turn_doesnt_reveal_what_its_owner_holds(
    theatre: Theatre, until: Callable[[Game, Game], bool], hiding: tuple[int, ...], acts: list[Action]
) -> None:
    """The autopilot is on in both worlds. In one of them, its owner could do something with what they hold. Resources
    differ if one was taken by the robber, so that two players hide something."""

    async def act(stage: Stage, twins: Twins) -> object:
        await stage.past(twins.steps)
        ticked = {"roll": True, "end": True}
        await order(stage.hall, await stage.person(1), "What to do for me", does=ticked, few=str(MOST_FEW))
        before = await stage.hall.game()
        await stage.hall.env.advance_time(TAKES)
        after = await stage.hall.game()
        assert [record.action for record in after.records[before.revision :]] == acts
        return await probe(stage, twins, most=1)

    cards = hiding == (1,)
    await compare(theatre, lambda config: found(config, hiding, until, cards=cards, lengths=(100, 200)), act)


# --- special building


async def test_a_pass_does_not_reveal_whether_the_player_could_build_what_they_wait_for(theatre: Theatre) -> None:
    """The player wants to be called for one thing only. If they can't build it, the autopilot passes; if they can, they
    pass by hand."""

    async def act(stage: Stage, twins: Twins) -> object:
        hall, what = stage.hall, only_there(*twins.games)
        await stage.past(twins.steps[:-1])
        user = (await stage.person(1)).id
        await hall.services.people.change_settings(user, choices={"building": (what,)})
        await stage.does(*twins.steps[-1])
        await done(stage, 1, PassOn())
        return await probe(stage, twins)

    def plan(config: Config) -> Twins:
        return found(config, (0, 1), lambda here, there: only_there(here, there) is not None, lengths=(160, 300))

    here, there = await compare(theatre, plan, act, players=5, scenario="extension")
    assert here[1] != there[1], "the bench sees nothing"


# --- requests


def _held_in_one(seat: int) -> Callable[[Game, Game], int | None]:
    """A function that finds a resource that a seat has here but not there."""

    def kind(here: Game, there: Game) -> int | None:
        hands = here.state.hands[seat], there.state.hands[seat]
        return next((k for k in range(5) if hands[0][k] and not hands[1][k]), None)

    return kind


async def test_a_request_does_not_reveal_whether_players_have_the_cards_it_names(theatre: Theatre) -> None:
    """In one world only, the player can give what they offer, and the player on turn has what they are looking for."""
    gives, wants = _held_in_one(0), _held_in_one(1)

    def apt(here: Game, there: Game) -> bool:
        kinds = gives(here, there), wants(here, there)
        return main_of(1)(here, there) and None not in kinds and kinds[0] != kinds[1]

    async def act(stage: Stage, twins: Twins) -> object:
        hall = stage.hall
        await stage.past(twins.steps)
        give, want = gives(*twins.games), wants(*twins.games)
        assert give is not None
        assert want is not None
        person = await stage.person(0)
        message = answer(await person.slash(hall.channel, "trade want", get=RESOURCES[want], give=RESOURCES[give]))
        assert "Posted: you're looking for" in message
        probed = await probe(stage, twins)
        await stage.does(1, EndTurn())
        return [probed, await probe(stage, twins, most=1)]

    await compare(theatre, lambda config: found(config, (0, 1), apt), act)


# --- sleep and vacation


def _to_roll(here: Game, there: Game) -> bool:
    return here.view(None).step.kind == "pre_roll" and here.to_act == (1,) and here.turn > 4


async def waited(stage: Stage, twins: Twins, hours: float) -> object:
    """Let the game wait for seat 1, which is reminded by direct message; outsiders probe before and after."""
    answers: list[object] = [await probe(stage, twins, most=1)]
    await stage.hall.env.advance_time(hours * HOUR)
    answers.append(await probe(stage, twins, most=1))
    for command in ("game timer", "games"):
        answers.append(answer(await (await stage.person(2)).slash(stage.hall.channel, command)))
    return answers


async def quiet_hours(stage: Stage, twins: Twins) -> object:
    """In one world the reminder comes later. No one else learns of it, nor of the time zone."""
    person = await stage.person(1)
    await stage.hall.remind(person, DM)
    if stage.world == 0:
        await stage.hall.change_own(person, "Reminders", begin="2:00", end="4:00", zone="UTC")
    return await waited(stage, twins, 5)


async def days_of_a_vacation(stage: Stage, twins: Twins) -> object:
    """All see how much later the deadline is, but not the days of the vacation."""
    hall = stage.hall
    person = await stage.person(1)
    begin = hall.env.now().timestamp() + stage.world * HOUR
    [before] = decisions(await hall.table())
    await hall.services.absence.leave(person.id, begin, begin + 2 * DAY)
    await hall.bot.app.publisher.idle()
    [wait] = decisions(await hall.table())
    assert wait.until == pytest.approx((before.until or 0) + 2 * DAY, abs=1)
    page = reply(await person.slash(hall.channel, "settings"))
    assert "Vacation: **<t" in text(page)
    answers = await waited(stage, twins, 60)
    await stage.does(1, Roll())
    return answers


async def test_others_cant_tell_when_a_player_sleeps_or_is_on_vacation(theatre: Theatre) -> None:
    here, there = await compare(
        theatre, lambda config: found(config, (1,), _to_roll), as_planned, quiet_hours, days_of_a_vacation, pace=86_400
    )
    assert here[1] != there[1], "the bench sees nothing"
