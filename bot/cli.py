"""The `harbormaster` command: each subcommand reads its arguments and hands over to the room it is about."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from bot.settings import Settings, SettingsError, load_settings

# Each command imports its room when it is called: `verify` must not load discord.py, nor `simulate` a store.


def run(arguments: argparse.Namespace) -> int:
    """Connect to Discord and stay until stopped."""
    settings = _settings(arguments)
    settings.require_token()
    from bot.frontends.discord import app as discord_app

    return discord_app.run(settings)


def play(arguments: argparse.Namespace) -> int:
    """With a token, connect to Discord; without, open the offline table in a browser."""
    settings = _settings(arguments)
    if settings.discord_token is not None:
        return run(arguments)
    from bot.frontends import offline

    return offline.run(settings, seats=settings.seats, port=settings.preview_port)


def verify(arguments: argparse.Namespace) -> int:
    """Check an exported game's commitment, draws and actions."""
    from bot import verifyfile

    return verifyfile.main(arguments.file)


def simulate(arguments: argparse.Namespace) -> int:
    """Play random legal games without a front and print what came of them."""
    from bot import simulate as simulation

    return simulation.run(
        players=arguments.players,
        games=arguments.games,
        seed=arguments.seed,
        scenario=arguments.scenario,
        edition=arguments.edition,
        variants=arguments.variant,
        target=arguments.target,
        layout=arguments.layout,
        options=arguments.option,
        turn_limit=arguments.turn_limit,
        offers=arguments.offers,
    )


def log(arguments: argparse.Namespace) -> int:
    """Tell a stored game as text, or list the games."""
    from bot import logtext

    return logtext.run(_settings(arguments), arguments.game)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand and return its exit status; a wrong setting is one sentence and status 2."""
    arguments = _parser().parse_args(argv)
    try:
        status: int = arguments.command(arguments)
        return status
    except SettingsError as error:
        print(f"harbormaster: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def _settings(arguments: argparse.Namespace) -> Settings:
    """The settings, with what was said on the command line on top."""
    named = {"database": "database", "seats": "seats", "port": "preview_port"}
    given = {field: getattr(arguments, name, None) for name, field in named.items()}
    return load_settings(**{field: value for field, value in given.items() if value is not None})


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="harbormaster", description="A referee for the island game.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    stored = argparse.ArgumentParser(add_help=False)
    stored.add_argument("--database", metavar="PLACE", help="a SQLite file, or postgresql://…")

    def add(name: str, command: object, help_: str, *parents: argparse.ArgumentParser) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=help_, description=help_, parents=list(parents))
        sub.set_defaults(command=command)
        return sub

    add("run", run, "Connect to Discord (needs DISCORD_TOKEN).", stored)

    table = add("play", play, "Connect to Discord, or without a token open an offline table.", stored)
    table.add_argument("--seats", type=int, metavar="N", help="people at the offline table, 2 to 8")
    table.add_argument("--port", type=int, metavar="N", help="port of the offline table")

    check = add("verify", verify, "Check an exported game: commitment, draws and actions.")
    check.add_argument("file", metavar="FILE")

    random_games = add("simulate", simulate, "Play random legal games and print the counts.")
    random_games.add_argument("--players", type=int, default=4, metavar="N")
    random_games.add_argument("--games", type=int, default=100, metavar="N")
    random_games.add_argument("--seed", default="0", metavar="TEXT", help="the same seed gives the same games")
    random_games.add_argument("--scenario", default="base", metavar="ID")
    random_games.add_argument("--edition", metavar="ID")
    random_games.add_argument("--variant", action="append", default=[], metavar="ID", help="may be repeated")
    random_games.add_argument("--target", type=int, metavar="POINTS")
    random_games.add_argument("--layout", metavar="ID", help="how the number tokens are laid")

    random_games.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="of the scenario")
    random_games.add_argument("--turn-limit", type=int, default=2000, metavar="N", help="a game is given up after it")
    random_games.add_argument("--offers", action="store_true", help="players offer each other trades too")

    told = add("log", log, "Tell a stored game as text, or list the games.", stored)
    told.add_argument("game", nargs="?", metavar="GAME", help="the game's number; without it, all games are listed")
    return parser
