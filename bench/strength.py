"""How strong the bots are: each share of wins next to the fair share and its goal. `make bench` runs it, too.

python -P -m bench.strength --games 500

`-P` lets the compiled modules of an environment come before the sources of this folder.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from bench.table import Row, show
from bot.arena import DEFAULT, interval, played

GAMES = 200
"""Of each kind: the interval is about 7 points wide on either side."""
SEED = "strength"
KINDS: tuple[tuple[str, Sequence[str], bool, float], ...] = (
    ("easy against three random", ("easy", "random", "random", "random"), True, 95.0),
    ("hard against three easy", ("hard", "easy", "easy", "easy"), True, 50.0),
    ("hard against three easy without trade", ("hard", "easy", "easy", "easy"), False, 0.0),
    ("expert against three hard", ("expert", "hard", "hard", "hard"), True, 50.0),
    ("expert against three hard without trade", ("expert", "hard", "hard", "hard"), False, 0.0),
)
"""What is played, whether offers are made, and how many percent the first one is to win; 0: no goal."""


def rows(games: int) -> Iterator[Row]:
    """A line for each kind: its share and interval, and the time of a decision, in milliseconds of processor time."""
    for what, levels, trade, goal in KINDS:
        results = played(DEFAULT, levels, games, SEED, trade)
        won = sum(0 in result.winners for result in results)
        low, high = interval(won, games)
        times = [taken for result in results for taken in result.times[0]]
        details = (
            f"{100 * low:.1f} to {100 * high:.1f}% of {games} games, fair 25%; "
            f"{1e3 * sum(times) / len(times):.1f} ms a decision, at most {1e3 * max(times):.0f}"
        )
        share = 100 * won / games
        yield Row(
            what, f"{share:.1f}%", details, f"at least {goal:g}%" if goal else "", share >= goal if goal else None
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=GAMES)
    show(rows(parser.parse_args().games))
