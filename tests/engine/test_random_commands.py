"""Random commands, legal and not, as the JSON of records: each is carried out or refused in a sentence, or isn't a
record at all. Nothing else is ever raised, and what is refused changes nothing that anyone can see."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from engine.actions import Action
from engine.errors import MalformedInput
from engine.game import Game
from engine.record import REFEREE, Record
from engine.scenarios import SCENARIOS
from tests.engine.invariants import check_cards, check_points
from tests.engine.randomly import allowed, attempt, chance, random_action, random_config, trace, wild_action

COMMANDS = 1_000_000
BATCHES = 10
TABLES = [(s.id, players) for s in SCENARIOS.values() for players in s.players]
SHARE = -(-COMMANDS // (BATCHES * len(TABLES)))
"""Commands of a batch."""
AT_ONCE = 8
"""Commands in one position before the game goes on."""

Command = dict[str, Any]
"""A record's JSON: {"n": 7, "by": 2, "do": ["build_road", 12]}."""

NUMBERS = (
    *range(-3, 12),
    54,
    72,
    99,
    100,
    10**9,
    2**31 - 1,
    2**31,
    -(2**31),
    -(2**31) - 1,
    2**64,
    -(10**30),
    1 << 4000,
)
HANDS = ([1, 0, 0, 0], [1] * 6, [0] * 5, [-1, 2, 0, 0, 0], [1, 0, 0, 0, 2**31], [True, 0, 0, 0, 0], ["1", 0, 0, 0, 0])
OTHERS: tuple[object, ...] = (
    None,
    True,
    False,
    "",
    "1",
    "roll",
    0.0,
    1.0,
    float("nan"),
    {},
    {"at": 1},
    [],
    [1],
    [[1]],
    [None],
    [1] * 500,
)


