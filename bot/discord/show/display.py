"""What this process remembers for publishing: what messages show, and clicks that can edit them. Also the film of a
finished game, for people who ask: they get the way to it if it was posted, as it was at the end of earlier games."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from math import ceil

import discord
from cachetools import LRUCache, TTLCache

from bot.discord.interaction import FirstAnswer, InteractionToken, now, recent
from bot.discord.show import channels
from bot.discord.show.messages import without_pictures
from bot.discord.show.pictures import Pictures
from bot.discord.show.wanted import Content, Uploads
from bot.projections import FILM, PANEL, Name, Place, is_unseen
from bot.screens.controls import Picture
from bot.screens.history import TurnMemory
from bot.screens.viewer import Viewer
from bot.service import Services
from bot.table.table import OVER, Table
from bot.tasks import Locks, Outdated
from engine.errors import RefereeError

log = logging.getLogger(__name__)

TOKEN_LASTS = 14.5 * 60
"""Seconds for which an interaction's token is used; Discord takes it for 15 minutes."""


FILM_KEPT, MOST_FILMS = 3600.0, 8
"""Seconds for which a film that can't be sent is kept, and how many such films are."""
MOST_GAMES = 5000
"""Games that are remembered."""


@dataclass(slots=True)
class _GameMemory:
    """What is known about a game's messages."""

    posted: int = 0
    """The message that has the buttons now."""
    doubt: object | None = None
    """The latest doubt whether the panel is as it was sent."""
    guild: int | None = -1
    """The game's server; None: direct messages; -1: not looked up yet."""
    digests: dict[Name, int] = field(default_factory=dict)
    """Digest of what each message shows, by the message's name."""


@contextmanager
def suppress_malformed() -> Iterator[None]:
    """Ignore that Discord refuses a request as malformed."""
    try:
        yield
    except discord.HTTPException as error:
        if error.code != channels.MALFORMED:
            raise


