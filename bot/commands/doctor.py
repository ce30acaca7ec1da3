"""`harbormaster doctor`: says what is wrong with an installation and what to do about it, a line each."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import os
import platform
import re
import shutil
import socket
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Container, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlsplit

from bot import languages
from bot.commands import Command
from bot.commands.shared import add_database, add_json, games, opened, print_json, progress, settings_of, span
from bot.discord.show.permissions import install_link
from bot.discord.show.private import STILL_FOR
from bot.program import version
from bot.projections import Kind
from bot.service.repository import DAMAGED, unsound_tables
from bot.settings import Listen, Settings, SettingsError, given_names, known_names, misspelled, place_of
from bot.store import Damaged, NothingYet
from bot.store.postgresql.store import Keeping, PostgresStore
from bot.store.sqlite.check import Findings, examine
from bot.store.sqlite.copies import latest_backup
from bot.store.sqlite.database import LARGE_LOG
from bot.store.sqlite.file import holder, refuse_foreign, scripts
from bot.table.time import run

OK, NOTE, WRONG = "ok", "note", "wrong"
TOKEN = re.compile(r"([\w-]{20,})\.[\w-]{5,}\.[\w-]{25,}", re.ASCII)
LEAST_SPACE = 200_000_000
"""Bytes of free disk space below which something must be done."""
SHOWN_WITHIN = 600.0
"""Seconds after which what a running process hasn't shown must be stuck."""
OLD, STALE = 2 * 86_400.0, 8 * 86_400.0
"""Seconds after which there should be a newer backup, and after which something must be wrong with making them."""
RESTORE = "Keep a copy of it, then see docs/hosting.md#when-the-file-is-damaged."
LATER = " The next start brings it up to date."
BEHIND = 120.0
"""Seconds by which a clock can be behind times that were stored by it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found, and what to do about it."""

    check: str
    state: str
    found: str
    advice: str = ""


class Doctor(Command):
    DETAILS = """\
Checks this machine and the servers that the settings name, and asks Discord nothing. Harbormaster can run meanwhile.
The output holds no token and nothing of a game, so you can show it to people who help you.

Each line begins with "ok", "note" or "WRONG" (with --json: "ok", "note", "wrong"). A note is what might be
intended, or can't be known from here.

exit status: 0 nothing is wrong, 1 something is wrong"""

    def options(self, parser: ArgumentParser) -> None:
        add_database(parser)
        add_json(parser)

    def run(self, arguments: Namespace) -> int:
        findings = list(_findings(arguments))
        wrong = any(finding.state == WRONG for finding in findings)
        if arguments.json:
            print_json(ok=not wrong, checks=[asdict(finding) for finding in findings])
        else:
            for one in findings:
                mark = one.state.upper() if one.state == WRONG else one.state
                print(f"{mark:<6}{one.check:<12}{one.found} {one.advice}".rstrip())
        return 1 if wrong else 0


def _findings(arguments: Namespace) -> Iterator[Finding]:
    yield Finding("version", OK, f"{version()}, Python {platform.python_version()}.")
    try:
        settings = settings_of(arguments)
    except SettingsError as error:
        yield Finding("settings", WRONG, str(error), "Fix it in the environment or in .env, as .env.example explains.")
        return
    yield from (*_settings(), _languages())
    yield from _token(settings)
    yield from _network(settings)
    yield from _database(settings, arguments.json)


def _settings() -> Iterator[Finding]:
    """Findings about names that aren't settings, and about a file of settings that others can read."""
    unknown, known = list(misspelled()), set(known_names())
    yield from (Finding("settings", NOTE, found, advice) for found, advice in unknown)
    if _readable_by_others(Path(".env")):
        yield Finding("settings", WRONG, "Others on this machine can read .env.", "chmod 600 .env")
    elif not unknown:
        yield Finding("settings", OK, f"{len(given_names() & known)} of {len(known)} are set.")


def _languages() -> Finding:
    """Which languages are offered, and how much of the others is translated."""
    known = [languages.language(code) for code in languages.codes()]
    told = f"English, {', '.join(f'{one.code} ({one.share:.0%})' for one in known)}."
    if all(one.is_offered for one in known):
        return Finding("languages", OK, told)
    return Finding("languages", NOTE, told, f"Those below {languages.ENOUGH:.0%} aren't offered: docs/translating.md.")


