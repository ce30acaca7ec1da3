"""M: whoever may not know which of two worlds is true can't tell them apart, by anything the engine says."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine.domains import Domain
from engine.game import Game
from engine.geometry import mask_of
from engine.resources import hand
from engine.steps.discard import Discards
from engine.variants.knight_interrupt import Interrupt
from tests.engine.randomly import PLAIN, attempt, chance, random_action, random_config, wild_action

GAMES, BATCH = 80, 10


def deal_out(cards: list[int], sizes: list[int], rng: random.Random) -> list[list[int]]:
    """Shuffle the cards and deal piles of these sizes."""
    pile = [kind for kind, n in enumerate(cards) for _ in range(n)]
    rng.shuffle(pile)
    piles = []
    for size in sizes:
        dealt, pile = pile[:size], pile[size:]
        piles.append([dealt.count(kind) for kind in range(5)])
    return piles


def total(piles: list[list[int]]) -> list[int]:
    """All piles on one heap."""
    return [sum(column) for column in zip(*piles, strict=True)]


def other_world(game: Game, viewer: int | None, rng: random.Random) -> Game:
    """The same game, but everything that `viewer` may not know is dealt anew: hands, discards, cards, deck."""
    twin = game.copy()
    state: Any = twin.state
    others = [s for s in range(state.players) if s != viewer]
    discards = [step for step in state.agenda if isinstance(step, Discards)]
    piles = [state.hands[s] for s in others]
    chosen = [s for s in others if discards and discards[0].chosen[s] is not None]
    piles += [list(discards[0].chosen[s] or ()) for s in chosen]
    dealt = deal_out(total(piles), [sum(p) for p in piles], rng)
    for s in others:
        state.hands[s] = dealt.pop(0)
    for s in chosen:
        step = discards[0]
        step.chosen = tuple(hand(dealt[chosen.index(s)]) if i == s else c for i, c in enumerate(step.chosen))
    piles = [state.development_cards[s] for s in others] + [state.deck]
    dealt = deal_out(total(piles), [sum(p) for p in piles], rng)
    for s in others:
        state.development_cards[s] = dealt.pop(0)
        new = min(sum(state.fresh[s]), sum(state.development_cards[s]))
        (state.fresh[s],) = deal_out(state.development_cards[s], [new], rng)
    (state.deck,) = dealt
    if state.rules.data.special_building:
        for s in others:
            state.standing[s] = rng.randrange(10)
            state.asked ^= (rng.random() < 0.5) << s
    top = state.agenda[-1]
    if isinstance(top, Interrupt):
        mine = top.answered & (0 if viewer is None else 1 << viewer)
        answered = mine | mask_of(s for s in others if top.asked >> s & 1 and rng.random() < 0.5)
        top.answered = answered if answered != top.asked else top.answered
    return twin


def looks(game: Game, viewer: int | None) -> list[object]:
    """Everything a seat is shown, except what it may try."""
    said: list[object] = [game.view(viewer), viewer is not None and game.can_undo(viewer)]
    if viewer is not None:
        said += [game.decision(viewer), {cls: shape(d) for cls, d in game.options(viewer).items()}]
    return said


def shape(domain: Domain) -> list[object]:
    """A domain as plain values: its actions and its numbers."""
    found = (getattr(domain, name) for name in dir(domain) if not name.startswith("__"))
    values = (x for x in found if not callable(x))
    return [list(domain), *(list(x) if isinstance(x, (list, tuple)) else x for x in values)]


def compare(game: Game, viewer: int | None, rng: random.Random) -> None:
    """A random other world looks the same and answers the same."""
    twin = other_world(game, viewer, rng)
    assert looks(game, viewer) == looks(twin, viewer)
    if viewer is None:
        return
    for _ in range(25):
        action = wild_action(game, rng)[1]
        here, there = (attempt(world.copy(), viewer, action) for world in (game, twin))
        said = [None if e is None else (e.key, str(e), e.params) for e in (here, there)]
        assert said[0] == said[1] or "trade-gone" in [e.code for e in (here, there) if e], (action, said)


@pytest.mark.parametrize("batch", range(GAMES // BATCH))
def test_M_two_worlds_look_alike(batch: int) -> None:
    """Views, options, ids and refusals of a seat depend on nothing it may not know."""
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        rng = random.Random(seed)
        rules = {"variants": 0.2} if seed % 2 else {}
        game = Game.new(random_config(rng, (*PLAIN, "extension"), (5, 10), rounds=40, **rules), chance(seed))
        while game.outcome is None:
            attempt(game, *random_action(game, rng))
            if rng.random() < 0.04 and game.outcome is None and not game.rules.data.open_hands:
                compare(game, rng.choice((None, *range(game.config.players))), rng)