class Display:
    """The client to send with, the services, and what was sent. Nothing here needs to outlive the process."""

    def __init__(
        self,
        client: discord.Client,
        services: Services,
        pictures: Pictures,
        films: bool,
        clock: Callable[[], float] = now,
    ) -> None:
        """`clock`: seconds since the epoch by Discord's clock."""
        self.client = client
        self.clock = clock
        self.services = services
        self.pictures = pictures
        self.films = films
        self.metrics = services.metrics
        self.turns = TurnMemory()
        services.repository.watch(self.turns.remember)
        self.uploads = Uploads()
        self.drawn: TTLCache[int, Picture] = TTLCache(MOST_FILMS, FILM_KEPT, timer=now)
        """Films that could not be sent yet, by game: drawing one takes seconds."""
        self.inviting = Locks()
        """By server; locked while a table there perhaps calls people by an invitation."""
        self._clicks: TTLCache[int, InteractionToken] = recent(TOKEN_LASTS)
        self._open: list[FirstAnswer] = []
        """First answers to clicks on public messages that aren't given yet, as far as is known."""
        self._known: LRUCache[int, _GameMemory] = LRUCache(MOST_GAMES)

    def _of(self, number: int) -> _GameMemory:
        """What is known about a game. The games used longest ago are forgotten, which costs an edit."""
        if (memory := self._known.get(number)) is None:
            memory = self._known[number] = _GameMemory()
        return memory

    # --- edits: as the answer to a click, or by a click's token, they are free, as they don't count toward
    # Harbormaster's 50 requests a second

    @contextmanager
    def answering(self, click: FirstAnswer) -> Iterator[None]:
        """Let an edit of a clicked public message be the first answer to the click, while nothing else is."""
        self._open.append(click)
        try:
            yield
        finally:
            self._open.remove(click)

    def clicked(self, message: int, click: InteractionToken) -> None:
        """Remember the latest click on a public message that was answered so that its token can edit the message."""
        self._clicks[message] = click

    def _clicks_on(self, message: int) -> Iterator[FirstAnswer | InteractionToken]:
        """The clicks that can edit a message, best first."""
        yield from [click for click in self._open if click.message == message and click.open][:1]
        if token := self._clicks.get(message):
            yield token

    async def edit(
        self, channel: int, message: int, content: Content, *, named: Collection[int] = (), closing: bool = False
    ) -> bool:
        """Edit a message, which then has only the files of `content`. False if it is gone or can no longer be edited.

        That can also be because Discord takes no new file in an edit (discord-api-docs #7529). A message shown for the
        last time (`closing`) is then shown without pictures.
        """
        if content.view is not None:
            channels.make_ready(self.client, content.view)
        try:
            return await self._edit(channel, message, content, named)
        except discord.HTTPException as error:
            if not content.parts or content.view is None or channels.is_about_emoji(error):
                raise
            if channels.is_about_files(error):
                return await self._edit(channel, message, channels.without_files(content), named)
            if error.code != channels.MALFORMED:
                raise
        if self.uploads.forget(message):
            with suppress_malformed():  # someone might have removed the files that it had
                return await self._edit(channel, message, content, named)
        log.warning("Discord takes no new file in an edit of a message")
        if closing:
            return await self._edit(channel, message, Content(without_pictures(content.view)), named)
        return False

    async def post(
        self,
        channel: int,
        table: Table,
        name: str,
        since: int,
        content: Content,
        *,
        pings: Collection[int] = (),
        loud: bool = False,
    ) -> int:
        """Post a message once, without its files if Discord refuses those. See `channels.post`. Returns its id."""
        ours = partial(self.is_ours, table.number)
        post = partial(channels.post, self.client, channel, table, name, since, pings=pings, loud=loud, ours=ours)
        try:
            sent = await post(content)
        except discord.HTTPException as error:
            if not content.parts or content.view is None or not channels.is_about_files(error):
                raise
            sent = await post(channels.without_files(content))
        self.uploads.note(sent, content.parts)
        return sent.id

    async def _edit(self, channel: int, message: int, content: Content, named: Collection[int]) -> bool:
        edited: discord.Message | None = None
        for click in self._clicks_on(message) if content.view is not None else ():
            attachments = self.uploads.files(message, content.parts)
            try:
                edited = await click.edit(
                    view=content.view, attachments=attachments, allowed_mentions=channels.mentions(named)
                )
                break
            except channels.FAILED as error:
                lost = isinstance(click, FirstAnswer) and content.parts and not channels.is_about_emoji(error)
                malformed = getattr(error, "code", None) == channels.MALFORMED
                if channels.is_about_files(error) or (malformed and not lost):
                    raise  # a direct edit would be refused as well
                log.info("a message could not be edited by a click on it: %s", str(error) or type(error).__name__)
                if self._clicks.get(message) is click:
                    del self._clicks[message]
        if edited is None:
            files = partial(self.uploads.files, message, content.parts)
            edited = await channels.edit(self.client, channel, message, content, files, named)
        if edited is not None:
            self.uploads.note(edited, content.parts)
        return edited is not None

    # --- which process owns a game

    async def guild_of(self, number: int) -> int | None:
        """The server of a game; None: the game is in direct messages. Code: "no-table"."""
        memory = self._of(number)
        if memory.guild == -1:
            memory.guild = (await self.services.repository.table(number)).guild
        return memory.guild

    def is_ours(self, number: int) -> bool:
        """Whether this process owns a game, as far as is known."""
        memory = self._known.get(number)
        return memory is None or memory.guild == -1 or self.services.ownership.owns(memory.guild)

    # --- what a message shows: the same is not sent twice

    def shows(self, number: int, name: Name, digest: int) -> bool:
        """Whether a message already shows content with this digest."""
        return self._of(number).digests.get(name) == digest

    def note(self, number: int, name: Name, digest: int) -> None:
        """Remember the digest of what a message shows."""
        self._of(number).digests[name] = digest

    def forget(self, number: int, name: Name) -> None:
        """Forget what a message shows: it is gone, or its content is unknown."""
        self._of(number).digests.pop(name, None)

    def forget_everything(self) -> None:
        """Forget what all messages show, and their files: another process might have changed them."""
        for memory in self._known.values():
            memory.digests.clear()
        self.uploads.forget_everything()

    # --- the public message with buttons

    def posted(self, number: int, message: int) -> None:
        """Remember which message of a game has the buttons now."""
        self._of(number).posted = message

    def is_posted(self, number: int, message: int) -> bool:
        """Whether it is the message that has the buttons now."""
        return self._of(number).posted == message

    def doubt(self, number: int) -> None:
        """Have the panel sent again, due or not, because it might be gone or garbled."""
        memory = self._of(number)
        memory.doubt = object()
        memory.digests.clear()

    def doubt_of(self, number: int) -> object | None:
        """The latest doubt because of which the panel must be sent again; None: there is none."""
        return self._of(number).doubt

    def trust(self, number: int, doubt: object | None) -> None:
        """Remember that the panel has been sent since this doubt. A later one stays."""
        memory = self._of(number)
        if memory.doubt is doubt:
            memory.doubt = None

    # --- where things are

    async def link(self, table: Table) -> str | None:
        """The link to the current panel of a game; None if it has none."""
        panel = (await self.services.projections.visible(table.number)).get(PANEL)
        return None if panel is None or panel.posted is None else link_to(table, panel.posted)


