"""Drafts, which are cards chosen from lists: what their ids hold, and what is offered, traded and discarded."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.screens import drafts
from bot.screens.controls import Open, Reply, hand_code, hand_of_code
from bot.screens.drafts import Draft
from bot.screens.steps.discard import discarded_line
from bot.screens.viewer import Viewer
from engine.actions import Discard, MakeOffer, Roll
from engine.errors import RefereeError
from engine.resources import NOTHING, hand
from tests.bot.screens.played import played, table, viewer
from tests.engine import builder
from tests.engine.builder import seat


def offered(reply: Reply) -> Draft:
    """The draft that *Offer* would send."""
    buttons = [button for row in reply.rows if isinstance(row, list) for button in row]
    [args] = [b.target.args for b in buttons if isinstance(b.target, Open) and b.target.verb == "offer"]
    return Draft.read(args)


@pytest.mark.parametrize("cards", [NOTHING, hand((1, 0, 2, 19, 0)), hand((35, 12, 0, 0, 9))])
def test_a_hand_written_into_a_custom_id_is_read_back_unchanged(cards: tuple[int, ...]) -> None:
    assert hand_of_code(hand_code(hand(cards))) == hand(cards)


def test_a_draft_is_read_back_from_custom_ids_and_makes_its_offer() -> None:
    draft = Draft(hand((2, 0, 0, 0, 0)), hand((0, 0, 1, 0, 1)), 0b1010, 7)
    assert Draft.read(draft.args) == draft
    assert draft.action == MakeOffer(hand((2, 0, 0, 0, 0)), hand((0, 0, 1, 0, 1)), (1, 3), 7)
    assert Draft.read(Draft().args) == Draft()


def test_a_choice_changes_only_its_own_part_of_the_draft() -> None:
    draft = Draft().changed("give", ["0.2"]).changed("want", ["4.1"]).changed("to", ["2", "0"])
    assert draft == Draft(hand((2, 0, 0, 0, 0)), hand((0, 0, 0, 0, 1)), 0b101)
    assert draft.changed("give", ["1.1"]).give == hand((0, 1, 0, 0, 0))
    assert draft.changed("to", []).to == 0


def test_a_player_without_cards_cant_draft_an_offer() -> None:
    """The list can still be there when the cards are gone, and an empty list can't be shown."""
    with pytest.raises(RefereeError):
        drafts.draft(viewer("Ann", "Bob", "Cem"), Draft())


def test_in_another_players_turn_a_draft_goes_to_that_player_instead_of_those_chosen() -> None:
    """In another player's turn, offers go to that player, and no one can be chosen."""
    game = played(4, 300)
    on_turn = game.view(None).on_turn
    assert on_turn is not None
    me, other = [seat for seat in range(4) if seat != on_turn and any(game.view(seat).players[seat].hand or ())][:2]
    draft = Draft(hand((1, 0, 0, 0, 0)), hand((0, 1, 0, 0, 0)), 1 << other)
    away = Viewer(table(game.config), game, me)
    reply = drafts.draft(away, draft)
    assert reply.text.endswith(f"You give 1 🧱 brick and want 1 🪵 lumber from {away.names[on_turn]}.")
    assert offered(reply) == replace(draft, to=0)
    mine = away.showing(replace(away.view, on_turn=me))
    reply = drafts.draft(mine, draft)
    assert reply.text.endswith(f"from {away.names[other]}.")
    assert offered(reply) == draft


def test_a_forged_draft_asks_only_those_who_can_be_asked() -> None:
    game = played(4, 300)
    mine = next(Viewer(table(game.config), game, seat) for seat in range(4) if seat == game.view(None).on_turn)
    forged = Draft(hand((1, 0, 0, 0, 0)), hand((0, 1, 0, 0, 0)), 999)
    others = ", ".join(mine.names[seat] for seat in range(4) if 999 >> seat & 1 and seat != mine.seat)
    assert others.replace(", ", " and ") in drafts.draft(mine, forged).text


@pytest.mark.parametrize("variants", [(), ("open-hands",)])
def test_a_discard_is_called_hidden_only_where_hands_are(variants: tuple[str, ...]) -> None:
    many = builder.table(*(seat(hand="bbbbllll"),) * 2, variants=variants, step="pre_roll", dice=[(3, 4)])
    many.play(0, Roll())
    many.play(0, Discard(builder.cards("bbll")))
    line = discarded_line(Viewer(table(many.game.config), many.game, 0))
    assert ("Hidden" in line) == (not variants)
    assert "can still change it" in line
