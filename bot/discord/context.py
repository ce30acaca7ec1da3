"""What all features share: the services, publishing, and the interactions being answered."""

from __future__ import annotations

from collections.abc import Callable

import discord
from cachetools import TTLCache

from bot.discord.advice import Adviser
from bot.discord.coach import Coach
from bot.discord.ephemeral import EphemeralMessages
from bot.discord.fair import FairTurns
from bot.discord.greetings import Greetings
from bot.discord.in_flight import InFlight
from bot.discord.reviews import Reviews
from bot.discord.show.display import Display
from bot.discord.show.overviews import Overviews
from bot.discord.show.pictures import Pictures
from bot.discord.show.publisher import Publisher
from bot.discord.show.readers import all_see
from bot.discord.show.recent import now, recent
from bot.discord.show.replays import Replays
from bot.screens.controls import Values
from bot.screens.drafts import Draft
from bot.screens.people import Policy
from bot.service import Services
from bot.store.base import CALL_JOB
from bot.table.table import Table
from bot.tasks import Once
from bot.workers import Worker

UNSURE = 1.0
"""Seconds by which the comparison of two times can be wrong: Discord gives its own in whole seconds."""
DRAFTED = 900.0
"""Seconds for which an offer that is being put together is remembered; its custom ids hold it, too."""
TOLD, FEW = 100, 20
"""How many stories and checks are kept, and how many exports."""
AGAIN = 60.0
"""Seconds after which a person's data are read again."""
SHOWN = 60.0
"""Seconds for which the same page of the leaderboard isn't shown to everyone again, and a game isn't moved again."""
REFUSED = 900.0
"""Seconds for which a refused form can be opened again as it was filled in."""


class AppContext:
    """Harbormaster's parts, put together."""

    def __init__(
        self,
        client: discord.Client,
        services: Services,
        worker: Worker,
        *,
        films: bool = True,
        messages: bool = True,
        policy: Policy | None = None,
        clock: Callable[[], float] = now,
    ) -> None:
        """`worker` draws; `films`: whether a game's film is posted at its end; `messages`: whether there are direct
        messages; `policy`: what the host has decided about people's data; `clock`: seconds since the epoch by
        Discord's clock."""
        self.messages = messages
        self.policy = policy or Policy()
        self.client = client
        self.clock = clock
        self.began = clock()
        """When this process began, in seconds since the epoch by Discord's clock."""
        self.services = services
        self.metrics = services.metrics
        self.pictures = Pictures(services.metrics, worker)
        self.display = Display(client, services, self.pictures, films)
        self.publisher = Publisher(self.display)
        services.timekeeper.seen_by(self.seen_from)
        services.jobs.when(CALL_JOB, self.publisher.call)
        self.overviews = Overviews(self.display)
        self.replays = Replays(self.display)
        self.ephemeral = EphemeralMessages()
        self.in_flight = InFlight()
        self.greetings = Greetings(self.display, self.in_flight)
        self.turns = FairTurns()
        self.once = Once(TOLD)
        """What takes long to tell about a game, until something happens in it that its reader can know."""
        self.exports = Once(FEW, AGAIN, now)
        """What is kept about people, by user: reading it all takes long."""
        self.adviser = Adviser(services.computers)
        self.reviews = Reviews(services.reviews)
        self.coach = Coach(client, services, self.ephemeral, self.pictures, self.publisher.showing)
        self.publisher.subscribe(self.coach.tell)
        self.shown: TTLCache[tuple[int, str], bool] = recent(SHOWN)
        """Pages of the leaderboard that were shown to everyone, by channel and page."""
        self.moved: TTLCache[int, float] = recent(SHOWN)
        """When games were moved to another channel, in seconds since the epoch."""
        self.refused: TTLCache[tuple[int, int, tuple[str, ...]], tuple[str, Values]] = recent(REFUSED)
        """What was shown (`bot.screens.forms`) and entered in a form that was refused, by user, game and form."""
        self.drafts: TTLCache[tuple[int, int], Draft] = recent(DRAFTED)
        """Offers that are being put together, by user and message with their lists. A second choice can be made before
        the first is shown; then its custom id doesn't hold the first yet."""

    def age(self, interaction: discord.Interaction) -> float:
        """Seconds since a person's interaction, by Discord's clock."""
        return self.clock() - interaction.created_at.timestamp()

    def had_by_others(self, interaction: discord.Interaction) -> bool:
        """Whether another or an earlier process might have had an interaction before this one."""
        return self.age(interaction) + UNSURE > self.services.ownership.held_for(interaction.guild_id)

    async def seen_from(self, there: Table, table: Table) -> bool:
        """Whether everyone who reads a game's channel (`there`) can see another game's channel."""
        return await all_see(self.client, there.guild, there.channel, table.channel)

    async def panel_link(self, number: int) -> str | None:
        """The link to the current panel of a game; None if it has none, or without a game (0)."""
        if not number:
            return None
        return await self.display.link(await self.services.repository.table(number))