def _token(settings: Settings) -> Iterator[Finding]:
    where = "Copy it from Discord's developer portal, under Bot, into the environment or into .env."
    if settings.discord_token is None:
        yield Finding("token", WRONG, "DISCORD_TOKEN is not set.", where)
        return
    application = _application(settings.discord_token.get_secret_value())
    if application is None:
        state = NOTE if settings.rest_base else WRONG  # a server that isn't Discord's can have other tokens
        yield Finding("token", state, "DISCORD_TOKEN doesn't look like a bot token: three words joined by dots.", where)
        return
    yield Finding("token", OK, f"It looks like the token of the bot with the ID {application}.")
    link = install_link(application)
    advice = f"If one is missing, Harbormaster says so there. This link asks for all of them: {link}"
    yield Finding("permissions", NOTE, "Permissions on a server can't be checked from here.", advice)


def _application(token: str) -> int | None:
    """The id of the bot on Discord, with which its token begins; None: the text doesn't look like a token."""
    if not (shape := TOKEN.fullmatch(token)):
        return None
    try:
        text = base64.urlsafe_b64decode(shape[1] + "=" * (-len(shape[1]) % 4)).decode("ascii")
    except ValueError:
        return None
    return int(text) if re.fullmatch(r"\d{15,20}", text, re.ASCII) else None


def _database(settings: Settings, silent: bool) -> Iterator[Finding]:
    """Findings about the database and its games, and about the clock, compared with what is stored."""
    place, latest, ahead = settings.database, 0.0, 0.0
    try:
        if isinstance(place, Path):
            yield from _place(place)
            if place.exists():
                refuse_foreign(place)
                found = examine(place)
                yield from _contents(place, found)
                yield _backup(place)
                if settings.litestream:
                    yield _litestream(place)
                running, latest = holder(place), found.latest
                there = (OK, f"It is running: {running}.") if running else (NOTE, "It isn't running on this file.")
                yield Finding("bot", *there)
                if found.step == max(scripts()) and not found.whole:
                    yield asyncio.run(_shown(settings, running is not None))
                    yield from asyncio.run(_tables(settings, silent, found.games))
        else:
            ahead, older, keeping = asyncio.run(_server_says(settings))
            if not older:
                yield asyncio.run(_shown(settings, running=True))
                yield from asyncio.run(_tables(settings, silent))
            yield Finding("database", OK, f"{place_of(place)} can be used.{LATER if older else ''}")
            yield from _keeping(keeping)
    except NothingYet as empty:
        yield Finding("database", OK, f"{empty} Its tables are made at the first start.")
    except (SettingsError, OSError) as error:
        yield Finding("database", WRONG, str(error), "Check the setting, and run this as Harbormaster's own user.")
    yield _clock(latest, ahead)


def _place(file: Path) -> Iterator[Finding]:
    """Findings about the file as a file, and its folder."""
    folder = file.resolve().parent
    if not (folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)):
        advice = "Make it, and let Harbormaster's user own it."
        yield Finding("database", WRONG, f"The folder {folder} can't be written.", advice)
        return
    free = shutil.disk_usage(folder).free
    room, advice = f"{folder} has {free / 1e9:.1f} GB left.", "Make room: on a full disk no game goes on."
    yield Finding("disk", *((OK, room) if free >= LEAST_SPACE else (WRONG, room, advice)))
    if not file.exists():
        yield Finding("database", OK, f"{file} is made at the first start.")
    elif _readable_by_others(file):
        yield Finding("database", WRONG, f"Others on this machine can read {file}: all hands.", f"chmod 600 {file}")


def _contents(file: Path, findings: Findings) -> Iterator[Finding]:
    """Findings about whether the file holds what was written."""
    newest = max(scripts())
    if findings.step > newest:
        yield Finding("database", WRONG, f"{file} belongs to a newer version.", "Install that version, or a newer one.")
    elif findings.whole:
        yield Finding("database", WRONG, f"{file} is damaged: {findings.whole}.", RESTORE)
    else:
        for number, reason in findings.games.items():
            yield Finding("database", WRONG, f"Game {number} in {file} is damaged: {reason}.", RESTORE)
        if not findings.games:
            later = "" if findings.step == newest else LATER
            yield Finding("database", OK, f"{file} is sound, with {games(findings.readable)}.{later}")


def _backup(file: Path) -> Finding:
    """The finding about the last backup: what was played since would be lost with the disk."""
    last = latest_backup(file)
    how = "See docs/backups.md: `harbormaster backup --keep 14 FOLDER` by a timer, and a copy on another machine."
    if last is None:
        return Finding("backup", NOTE, "No backup by `harbormaster backup` is known.", how)
    age = max(time.time() - last[0], 0.0)
    state = OK if age < OLD else NOTE if age < STALE else WRONG
    advice = "" if state == OK else f"Find out why there is no newer one. {how}"
    return Finding("backup", state, f"The last one was made {span(age)} ago: {last[1]}.", advice)


