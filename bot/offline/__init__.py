"""The offline table: Harbormaster in a simulated Discord with a few people in one channel, in a browser on this
machine.

What the table tells its people is on the page when it opens, and in the terminal, which shows what is broken, but not
what passes by itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import discord
import simcord
from simcord.backend.errors import SetupError

import render
from bot import languages, program
from bot.discord.app import health_of, site_of, website_of
from bot.discord.client import Harbormaster
from bot.discord.show.channels import SILENT
from bot.discord.show.messages import ACCENT
from bot.monitoring.health import Watch
from bot.offline.simcord_patches import (
    follow,
    forgive_haste,
    let_time_pass,
    mend_page,
    remember_texts,
    set_clock,
    show_pictures_at_once,
    speak,
    wait_for_answers,
)
from bot.process import UNCLEAN_EXIT, end_at_once, end_at_the_latest, start_log
from bot.program import command
from bot.service.web import Site
from bot.settings import Settings, SettingsError, StoreAddress, place_of
from bot.table.table import LOBBY, Table
from bot.tasks import Worker, processes
from bot.words.language import _, speaking

# --- texts

PEOPLE = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana")
"""The people at the table, as many as it has seats."""


def welcome(people: Sequence[str], waiting: Table | None) -> str:
    """The first message, for the people who are there; `waiting`: the table that continues."""
    if waiting is not None:
        begin = _("## Welcome back\n**{table}** continues here.", table=_table_name(waiting))
    elif len(people) == 1:
        begin = _(
            "## Welcome to the island game\nYou are **{name}**. Type one of these commands below:\n- `/game "
            "learn`: your first game, against three bots and with tips.\n- `/game new`: any other game. Choose "
            "**Options**, press **Fill with bots**, then **Start**.",
            name=people[0],
        )
    else:
        begin = _(
            "## Welcome to the island game\n1. One of you types `/game new`. The others press **Join**, each as "
            "themselves.\n2. The first one presses **Start**. **Fill with bots** fills the seats that are "
            "left.\n\nAlone? `/game learn` is a first game against three bots, with tips."
        )
    choose = "" if len(people) == 1 else _("Choose who you are at **Viewing as** above.")
    play = _(
        "The game message says whose turn it is. Play with its buttons, or type `/` to see all commands.\n**My "
        "hand** shows your cards, only to you. `/game rules` has the rules, `/game log` the story so far.\n-# "
        "There are no direct messages here: your hand is always behind **My hand** or `/hand`."
    )
    return "\n\n".join(filter(None, (begin, choose, play)))


def instructions(address: str, people: Sequence[str], waiting: Table | None, place: str) -> str:
    """What the terminal shows while the table is open; `place`: where its games are kept."""
    alone, join, fill = len(people) == 1, _("Join"), _("Fill with bots")
    if waiting is not None:
        steps = [f"{_table_name(waiting)} goes on."]
    elif alone:
        steps = [
            "Type  /game learn  for your first game, against three bots and with tips.\n"
            f"     For any other game type  /game new  and press {fill}. Then start."
        ]
    else:
        steps = [
            "Type  /game new\n     Alone? Type  /game learn  for a first game against three bots, with tips.",
            f"Change to the others, one after the other, and press {join}. Then start.",
        ]
    if not alone:
        steps[0] = f'Choose a person at the top ("Viewing as"). {steps[0]}'
        steps[-1] += "\n     Or open the address in another tab for each person."
    numbered = "\n".join(f"  {n}. {step}" for n, step in enumerate([f"Open  {address}", *steps], 1))
    return f"""
  The offline table is open for {", ".join(people)}.

{numbered}

  {place} keeps every game. Ctrl-C closes the table.
"""


def _table_name(table: Table) -> str:
    lobby = table.status == LOBBY
    return _("Table {number}", number=table.number) if lobby else _("Game {number}", number=table.number)


# --- the terminal

PASSING_LOGGERS = ("bot.store", "bot.monitoring", "bot.service.jobs", "bot.service.clock", "bot.discord")
"""Prefixes of loggers that warn of a busy file or a slow machine. The program tries again; there is nothing to do."""


def is_for_players(record: logging.LogRecord) -> bool:
    """Whether players should read a record: a fault, a late job, or something that they can act on."""
    passing = record.name.startswith(PASSING_LOGGERS) and not record.exc_info
    return record.levelno >= logging.ERROR or not passing


def quieten() -> None:
    """From now on, show only these records."""
    for handler in logging.getLogger().handlers:
        handler.addFilter(is_for_players)


# --- the table

WORLD = "offline"
"""Namespace of the games that are played at offline tables."""
BEGINNING = datetime(2026, 1, 1, 12, tzinfo=UTC)
"""When that world's people came and its channel was made."""
CLICK_WITHIN = 10.0
"""Seconds that a click can take before simcord gives it up."""


@dataclass(frozen=True, slots=True)
class OfflineTable:
    """An open table: the simulated Discord, its only channel, and the page."""

    env: simcord.Env
    channel: simcord.ChannelHandle
    preview: simcord.Preview
    bot: Harbormaster
    waiting: Table | None
    """A table from an earlier opening, which continues."""

    @property
    def names(self) -> list[str]:
        """The names of the people at the table."""
        return [person.name.title() for person in self.preview.viewers]


