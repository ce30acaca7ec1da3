"""Two worlds under attack: what forged interactions are answered tells nothing about what others hide (section M)."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from engine.config import Config
from engine.game import Game
from tests.bot.discord.attack.attacker import Attacker
from tests.bot.discord.attack.campaign import PAGES
from tests.bot.discord.attack.clients import Clients
from tests.bot.worlds.compare import INTERRUPT, Act, compare
from tests.bot.worlds.plans import Goal, Twins, differ, found
from tests.bot.worlds.stage import Stage, Theatre
from tests.wire.calls import COMMAND
from tests.wire.forged import Forger
from tests.wire.forged_commands import command_data

HIDING = (0, 3)
CARDS = ("hands", "development_cards")


def attack(seed: int, times: int) -> Act:
    """Have those who hide nothing, and an onlooker, send so many forged interactions."""

    async def attacked(stage: Stage, twins: Twins) -> object:
        await stage.past(twins.steps)
        hall, rng, answers = stage.hall, random.Random(seed), list[object]()
        clients, senders = Clients(hall), [(await stage.person(seat)).id for seat in twins.outsiders]
        forger = Forger(rng, hall.bot.tree.registered, [person.id for person in hall.people], tables=[1])
        with Attacker(clients) as attacker:

            async def send(kind: int, data: object, user: int, source: object = None) -> None:
                shown = None if source is None else clients.source(source)  # type: ignore[arg-type]
                payload, record = attacker.payload(kind, data, user, hall.channel.id, shown)
                await attacker.deliver(payload)
                answers.append((record.response_kind, record.autocomplete_choices, record.modal))
                forger.learn(modal=record.modal)
                for message in clients.messages(user):
                    if message.channel_id == hall.channel.id:
                        forger.learn(clients.shown(message))

            for user in senders:
                for page in PAGES:
                    await send(COMMAND, command_data(forger.commands, page), user)
            for control in [*forger.components.values()]:
                if control[0]["type"] == 2:
                    data = {"custom_id": control[0]["custom_id"], "component_type": 2}
                    await send(3, data, rng.choice(senders), control[1])
            for _ in range(times):
                forged = forger.forge()
                await send(forged.type, forged.data, rng.choice(senders), forged.source)
        return answers

    return attacked


def waits_for_the_hiding(what: str) -> Goal:
    """A goal: the main part of the turn of a player who hides something, where their hidden cards differ."""
    parted = differ(HIDING, what)

    def reached(here: Game, there: Game) -> bool:
        return here.view(None).on_turn in HIDING and parted(here, there)

    return reached


MANY = [pytest.param(what, seed, 1000, marks=pytest.mark.soak) for what in CARDS for seed in range(1, 4)]


@pytest.mark.parametrize(("what", "seed", "times"), [("hands", 0, 60), *MANY])
async def test_answers_to_forged_interactions_tell_nothing_about_others(
    theatre: Theatre, record_property: Callable[[str, object], None], what: str, seed: int, times: int
) -> None:
    def plan(config: Config) -> Twins:
        return found(config, HIDING, waits_for_the_hiding(what), cards=what != "hands")

    await compare(theatre, plan, attack(seed, times), **INTERRUPT)
    record_property("forged interactions compared in two worlds", times)
