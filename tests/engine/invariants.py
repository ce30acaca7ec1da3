"""Checks of what is true in every position, worked out again without the engine's shortcuts."""

from __future__ import annotations

from engine.game import Game
from engine.geometry import bits
from engine.resources import GENERIC
from engine.steps.discard import Discards
from engine.steps.robber import CountKnights
from engine.steps.setup import Setup
from engine.terms import StepKind


def trail_by_hand(ends: list[tuple[int, int]], walls: set[int]) -> int:
    """Length of the longest path over edges, each used once, that doesn't lead through a wall. It tries every start
    and every order."""

    def on(at: int, left: frozenset[int]) -> int:
        ways = [(e, sum(ends[e]) - at) for e in left if at in ends[e]]
        return max((1 + (0 if to in walls else on(to, left - {e})) for e, to in ways), default=0)

    return max((on(n, frozenset(range(len(ends)))) for pair in ends for n in pair), default=0)


def check_cards(game: Game) -> None:
    """Check that no resource card or development card is lost or made (A2, H1)."""
    state, data = game.state, game.rules.data
    flying = [0] * 5
    laid = 0
    for step in state.agenda:
        if isinstance(step, Discards):
            for chosen in step.chosen:
                flying = [a + b for a, b in zip(flying, chosen or (0,) * 5, strict=True)]
        laid += len(step.seats) if isinstance(step, CountKnights) else 0
    for r in range(5):
        in_hands = [h[r] for h in state.hands]
        assert min(in_hands) >= 0
        assert state.bank[r] >= 0
        assert sum(in_hands) + state.bank[r] + flying[r] == data.bank
    assert not any(any(state.hands[s]) or any(state.development_cards[s]) for s in bits(state.resigned))  # I7
    for kind in range(5):
        mine = [c[kind] for c in state.development_cards]
        assert min(mine) >= 0
        assert all(0 <= fresh[kind] <= n for fresh, n in zip(state.fresh, mine, strict=True))
        total = sum(mine) + sum(p[kind] for p in state.played) + state.deck[kind] + (0 if kind else laid)
        assert total == data.deck[kind] or (state.resigned and total < data.deck[kind])


def check_pieces(game: Game) -> None:
    """Check supply, one piece per place, distance rule and connection (F1 to F5), and the masks that repeat the
    pieces."""
    state, data, board = game.state, game.rules.data, game.board
    grid = board.grid
    setup = [s for s in state.agenda if isinstance(s, Setup)]
    all_roads = all_buildings = 0
    for seat in range(state.players):
        roads, settlements, cities = state.roads[seat], state.settlements[seat], state.cities[seat]
        assert roads.bit_count() <= data.roads
        assert settlements.bit_count() <= data.settlements
        assert cities.bit_count() <= data.cities
        assert not settlements & cities
        assert not all_roads & roads
        assert not all_buildings & (settlements | cities)
        all_roads |= roads
        all_buildings |= settlements | cities
        reach = 0
        for e in bits(roads):
            reach |= 1 << grid.edges[e][0] | 1 << grid.edges[e][1]
        assert reach == state.reach[seat]
        loose = (settlements | cities) & ~reach
        placing = any(s.at >= 0 and s.seat == seat for s in setup) or (state.turn == 0 and game.outcome is not None)
        assert loose.bit_count() <= (1 if placing else 0) or state.resigned >> seat & 1
        assert connected(game, seat)
        rates = [4] * 5
        for harbor in board.harbors:
            if harbor.side is not None:
                ends = grid.edges[grid.hex_edges[harbor.hex][harbor.side]]
                if any((settlements | cities) >> n & 1 for n in ends):
                    for r in range(5):
                        rates[r] = min(rates[r], 3 if harbor.kind == GENERIC else 2 if harbor.kind == r else 4)
        assert rates == state.rates[seat] or "pirate" in game.config.variants
    assert (all_roads, all_buildings) == (state.paved, state.buildings)
    assert not all_buildings & ~board.settle_mask
    assert not all_roads & ~(board.road_mask | board.bridge_mask)
    for a, b in grid.edges:  # the distance rule, except across water (K5)
        if all_buildings >> a & 1 and all_buildings >> b & 1:
            edge = grid.edges.index((a, b))
            assert all(board.terrain[h] == 6 for h in grid.edge_hexes[edge])


