"""Makes the database of the coming release, for a test that opens it in every later version.

`python -m tests.bot.files.record` prints the hashes of its positions for `tests/bot/test_file_of_last_release.py`.
The files of released versions never change; `FILE` names the coming one's.

`0.2.0-shown.db.gz` was made between releases, from the last commit that kept what is shown in a table `projections`:
the hall of `tests/bot/discord` played there with four people, the fourth of whom refused direct messages. Game 1 is
over, 2 is a rematch's lobby to which all are invited, in 3 a turn was ended, undone and ended again, and in 4 there is
an offer.
"""

from __future__ import annotations

import asyncio
import gzip
import random
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from bot.servers import ROLE, Overview
from bot.table.acts.lobby import AddComputer, Cancel, Join
from bot.table.acts.motions import Propose
from bot.table.acts.options import SetOptions
from bot.table.acts.places import VoidGame
from bot.table.acts.seats import OfferSeat, Replace
from bot.table.acts.wishes import PostWish
from bot.table.options import DECIDE, HIDDEN, LIVE, VOTE
from bot.table.parts import PACE, PAUSE
from bot.table.preferences import Look
from engine.actions import Discard, MakeOffer
from engine.game import Game
from engine.resources import hand, single
from tests.bot.playground import ANN, BOB, CEM, DOT, EVE, FAY, GUILD, NAMES, Playground

FILE = Path(__file__).with_name("0.4.0.db.gz")
HOUR, DAY = 3600.0, 86_400.0


async def fill(ground: Playground) -> None:
    """Games in each state that a table can be in, with all that people can have left standing at it."""
    rng = random.Random(2)
    await people(ground)
    await server(ground)
    over = await ground.begun(ANN, BOB, CEM, DOT, channel=1, target=5)  # 1: played to its end, and rated
    while (await ground.game(over.number)).outcome is None:
        await ground.step(over.number, rng)
    await trading(ground, rng)  # 2
    await window(ground, rng)  # 3
    waiting = await ground.lobby(ANN, BOB, channel=4)  # 4: a lobby, with all options that are no default
    await ground.act(waiting.number, ANN, SetOptions({"scenario": "islands", "variants": ("friendly-robber",)}))
    await ground.act(waiting.number, ANN, SetOptions({"look": Look(dark=True), "pause": 9, "hints": False, "leave": 3}))
    await ground.act(waiting.number, ANN, SetOptions({"pace": int(HOUR), "expiry": VOTE, "rooms": True, "web": LIVE}))
    await ground.act(waiting.number, ANN, AddComputer("easy"))
    gone = await ground.lobby(ANN, BOB, channel=5)  # 5: a lobby that was canceled
    await ground.act(gone.number, ANN, Cancel())
    await seats(ground, rng)  # 6
    paused = await ground.begun(ANN, BOB, CEM, channel=7)  # 7: paused
    for user in (ANN, BOB):
        await ground.act(paused.number, user, Propose(PAUSE))
    off = await ground.begun(ANN, BOB, CEM, channel=8)  # 8: called off
    await until(ground, off.number, rng, lambda game: game.revision > 40)
    await ground.act(off.number, CEM, VoidGame("Mod"))
    await ground.services.lobby.rematch(over.number, BOB, ground.id())  # 9: a lobby to which three are invited
    first = await ground.services.lobby.new_table(GUILD, 10, EVE, Join(NAMES[EVE]), ground.id(), learning=True)
    await ground.services.lobby.start(first.number, EVE, "closing-10", ground.id())  # 10: a first game, with bots


async def people(ground: Playground) -> None:
    """Some settings of each kind."""
    change = ground.services.people.change_settings
    await change(ANN, dms=False, choices={"look": Look(dark=True), "ask_to_end": False, "listed": False})
    await change(BOB, standing=9, choices={"building": ("city",), "reminders": "never"}, interaction=ground.id())
    large = {"look": Look(large=True), "zone": "Europe/Berlin", "quiet": (22, 7)}
    await change(CEM, dms_closed=True, choices=large)
    await change(DOT, dms=True, choices={"direct": 404, "building_offered": True})
    await change(EVE, choices={"in_words": True, "offer_pings": False, "ask_to_buy": True})


