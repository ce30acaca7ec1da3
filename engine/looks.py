"""Building views: what one seat, or an onlooker, may know, put together from nothing (section M)."""

from __future__ import annotations

from collections.abc import Iterable

from engine.actions import MoveRobber
from engine.domains import Places
from engine.events import Event
from engine.geometry import mask_of
from engine.pieces import cities_left, roads_left, settlements_left
from engine.resources import hand
from engine.state import State
from engine.steps.cards import FreeRoads
from engine.steps.robber import Discards, RobberStep, TakeStep, victims
from engine.steps.setup import Setup
from engine.view import OfferView, PlayerView, View


def look(
    state: State, seat: int | None, revision: int, story: Iterable[Event], last: Iterable[Event], undo: int | None
) -> View:
    """The view of a seat, or of an onlooker."""
    rules, top = state.rules, state.agenda[-1]
    over = state.outcome is not None
    return View(
        seat=seat,
        config=rules.config,
        board=state.board,
        revision=revision,
        step=top.kind,
        on_turn=state.on_turn if state.on_turn >= 0 and not over else None,
        turn=state.turn,
        round=state.round,
        awaited=top.shown(state, seat),
        piece=_piece(state),
        owed=tuple(n * (top.awaited(state) >> s & 1) for s, n in enumerate(top.owed))
        if isinstance(top, Discards)
        else (0,) * state.players,
        first=state.first,
        players=tuple(_player(state, s, seat) for s in range(state.players)),
        bank=hand(state.bank),
        deck=sum(state.deck),
        robber=state.robber,
        longest_road=state.longest if state.longest >= 0 else None,
        largest_army=state.army if state.army >= 0 else None,
        dice=state.dice,
        rolls=tuple(state.rolls),
        offers=tuple(
            OfferView(o.id, o.seat, o.give, o.want, o.to, o.accepted, o.declined, o.answers) for o in state.offers
        ),
        events=tuple(e.redact(seat, over) for e in story),
        last=tuple(e.redact(seat, over) for e in last),
        card_played=state.card_played,
        end_votes=state.votes,
        asked_to_build=seat is not None and bool(state.asked >> seat & 1),
        targets=_targets(state),
        undo=undo,
        outcome=state.outcome,
    )


def _player(state: State, seat: int, viewer: int | None) -> PlayerView:
    data, over = state.rules.data, state.outcome is not None
    own = seat == viewer or over
    return PlayerView(
        seat=seat,
        player=state.order[seat],
        color=state.color(seat),
        roads=state.roads[seat],
        settlements=state.settlements[seat],
        cities=state.cities[seat],
        cards=sum(state.hands[seat]),
        hand=hand(state.hands[seat]) if own or data.open_hands else None,
        development=sum(state.cards[seat]),
        development_cards=hand(state.cards[seat]) if own else None,
        fresh_cards=hand(state.fresh[seat]) if own else None,
        played=hand(state.played[seat]),
        points=state.points(seat),
        all_points=state.all_points(seat) if own else None,
        road_length=state.road_length[seat],
        pieces_left=(roads_left(state, seat), settlements_left(state, seat), cities_left(state, seat)),
        rates=hand(state.rates[seat]),
        resigned=bool(state.resigned >> seat & 1),
    )


def _piece(state: State) -> str | None:
    top = state.agenda[-1]
    if isinstance(top, Setup):
        return "settlement" if top.at < 0 else "road"
    return "road" if isinstance(top, FreeRoads) else None


def _targets(state: State) -> int:
    top = state.agenda[-1]
    if isinstance(top, RobberStep):
        places = state.rules.options(state, top.seat)[MoveRobber]
        return places.mask if isinstance(places, Places) else 0
    return mask_of(victims(state, top.seat)) if isinstance(top, TakeStep) else 0
