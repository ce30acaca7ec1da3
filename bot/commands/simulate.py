"""`harbormaster simulate`: plays random games, and prints the counts."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from players import simulate

DETAILS = """\
It needs no settings and no database.

exit status: 0 played, 2 the rules refuse what was asked for"""


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--players", type=int, default=4, metavar="N")
    parser.add_argument("--games", type=int, default=100, metavar="N")
    parser.add_argument("--seed", default="0", metavar="TEXT", help="the same seed gives the same games")
    parser.add_argument("--scenario", default="base", metavar="ID")
    parser.add_argument("--edition", metavar="ID")
    parser.add_argument("--variant", action="append", default=[], metavar="ID", help="may be repeated")
    parser.add_argument("--target", type=int, metavar="POINTS")
    parser.add_argument("--layout", metavar="ID", help="how the number tokens are placed")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="of the scenario")
    parser.add_argument("--turn-limit", type=int, default=2000, metavar="N", help="give a game up after so many turns")
    parser.add_argument("--offers", action="store_true", help="players offer each other trades too")


def run(arguments: Namespace) -> int:
    return simulate.run(
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
