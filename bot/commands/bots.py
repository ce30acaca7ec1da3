"""Games without people: bots against each other, and random moves."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from bot.commands import Command
from bot.commands.shared import at_least
from players import arena, simulate


class Arena(Command):
    DETAILS = """\
Each board is played once with every seating, so that neither the board nor the place at the table helps anyone.
Times are processor time. It needs no settings and no database.

example: harbormaster arena --seats hard easy easy easy --games 500 --scenario base

exit status: 0 played, 2 there is no such level, or the rules refuse what was asked for"""

    def options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--seats", dest="levels", nargs="+", required=True, metavar="LEVEL", help="who plays")
        parser.add_argument("--games", type=at_least(1), default=100, metavar="N")
        parser.add_argument("--seed", default="0", metavar="TEXT", help="the same seed gives the same games")
        parser.add_argument("--scenario", default="base", metavar="ID")
        parser.add_argument(
            "--variant", dest="variants", action="append", default=[], metavar="ID", help="may be repeated"
        )
        parser.add_argument("--target", type=at_least(1), metavar="POINTS")
        parser.add_argument("--no-trade", dest="trade", action="store_false", help="no one makes offers")
        parser.add_argument(
            "--processes", type=at_least(0), default=0, metavar="N", help="as many as there are processors"
        )

    def run(self, arguments: Namespace) -> int:
        return arena.run(**vars(arguments))


class Simulate(Command):
    DETAILS = """\
It needs no settings and no database.

exit status: 0 played, 2 the rules refuse what was asked for"""

    def options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--players", type=at_least(1), default=4, metavar="N")
        parser.add_argument("--games", type=at_least(1), default=100, metavar="N")
        parser.add_argument("--seed", default="0", metavar="TEXT", help="the same seed gives the same games")
        parser.add_argument("--scenario", default="base", metavar="ID")
        parser.add_argument("--edition", metavar="ID")
        parser.add_argument(
            "--variant", dest="variants", action="append", default=[], metavar="ID", help="may be repeated"
        )
        parser.add_argument("--target", type=at_least(1), metavar="POINTS")
        parser.add_argument("--layout", metavar="ID", help="how the number tokens are placed")
        parser.add_argument(
            "--option", dest="options", action="append", default=[], metavar="NAME=VALUE", help="of the scenario"
        )
        parser.add_argument(
            "--turn-limit", type=at_least(1), default=2000, metavar="N", help="give a game up after so many turns"
        )
        parser.add_argument("--offers", action="store_true", help="players offer each other trades too")

    def run(self, arguments: Namespace) -> int:
        return simulate.run(**vars(arguments))
