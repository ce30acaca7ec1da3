"""The last offer, as found in the log and in the events of random games: the same cards to the same people."""

from __future__ import annotations

import random

import pytest

from bot.screens.drafts import last_offer, repeatable
from bot.screens.viewer import Viewer
from bot.table.parts import Member
from bot.table.table import RUNNING, Table
from bot.words.refusals import refusal_sentence
from engine.actions import MakeOffer
from engine.errors import RefereeError
from engine.events import OfferMade
from engine.game import Game
from tests.engine.randomly import attempt, chance, random_action, random_config


def table_of(game: Game) -> Table:
    """A table with people in all seats."""
    players = enumerate(game.config.colors)
    members = tuple(Member(100 + n, f"P{n}", color, True, "", str(n)) for n, color in players)
    return Table(1, 1, 1, RUNNING, 100, False, game.config, members, "", ("1",), 1, 0.0, 0.0)


def offers_of(viewer: Viewer) -> MakeOffer | str:
    """The last offer as it can be made now, or the sentence that says why it can't."""
    try:
        return last_offer(viewer)
    except RefereeError as error:
        return refusal_sentence(error, viewer.view, viewer.names)


def check(viewer: Viewer, made: OfferMade | None) -> bool:
    """Compare with the offer that was made last. Returns whether it could be made again, and was."""
    offer_again, turn, seat = offers_of(viewer), viewer.view.on_turn, viewer.my_seat
    others = {p.seat for p in viewer.view.players if p.seat != seat and not p.resigned}
    if isinstance(offer_again, str):
        assert offer_again.endswith(".")
        asked = set(made.to) & others if made else set()
        assert not asked or turn not in {*asked, seat}
        return False
    assert made is not None
    assert (offer_again.give, offer_again.want, offer_again.answers) == (made.give, made.want, -1)
    if turn == seat:
        assert set(offer_again.to or others) == set(made.to) & others
    elif turn is not None:
        assert not offer_again.to
        assert turn in made.to
    if repeatable(viewer) is None:
        return False
    events = viewer.game.copy().play(seat, offer_again)
    [offer] = [event for event in events if isinstance(event, OfferMade)]
    assert set(offer.to) <= set(made.to)
    return True


def test_the_last_offer_is_repeated_with_the_same_cards_to_the_same_players() -> None:
    repeated = 0
    for seed in range(12):
        rng = random.Random(seed)
        game = Game.new(random_config(rng, ("base", "extension"), (8,), rounds=30), chance(seed))
        table, made = table_of(game), dict[int, OfferMade]()
        while game.outcome is None and game.revision < 900:
            if attempt(game, *random_action(game, rng)) is None:
                made |= {event.seat: event for event in game.last_events if isinstance(event, OfferMade)}
            if rng.random() < 0.1 and game.outcome is None:
                viewers = [Viewer(table, game, seat) for seat in range(game.config.players)]
                repeated += sum(check(viewer, made.get(viewer.my_seat)) for viewer in viewers if not viewer.has_left)
    assert repeated > 50


def test_a_player_who_has_made_no_offer_has_nothing_to_repeat() -> None:
    game = Game.new(random_config(random.Random(1)), chance(1))
    with pytest.raises(RefereeError, match="no-last-offer"):
        last_offer(Viewer(table_of(game), game, 0))
    assert repeatable(Viewer(table_of(game), game, 0)) is None
