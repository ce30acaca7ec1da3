"""What random play comes to on every board, and why a game doesn't end: python -m tests.soak.stalemates --games 200."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing import Pool

from engine.game import Game
from engine.geometry import bits
from engine.pieces import roads_left
from engine.resources import DESERT, KNIGHT, RESOURCES, VICTORY_POINT
from engine.scenarios import SCENARIOS
from engine.state import State
from tests.soak.games import TURN_LIMIT, play


def room(state: State, seat: int) -> tuple[int, int]:
    """Free edges that a seat could still build on, and free intersections that its roads reach or could reach."""
    grid, blocked = state.board.grid, state.opponents(seat)
    free = (state.board.road_mask | state.board.bridge_mask) & ~state.paved
    nodes, edges = state.reach[seat] | state.settlements[seat] | state.cities[seat], 0
    todo = nodes & ~blocked if roads_left(state, seat) > 0 else 0
    while todo:
        new_edges = 0
        for n in bits(todo):
            new_edges |= grid.node_edge_mask[n] & free & ~edges
        edges |= new_edges
        ends = 0
        for e in bits(new_edges):
            ends |= grid.edge_node_mask[e]
        todo, nodes = ends & ~nodes & ~blocked, nodes | ends
    return edges, nodes & state.board.settle_mask & ~state.closed


def most_points(state: State, seat: int) -> int:
    """An upper bound of the points that a seat can still reach, while no one resigns. Every part of it is generous."""
    data = state.rules.data
    edges, sites = room(state, seat)
    buildings = state.settlements[seat].bit_count() + state.cities[seat].bit_count()
    buildings = min(buildings + sites.bit_count(), data.settlements + data.cities)
    cities = min(buildings, data.cities)
    points = cities + min(buildings, cities + data.settlements)
    points += (
        state.played[seat][VICTORY_POINT] + state.development_cards[seat][VICTORY_POINT] + state.deck[VICTORY_POINT]
    )
    road, others = state.road_length[seat], 0
    if edges:
        road = state.roads[seat].bit_count() + min(roads_left(state, seat), edges.bit_count())
    if not any(room(state, s)[1] for s in range(state.players)):  # no one can interrupt another's road anymore
        others = max(n for s, n in enumerate(state.road_length) if s != seat)
    if state.longest == seat or road >= max(data.road_award, others + 1):
        points += 2
    knights = state.played[seat][KNIGHT] + state.development_cards[seat][KNIGHT] + state.deck[KNIGHT]
    others = max(p[KNIGHT] for s, p in enumerate(state.played) if s != seat)
    if state.army == seat or knights >= max(data.army_award, others + 1):
        points += 2
    return points


def dry(state: State, seat: int) -> set[int]:
    """Resources that the seat produces on no hex without the robber."""
    own, grown = state.settlements[seat] | state.cities[seat], set()
    for h, kind in enumerate(state.board.terrain):
        if kind < DESERT and state.board.tokens[h] and h != state.robber and state.board.hex_node_mask[h] & own:
            grown.add(kind)
    return set(range(5)) - grown


def causes(game: Game) -> Iterator[str]:
    """Why a game went on to the limit, judged from its last position."""
    state = game.state
    seats = list(bits(state.active()))
    target = state.rules.data.target
    points = [most_points(state, s) for s in seats]
    if max(points) < target:
        yield "nobody can reach the target any more"
    elif sum(n >= target for n in points) < len(seats):
        yield "only some can still reach the target"
    if not any(room(state, s)[1] for s in seats):
        yield "no place left to settle for anyone"
    if not any(room(state, s)[0] for s in seats):
        yield "no road left to build for anyone"
    if not any(state.deck):
        yield "all development cards sold"
    if "keep-a-settlement" in game.config.variants and any(state.settlements[s].bit_count() == 1 for s in seats):
        yield "a last settlement kept (L7)"
    for kind in range(5):
        if all(kind in dry(state, s) for s in seats):
            yield f"nobody produces {RESOURCES[kind]}"
    for kind in range(5):
        if not state.bank[kind]:
            yield f"the bank is out of {RESOURCES[kind]}"


@dataclass
class Row:
    """The results of a scenario's games."""

    games: int = 0
    seconds: float = 0.0
    turns: list[int] = field(default_factory=list)
    wins: Counter[int] = field(default_factory=Counter)
    """Wins by place in the order of play, 0 being the first player. Shared victories count for each winner."""
    places: Counter[int] = field(default_factory=Counter)
    """Games with so many players that there is such a place, by place."""
    ends: Counter[str] = field(default_factory=Counter)
    stalemates: list[int] = field(default_factory=list)
    """Numbers of the games that went to the limit."""
    causes: Counter[str] = field(default_factory=Counter)


