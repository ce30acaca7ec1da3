"""Lines of events and stories of turns: every event has a line, secrets stay unsaid, and a roll is one line."""

from __future__ import annotations

import dataclasses

import pytest

from bot.words.narrator import SUBJECTS, TELLINGS, line, own_line, story
from engine import events as ev
from engine.codec import Secret
from engine.resources import KNIGHT, MONOPOLY, ORE, ROAD_BUILDING, YEAR_OF_PLENTY, hand_of
from engine.terms import Award, Piece
from engine.views import OfferView
from tests.bot.screens.tables import NAMES, config, view

VIEW = view()
GRID = VIEW.board.grid
HEX = GRID.hex_names.index("3.2")
NODE, EDGE = GRID.node_names.index("C4"), GRID.edge_names.index("c4")


def told(*events: ev.Event) -> list[str]:
    return story(events, VIEW, NAMES)


def test_every_event_is_worded_in_exactly_one_place() -> None:
    names = [cls.name for subject in SUBJECTS for cls in subject.EVENTS]
    assert sorted(names) == sorted({cls.name for cls in ev.Event.__subclasses__()})  # a class with slots replaces one
    assert all(telling.line for telling in TELLINGS.values())


@pytest.mark.parametrize("seat", [None, 2])
def test_other_players_dont_read_which_card_was_stolen(seat: int | None) -> None:
    event = ev.CardTaken(0, 1, Secret(ORE, 0b11))
    assert line(event.redact(seat), VIEW, NAMES) == "Ann stole a card from Bob."
    assert line(event, VIEW, NAMES) == "Ann stole a card from Bob."  # a secret that gets here by mistake isn't told


def test_thief_and_victim_read_which_card_was_stolen() -> None:
    event = ev.CardTaken(0, 1, Secret(ORE, 0b11))
    assert line(event.redact(1), VIEW, NAMES) == "Ann stole 1 🪨 ore from Bob."


def test_only_the_buyer_reads_which_card_was_bought() -> None:
    event = ev.CardBought(1, Secret(KNIGHT, 0b10))
    assert line(event.redact(None), VIEW, NAMES) == "Bob bought a development card."
    assert line(event.redact(1), VIEW, NAMES) == "Bob bought a development card (knight)."
    assert own_line(event.redact(1), view(seat=1), NAMES) == "You bought a development card: **knight**."


def test_a_roll_and_its_production_are_one_line() -> None:
    assert told(
        ev.TurnBegan(1, 3),
        ev.Rolled(1, (3, 5)),
        ev.Produced(0, hand_of(grain=2)),
        ev.Produced(1, hand_of(ore=1, brick=1)),
        ev.Shortage(2, (0, 2)),
    ) == [
        "🎲 Bob rolled **8** (⚂ + ⚄): Ann +2 🌾 grain, Bob +1 🧱 brick and 1 🪨 ore. "
        "The bank ran out of 🐑 wool: not enough for Ann and Cy."
    ]


def test_a_roll_without_production_says_so() -> None:
    assert told(ev.Rolled(0, (6, 6))) == ["🎲 Ann rolled **12** (⚅ + ⚅): no one gets cards."]


def test_a_seven_that_doesnt_count_has_a_line_before_the_roll_that_counts() -> None:
    lines = told(ev.Rolled(0, (3, 4), counted=False), ev.Rolled(0, (1, 2)))
    assert lines[0] == "🎲 Ann rolled **7** (⚂ + ⚃), which doesn't count yet: rolling again."
    assert lines[1].startswith("🎲 Ann rolled **3**")


def test_a_seven_its_discards_and_the_robber_are_three_lines() -> None:
    assert told(
        ev.Rolled(0, (3, 4)),
        ev.DiscardsDue(((1, 4), (2, 5))),
        ev.DiscardChosen(1),
        ev.DiscardChosen(2),
        ev.Discarded(1, hand_of(wool=4)),
        ev.Discarded(2, hand_of(ore=5)),
        ev.RobberMoved(0, -1, HEX),
        ev.CardTaken(0, 1, None),
    ) == [
        "🎲 Ann rolled **7** (⚂ + ⚃): the robber moves.",
        "Discarded: Bob 4 🐑 wool; Cy 5 🪨 ore.",
        "Ann moved the robber to the 🪵\u206011 and stole a card from Bob.",
    ]


def test_open_discards_have_no_line_in_the_story() -> None:
    assert told(ev.DiscardsDue(((1, 4), (2, 1))), ev.DiscardChosen(1)) == []


