"""More leaks to plant: into the log and the metrics, into files and pages, and by the time when something happens."""

from __future__ import annotations

import logging
from hashlib import sha256
from typing import Any

from tests.sim.planted.planting import planted
from tests.sim.secrets.canaries import FAIR, SECRET, TO_ITS_OWNER
from tests.sim.secrets.marks import everywhere, put
from tests.sim.secrets.times import TIMES
from tests.sim.secrets.twins import SAME

log = logging.getLogger("bot.leaks")

# --- seeds, tokens, the log


@planted("the seed of a new table is logged", SECRET)
def seed_in_the_log() -> None:
    from bot.store.sql.store import Store

    add = Store.add_table

    async def logged(self: Any, table: Any, seed: bytes, *rest: Any) -> Any:
        log.debug("a table with seed %s", seed.hex())
        return await add(self, table, seed, *rest)

    put(Store, add_table=logged)


@planted("a metric counts refusals by seed", SECRET)
def seed_in_a_metric() -> None:
    from bot.service.repository import GameRepository

    add = GameRepository.add

    async def counted(self: Any, table: Any, seed: bytes, *rest: Any) -> Any:
        self._metrics.refusals.labels(seed.hex()[:64]).inc()
        return await add(self, table, seed, *rest)

    put(GameRepository, add=counted)


@planted("an interaction's token is logged with an error", SECRET)
def token_in_an_error() -> None:
    from bot.discord.talk import dispatch

    refused = dispatch._refused

    async def logged(call: Any, message: str) -> Any:
        log.info("refused %s: %s", call.interaction.token, call.key)
        return await refused(call, message)

    dispatch._refused = logged


@planted("a bought development card is logged", SECRET)
def card_in_the_log() -> None:
    from bot.service.games import GameService

    tell = GameService._tell

    def told(self: Any, before: Any, old: Any, outcome: Any, *rest: Any) -> None:
        for event in outcome.events:
            if event.name == "card_bought":
                log.debug("seat %s bought card %s", event.seat, event.card.value)
        tell(self, before, old, outcome, *rest)

    put(GameService, _tell=told)


@planted("what a bot thinks is logged", SECRET)
def thoughts() -> None:
    from bot.service.computers import Computers

    decide = Computers.decide

    async def aloud(self: Any, number: int, level: str, view: Any) -> Any:
        log.debug("game %d: a bot holds %s", number, view.players[view.seat].hand)
        return await decide(self, number, level, view)

    put(Computers, decide=aloud)


@planted("what a person typed is logged when it is refused", SECRET, TO_ITS_OWNER)
def typed_in_the_log() -> None:
    from bot.discord.talk import dispatch

    refused = dispatch._refused

    async def logged(call: Any, message: str) -> Any:
        log.info("refused: %s", message)
        return await refused(call, message)

    dispatch._refused = logged


@planted("the commitment that is posted is not that of the seed", FAIR)
def another_commitment() -> None:
    from bot.discord.show import lobby

    promise: Any = vars(lobby)["promise"]

    def another(text: str) -> str:
        found: str = promise(sha256(text.encode()).hexdigest())
        return found

    everywhere(promise, another)


# --- when something happens


@planted("the autopilot takes longer the more knights are unplayed", TIMES)
def slow_with_knights() -> None:
    from bot.service.orders import OrderService
    from engine.resources import KNIGHT

    jobs = OrderService.jobs

    def slow(self: Any, table: Any, game: Any, *rest: Any) -> Any:
        found = jobs(self, table, game, *rest)
        knights = sum(cards[KNIGHT] for cards in game.state.development_cards)
        return {name: at and at + 5 * knights for name, at in found.items()}

    put(OrderService, jobs=slow)


@planted("the game message waits while someone looks at their hand", TIMES)
def late_after_a_look() -> None:
    import asyncio

    from bot.discord.show import private
    from bot.discord.show.display import Display

    reply, edit = private.hand_reply, Display.edit
    looked = [-1e9]

    async def noted(display: Any, *values: Any, **how: Any) -> Any:
        if how.get("asked", True):
            looked[0] = display.services.now()
        return await reply(display, *values, **how)

    async def late(self: Any, *values: Any, **how: Any) -> Any:
        if self.services.now() - looked[0] < 120.0:
            await asyncio.sleep(1.0)
        return await edit(self, *values, **how)

    everywhere(reply, noted)
    put(Display, edit=late)


# --- files and pages


@planted("a running game can be exported with its seed", SECRET)
def export_of_a_running_game() -> None:
    from bot.discord.features import history
    from bot.discord.show.pictures import Pictures
    from bot.export import Player, export
    from bot.screens.controls import Download
    from bot.service.games import GameService

    async def exported(self: Any, number: int) -> Any:
        table, game = await self._repository.table(number), await self._repository.game(number)
        players = [Player(member.name, member.color) for member in table.members]
        return export(game, str(number), await self._store.seed(number), table.entropy, players)

    async def no_page(self: Any, viewer: Any, *rest: Any) -> Download:  # which refuses a game that isn't over
        return Download(b"", "game.html")

    put(GameService, export=exported)
    put(Pictures, page=no_page)
    everywhere(vars(history)["promised"], lambda text: "")


@planted("the page of a running game has open hands", SAME)
def page_of_a_running_game() -> None:
    from engine.log.moments import Reading

    put(Reading, over=property(lambda self: True))
