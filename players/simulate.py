"""Random legal games without a front: for counts, for speed, and to check that games end."""

from __future__ import annotations

import hashlib
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.actions import (
    AcceptOffer,
    Action,
    CloseOffer,
    DeclineOffer,
    EndTurn,
    MakeOffer,
    WithdrawOffer,
)
from engine.chance import SeededChance
from engine.config import COLORS, Config
from engine.errors import ConfigError
from engine.game import Game
from engine.scenarios import SCENARIOS

TURN_LIMIT = 2000
"""Turns after which a game of random moves counts as a stalemate."""

_OFFER_SHARE = 0.2
"""Share of the moves that are picked among offers, answers and closings, if offers are played."""
_OFFER_ACTIONS = (MakeOffer, AcceptOffer, DeclineOffer, CloseOffer, WithdrawOffer)


@dataclass(slots=True)
class Tally:
    """Counts of many games. `seconds` is the time they took; everything else follows from the seed."""

    games: int = 0
    actions: int = 0
    stalemates: int = 0
    turns: list[int] = field(default_factory=list)
    """Turns of each game, including stalemates."""
    winners: Counter[int] = field(default_factory=Counter)
    """Games won, by seat. A shared victory counts for each winner."""
    reasons: Counter[str] = field(default_factory=Counter)
    fingerprint: str = ""
    """SHA-256 over the final position of each game."""
    seconds: float = 0.0


def play(config: Config, seed: str, turn_limit: int = TURN_LIMIT, offers: bool = False) -> tuple[Game, int]:
    """Play a game of random legal moves to its end or the limit. Returns the game and its number of turns."""
    game = Game.new(config, SeededChance(hashlib.sha256(seed.encode()).digest(), seed, ()))
    return game, play_out(game, random.Random(seed), turn_limit, offers)


def play_out(game: Game, rng: random.Random, turn_limit: int = TURN_LIMIT, offers: bool = False) -> int:
    """Play random legal moves until the game is over or so many turns have ended. Returns the number of turns."""
    turns = 0
    while turns < turn_limit and (seats := game.to_act):
        seat = seats[0] if len(seats) == 1 else seats[int(rng.random() * len(seats))]
        chosen = _about_offers(game, rng) if offers and rng.random() < _OFFER_SHARE else None
        seat, action = chosen or (seat, game.options(seat).sample(rng))
        game.play(seat, action)
        turns += type(action) is EndTurn
    return turns


def simulate(config: Config, games: int, seed: str, turn_limit: int = TURN_LIMIT, offers: bool = False) -> Tally:
    """Play many games. The n-th depends only on the seed and n. Raises `ConfigError`."""
    tally, ends = Tally(), hashlib.sha256()
    began = time.perf_counter()
    for number in range(games):
        game, turns = play(config, f"{seed}/{number}", turn_limit, offers)
        tally.games += 1
        tally.actions += game.revision - 1  # record 0 is the deal
        tally.turns.append(turns)
        if game.outcome is None:
            tally.stalemates += 1
        else:
            tally.winners.update(game.outcome.winners)
            tally.reasons[game.outcome.reason] += 1
        ends.update(game.hash().encode())
    tally.seconds = time.perf_counter() - began
    tally.fingerprint = ends.hexdigest()
    return tally


def run(
    players: int = 4,
    games: int = 100,
    seed: str = "0",
    scenario: str = "base",
    edition: str | None = None,
    variants: Sequence[str] = (),
    target: int | None = None,
    layout: str | None = None,
    options: Sequence[str] = (),
    turn_limit: int = TURN_LIMIT,
    offers: bool = False,
) -> int:
    """Play games and print the tally. None stands for the default; options are "name=value". Returns the exit status: 2
    if the games can't be played."""
    given = {"edition": edition, "target": target, "layout": layout}
    possible = SCENARIOS[scenario].colors_for(players) if scenario in SCENARIOS else ()
    config = Config(
        colors=(*possible, *COLORS)[:players],
        scenario=scenario,
        variants=tuple(variants),
        options=tuple((name, value) for name, _, value in (text.partition("=") for text in options)),
        **{name: value for name, value in given.items() if value is not None},  # type: ignore[arg-type]
    )
    try:
        tally = simulate(config, games, seed, turn_limit, offers)
    except ConfigError as error:
        print(f"harbormaster: {error}", file=sys.stderr)
        return 2
    print(describe(config, seed, tally, turn_limit))
    return 0


def describe(config: Config, seed: str, tally: Tally, turn_limit: int) -> str:
    """The tally as text. All but the last line are the same wherever the seed is played."""
    games, seconds = max(tally.games, 1), max(tally.seconds, 1e-9)
    wins = ", ".join(f"seat {seat + 1} {tally.winners[seat]}" for seat in range(config.players))
    reasons = ", ".join(f"{reason} {count}" for reason, count in sorted(tally.reasons.items())) or "none"
    variants = "".join(f" + {variant}" for variant in config.variants)
    return "\n".join(
        (
            f"{tally.games} games: {config.scenario} {config.edition}{variants}, {config.layout}, "
            f"{config.players} players, target {config.target}, seed {seed!r}",
            f"winners      {wins}",
            f"endings      {reasons}; stalemates at {turn_limit} turns {tally.stalemates}",
            f"turns        mean {sum(tally.turns) / games:.1f}, "
            f"{min(tally.turns, default=0)} to {max(tally.turns, default=0)}",
            f"actions      {tally.actions}, {tally.actions / games:.1f} a game",
            f"fingerprint  {tally.fingerprint}",
            f"speed        {tally.games / seconds:.1f} games/s, {tally.actions / seconds:.0f} actions/s "
            f"({tally.seconds:.2f} s)",
        )
    )


def _about_offers(game: Game, rng: random.Random) -> tuple[int, Action] | None:
    """A random offer, answer or closing of a random seat; None: none is possible."""
    found = []
    for seat in range(game.config.players):
        options = game.options(seat)
        domains = [options[cls] for cls in _OFFER_ACTIONS if cls in options and len(options[cls])]
        if domains:
            found.append((seat, domains))
    if not found:
        return None
    seat, domains = found[int(rng.random() * len(found))]
    return seat, domains[int(rng.random() * len(domains))].sample(rng)