def connected(game: Game, seat: int) -> bool:
    """Whether every road of a seat leads to one of its buildings."""
    state, grid = game.state, game.board.grid
    reached, left = state.settlements[seat] | state.cities[seat], state.roads[seat]
    while found := [e for e in bits(left) if grid.edge_node_mask[e] & reached]:
        for e in found:
            left &= ~(1 << e)
            reached |= grid.edge_node_mask[e]
    return not left


def check_roads(game: Game, known: dict[tuple[int, int], int]) -> None:
    """Check road lengths against brute force, and the two awards by their definition (I1 to I3). `known` caches
    lengths."""
    state, grid = game.state, game.board.grid
    for seat in range(state.players):
        walls = state.buildings & ~(state.settlements[seat] | state.cities[seat])
        key = (state.roads[seat], walls)
        if key not in known:
            known[key] = trail_by_hand([grid.edges[e] for e in bits(state.roads[seat])], set(bits(walls)))
        assert state.road_length[seat] == known[key]
    in_play = [n for s, n in enumerate(state.road_length) if not state.resigned >> s & 1]
    best = max(in_play)
    if state.longest >= 0:
        assert not state.resigned >> state.longest & 1
        assert state.road_length[state.longest] == best >= 5
    else:
        assert best < 5 or in_play.count(best) > 1
    knights = [0 if state.resigned >> s & 1 else p[0] for s, p in enumerate(state.played)]
    if state.army >= 0:
        assert knights[state.army] == max(knights) >= 3
    else:
        assert max(knights) < 3 or knights.count(max(knights)) > 1


def check_offers(game: Game) -> None:
    """Check how many offers each player has open, that none is open twice, and to whom they go (E1, E2)."""
    state = game.state
    for seat in range(state.players):
        mine = [(o.give, o.want, o.to) for o in state.offers if o.seat == seat]
        assert len(mine) == len(set(mine)) <= (4 if seat == state.on_turn else 1)
        assert all(to and not to & ~state.active() & ~(1 << seat) for _, _, to in mine)
    assert state.on_turn >= 0 or not state.offers


def check_points(game: Game) -> None:
    """Check the points from scratch (I4), and that the game is over if the player on turn has enough (I5)."""
    state, view = game.state, game.view()
    for seat, player in enumerate(view.players):
        points = player.settlements.bit_count() + 2 * player.cities.bit_count() + state.played[seat][4]
        points += 2 * (view.longest_road == seat) + 2 * (view.largest_army == seat)
        assert player.points == points
        every = points + (state.development_cards[seat][4] if game.rules.data.hidden_points else 0)
        assert state.all_points(seat) == every
        if game.outcome is None:
            assert every < game.config.target or state.on_turn != seat
        else:
            assert game.outcome.points[seat] == every


def check_agenda(game: Game) -> None:
    """Check that nothing of a turn is left to settle once the next one is to come, except building in between (J1)."""
    kinds = [step.kind for step in game.state.agenda]
    if StepKind.NEXT_TURN in kinds:
        above = kinds[kinds.index(StepKind.NEXT_TURN) + 1 :]
        assert above in ([StepKind.SPECIAL_BUILDING], [StepKind.LATE_REQUESTS])
        assert game.state.on_turn == -1


def check_views(game: Game) -> None:
    """Check that no view has a secret or another player's hidden cards (M), and that all its events have a JSON
    form."""
    over, open_hands = game.outcome is not None, game.rules.data.open_hands
    for seat in (None, *range(game.config.players)):
        view = game.view(seat)
        for event in (*view.events, *view.last):
            event.to_json()  # it refuses secrets
        for player in view.players:
            mine = over or player.seat == seat
            assert (player.hand is not None) == (mine or open_hands)
            hidden = (player.development_cards, player.fresh_cards, player.all_points)
            assert all((x is not None) == mine for x in hidden)
            assert player.hand_size == sum(game.state.hands[player.seat])
            assert player.development_count == sum(game.state.development_cards[player.seat])
        assert view.deck == sum(game.state.deck)


def check_position(game: Game, known: dict[tuple[int, int], int]) -> None:
    """Check all of the above."""
    check_cards(game)
    check_pieces(game)
    check_roads(game, known)
    check_offers(game)
    check_points(game)
    check_agenda(game)
    check_views(game)