class Sender:
    """Sends random commands to games and checks what becomes of each. `counts`: how many were refused, and so on."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.counts = Counter[str]()
        self.earlier: list[Command] = []
        """What was sent before: stale in the same game, foreign in the next."""

    def send(self, game: Game, times: int) -> None:
        """Send this many commands to copies of the game; to one copy until it carries one out."""
        before, twin = shown(game), game.copy()
        for _ in range(times):
            command = self.command(game)
            became = self.answer(twin, command)
            self.counts[became] += 1
            if became == "carried out":
                twin = game.copy()
            else:
                assert shown(twin) == before, command

    def answer(self, game: Game, command: Command) -> str:
        """Give a game a command and check the answer. Returns what it was, in a word."""
        try:
            record = Record.from_json(command)
        except MalformedInput:
            return "malformed"
        seat, action, revision = record.actor, record.action, game.revision
        if action is None:  # only the deal has none
            return "malformed"
        if self.rng.random() < 0.5 and 0 <= seat < game.config.players:
            game.options(seat)  # play takes the domain from these, or makes just the one that it needs
        possible = seat == REFEREE or allowed(game.copy(), seat, action)
        refused = attempt(game, seat, action)
        if refused is not None:
            assert not possible or seat == REFEREE or refused.code == "trade-gone", (command, refused)
            assert str(refused).endswith("."), (command, refused)
            return "refused"
        assert possible, command
        assert game.revision == revision + 1
        last = game.records[-1]
        assert Record.from_json(json.loads(json.dumps(last.to_json()))) == last
        check_cards(game)
        check_points(game)
        return "carried out"

    def command(self, game: Game) -> Command:
        """A legal command, any other, or an earlier one. Half of the time something in it is spoiled then."""
        rng = self.rng
        if self.earlier and rng.random() < 0.25:
            text = json.dumps(rng.choice(self.earlier))
        else:
            seat, action = random_action(game, rng) if game.to_act and rng.random() < 0.4 else self.close(game)
            text = json.dumps({"n": game.revision, "by": seat, "do": action.to_json()})
        command: Command = json.loads(text)
        if len(self.earlier) < 500:
            self.earlier.append(json.loads(text))
        else:
            self.earlier[rng.randrange(500)] = json.loads(text)
        if rng.random() < 0.5:
            rng.choice(SPOILING)(command, rng)
        return command

    def close(self, game: Game) -> tuple[int, Action]:
        """Any action of any seat; in half of the positions, one that its step knows, of a seat that is awaited."""
        seat, action = wild_action(game, self.rng)
        if game.to_act and self.rng.random() < 0.5:
            seat, known = self.rng.choice(game.to_act), game.rules.moves[type(game.state.agenda[-1])]
            while type(action) not in known:
                _, action = wild_action(game, self.rng)
        return seat, action


def by_another(command: Command, rng: random.Random) -> None:
    command["by"] = rng.choice((*range(-2, 9), *NUMBERS, *OTHERS))


def other_number(command: Command, rng: random.Random) -> None:
    do = command["do"]
    for at, value in enumerate(do):
        if isinstance(value, list) and value:
            value[rng.randrange(len(value))] = rng.choice(NUMBERS)
        elif at:
            do[at] = rng.choice((*NUMBERS, rng.randrange(200)))


def other_value(command: Command, rng: random.Random) -> None:
    do = command["do"]
    do[rng.randrange(len(do))] = rng.choice((*OTHERS, *HANDS))


def other_name(command: Command, rng: random.Random) -> None:
    command["do"][0] = rng.choice(("", "Roll", "roll ", "deal", "end_turn", "undo", "x" * 5000, *OTHERS))


def value_less(command: Command, rng: random.Random) -> None:
    command["do"].pop(rng.randrange(len(command["do"])))


def value_more(command: Command, rng: random.Random) -> None:
    command["do"].insert(rng.randint(0, len(command["do"])), rng.choice((*OTHERS, *NUMBERS)))


def part_less(command: Command, rng: random.Random) -> None:
    del command[rng.choice(list(command))]


def part_more(command: Command, rng: random.Random) -> None:
    command[rng.choice(("to", "", "draws", "hash"))] = rng.choice((*OTHERS, *NUMBERS, [["dice", 0, 6, 5]], [["dice"]]))


def other_part(command: Command, rng: random.Random) -> None:
    command[rng.choice(list(command))] = rng.choice((*OTHERS, *NUMBERS, *HANDS))


SPOILING: tuple[Callable[[Command, random.Random], None], ...] = (
    *(by_another, other_number, other_value, other_name, value_less, value_more, part_less, part_more, other_part),
)
"""Ways to spoil a command: some value of it is another one, missing, or one too many."""


def shown(game: Game) -> tuple[object, ...]:
    """All that a refusal leaves as it was: the position, and what each seat and an onlooker can see."""
    seats = range(game.config.players)
    return trace(game), [game.view(seat) for seat in (None, *seats)], [list(game.options(seat)) for seat in seats]


def games(scenario: str, players: int, rng: random.Random) -> Iterator[Game]:
    """Random games of a scenario with any alternate rules, without end."""
    while True:
        rounds, seed = rng.choice((0, 15)), rng.getrandbits(60)
        yield Game.new(random_config(rng, (scenario,), (4, 7, 10), rounds, 0.3, players), chance(seed))


def send_all(scenario: str, players: int, seed: int, commands: int) -> Counter[str]:
    """Send random commands to random games of a scenario. Returns how many were carried out, refused or malformed."""
    rng = random.Random(seed)
    sender, deals = Sender(rng), games(scenario, players, rng)
    game = next(deals)
    while left := commands - sender.counts.total():
        sender.send(game, min(AT_ONCE, left))
        game = game if game.to_act else next(deals)
        for _ in range(5):
            if game.to_act:
                attempt(game, *random_action(game, rng))
    return sender.counts


@pytest.mark.parametrize(("scenario", "players"), TABLES)
def test_a_sample_of_random_commands_is_carried_out_or_refused(scenario: str, players: int) -> None:
    assert len(send_all(scenario, players, seed=0, commands=150)) == 3


@pytest.mark.soak
@pytest.mark.parametrize("batch", range(1, BATCHES + 1))
@pytest.mark.parametrize(("scenario", "players"), TABLES)
def test_a_million_random_commands_are_carried_out_or_refused(
    scenario: str, players: int, batch: int, record_property: Callable[[str, object], None]
) -> None:
    counts = send_all(scenario, players, batch, SHARE)
    record_property("random commands", counts.total())
    for became, number in counts.items():
        record_property(f"commands {became}", number)