def _litestream(file: Path) -> Finding:
    """The finding about whether Litestream does what HARBORMASTER_LITESTREAM leaves to it."""
    path, log = file.resolve(), Path(f"{file}-wal")
    advice = "Start it as docs/backups.md says, or unset HARBORMASTER_LITESTREAM."
    if not path.with_name(f".{path.name}-litestream").exists():
        return Finding("litestream", WRONG, "Litestream has never run on this file.", advice)
    if log.exists() and (size := log.stat().st_size) >= LARGE_LOG:
        return Finding("litestream", WRONG, f"{log} has {size >> 20} MB, so Litestream doesn't run.", advice)
    return Finding("litestream", OK, "It follows the file. Its own log says whether the copies arrive.")


async def _shown(settings: Settings, running: bool) -> Finding:
    """The finding about whether all that was played is also shown."""
    oldest, stuck = 0.0, False
    async with opened(settings) as store:
        pending = await store.pending()
        for number, kinds in pending.items():
            with contextlib.suppress(Damaged):  # for a file, another finding says so
                if table := await store.any_table(number):
                    age = run(table.updated, time.time(), table.downtime)
                    gathered = STILL_FOR if kinds == {Kind.HAND} else 0.0  # hands are sent that late on purpose
                    oldest, stuck = max(oldest, age), stuck or age >= SHOWN_WITHIN + gathered
    if not pending:
        return Finding("pictures", OK, "All that was played is shown.")
    since = f"Played and not yet shown: {games(len(pending))}, the oldest for {span(oldest)}."
    if running and stuck:
        return Finding("pictures", WRONG, since, "See the log: Discord has an outage, or a permission is missing.")
    state, advice = (OK, "") if running else (NOTE, "Harbormaster shows them when it runs.")
    return Finding("pictures", state, since, advice)


async def _tables(settings: Settings, silent: bool, damaged: Container[int] = ()) -> list[Finding]:
    """Findings about what is stored of games, without those found `damaged` already; tells how far it is, unless
    `silent`."""
    with progress(silent, patient=True) as tell:
        async with opened(settings) as store:
            checked, wrong = await unsound_tables(store, tell, damaged)
    report = "The game goes on from what is stored. Please report this with the version: it is a bug in Harbormaster."
    fine = f"{games(checked)} checked: all are what was written, and what is open fits together."
    return [
        Finding("database", WRONG, f"Game {number} is damaged: {why}.", RESTORE)
        if why == DAMAGED
        else Finding("tables", NOTE, f"What is stored of game {number} doesn't fit together: {why}.", report)
        for number, why in wrong.items()
    ] or [Finding("tables", OK, fine)]


def _clock(latest: float, ahead: float) -> Finding:
    """The finding about whether the clock can be right: it must be past the times stored by it, and past the time of
    the program's own file. `ahead`: seconds by which the clock is ahead of the database's."""
    now, known = time.time(), max(latest, Path(__file__).stat().st_mtime)
    text = f"{datetime.fromtimestamp(now, UTC):%Y-%m-%d %H:%M} UTC"
    if now < known - BEHIND:
        behind = f"It is {text}, {span(known - now)} before something that has happened."
        return Finding("clock", WRONG, behind, "Set it, best by NTP: deadlines go by it.")
    if abs(ahead) >= 1.0:
        apart = f"It is {text}, {abs(ahead):.0f} s {'ahead of' if ahead > 0 else 'behind'} the database's."
        return Finding("clock", WRONG, apart, "Set both, best by NTP: Harbormaster stops when it is 3 s off.")
    return Finding("clock", OK, f"{text}.")


def _readable_by_others(file: Path) -> bool:
    return os.name == "posix" and file.exists() and bool(file.stat().st_mode & 0o077)


# --- a database on a server

ARCHIVED_WITHIN = 3_600.0
"""Seconds within which something should have been archived."""
TURN_ON = "ALTER SYSTEM SET {} = on; SELECT pg_reload_conf();"
ARCHIVE = "See docs/backups.md#to-a-point-in-time."


async def _server_says(settings: Settings) -> tuple[float, bool, Keeping]:
    """Seconds by which the clock is ahead of the server's, whether it has an earlier version's tables, and the rest."""
    async with opened(settings, update=False) as store:
        assert isinstance(store, PostgresStore)
        return await store.ahead(), await store.is_older(), await store.keeping()