def test_a_development_card_and_its_effect_are_one_line() -> None:
    assert told(
        ev.CardPlayed(0, KNIGHT), ev.RobberMoved(0, 1, HEX), ev.NothingTaken(0),
        ev.CardPlayed(0, YEAR_OF_PLENTY), ev.PlentyTaken(0, hand_of(wool=1, ore=1)),
        ev.CardPlayed(0, MONOPOLY), ev.Monopolised(0, ORE, ((1, 2), (2, 1))),
        ev.CardPlayed(0, ROAD_BUILDING), ev.Built(0, Piece.ROAD, EDGE, free=True),
        ev.Built(0, Piece.ROAD, EDGE + 1, free=True),
    ) == [
        "⚔️ Ann played a knight, moved the robber to the 🪵\u206011 and stole nothing.",
        "🃏 Ann played Year of Plenty: 1 🐑 wool and 1 🪨 ore from the bank.",
        "🃏 Ann played Monopoly and took all 🪨 ore: 3 (2 from Bob, 1 from Cy).",
        "🃏 Ann played Road Building: 2 roads.",
    ]  # fmt: skip


def test_setup_on_a_fixed_board_is_one_line() -> None:
    cards = [ev.Produced(seat, hand_of(grain=1 + seat), setup=True) for seat in (1, 0)]
    pieces = [
        ev.Built(seat, piece, place, free=True)
        for seat in (1, 0, 1, 0)
        for piece, place in ((Piece.SETTLEMENT, NODE), (Piece.ROAD, EDGE))
    ]
    first = [ev.FirstPlayer(1), *pieces]
    later = [ev.TurnBegan(1, 1), ev.CardPlayed(1, ROAD_BUILDING), ev.Built(1, Piece.ROAD, EDGE, free=True)]
    assert told(*first, *cards, *later) == [
        "🎲 Bob begins.",
        "🏠 The first settlements and roads are placed, and everyone has their first cards.",
        "🃏 Bob played Road Building: a road.",
    ]
    assert told(*first, *later)[1] == "🏠 The first settlements and roads are placed."


def test_setup_is_one_line_for_each_player() -> None:
    plain = view(config("base"))
    assert story(
        [
            ev.SeatsTaken((1, 0)),
            ev.FirstRolls(((0, 3, 4), (1, 5, 2))),
            ev.FirstRolls(((0, 1, 1), (1, 5, 2))),
            ev.FirstPlayer(1),
            ev.Built(1, Piece.SETTLEMENT, NODE, free=True),
            ev.Produced(1, hand_of(grain=1), setup=True),
            ev.Built(1, Piece.ROAD, EDGE, free=True),
        ],
        plain,
        NAMES,
    ) == [
        "🎲 Rolling for first: Ann 7, Bob 7; again: Ann 2, Bob 7; Bob begins.",
        "Bob placed a settlement on 🪵\u20606 🪨\u20605 (+1 🌾 grain) and a road.",
    ]


def test_an_offer_has_a_line_only_if_it_ended_without_a_trade() -> None:
    wool, ore = hand_of(wool=2), hand_of(ore=1)
    made = ev.OfferMade(0, 1, wool, ore, (1, 2))
    assert told(made) == ["Ann offered 2 🐑 wool for 1 🪨 ore to Bob and Cy: no deal."]
    assert told(made, ev.Traded(0, 2, wool, ore)) == ["🤝 Ann gave 2 🐑 wool to Cy for 1 🪨 ore."]
    still = dataclasses.replace(VIEW, offers=(OfferView(1, 0, wool, ore, 0b110, 0, 0),))
    assert story((made,), still, NAMES) == []


def test_an_accepted_counter_offer_appears_only_as_the_trade() -> None:
    wool, ore = hand_of(wool=2), hand_of(ore=1)
    assert len(told(ev.OfferMade(1, 2, ore, wool, (0,), 1), ev.Traded(0, 1, wool, ore))) == 1


def test_awards_name_the_previous_holder() -> None:
    lines = told(ev.AwardMoved(Award.LONGEST_ROAD, 0, 1, 6), ev.AwardMoved(Award.LARGEST_ARMY, 1, None, 0))
    assert lines == [
        "🏆 Bob has the Longest Road (6 segments, taken from Ann): 2 points.",
        "No one has the Largest Army now: Bob loses it.",
    ]


def test_a_timeout_is_reported_once_per_turn_for_each_player() -> None:
    """The roll and the end of the turn are decided for Ann, and a discard for Bob."""
    late = "⌛ {} ran out of time: auto-played."
    rolled = ev.Rolled(0, (2, 2))
    lines = told(ev.DecidedFor(0), rolled, ev.DecidedFor(0), ev.TurnEnded(0))
    assert [line for line in lines if "⌛" in line] == [late.format("Ann")]
    lines = told(ev.DecidedFor(0), ev.DecidedFor(1), ev.DecidedFor(0))
    assert lines == [late.format(name) for name in ("Ann", "Bob")]


def test_in_setup_each_timeout_is_reported() -> None:
    """Days can lie between the first settlement and the second."""
    placed = ev.Built(1, Piece.SETTLEMENT, NODE, free=True)
    lines = told(ev.DecidedFor(0), ev.Built(0, Piece.SETTLEMENT, NODE, free=True), placed, ev.DecidedFor(0))
    assert len([line for line in lines if "⌛" in line]) == 2
