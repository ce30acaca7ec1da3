"""What one person can cost: 100 presses of each command and control, and what that makes others wait.

`python -m bench.presses [--presses N] [--only TEXT] [--page]`. A process serves four people over real sockets. One of
them presses each control again and again, each time as soon as the answer is there: in a lobby, in a long running game,
and in a finished one. The table says what all presses together cost: processor time of the process and those that it
starts, how much its memory grew at most, the bytes that it sent to Discord, and how many messages stay in the channel
for all to see. Then one person clicks 1,000 times at once, and another asks for their hand. `--page` prints the table
of docs/hosting.md.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import random
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.scale.usage import family_cpu, family_memory
from bench.table import Row, at_most, show
from bot.service import Services
from bot.store import open_store
from bot.table.acts.play import Play
from engine.actions import BankTrade, BuildRoad, BuildSettlement, EndTurn, MakeOffer
from engine.game import Game
from tests.bot.batch import at_once
from tests.bot.playground import choose
from tests.wire.calls import Interaction
from tests.wire.forms import set_options
from tests.wire.messages import Message
from tests.wire.openings import begun, lobby, on_turn
from tests.wire.party import Party, Person, party
from tests.wire.position import Position

SECONDS = 5.0
"""Goal: seconds of processor time for all presses of a control."""
WAIT = 2.0
"""Goal: seconds that another person waits."""
CLICKS = 1000
TURNS, MOST_TURNS = 60, 120
"""Turns after which the running game is pressed in, and turns of a longer game, which is played again."""
ALLOWED = {BankTrade, BuildRoad, BuildSettlement, MakeOffer, EndTurn}
"""What the player on turn can do there."""
LOOK = 0.05
"""Seconds between two looks at the memory."""

Press = Callable[[Party, Person], Awaitable[Any]]


@dataclass
class Cost:
    """What presses have cost."""

    cpu: float
    memory: float
    """MiB that the process and its children had more than before, at most."""
    sent: int
    """Bytes of requests, without their heads."""
    public: int
    """Messages that stay in the channel."""


def slash(path: str, **options: Any) -> Press:
    """A command."""
    return lambda table, person: person.slash(table.channel, path, check=False, **options)


def typed(path: str, option: str, **options: Any) -> Press:
    """Suggestions for an option of a command."""
    return lambda table, person: person.human.autocomplete(path, options, option, channel=table.channel)


def on_panel(label: str) -> Press:
    """A button of the game message."""

    async def press(table: Party, person: Person) -> Interaction:
        return await person.click(await table.panel(), label=label)

    return press


def below(first: Press, label: str) -> Press:
    """A button of the private answer to another press, which is made once. The button is pressed even after the answer
    has changed."""
    answers = dict[int, Message]()

    async def press(table: Party, person: Person) -> Interaction:
        if person.id not in answers:
            answers[person.id] = (await first(table, person)).messages[-1]
        return await table.done(person.human.click(answers[person.id], label, stale=True))

    return press


def in_turn(*paths: str) -> Press:
    """Several commands, one after the other."""

    async def press(table: Party, person: Person) -> None:
        for path in paths:
            await person.slash(table.channel, path, check=False)

    return press


def by_next(press: Press) -> Press:
    """The same by the player whose turn comes next, who has missed most."""

    async def by_them(table: Party, person: Person) -> Any:
        game = await table.game()
        return await press(table, await table.person((game.to_act[0] + 1) % game.config.players))

    return by_them


def scenarios(*names: str) -> Press:
    """The list of scenarios in a lobby's options, chosen in turn."""
    turn = itertools.cycle(names)

    async def press(table: Party, person: Person) -> Interaction:
        return await set_options(table, person, scenario=next(turn))

    return press