def run(settings: Settings, *, seats: int, port: int) -> int:
    """Keep an offline table open until Ctrl-C or "End preview session". Returns the exit status."""
    if not isinstance(settings.database, Path):
        raise SettingsError("The offline table keeps its games in a file; name one with --database FILE.")
    # What to do next must stay on the screen; with DEBUG, more is logged.
    is_default = settings.log_level == "INFO"
    start_log(settings, "WARNING" if is_default else settings.log_level)
    if is_default:
        quieten()
    gave_up = asyncio.Event()
    with contextlib.suppress(KeyboardInterrupt, asyncio.CancelledError):
        asyncio.run(_serve(settings, seats, port, gave_up))
    print(f"\nThe table is closed. {place_of(settings.database)} keeps its games; `{command('log')}` lists them.")
    return UNCLEAN_EXIT if gave_up.is_set() else 0


async def _serve(settings: Settings, seats: int, port: int, gave_up: asyncio.Event) -> None:
    """Serve until the table is closed, or until the health checks end it, which sets `gave_up`."""
    me = asyncio.current_task()
    assert me is not None
    with contextlib.suppress(NotImplementedError):  # Windows
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, me.cancel)

    def give_up() -> None:
        gave_up.set()
        me.cancel()

    render.write_names_in(settings.font)
    async with open_table(settings.database, seats, port, films=settings.films, site=site_of(settings)) as table:
        health, website = health_of(table.bot, give_up, gateway=False), website_of(settings, table.bot)
        async with Watch(health, table.bot.metrics, end_at_once, settings.http), website:
            place = place_of(settings.database)
            print(instructions(table.preview.url, table.names, table.waiting, place), flush=True)
            try:
                await table.preview.wait_closed()
            finally:
                end_at_the_latest()


@contextlib.asynccontextmanager
async def open_table(
    database: StoreAddress, seats: int = 4, port: int = 0, *, films: bool = True, site: Site | None = None
) -> AsyncIterator[OfflineTable]:
    """Open a table with its page at `port` of 127.0.0.1 (0: any free one); raises `SettingsError`.

    Each opening makes the same people in the same channel, so a game there continues. Its panel is posted again,
    since the old message is gone with the world that it was in.
    """
    mend_page()
    remember_texts()
    show_pictures_at_once()
    let_time_pass()
    wait_for_answers()
    forgive_haste()
    here = _locale()
    speak(here)
    thinker = Worker(partial(processes, 1), program.code_digest())
    bot = Harbormaster(
        database,
        namespace=WORLD,
        sync=True,
        messages=False,
        emoji=False,
        thinker=thinker,
        films=films,
        site=site,
    )
    env = simcord.Env(bot, check_errors=False, settle_timeout=CLICK_WITHIN)
    env.backend.bot_user.name = "Harbormaster"
    set_clock(env, BEGINNING)  # ids follow from it, so they are the same each time
    guild = env.create_guild("The island")
    channel = guild.create_text_channel("table", topic="The island game, offline")
    users = [env.create_user(name.lower(), global_name=name) for name in PEOPLE]
    set_clock(env)
    try:
        async with _started(env):  # the world must exist first: Harbormaster may show something immediately
            waiting = await bot.app.services.repository.in_channel(channel.id)
            present = {user.id for user in users[:seats]} | set(waiting.users if waiting else ())
            people = [guild.add_member(user) for user in users if user.id in present]
            with speaking(languages.resolve(here)):
                greeting = _shown(welcome([person.name.title() for person in people], waiting))
            await bot.get_partial_messageable(channel.id).send(view=greeting, allowed_mentions=SILENT)
            if waiting is not None:
                await bot.app.publisher.again(waiting.number)
                await bot.app.publisher.idle()
            async with env.preview(channel, viewers=people, layout="channel", port=port) as preview:
                following = asyncio.create_task(follow(env, preview))
                try:
                    yield OfflineTable(env, channel, preview, bot, waiting)
                finally:
                    following.cancel()
                    await asyncio.wait([following])
    except SetupError as error:
        if "could not bind" not in str(error):
            raise
        raise SettingsError(
            f"Port {port} is taken, perhaps by another offline table; choose another: `make play PORT={port + 1}`."
        ) from None
    finally:
        await bot.close()


def _locale() -> str:
    """The language of the terminal: "de-DE"; a person's `/settings` can name another one."""
    said = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    return said.partition(".")[0].replace("_", "-")


@contextlib.asynccontextmanager
async def _started(env: simcord.Env) -> AsyncIterator[None]:
    """Run a world as `simcord.run` does with one that it makes itself."""
    await env.start()
    with env.time_context():
        try:
            yield
        finally:
            await env.bot.close()  # while its last messages can still be received
            await env.shutdown()


def _shown(text: str) -> discord.ui.LayoutView:
    view = discord.ui.LayoutView(timeout=None)
    view.add_item(discord.ui.Container(discord.ui.TextDisplay(text), accent_colour=ACCENT))
    return view