def sample(task: tuple[str, range, int]) -> tuple[str, Row]:
    """Play the games of these numbers in a scenario, with all kinds of configurations, to a number of points."""
    scenario, numbers, target = task
    row = Row()
    for number in numbers:
        began = time.process_time()
        game, turns = play(number, (scenario,), target=target)
        row.seconds += time.process_time() - began
        row.games += 1
        row.turns.append(turns)
        row.places.update(range(game.config.players))
        if game.outcome is None:
            row.stalemates.append(number)
            row.causes.update(list(causes(game)) or ["chance alone"])
        else:
            row.ends[game.outcome.reason] += 1
            row.wins.update((s - game.state.first) % game.config.players for s in game.outcome.winners)
    return scenario, row


def gather(scenarios: Sequence[str], games: int, first: int, target: int) -> dict[str, Row]:
    """Play all scenarios on all processors. Returns a row for each."""
    parts = [range(n, min(n + 25, first + games)) for n in range(first, first + games, 25)]
    tasks = [(scenario, numbers, target) for numbers in parts for scenario in scenarios]
    rows = {s: Row() for s in scenarios}
    with Pool() as pool:
        for scenario, part in pool.imap_unordered(sample, tasks):
            row = rows[scenario]
            row.games += part.games
            row.seconds += part.seconds
            row.turns += part.turns
            row.stalemates += part.stalemates
            for counter, more in ((row.wins, part.wins), (row.places, part.places)):
                counter.update(more)
            row.ends.update(part.ends)
            row.causes.update(part.causes)
    return rows


def table(rows: dict[str, Row], target: int) -> str:
    """The rows as Markdown. Wins are by place in the order of play, as a share of the games with such a place."""
    lines = [
        f"Random play of random configurations to {target} points, at most {TURN_LIMIT} turns.",
        "",
        "| scenario | games | games/s a core | turns, mean | most | wins by place, % | stalemates |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, row in rows.items():
        wins = " ".join(f"{100 * row.wins[p] / n:.0f}" for p, n in sorted(row.places.items()))
        lines.append(
            f"| `{name}` | {row.games} | {row.games / row.seconds:.1f} | {sum(row.turns) / row.games:.0f} "
            f"| {max(row.turns)} | {wins} | {len(row.stalemates)} |"
        )
    for name, row in rows.items():
        if row.stalemates:
            summary = "; ".join(f"{cause}: {n}" for cause, n in row.causes.most_common())
            lines += ["", f"`{name}`, games {', '.join(map(str, sorted(row.stalemates)))}: {summary}."]
    return "\n".join(lines)


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200, help="games of each scenario (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="number of the first game (default: %(default)s)")
    parser.add_argument("--target", type=int, default=10, help="points that win (default: %(default)s)")
    parser.add_argument("--scenario", choices=SCENARIOS, action="append", help="only this one; may be repeated")
    given = parser.parse_args()
    rows = gather(given.scenario or tuple(SCENARIOS), given.games, given.first, given.target)
    print(table(rows, given.target))


if __name__ == "__main__":
    main()
