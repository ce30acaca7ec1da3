"""`harbormaster arena`: lets bots play each other, and prints how often each one wins."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from players import arena

DETAILS = """\
Each board is played once with every seating, so that neither the board nor the place at the table helps anyone.
Times are processor time. It needs no settings and no database.

example: harbormaster arena --seats hard easy easy easy --games 500 --scenario base

exit status: 0 played, 2 there is no such level, or the rules refuse what was asked for"""


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--seats", nargs="+", required=True, metavar="LEVEL", help="who plays")
    parser.add_argument("--games", type=int, default=100, metavar="N")
    parser.add_argument("--seed", default="0", metavar="TEXT", help="the same seed gives the same games")
    parser.add_argument("--scenario", default="base", metavar="ID")
    parser.add_argument("--variant", action="append", default=[], metavar="ID", help="may be repeated")
    parser.add_argument("--target", type=int, metavar="POINTS")
    parser.add_argument("--no-trade", action="store_true", help="no one makes offers")
    parser.add_argument("--processes", type=int, default=0, metavar="N", help="as many as there are processors")


def run(arguments: Namespace) -> int:
    return arena.run(
        levels=arguments.seats,
        games=arguments.games,
        seed=arguments.seed,
        scenario=arguments.scenario,
        variants=arguments.variant,
        target=arguments.target,
        trade=not arguments.no_trade,
        processes=arguments.processes,
    )