LOG = slash("game log")
LOBBY: dict[str, Press] = {
    "lobby: /board": slash("board"),
    "lobby: another scenario": scenarios("islands", "base"),
    "lobby: /game join": slash("game join", color="white"),
    "lobby: bot added and removed": in_turn("game bot add", "game bot remove"),
    "lobby: Lucky words": on_panel("Lucky words"),
}
RUNNING: dict[str, Press] = {
    "/hand": slash("hand"),
    "My hand": on_panel("My hand"),
    "/board": slash("board"),
    "/stats": slash("stats"),
    "/catchup": by_next(slash("catchup")),
    "Turn by turn": by_next(below(slash("catchup"), "Turn by turn")),
    "/hint": slash("hint"),
    "/help": slash("help"),
    "/games": slash("games"),
    "/auto": slash("auto"),
    "/settings": slash("settings"),
    "/server": slash("server"),
    "/privacy": slash("privacy"),
    "Export my data": below(slash("privacy"), "Export my data"),
    "/leaderboard": slash("leaderboard"),
    "/profile": slash("profile"),
    "/game log": LOG,
    "Older": below(LOG, "Older"),
    "/game rules": slash("game rules"),
    "/game options": slash("game options"),
    "/game verify": slash("game verify"),
    "/game pause": slash("game pause"),
    "/game end": slash("game end", how="count"),
    "/trade want": slash("trade want", get="1 ore"),
    "/trade offer": slash("trade offer", give="1 wool", get="1 ore"),
    "More": on_panel("More"),
    "Build": on_panel("Build"),
    "Offer a trade": on_panel("Offer a trade"),
    "Bank": on_panel("Bank"),
    "/end and /undo": in_turn("end", "undo"),
    "suggestions: /build road": typed("build road", "place"),
    "suggestions: /game log": typed("game log", "game"),
}
FINISHED: dict[str, Press] = {
    "finished: /board": slash("board"),
    "finished: /stats": slash("stats"),
    "finished: /game log": LOG,
    "finished: Replay": below(LOG, "Replay"),
    "finished: /game verify": slash("game verify"),
    "finished: /catchup": slash("catchup"),
    "Show everyone here": below(slash("leaderboard"), "Show everyone here"),
    "finished: my moves": below(slash("stats"), "My best and worst moves"),
    "finished: Export my data": below(slash("privacy"), "Export my data"),
    "/game new and /game cancel": in_turn("game new", "game cancel"),
    "/game learn and /game cancel": in_turn("game learn", "game cancel"),
}


def can_do_much(game: Game) -> bool:
    """Whether the player on turn can do all that is pressed, and no one else has acted in their turn."""
    if game.outcome is not None or game.turn < TURNS or len(game.to_act) > 1:
        return False
    (seat,) = game.to_act
    return set(game.options(seat)) >= ALLOWED and all(record.actor == seat for record in game.turn_records)


UNTIL: dict[str, Callable[[Game], bool]] = {
    "running": can_do_much,
    "finished": lambda game: game.outcome is not None,
}
"""When games that are played at random have come to where they are pressed in."""


async def advanced(folder: Path, until: Callable[[Game], bool]) -> Position:
    """A game of four that goes on, or has ended, as `until` says, played at random."""
    start = await begun(folder)
    for luck in itertools.count():
        file = folder / f"played-{luck}.db"
        start.laid_out(file)
        if await _played(file, until, random.Random(luck)):
            break
    return Position(start.world, {**start.files, "": file.read_bytes()})


async def _played(file: Path, until: Callable[[Game], bool], rng: random.Random) -> bool:
    """Whether the game came so far before it ended or had too many turns."""
    store = await open_store(file)
    services = Services.of(store)
    try:
        async with at_once(services):
            while not until(game := await services.repository.game(1)):
                if game.outcome is not None or game.turn > MOST_TURNS:
                    return False
                table, seat = await services.repository.table(1), rng.choice(game.to_act)
                act = Play(choose(game, seat, rng))
                await services.games.act(1, table.user_at(game, seat), act, f"past-{game.revision}")
        await services.repository.finished()
    finally:
        await store.close()
    return True


