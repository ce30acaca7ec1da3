"""`harbormaster forget`: forgets a person who asked the host for that. Finished games stay, without their name."""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser, Namespace

from bot.commands.shared import add_database, opened, settings_of
from bot.service import Services
from bot.settings import Settings
from bot.words.refusals import refusal_sentence
from engine.errors import RefereeError

DETAILS = """\
People can do this themselves with /privacy. USER is their Discord ID: switch on Advanced > Developer Mode in Discord's
settings, then right-click the person > Copy User ID. Harbormaster can run meanwhile.

This deletes their settings, autopilot, lucky words and ratings. Finished games then call them "Player" and a number,
and can still be verified. Backups that were made before still know them.

exit status:
  0  done
  1  they still play in a game, or wait in one that hasn't begun
  2  there is no such file, or it can't be read"""


def options(parser: ArgumentParser) -> None:
    add_database(parser)
    parser.add_argument("user", metavar="USER", type=int, help="their ID, such as 80351110224678912")


def run(arguments: Namespace) -> int:
    try:
        name = asyncio.run(_forget(settings_of(arguments), arguments.user))
    except RefereeError as error:
        print(f"Nothing was changed: {refusal_sentence(error)}")
        return 1
    games = f"finished games call them {name}" if name else "no game knew them"
    print(f"User {arguments.user} is forgotten; {games}.")
    return 0


async def _forget(settings: Settings, user: int) -> str:
    async with opened(settings) as store:
        return await Services.of(store).privacy.forget(user)