def link_to(table: Table, place: Place) -> str:
    """The link to a message about a game."""
    return f"https://discord.com/channels/{table.guild or '@me'}/{place.channel}/{place.message}"


KNOWN_TO_BE_THERE = 600.0
"""Seconds for which a message that was there isn't looked for again."""
FILMS_APART = 60.0
"""Least seconds between two films that this process draws because someone asks: each takes a core for seconds."""
SHOWN_KEPT, MOST_SHOWN = 3600.0, 4
"""Seconds for which a film that was drawn for someone is kept, and how many are."""


class Films:
    """Finds films, and draws one that no message has."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._there: TTLCache[int, bool] = recent(KNOWN_TO_BE_THERE)
        self._drawn: TTLCache[int, Picture] = TTLCache(MOST_SHOWN, SHOWN_KEPT, timer=now)
        self._next = 0.0

    async def of(self, table: Table) -> str | Picture:
        """The link to the message with a game's film, or the film itself. Code: "no-replay"."""
        if not self._display.films:
            raise RefereeError("no-replay")
        if table.status != OVER:
            raise RefereeError("no-replay/running")
        projections = await self._display.services.projections.visible(table.number)
        film = projections.get(FILM)
        if film is not None and film.pending and not is_unseen(projections):
            raise RefereeError("no-replay/restart" if self._display.pictures.outdated else "no-replay/soon")
        if film is not None and film.posted is not None and await self._is_there(film.posted):
            return link_to(table, film.posted)
        return self._drawn.get(table.number) or await self._draw(table)

    async def _is_there(self, film: Place) -> bool:
        """Whether a film's message still exists, as far as Discord says."""
        if film.message in self._there:
            return True
        place = channels.channel_of(self._display.client, film.channel)
        try:
            await place.fetch_message(film.message)
        except channels.FAILED as error:
            if getattr(error, "code", None) in channels.GONE:
                return False
        self._there[film.message] = True
        return True

    async def _draw(self, table: Table) -> Picture:
        if now() < self._next:
            raise RefereeError("no-replay/wait", when=f"<t:{ceil(self._next)}:R>")
        self._next = now() + FILMS_APART
        public = Viewer(table, await self._display.services.repository.game(table.number))
        try:
            picture = self._drawn[table.number] = await self._display.pictures.film(public)
        except Outdated:
            raise RefereeError("no-replay/restart") from None
        return picture