def _keeping(server: Keeping) -> list[Finding]:
    """Findings about how safely the server keeps data."""
    found = list[Finding]()
    if not server.fsync:
        power = "fsync is off: a power cut can take all games."
        found.append(Finding("durability", WRONG, power, TURN_ON.format("fsync")))
    elif not server.full_page_writes:
        torn = "full_page_writes is off: a power cut can tear a page (except on a file system such as ZFS)."
        found.append(Finding("durability", WRONG, torn, TURN_ON.format("full_page_writes")))
    elif server.synchronous_commit == "off":
        lost = "synchronous_commit is off for what people do: a power cut takes the last moments."
        found.append(Finding("durability", WRONG, lost, "Report it: Harbormaster turns it on itself."))
    else:
        commits = f"fsync and full_page_writes are on, synchronous_commit is {server.synchronous_commit} for actions."
        found.append(Finding("durability", OK, commits))
    if server.checksums:
        found.append(Finding("checksums", OK, "Pages have checksums."))
    else:
        none = "Pages have no checksums, so a failing disk can go unnoticed."
        found.append(
            Finding("checksums", NOTE, none, "Stop the server, run pg_checksums --enable -D FOLDER, and start it.")
        )
    if not server.archives:
        none = "The server archives no write-ahead log. Whether you make dumps can't be seen from here."
        found.append(Finding("backup", NOTE, none, f"If the disk fails, all since the last dump is lost. {ARCHIVE}"))
    elif server.failing:
        found.append(
            Finding("backup", WRONG, "The write-ahead log can't be archived.", f"The server's log says why. {ARCHIVE}")
        )
    elif server.age is None or server.age > ARCHIVED_WITHIN:
        last = "never been archived" if server.age is None else f"not been archived for {span(server.age)}"
        advice = f"With archive_timeout set, it is archived whenever something changes. {ARCHIVE}"
        found.append(Finding("backup", NOTE, f"The write-ahead log has {last}.", advice))
    else:
        found.append(Finding("backup", OK, f"The write-ahead log was archived {span(server.age)} ago."))
    return found


# --- addresses in the settings

CONNECT_WITHIN = 3.0
"""Seconds to wait for a connection."""


def _network(settings: Settings) -> Iterator[Finding]:
    """Findings about ports and servers."""
    if settings.http is not None:
        yield _port("HARBORMASTER_HTTP", settings.http)
    if settings.pages is not None:
        yield _port("HARBORMASTER_PAGES", settings.pages)
    if settings.discord_token is None:  # then `harbormaster play` opens the offline table
        yield _port("HARBORMASTER_PREVIEW_PORT", Listen("127.0.0.1", settings.preview_port))
    for name, address in (("HARBORMASTER_PROXY", settings.proxy), ("HARBORMASTER_REST_BASE", settings.rest_base)):
        if address:
            yield _server(name, address)


def _port(name: str, listen: Listen) -> Finding:
    """Whether a port is free, or Harbormaster itself answers there."""
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(
            listen.host, listen.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with closing(socket.socket(family, kind, protocol)) as door:
            door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as Harbormaster does
            door.bind(place)
            door.listen()
    except OSError as error:
        if _answers(listen):
            return Finding("port", OK, f"{name}: Harbormaster answers at {listen}.")
        reason = f"{name}: {listen} can't be listened on: {error.strerror or error}."
        return Finding("port", WRONG, reason, "Stop what uses it, or choose another.")
    return Finding("port", OK, f"{name}: {listen} is free.")


def _answers(listen: Listen) -> bool:
    """Whether Harbormaster's own page is there."""
    here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(listen.host, listen.host)
    try:
        with closing(HTTPConnection(here, listen.port, timeout=CONNECT_WITHIN)) as page:
            page.request("GET", "/healthz")
            answer = page.getresponse()
            return answer.getheader("Server") == "Harbormaster" or answer.read(100).startswith(b"loop: ")
    except (OSError, HTTPException):
        return False


def _server(name: str, address: str) -> Finding:
    parts = urlsplit(address)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        socket.create_connection((parts.hostname or "", port), CONNECT_WITHIN).close()
    except OSError as error:
        reason = f"{name}: {parts.hostname}:{port} can't be reached: {error.strerror or error}."
        return Finding("server", WRONG, reason, "Start what should answer there, or correct the address.")
    return Finding("server", OK, f"{name}: {parts.hostname}:{port} answers.")
