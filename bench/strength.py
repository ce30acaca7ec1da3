"""How strong the bots are: each share of wins next to the fair share and its goal. `make bench` runs it, too.

python -P -m bench.strength --games 400 --seed fresh

`-P` lets the compiled modules of an environment come before the sources of this folder.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bench.table import Row, show
from engine.config import COLORS, Config
from engine.variants import VARIANTS
from players.arena import DEFAULT, interval, played

GAMES = 400
"""Games of the first kinds. The interval then reaches about 5 percentage points to either side."""
SEED = "strength"


@dataclass(frozen=True)
class Kind:
    """A kind of game to measure: which bots play, and by what rules."""

    what: str
    levels: Sequence[str]
    goal: float = 0.0
    """Goal: percentage of games that the first bot wins; 0: no goal."""
    trade: bool = True
    """Whether offers are made."""
    config: Config = DEFAULT
    share: float = 1.0
    """How many games are played, as a share of those of the first kinds."""


def elsewhere(what: str, config: Config) -> Kind:
    """`expert` against `hard` in another scenario or by other rules; the goal is its fair share."""
    players = config.players
    return Kind(what, ["expert", *["hard"] * (players - 1)], 100 / players, config=config, share=0.25)


KINDS = (
    Kind("easy against three random", ("easy", "random", "random", "random"), 95.0, share=0.25),
    Kind("hard against three easy", ("hard", "easy", "easy", "easy"), 50.0),
    Kind("hard against three easy without trade", ("hard", "easy", "easy", "easy"), 50.0, trade=False),
    Kind("expert against three hard", ("expert", "hard", "hard", "hard"), 50.0),
    Kind("expert against three hard without trade", ("expert", "hard", "hard", "hard"), 50.0, trade=False),
    elsewhere("expert in the extension with six", Config(colors=COLORS[:6], scenario="extension")),
    elsewhere("expert on the islands", Config(colors=COLORS[:4], scenario="islands")),
    elsewhere("expert by all alternate rules of 1996", replace(DEFAULT, edition="1996", variants=tuple(VARIANTS))),
)


def rows(games: int, seed: str = SEED, only: str = "", processes: int = 0) -> Iterator[Row]:
    """A row for each kind: its share and interval, and the time of a decision, in milliseconds of processor time."""
    for kind in KINDS:
        if only not in kind.what:
            continue
        number, fair = max(1, round(games * kind.share)), 100 / len(kind.levels)
        results = played(kind.config, kind.levels, number, seed, kind.trade, processes)
        won, stalled = sum(0 in result.winners for result in results), sum(not result.winners for result in results)
        low, high = interval(won, number)
        times = sorted(1e3 * taken for result in results for taken in result.times[0])
        half, most = times[len(times) // 2], times[len(times) * 99 // 100]
        details = (
            f"{100 * low:.1f} to {100 * high:.1f}% of {number} games, fair {fair:.1f}%, {stalled} without a winner; "
            f"a decision takes {half:.1f} ms, 1 in 100 {most:.0f}, at most {times[-1]:.0f}"
        )
        share = 100 * won / number
        goal = f"at least {kind.goal:.3g}%" if kind.goal else ""
        yield Row(kind.what, f"{share:.1f}%", details, goal, share >= kind.goal if kind.goal else None)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--seed", default=SEED, help="the boards and dice that are played")
    parser.add_argument("--only", default="", help="only kinds with this in their names")
    parser.add_argument("--processes", type=int, default=0)
    given = parser.parse_args()
    show(rows(given.games, given.seed, given.only, given.processes))
