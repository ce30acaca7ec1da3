"""A game moment by moment: every moment is the game as it was, open only when the game is over."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.game import Game
from engine.log.chronicle import story_of
from engine.log.lasting import lasting
from engine.resources import hand
from engine.views import View
from tests.engine.moments import moments_of
from tests.engine.randomly import PLAIN, lively
from tests.seeds import few_of


def closed(view: View) -> View:
    """The view without what can be hidden."""
    players = (
        replace(player, hand=None, development_cards=None, fresh_cards=None, all_points=None) for player in view.players
    )
    return replace(view, players=tuple(players))


@pytest.mark.parametrize("seed", few_of(range(40), 4))
def test_moments_are_the_views_of_what_was_not_undone(seed: int) -> None:
    """M: of a game that is over, all hands are open; of a running one, nothing but what onlookers saw."""
    game = lively(seed, scenarios=(*PLAIN, "extension"), variants=0.3)
    half = game.records[: game.revision // 2]
    for records, over in ((game.records, True), (half, False)):
        views, log, hands = [], [], []
        for past in Game.each(game.config, records):
            views.append(past.view(None))
            log.append(past.last_events)
            hands.append([hand(cards) for cards in past.state.hands])
        moments = moments_of(game.config, records)
        assert [moment.record for moment in moments] == lasting(log)
        for moment in moments:
            assert moment.events == tuple(event.redact(None, over) for event in log[moment.record])
            if not over:
                assert moment.view == views[moment.record]
                continue
            assert [player.hand for player in moment.view.players] == hands[moment.record]
            assert [account.held for account in moment.accounts] == [sum(cards) for cards in hands[moment.record]]
            assert closed(moment.view) == closed(views[moment.record])
        assert moments[-1].accounts == story_of(game.config, records).accounts