async def server(ground: Playground) -> None:
    """What those who manage the server have chosen, and a list of its games."""
    servers = ground.services.servers
    await servers.change(
        GUILD, openers=ROLE, role=7, channels=(4, 5), most_by_person=2, pause=300, forum=77, web=HIDDEN
    )
    await servers.set_overview(GUILD, None, Overview(5, 55, ground.now()))


async def trading(ground: Playground, rng: random.Random) -> None:
    """A game at a pace with an open offer, a wish, orders, a vacation, and another pace that is proposed."""
    table = await ground.lobby(ANN, BOB, CEM, DOT, channel=2)
    await ground.act(table.number, ANN, SetOptions({"pace": int(DAY), "expiry": DECIDE}))
    await ground.services.lobby.start(table.number, ANN, "closing-2", ground.id())
    number = table.number

    def trades(game: Game) -> bool:
        [seat, *_] = game.to_act
        return MakeOffer in game.options(seat) and game.revision > 30

    await until(ground, number, rng, trades)
    table, game = await ground.table(number), await ground.game(number)
    [seat] = game.to_act
    held = game.view(seat).players[seat].hand
    assert held is not None
    give = max(range(5), key=held.__getitem__)
    others = tuple(other for other in range(4) if other != seat)
    await ground.play(number, table.user_at(game, seat), MakeOffer(single(give), single((give + 1) % 5), others))
    waiting = [user for user in table.users if user != table.user_at(game, seat)]
    orders = ground.services.orders
    await orders.give(number, waiting[0], roll=True, end=True, keep=(0, 3), never=(1,), refused=(waiting[1],), least=2)
    await orders.give(number, waiting[0], few=3)
    await ground.services.games.act(
        number, waiting[1], PostWish(hand((0, 0, 2, 0, 0)), hand((1, 0, 0, 0, 0))), ground.id()
    )
    await ground.act(number, waiting[1], Propose(PACE, pace=int(HOUR), expiry=VOTE))
    await ground.services.absence.leave(DOT, ground.now() + DAY, ground.now() + 3 * DAY)


async def window(ground: Playground, rng: random.Random) -> None:
    """A game in a window for knights, with a deadline (L8)."""
    table = await ground.lobby(ANN, BOB, CEM, DOT, channel=3)
    changes = {"variants": ("knight-interrupt",), "answer_time": 300, "target": 20}
    await ground.act(table.number, ANN, SetOptions(changes))
    await ground.services.lobby.start(table.number, ANN, "closing-3", ground.id())
    await until(ground, table.number, rng, lambda game: game.view(None).step.kind == "interrupt")


async def seats(ground: Playground, rng: random.Random) -> None:
    """A game of six in which a discard is owed, a bot plays for a player, and another seat is offered."""
    table = await ground.lobby(ANN, BOB, CEM, DOT, channel=6)
    await ground.act(table.number, ANN, SetOptions({"scenario": "extension"}))
    await ground.act(table.number, EVE, Join(NAMES[EVE]))
    await ground.services.lobby.start(table.number, ANN, "closing-6", ground.id())

    def owed(game: Game) -> bool:
        return any(Discard in game.options(seat) for seat in game.to_act)

    await until(ground, table.number, rng, owed)
    await ground.act(table.number, EVE, Replace(EVE))
    await ground.act(table.number, DOT, OfferSeat(FAY))


async def until(ground: Playground, number: int, rng: random.Random, found: Callable[[Game], bool]) -> None:
    """Play on until something is so."""
    while not found(await ground.game(number)):
        await ground.step(number, rng)


async def main() -> None:
    """Make the file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.db"
        ground = Playground(path)
        await ground.open()
        try:
            await fill(ground)
            for number in await ground.store.numbers():
                table = await ground.table(number)
                said = (await ground.game(number)).hash() if table.entropy else table.status
                print(f'    {number}: "{said}",  # {table.status}')
        finally:
            await ground.close()
        with closing(sqlite3.connect(path)) as sql:
            sql.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            sql.execute("VACUUM")
        FILE.write_bytes(gzip.compress(path.read_bytes(), mtime=0))


if __name__ == "__main__":
    asyncio.run(main())
