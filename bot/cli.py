"""The `harbormaster` command: finds the subcommand, has it read its arguments, and runs it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from bot.commands import COMMANDS, load
from bot.program import version
from bot.settings import SettingsError

DETAILS = """\
`harbormaster COMMAND --help` says more about each. Settings come from the environment and from .env in the current
folder. .env.example explains them. docs/hosting.md walks through hosting."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand and return its exit status. A wrong setting prints one sentence and returns 2."""
    name, *rest = _words(sys.argv[1:] if argv is None else argv)
    command = load(name)
    parser = _parser(f"harbormaster {name}", COMMANDS[name][1], command.DETAILS)
    command.options(parser)
    try:
        status = command.run(parser.parse_intermixed_args(rest))
        sys.stdout.flush()
        return status
    except SettingsError as error:
        print(f"harbormaster: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # who reads what is printed has enough, as with `| head`
        if name in ("run", "play"):  # they print little, and have other connections
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except OSError as error:
        if error.filename is None:  # not about a file
            raise
        print(f"harbormaster: {error.filename} can't be used: {error.strerror}.", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def _words(argv: Sequence[str]) -> Sequence[str]:
    """The arguments if the first is one of `COMMANDS`; otherwise, end the program with help or an error."""
    if not argv or argv[0] not in COMMANDS:
        parser = _parser("harbormaster", "Runs the island game on Discord.", DETAILS)
        parser.add_argument("--version", action="version", version=version())
        commands = parser.add_subparsers(required=True, metavar="COMMAND")
        for name, (_, title) in COMMANDS.items():
            commands.add_parser(name, help=title)
        parser.parse_args(argv)
    return argv


def _parser(program: str, title: str, details: str) -> argparse.ArgumentParser:
    return argparse.ArgumentParser(
        prog=program, description=title, epilog=details, formatter_class=argparse.RawDescriptionHelpFormatter
    )
