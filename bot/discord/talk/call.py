"""One interaction on its way: who asks for what, acknowledged in time, answered once, always for their eyes only."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from itertools import chain, repeat
from typing import Any

import discord

from bot.discord.context import AppContext
from bot.discord.ids import MODAL, Address
from bot.discord.show import channels, signs
from bot.discord.show.messages import files_of, layout_of, parts_of
from bot.discord.show.uploads import Part
from bot.discord.talk.modals import modal_of
from bot.screens.controls import Button, Form, Link, Reply
from bot.screens.viewer import Viewer
from bot.service.games import Done
from bot.table.act import Act
from bot.table.preferences import Look
from bot.words.language import _

log = logging.getLogger(__name__)

LATE = 3.5
"""Seconds after which Discord takes no first answer: three, and by how much its clock may be misread."""
AGAIN = (1.0, 2.0, 5.0, 10.0, 20.0)
"""Seconds until an answer that could not be sent is tried again, growing."""


class Call:
    """An interaction, its address and what was entered; `acknowledge` and `answer` know the ways of Discord.

    Answers to a click on a private message replace it; all others are new private messages.
    """

    def __init__(
        self,
        app: AppContext,
        interaction: discord.Interaction[Any],
        address: Address | None = None,
        values: dict[str, list[str]] | None = None,
    ) -> None:
        self.app = app
        self.interaction = interaction
        self.address = address or Address("", 0)
        self.values = values or {}
        self.user = interaction.user
        self.answered = False
        command = interaction.type is discord.InteractionType.application_command  # only a forged one has a message
        message = None if command else interaction.message
        self.on_private = message is not None and message.flags.ephemeral
        self.on_public = message is not None and not self.on_private
        self._thinking = False
        self._taken_over = False

    @property
    def key(self) -> str:
        """The interaction's id, unique for ever."""
        return str(self.interaction.id)

    @property
    def chosen(self) -> list[str]:
        """What was chosen in the select that was used."""
        return self.values.get("", [])

    def entered(self, field: str) -> str:
        """What was entered in a field of a modal."""
        return next(iter(self.values.get(field, [])), "")

    async def act(self, act: Act) -> Done:
        """Do something at the table for the person."""
        return await self.app.services.games.act(self.address.game, self.user.id, act, self.key)

    async def acknowledge(self) -> None:
        """Answer within the three seconds. A click does so without a new message: its token edits what was clicked."""
        if self.acknowledged:
            return
        if self.on_private or self.on_public:
            await self.interaction.response.defer()
            if self.on_public and (message := self.interaction.message) is not None:
                self.app.display.clicked(message.id, self.interaction)
        else:
            self._thinking = True
            await self.interaction.response.defer(ephemeral=True, thinking=True)
        self._acknowledged("action")
        self.app.publisher.recovered()

    @property
    def acknowledged(self) -> bool:
        """Whether Discord has had its first answer, from this process or the one before."""
        return self._taken_over or self.interaction.response.is_done()

    @property
    def late(self) -> bool:
        """Whether it comes too late for a first answer, as after a restart."""
        return self.app.age(self.interaction) > LATE

    async def take_over(self, *, known: bool = False) -> bool:
        """Go on with what a process before has acknowledged; False when none has, or it has told what came of it.
        `known`: one has. Else Discord is asked only about a command of before this process: a click shows nobody that
        it is being thought about, and whoever sees nothing happen presses again."""
        clicked = self.on_private or self.on_public
        command = self.interaction.type is discord.InteractionType.application_command
        if not known and not (command and self.app.began_after(self.interaction)):
            return False
        self._taken_over, self._thinking = True, not clicked
        if known and clicked:
            return True
        try:
            said = await self.interaction.original_response()
        except discord.NotFound:  # not acknowledged, or taken away when all was done
            return False
        except channels.FAILED:
            return known
        return bool(said.flags.loading)

    async def answer(self, reply: Reply) -> None:
        """Show the reply to the person who asked; what an outage prevents is tried again while the token lives."""
        self.answered = True
        for wait in chain(AGAIN, repeat(AGAIN[-1])):
            first = not self.acknowledged  # must come within three seconds
            try:
                await self._answer(reply)
            except channels.FAILED as error:
                doubtful = isinstance(error, discord.HTTPException) and error.code == channels.BAD_TOKEN
                if first or not (doubtful or channels.is_outage(error)) or self.interaction.is_expired():
                    raise
                log.warning(
                    "interaction %s could not be answered yet: %s", self.key, str(error) or type(error).__name__
                )
                await asyncio.sleep(wait)
            else:
                self.app.publisher.recovered()
                return

    async def _answer(self, reply: Reply) -> None:
        view, parts = layout_of(reply, self.address.game), parts_of(reply)
        signs.put_in(self.app.client, view)
        silent = discord.AllowedMentions.none()
        if not self.acknowledged:
            replaced = self.on_private and await self._replace(view, parts)
            if not replaced:
                await self.interaction.response.send_message(
                    view=view, files=files_of(reply), ephemeral=True, allowed_mentions=silent
                )
            self._acknowledged("action")
            await self._opened(reply, None, same=replaced)
        elif (self._thinking or self.on_private) and await self._edit(view, parts):
            await self._opened(reply, None, same=self.on_private)
        else:
            sent = await self.interaction.followup.send(
                view=view, files=files_of(reply), ephemeral=True, allowed_mentions=silent, wait=True
            )
            self._thinking = False
            self.app.display.uploads.note(sent, parts)
            await self._opened(reply, sent.id, same=False)

    async def post(self, reply: Reply) -> None:
        """Show something to everybody in the channel, in the person's name."""
        await self.acknowledge()
        view = layout_of(reply, self.address.game)
        signs.put_in(self.app.client, view)
        await self.interaction.followup.send(view=view, allowed_mentions=discord.AllowedMentions.none())

    async def _replace(self, view: discord.ui.LayoutView, parts: Sequence[Part]) -> bool:
        """Put the first answer in the place of the private message; False when the one that was clicked is gone."""
        try:
            done = await self.interaction.response.edit_message(
                view=view, attachments=self._files(parts), allowed_mentions=discord.AllowedMentions.none()
            )
        except discord.HTTPException as error:
            if error.code not in channels.GONE:
                raise
            return False
        if done is not None and isinstance(done.resource, discord.Message):
            self.app.display.uploads.note(done.resource, parts)
        return True

    async def _edit(self, view: discord.ui.LayoutView, parts: Sequence[Part]) -> bool:
        """Fill or change the private message; False when the one that was clicked is gone, or Discord takes no new file
        in an edit (discord-api-docs #7529)."""
        try:
            edited = await self.interaction.edit_original_response(
                view=view, attachments=self._files(parts), allowed_mentions=discord.AllowedMentions.none()
            )
        except discord.HTTPException as error:
            if parts and error.code == channels.MALFORMED:
                if self._thinking:  # else the next message fills it, which would be an edit, too
                    await self.interaction.delete_original_response()
                return False
            if self._thinking or error.code not in channels.GONE:
                raise
            return False
        self.app.display.uploads.note(edited, parts)
        self._thinking = False
        return True

    def _files(self, parts: Sequence[Part]) -> list[Any]:
        """What the private message that was clicked has to be sent of these files."""
        message = self.interaction.message if self.on_private else None
        return self.app.display.uploads.files(message.id if message else 0, parts)

    async def _opened(self, reply: Reply, message: int | None, same: bool) -> None:
        """Have the new private message take the place of the one before; what commands tell stays."""
        if self.on_private or self.on_public:
            await self.app.ephemeral.opened(self._owner, self.interaction, message, same, reply.kept)

    @property
    def _owner(self) -> tuple[int, int]:
        """Whose private messages they are, and of which game."""
        return self.user.id, self.address.game

    async def close(self) -> None:
        """All is said: take away what was asked in private."""
        self.answered = True
        if self.on_private or self.on_public:
            await self.app.ephemeral.done(self._owner, self.interaction if self.on_private else None)

    async def drop(self, kind: str) -> None:
        """Take away what was being put together of a kind: nothing can come of it any more."""
        await self.app.ephemeral.done(self._owner, None, kind)

    async def say(self, text: str) -> None:
        """Answer with a text alone."""
        await self.answer(Reply(text))

    async def ask(self, form: Form, verb: str, *args: str) -> None:
        """Open a form; it must be the first answer. What is sent comes to the verb."""
        self.answered = True
        address = Address(verb, self.address.game, form.decision, args)
        await self.interaction.response.send_modal(modal_of(form, address.custom_id(MODAL)))
        self._acknowledged("form")

    def done(self) -> None:
        """Let go of what the interaction brought along: its token is used for minutes more, by whoever shows the game,
        and the message that was clicked takes more memory than a game."""
        self.interaction.message = self.interaction.data = None

    def _acknowledged(self, kind: str) -> None:
        self.app.metrics.acknowledged(kind, self.interaction.created_at)

    async def viewer(self) -> Viewer:
        """The game of the address as the person sees it."""
        repository = self.app.services.repository
        table = await repository.table(self.address.game)
        return Viewer.of(table, await repository.game(self.address.game), self.user.id)

    async def look(self) -> Look:
        """How the person wants pictures that only they see."""
        return (await self.app.services.people.settings(self.user.id)).choices.look

    async def with_panel(self, text: str) -> Reply:
        """A text with a way to the current panel, unless that was clicked, or there is none."""
        link = await self.app.panel_link(self.address.game)
        clicked = self.interaction.message
        if link is None or (clicked is not None and link.endswith(f"/{clicked.id}")):
            return Reply(text)
        return Reply(text, rows=[[Button(_("Go to the game"), Link(link))]])

    @property
    def needs_answer(self) -> bool:
        """Whether the person still sees the bot thinking."""
        return self._thinking or not self.acknowledged
