"""A town to attack: two servers with a table in each state that one can be in, and people of each kind."""

from __future__ import annotations

from typing import Any

from bot.servers import PAUSE as APART
from bot.table.acts.guests import KeepSeats, TakeOff
from bot.table.acts.lobby import AddComputer, Cancel, Join
from bot.table.acts.motions import Propose
from bot.table.acts.options import SetOptions
from bot.table.acts.places import CloseUnused, VoidGame
from bot.table.acts.seats import OfferSeat, Replace
from bot.table.parts import PAUSE
from bot.table.table import ARCHIVED
from engine.actions import MakeOffer
from engine.game import Game
from tests.bot.discord.hall import Hall, manager, moderator
from tests.bot.discord.moments import can_offer
from tests.bot.discord.tables import sides, stranger


class Town:
    """A hall with more channels, another server and other people."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.home = hall.guild
        self.away = hall.env.create_guild("Away")
        self.rooms = [hall.channel]
        """All channels in which games are or were; the main one, whose game is played on, comes first."""
        self.people: list[Any] = list(hall.people)
        """Members of the first server, the last of whom has left it."""
        self.others: list[Any] = []
        """Members of the second one."""
        self.quiet = hall.guild.create_text_channel("quiet")

    async def build(self) -> None:
        """Open all tables. Six people must be in the hall."""
        hall, (ann, bob, cem, dot, eve, fay) = self.hall, self.hall.people
        await self._over([ann, bob, cem])
        await self._room("lobby", [ann, bob, cem])
        number = await self._number()
        await self._act(number, ann, SetOptions({"scenario": "islands"}), AddComputer("easy"), TakeOff(cem.id))
        await self._act(number, ann, KeepSeats(((dot.id, "Dot"),)))
        await self._room("canceled", [bob, cem])
        await self._act(await self._number(), bob, Cancel())
        await self._room("paused", [ann, bob, cem], begin=True)
        for person in (ann, bob):
            await self._act(await self._number(), person, Propose(PAUSE))
        await self._room("void", [cem, dot, eve], begin=True)
        await self._act(await self._number(), cem, VoidGame("Mod"))
        await self._room("archived", [dot, eve, fay], begin=True)
        table = await hall.table()
        await self._act(table.number, dot, CloseUnused(ARCHIVED, table.updated))
        await self._room("seats", [eve, fay, ann, bob], begin=True, pace=3600)
        await self._act(await self._number(), eve, Replace(eve.id), OfferSeat(0))
        await self._act(await self._number(), fay, OfferSeat(cem.id, "Cem"))
        await self._room("building", [ann, bob, cem, dot, eve], begin=True, scenario="extension")
        await hall.advance(lambda game: game.turn > 3)
        await self._elsewhere([eve, fay])
        await self._main([ann, bob, cem, dot])
        self.people += [stranger(hall), moderator(hall), stranger(hall, "yan")]
        await manager(hall)
        del hall.env.backend.guilds[self.home.id].members[self.people[-1].id]

    async def _over(self, people: list[Any]) -> None:
        """A game that is over, with a rematch to which its players are invited."""
        await self._room("over", people, begin=True, target=3)
        await self.hall.advance(lambda game: game.outcome is not None)
        await people[0].slash(self.hall.channel, "game rematch")

    async def _elsewhere(self, people: list[Any]) -> None:
        """A game on the other server, where two are members of both."""
        env = self.hall.env
        self.others = [self.away.add_member(person.user) for person in people]
        self.others.append(self.away.add_member(env.create_user("wes", global_name="Wes")))
        await self._room("away", self.others, guild=self.away, begin=True)

    async def _main(self, people: list[Any]) -> None:
        """The game that is played on, with an offer and many kinds of decisions."""
        hall = self.hall
        hall.channel = self.rooms[0]
        await hall.begin(people, variants=("optional-robber", "knight-interrupt"), edition="1996", target=20)
        game = await hall.advance(can_offer)
        number, me = await self._number(), game.to_act[0]
        await self.play(number, game, me, MakeOffer(*sides(game, me)))

    async def play(self, number: int, game: Game, seat: int, action: Any) -> None:
        """Do an action at a table, without Discord."""
        from bot.table.acts.play import Play

        table = await self.hall.services.repository.table(number)
        await self.hall.services.games.act(number, table.user_at(game, seat), Play(action), self._id())
        await self.hall.bot.app.publisher.idle()

    async def _room(
        self, name: str, people: list[Any], *, guild: Any = None, begin: bool = False, **options: Any
    ) -> None:
        """A channel with a table of these people."""
        hall = self.hall
        hall.channel = (guild or self.home).create_text_channel(name)
        self.rooms.append(hall.channel)
        await hall.env.advance_time(APART)
        await hall.lobby(people[:1])
        if options:
            await hall.options(**options)
        for person in people[1:]:
            await self._act(await self._number(), person, Join(person.name.title()))
        if begin:
            await people[0].click(await hall.panel(), label="Start")

    async def _number(self) -> int:
        return (await self.hall.table()).number

    async def _act(self, number: int, person: Any, *acts: Any) -> None:
        for act in acts:
            await self.hall.services.games.act(number, person.id, act, self._id())
        await self.hall.bot.app.publisher.idle()

    def _id(self) -> str:
        return str(self.hall.env.backend.snowflake())
