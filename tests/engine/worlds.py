"""Another world: the same game, with all that a viewer must not know dealt again."""

from __future__ import annotations

import random
from typing import Any

from engine.domains import Domain
from engine.game import Game
from engine.geometry import mask_of
from engine.resources import hand
from engine.steps.discard import Discards
from engine.variants.knight_interrupt import Interrupt


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
    """The sum of all piles, by kind."""
    return [sum(column) for column in zip(*piles, strict=True)]


def other_world(game: Game, viewer: int | None, rng: random.Random) -> Game:
    """The same game, with all that `viewer` must not know dealt again: hands, discards, development cards, deck,
    requests to build, and answers to the robber."""
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


def shape(domain: Domain) -> list[object]:
    """A domain as plain values: its actions and its numbers."""
    attributes = (getattr(domain, name) for name in dir(domain) if not name.startswith("__"))
    values = (x for x in attributes if not callable(x))
    return [list(domain), *(list(x) if isinstance(x, (list, tuple)) else x for x in values)]