@asynccontextmanager
async def cost(table: Party) -> AsyncIterator[Cost]:
    """What the process does inside costs."""
    assert table.bot.process is not None
    pid = table.bot.process.pid
    table.wire.forget()
    before, memory, public = family_cpu(pid), family_memory(pid), len(_public(table))
    most = [memory]

    async def look() -> None:
        while True:
            await asyncio.sleep(LOOK)
            most.append(family_memory(pid))

    looking, found = asyncio.create_task(look()), Cost(0, 0, 0, 0)
    try:
        yield found
        await table.wire.settled(0.3, 60)
    finally:
        looking.cancel()
    found.cpu, found.memory = family_cpu(pid) - before, max(most) - memory
    found.sent = sum(
        len(json.dumps(request.json or "")) + sum(len(data) for _, data in request.files.values())
        for request in table.wire.requests
    )
    found.public = len(_public(table)) - public


def _public(table: Party) -> list[Message]:
    """All messages in the channel that everyone sees."""
    return [message for message in table.wire.messages(table.channel) if not message.only_for]


async def presses(table: Party, controls: dict[str, Press], count: int, only: str) -> AsyncIterator[tuple[str, Cost]]:
    """Names of controls, and what `count` presses of each cost, by the player on turn or else by the host."""
    stored = await table.read()
    person = await on_turn(table) if stored.replayed is not None and stored.game().to_act else table.people[0]
    for name, press in controls.items():
        if only not in name:
            continue
        async with cost(table) as found:
            for _ in range(count):
                await press(table, person)
        yield name, found


async def waiting(table: Party) -> float:
    """The seconds that one person's clicks make another wait."""
    ann, bob = table.people[:2]
    await bob.slash(table.channel, "hand")
    panel = await table.panel()
    await asyncio.gather(*(ann.human.click(panel, "My hand", wait=False) for _ in range(CLICKS)))
    hand = await bob.slash(table.channel, "hand")
    await table.wire.settled(1.0, 60)
    waited: float = hand.latency()["last"]
    return waited


async def measured(count: int, only: str) -> AsyncIterator[tuple[str, Cost | float]]:
    """What `count` presses of each control with `only` in its name cost, and at last how long another person waits."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for name, controls in (("lobby", LOBBY), ("running", RUNNING), ("finished", FINISHED)):
            (folder / name).mkdir()
            position = await advanced(folder / name, UNTIL[name]) if name in UNTIL else await lobby(folder / name)
            async with party(folder / name, position=position, env={"HARBORMASTER_FILMS": "yes"}) as table:
                await table.settled(within=60)
                await table.wire.settled(2.0, 60)
                async for found in presses(table, controls, count, only):
                    yield found
                if name == "running" and not only:
                    yield f"/hand during {CLICKS} clicks of another person", await waiting(table)


def _all(count: int, only: str) -> Iterator[tuple[str, Cost | float]]:
    """The same, outside of the event loop."""
    found = measured(count, only)
    with asyncio.Runner() as runner:
        while (one := runner.run(anext(found, None))) is not None:
            yield one


def _row(name: str, count: int, found: Cost | float) -> Row:
    if isinstance(found, float):
        return at_most(name, found, WAIT, "s", digits=2)
    remark = f"memory {found.memory:+,.0f} MiB, sent {found.sent / 1e6:.2f} MB, {found.public} messages stay"
    return at_most(f"{count} x {name}", found.cpu, SECONDS, "s", remark, digits=2)


def _line(name: str, found: Cost | float) -> str:
    """A line of the page's table."""
    if isinstance(found, float):
        return f"| {name} | waits {found:.2f} s | | | |"
    return f"| {name} | {found.cpu:.2f} | {max(found.memory, 0):.0f} | {found.sent / 1e6:.2f} | {found.public} |"


def main() -> None:
    """Read the arguments, and measure what they ask for."""
    parser = argparse.ArgumentParser(prog="python -m bench.presses", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--presses", type=int, default=100, metavar="N", help="presses of each control (%(default)s)")
    parser.add_argument("--only", default="", metavar="TEXT", help="only controls with this in their names")
    parser.add_argument("--page", action="store_true", help="print the table of docs/hosting.md")
    given = parser.parse_args()
    found = _all(given.presses, given.only)
    if not given.page:
        show(_row(name, given.presses, one) for name, one in found)
        return
    print(f"| {given.presses} presses of | processor s | memory MiB | sent MB | messages that stay |")
    print("|---|---|---|---|---|")
    for name, one in found:
        print(_line(name, one), flush=True)


if __name__ == "__main__":
    main()
