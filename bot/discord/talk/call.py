"""One interaction: who asks for what. It gets a first answer in time, and at most one private answer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from typing import Any

import discord

from bot.discord.context import AppContext
from bot.discord.interaction import ANSWERED, MODAL, Address, AnswerStatus, FirstAnswer, InteractionToken
from bot.discord.show import absent, channels, messages, permissions
from bot.discord.show.channels import Backoff
from bot.discord.show.messages import files_of, layout_of, parts_of
from bot.discord.show.readers import Readers
from bot.discord.show.wanted import Part
from bot.discord.talk.door import modal_of
from bot.screens.controls import Button, Form, Link, Open, Reply, Style, Values
from bot.screens.forms import code, filled, merged
from bot.screens.viewer import Viewer
from bot.service.games import Done
from bot.table.act import Act
from bot.table.preferences import Look
from bot.table.table import Table
from bot.words.language import _
from engine.errors import RefereeError

log = logging.getLogger(__name__)

IN_TIME = 3.5
"""Seconds after which Discord takes no first answer: three, plus the error in reading its clock."""
SOON = 2.0
"""Seconds after which there is no time for another acknowledgment."""
EDITABLE = (discord.InteractionResponseType.deferred_message_update, discord.InteractionResponseType.message_update)
"""First answers to a click after which its token can edit the clicked message."""
ANSWER_AGAIN = Backoff((1.0, 2.0, 5.0, 10.0, 20.0))
"""Waits before each new attempt to send an answer."""


class Call:
    """An interaction with its address and the entered values. `acknowledge` and `answer` follow Discord's rules.

    The answer to a click on a private message replaces that message. All other answers are new private messages. What
    is ready soon enough is the first answer; otherwise that is an acknowledgment, after which all goes by the token.
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
        self.on_private = message is not None and message.flags.value > 0 and message.flags.ephemeral  # -1 has all
        self.on_public = message is not None and not self.on_private
        self.again: tuple[str, Values] | None = None
        """What a form that is opened again had shown (`bot.screens.forms`), and what was entered in it."""
        self.first = FirstAnswer(interaction, self._given)
        self._thinking = False

    @property
    def key(self) -> str:
        """The interaction's id, unique forever."""
        return str(self.interaction.id)

    @property
    def chosen(self) -> list[str]:
        """The values chosen in the select that was used."""
        return self.values.get("", [])

    def entered(self, field: str) -> str:
        """The text entered in a field of a modal; empty if there is none."""
        return next(iter(self.values.get(field, [])), "")

    async def act(self, act: Act) -> Done:
        """Do an act at the table for the person."""
        do, number = self.app.services.games.act, self.address.game
        return await absent.as_host(self.app.display, self.interaction, number, do, act, self.key)

    def manages(self, table: Table) -> bool:
        """Whether the person can manage the table's channel or server, by what Discord sent with this interaction."""
        return permissions.managed_channel(self.interaction) == table.channel

    async def acknowledge(self) -> bool:
        """See that Discord has its first answer; if that fails and there is still time, try again. False if an earlier
        process has given it, and the rest, too. Raises the error if it can't be given."""
        again = False
        while await self.first.settled() is not AnswerStatus.GIVEN:
            try:
                await self.first.give(self._defer)
            except channels.FAILED as error:
                if getattr(error, "code", None) == ANSWERED:
                    return await self.take_over(known=True)
                if again or self.first.status is AnswerStatus.TOO_LATE or self.app.age(self.interaction) > SOON:
                    raise
                again = True
        return True

    async def hurry(self, status: AnswerStatus) -> None:
        """Acknowledge the interaction now if its first answer is in this status, whatever comes of it."""
        if self.first.status is status:
            with suppress(*channels.FAILED):
                await self.first.give(self._defer)

    async def _defer(self) -> None:
        """Acknowledge the interaction. For a click that is no new message: its token then edits the clicked one."""
        if self.clicked:
            await self.interaction.response.defer()
        else:
            await self.interaction.response.defer(ephemeral=True, thinking=True)
            self._thinking = True

    def _given(self) -> None:
        message, kind = self.interaction.message, self.interaction.response.type
        if self.on_public and message is not None and kind in EDITABLE:
            self.app.display.clicked(message.id, InteractionToken.of(self.interaction))
        form = kind is discord.InteractionResponseType.modal
        self.app.metrics.acknowledged("form" if form else "action", self.interaction.created_at)
        self.app.publisher.recovered()

    @property
    def clicked(self) -> bool:
        """Whether it comes from a message: by a click, a choice, or a form that was opened there."""
        return self.on_private or self.on_public

    @property
    def acknowledged(self) -> bool:
        """Whether Discord has got a first answer, from this process or an earlier one."""
        return self.first.status is AnswerStatus.GIVEN

    @property
    def late(self) -> bool:
        """Whether the interaction comes too late for a first answer, as after a restart."""
        return self.app.age(self.interaction) > IN_TIME

    async def take_over(self, *, known: bool = False) -> bool:
        """Continue an interaction that an earlier process acknowledged. False if none did, or if it has answered, too.

        `known`: an earlier process certainly acknowledged it. Otherwise this asks Discord, and only about a command
        that another process could have had: a click doesn't show that the bot is thinking, so people who see nothing
        happen press again.
        """
        command = self.interaction.type is discord.InteractionType.application_command
        if not (known or (command and self.app.had_by_others(self.interaction))):
            return False
        self.first.take_over()
        self._thinking = not self.clicked
        if known and self.clicked:
            return True
        try:
            response = await self.interaction.original_response()
        except discord.NotFound:  # not acknowledged, or deleted when all was done
            return False
        except channels.FAILED:
            return known
        return bool(response.flags.loading)

    async def answer(self, reply: Reply) -> None:
        """Show the reply to the person who asked, without what Discord refuses of it. If an outage prevents it, try
        again as long as the token is valid."""
        self.answered = True
        left: Reply | None = reply
        while left is not None:
            try:
                return await self._answer_patiently(left)
            except discord.HTTPException as error:
                hopeless = error.code in channels.NO_TOKEN or self.first.status is AnswerStatus.TOO_LATE
                if hopeless or not channels.is_refusal(error):
                    raise
                log.error("interaction %s: Discord refuses the answer: %.300s", self.key, error)
                self.app.metrics.refused_answers.labels(error.code).inc()
                left = channels.reduced(self.app.client, left, error)
                if left is None:
                    raise

    async def _answer_patiently(self, reply: Reply) -> None:
        for failures in count(1):
            first = not self.acknowledged  # must come within three seconds
            try:
                await self._answer(reply)
            except channels.FAILED as error:
                if not _can_pass(error) or self.interaction.is_expired():
                    raise
                log.warning("interaction %s could not be answered yet: %s", self.key, str(error) or repr(error))
                if not first:
                    await asyncio.sleep(ANSWER_AGAIN.after(failures, error))
                elif not await self.acknowledge():
                    return
            else:
                self.app.publisher.recovered()
                return

    async def _answer(self, reply: Reply) -> None:
        view, parts = layout_of(reply, self.address.game), parts_of(reply)
        messages.put_in_signs(self.app.client, view)
        if await self._answer_first(reply, view, parts) or not await self.acknowledge():
            return
        if (self._thinking or self.on_private) and await self._edit(view, parts):
            await self._opened(reply, None, same=self.on_private)
        else:
            sent = await self.interaction.followup.send(
                view=view, files=files_of(reply), ephemeral=True, allowed_mentions=channels.SILENT, wait=True
            )
            self._thinking = False
            self.app.display.uploads.note(sent, parts)
            await self._opened(reply, sent.id, same=False)

    async def _answer_first(self, reply: Reply, view: discord.ui.LayoutView, parts: Sequence[Part]) -> bool:
        """Make the reply the first answer. False if something else is, or should be."""
        if not self.first.open or self._token_is_wanted:
            return False
        try:
            if self.on_private and await self._replace(view, parts):
                await self._opened(reply, None, same=True)
                return True
            if self.first.status is not AnswerStatus.OPEN:  # that took so long that it was acknowledged meanwhile
                return False
            answer = await self.first.give(
                lambda: self.interaction.response.send_message(
                    view=view, files=files_of(reply), ephemeral=True, allowed_mentions=channels.SILENT
                )
            )
        except discord.HTTPException as error:
            if error.code != ANSWERED:
                raise
            return not await self.take_over(known=True)
        self._note(answer, parts)
        await self._opened(reply, answer.message_id, same=False, first=True)
        return True

    @property
    def _token_is_wanted(self) -> bool:
        """Whether the click should be acknowledged so that its token can edit the game message. After a private first
        answer it couldn't, and later edits would count toward Harbormaster's 50 requests a second.

        This must not depend on whether other clicks' tokens can: how soon people are answered would tell them what
        others tried in private.
        """
        message = self.first.message
        return self.on_public and message is not None and self.app.display.is_posted(self.address.game, message)

    async def post(self, reply: Reply) -> None:
        """Show a reply to everyone in the channel, in the person's name."""
        await self.acknowledge()
        view = layout_of(reply, self.address.game)
        messages.put_in_signs(self.app.client, view)
        await self.interaction.followup.send(view=view, allowed_mentions=channels.SILENT)

    async def _replace(self, view: discord.ui.LayoutView, parts: Sequence[Part]) -> bool:
        """Replace the clicked private message by the first answer. False if another one can take its place, as in
        `_edit`."""
        try:
            answer = await self.first.give(
                lambda: self.interaction.response.edit_message(
                    view=view, attachments=self._files(parts), allowed_mentions=channels.SILENT
                )
            )
        except discord.HTTPException as error:
            if error.code not in channels.GONE and not _loses_files(error, parts):
                raise
            return False
        self._note(answer, parts)
        return True

    def _note(self, answer: discord.InteractionCallbackResponse[Any] | None, parts: Sequence[Part]) -> None:
        """Remember the files of a private message that is the first answer."""
        if answer is not None and isinstance(answer.resource, discord.Message):
            self.app.display.uploads.note(answer.resource, parts)

    async def _edit(self, view: discord.ui.LayoutView, parts: Sequence[Part]) -> bool:
        """Fill or change the private message. False if another one can take its place: it is gone, can't be edited for
        now, or Discord takes no new file in an edit (discord-api-docs #7529)."""
        try:
            edited = await self.interaction.edit_original_response(
                view=view, attachments=self._files(parts), allowed_mentions=channels.SILENT
            )
        except discord.RateLimited:
            return False
        except discord.HTTPException as error:
            if _loses_files(error, parts):
                if self._thinking:  # else the next message would fill it, which is an edit, too
                    await self.interaction.delete_original_response()
            elif error.code not in (*channels.GONE, *channels.NO_TOKEN):
                raise
            return False
        self.app.display.uploads.note(edited, parts)
        self._thinking = False
        return True

    def _files(self, parts: Sequence[Part]) -> list[Any]:
        """What an edit of the clicked private message must contain, so that these become its files."""
        message = self.interaction.message if self.on_private else None
        return self.app.display.uploads.taken(message.id if message else 0, parts)

    async def _opened(self, reply: Reply, message: int | None, *, same: bool, first: bool = False) -> None:
        """Replace the previous private message by the new one. Answers to commands stay."""
        if self.clicked:
            token = InteractionToken.of(self.interaction)
            await self.app.ephemeral.opened(self._owner, token, message, same, reply.draft_kind, first=first)

    @property
    def _owner(self) -> tuple[int, int]:
        """The user and the game that the private messages belong to."""
        return self.user.id, self.address.game

    async def close(self) -> None:
        """Delete the private message that asked: nothing more needs to be said."""
        if self.clicked:
            self.answered = True
            await self.acknowledge()
            click = InteractionToken.of(self.interaction) if self.on_private else None
            await self.app.ephemeral.done(self._owner, click)

    async def drop(self, kind: str) -> None:
        """Delete the private message in which something of a kind was put together: nothing can come of it anymore."""
        await self.app.ephemeral.done(self._owner, None, kind)

    async def say(self, text: str) -> None:
        """Answer with only a text."""
        await self.answer(Reply(text))

    def try_again(self, *form: str) -> Button:
        """The button that opens a refused form again, with what the person changed in it: its opener and details."""
        self.app.refused[self.user.id, self.address.game, form] = self.address.shown, self.values
        return Button(_("Try again"), Open("retry", form), Style.PRIMARY, "✏️")

    async def ask(self, form: Form, verb: str, *args: str) -> None:
        """Open a form; it must be the first answer. When it is sent, it goes to the verb."""
        if not self.first.open:  # it took too long, and the person was asked to press again
            return
        self.answered = True
        form = form if self.again is None else filled(form, merged(form, *self.again))
        address = Address(verb, self.address.game, form.decision, args, code(form))
        await self.first.give(lambda: self.interaction.response.send_modal(modal_of(form, address.custom_id(MODAL))))

    def done(self) -> None:
        """Release the interaction's message and data. Its token is still used for minutes to show the game, and the
        clicked message takes more memory than a game."""
        self.interaction.message = self.interaction.data = None

    async def viewer(self) -> Viewer:
        """The address's game as the person sees it."""
        repository = self.app.services.repository
        table = await repository.table(self.address.game)
        return Viewer.of(table, await repository.game(self.address.game), self.user.id)

    async def look(self) -> Look:
        """How the person wants pictures that only they see."""
        return (await self.app.services.people.settings(self.user.id)).choices.look

    async def with_panel(self, text: str) -> Reply:
        """A text with a link to the current panel, unless it was clicked, there is none, or the person can't see it."""
        link = await self.app.panel_link(self.address.game)
        clicked = self.interaction.message
        was_clicked = clicked is not None and link is not None and link.endswith(f"/{clicked.id}")
        if link is None or was_clicked or not await self.can_see(self.address.game):
            return Reply(text)
        return Reply(text, rows=[[Button(_("Go to the game"), Link(link))]])

    async def can_see(self, *games: int) -> set[int]:
        """Those of the games whose channel the person can see, or that they play in. An unknown game, or no answer from
        Discord, counts as not."""
        interaction, seen = self.interaction, set[int]()
        readers = Readers(self.app.client, interaction.guild_id or 0)
        for number in filter(None, games):
            with suppress(RefereeError, *channels.FAILED):
                table = await self.app.services.repository.table(number)
                own = table.channel == interaction.channel_id or table.place_of(self.user.id) is not None
                same = table.guild is not None and table.guild == interaction.guild_id
                if own or (same and await readers.sees(self.user.id, table.channel)):
                    seen.add(number)
        return seen

    @property
    def needs_answer(self) -> bool:
        """Whether Discord shows the person that the bot is thinking, or still waits for what to show."""
        return self._thinking or not (self.acknowledged or self.clicked)


def _loses_files(error: discord.HTTPException, parts: Sequence[Part]) -> bool:
    """Whether a change of a message was refused because Discord takes no new file in it (discord-api-docs #7529)."""
    return bool(parts) and error.code == channels.MALFORMED and not channels.is_about_emoji(error)


def _can_pass(error: Exception) -> bool:
    """Whether the same answer can succeed later, by the same token."""
    doubtful = isinstance(error, discord.HTTPException) and error.code in channels.NO_TOKEN
    return doubtful or channels.is_outage(error)
