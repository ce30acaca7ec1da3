"""The game message: a sentence for each step, the players and the offers, always within its budget."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.plaintext import length, safe_name
from bot.screens.controls import Do
from bot.screens.panel import final_panel, headline, newest, panel, standing
from bot.screens.steps import presenter_of
from bot.screens.steps.step import building, undo
from bot.table.time import Deadline
from bot.words import pictures
from engine import events as ev
from engine.actions import EndTurn, MoveRobber, PlayKnight, Resign, Roll
from engine.outcome import Outcome
from engine.resources import hand_of
from engine.terms import EndReason, Piece
from engine.views import OfferView, View
from tests.bot.screens.played import viewer
from tests.bot.screens.tables import NAMES, config, step, view, with_player
from tests.engine.builder import hex_, seat
from tests.engine.tables import five

STEPS: list[tuple[dict[str, Any], str]] = [
    ({"step": step("setup")}, "Setup: **Ann**, place your first settlement."),
    ({"step": step("setup", piece=Piece.ROAD)}, "Setup: **Ann**, place a road next to your first settlement."),
    ({"step": step("pre_roll")}, "**Ann**'s turn: roll the dice."),
    ({"step": step("main")}, "**Ann**'s turn: trade and build."),
    ({"step": step("main"), "seat": 0}, "**Your turn**: trade and build."),
    ({"step": step("main"), "seat": 1}, "**Ann**'s turn: trade and build."),
    (
        {"step": step("discard", 0b110, owed=(0, 4, 1, 0))},
        "7 rolled! Waiting for discards: **Bob** 4 cards, **Cy** 1 card.",
    ),
    ({"step": step("move_robber")}, "**Ann**: move the robber. It's on the desert."),
    ({"step": step("take_card", victims=0b110)}, "**Ann**: steal a card from Bob or Cy."),
    ({"step": step("road_building")}, "**Ann**: place your first free road."),
    ({"step": step("choose_yield", 3)}, "**Ann** and **Bob**: pick the settlement that gives"),
    (
        {"step": step("special_building", 2, queue=(1, 3))},
        "Building between turns: **Bob**, build, buy a card, or pass. Next: Dee.",
    ),
    ({"step": step("interrupt", 0b110)}, "The robber is on the desert. **Bob** and **Cy** can answer"),
    (
        {"step": step("over"), "outcome": Outcome(EndReason.TARGET, (1,), (2, 10, 3, 4))},
        "🏁 **Bob** wins with 10 points!",
    ),
    (
        {"step": step("over"), "outcome": Outcome(EndReason.ROUNDS, (0, 1), (9, 9, 3, 4))},
        "🏁 **Ann** and **Bob** share the win",
    ),
]


@pytest.mark.parametrize(("values", "text"), STEPS)
def test_the_headline_of_each_step_says_which_player_must_do_what(values: dict[str, Any], text: str) -> None:
    assert headline(view(**values), NAMES).startswith(text)


def test_before_the_roll_the_headline_mentions_a_card_only_if_one_can_be_played() -> None:
    assert headline(view(step=step("pre_roll", may_play_card=True)), NAMES).endswith(
        "or play a development card first."
    )
    assert headline(view(), NAMES).endswith("roll the dice.")


def rows_of(values: dict[str, Any]) -> list[list[str]]:
    found = with_player(view(undo=0, **values), 0, development_count=1)
    return [[button.label for button in row] for row in presenter_of(found).controls(found, found.step)]


def test_the_buttons_of_a_turn_are_three_short_rows() -> None:
    assert rows_of({"step": step("main")}) == [
        ["Build", "Offer a trade"],
        ["Bank", "Play card", "Undo"],
        ["End turn", "My hand", "More"],
    ]
    for values, _headline in STEPS:
        assert len(rows_of(values)) <= 3


def test_buttons_that_all_know_to_be_of_no_use_are_left_out() -> None:
    assert rows_of({"step": step("main"), "card_played": True})[1] == ["Bank", "Undo"]
    assert rows_of({"step": step("main", may_trade=False)}) == [  # L6
        ["Build", "Play card", "Undo"],
        ["End turn", "My hand", "More"],
    ]
    assert "Play card" in rows_of({"step": step("pre_roll", may_play_card=True)})[0]
    assert "Play card" not in rows_of({"step": step("pre_roll")})[0]  # L3


@pytest.mark.parametrize(
    ("values", "choice"),
    [
        ({"step": step("move_robber", may_leave=True)}, "Leave it where it is"),
        ({"step": step("take_card", victims=0b110, may_decline=True)}, "Steal nothing"),
    ],
)
def test_leaving_the_robber_and_stealing_nothing_are_choices_of_the_game_message(
    values: dict[str, Any], choice: str
) -> None:
    found = view(**values)
    presenter = presenter_of(found)
    [button] = [b for row in presenter.controls(found, found.step) for b in row if b.label == choice]
    assert isinstance(button.target, Do)
    assert button.target.bound
    assert type(button.target.action) in presenter.actions
    assert presenter.actor(found, found.step) == 0


def test_the_buy_button_is_there_only_while_the_deck_has_cards() -> None:
    labels = {deck: [button.label for button in building(view(deck=deck))] for deck in (0, 1)}
    assert "Buy card" in labels[1]
    assert "Buy card" not in labels[0]


def test_a_player_line_has_points_cards_knights_road_and_awards() -> None:
    table = with_player(
        view(longest_road=1, on_turn=1, step=step("pre_roll", 0b10)),
        1,
        points=6,
        hand_size=1,
        development_count=2,
        played=(3, 0, 0, 0, 0),
        road_length=5,
    )
    lines = standing(table, NAMES).splitlines()
    color = "⚪🔵🟠🔴"
    assert lines[1].startswith("➤ ")
    assert lines[1][2] in color
    assert lines[1][4:] == (
        "**Bob** · **6 points** · 1 card · 2 development cards · 3 knights · road 5 · 🏆 Longest Road"
    )


def test_the_text_adds_only_what_the_picture_doesnt_show() -> None:
    assert panel(view(), NAMES).players == ""
    short = view(bank=(0, 3, 0, 3, 3), deck=0, end_votes=0b101)
    assert panel(short, NAMES).players == (
        "Ann and Cy: votes to end\n-# The bank lacks 🧱 brick and 🐑 wool · No dev cards left"
    )
    open_hands = with_player(view(), 1, hand=hand_of(ore=2), hand_size=2)
    assert "**Bob** · **0 points** · 2 cards (2 🪨 ore)" in panel(open_hands, NAMES).players


def test_offers_show_who_was_asked_and_who_answered() -> None:
    offer = OfferView(3, 0, hand_of(wool=2), hand_of(ore=1), 0b1110, 0b10, 0b100)
    counter = OfferView(4, 2, hand_of(ore=1), hand_of(wool=1), 0b1, 0, 0, answers=3)
    lines = panel(view(step=step("main"), offers=(offer, counter)), NAMES).offers
    assert lines == (
        "**Offer 3** · Ann gives 2 🐑 wool for 1 🪨 ore · ✅ Bob · ❌ Cy",
        "**Offer 4** · Cy gives 1 🪨 ore for 1 🐑 wool · to Ann (counter to 3)",
    )
    [alone] = panel(view(step=step("main"), offers=(counter,)), NAMES).offers  # the offer it answers was canceled (E3)
    assert alone == "**Offer 4** · Cy gives 1 🪨 ore for 1 🐑 wool · to Ann"


def test_a_long_story_keeps_its_newest_lines_and_says_how_many_are_missing() -> None:
    text = newest([f"line {n:03}" for n in range(100)], 120)
    lines = text.splitlines()
    assert lines[-1] == "line 099"
    assert lines[0] == f"-# … {100 - len(lines) + 1} earlier lines"
    assert len(text) <= 120


@st.composite
def crowded(draw: st.DrawFn) -> tuple[View, list[str]]:
    """Eight players with any names, up to eleven offers, a long turn."""
    table = view(config("peanut", 8), step=step("main"), turn=40, round=6)
    names = [f"<@{10**18 + n}>" if draw(st.booleans()) else draw(st.text(max_size=32)) for n in range(8)]
    names = [name if name.startswith("<@") else safe_name(name) for name in names]
    hands = st.tuples(*[st.integers(0, 20)] * 5)
    masks = st.integers(0, 255)
    offers = tuple(
        OfferView(n, draw(st.integers(0, 7)), draw(hands), draw(hands), draw(masks), draw(masks), draw(masks))
        for n in range(draw(st.integers(0, 11)))
    )
    trades = [ev.Traded(0, draw(st.integers(1, 7)), draw(hands), draw(hands)) for _ in range(draw(st.integers(0, 60)))]
    made = [ev.OfferMade(o.seat, o.id + 20, o.give, o.want, tuple(range(8))) for o in offers]
    table = replace(table, offers=offers, events=(*made, *trades))
    for n in range(8):
        table = with_player(
            table, n, points=20, hand_size=99, development_count=20, played=(20, 1, 1, 1, 1), road_length=15,
            settlements=0b11111 << 5 * n, cities=0b1111 << 45 + 4 * n, roads=0x7FFF << 15 * n,
        )  # fmt: skip
    return table, names


@settings(max_examples=60)
@given(crowded(), st.integers(1500, 3800))
def test_the_panel_is_always_within_its_budget(table: tuple[View, list[str]], budget: int) -> None:
    texts = panel(*table, budget=budget)
    assert texts.length <= budget
    assert sum(map(len, (texts.headline, texts.story, texts.players, *texts.offers))) <= budget
    assert texts.headline


@settings(max_examples=60)
@given(crowded())
def test_alternative_texts_and_endings_are_always_within_their_limits(table: tuple[View, list[str]]) -> None:
    crowded_view, names = table
    assert length(pictures.board_alt(crowded_view, names)) <= pictures.LONGEST_ALT
    over = replace(crowded_view, step=step("over"), outcome=Outcome(EndReason.TARGET, (0,), (10,) * 8))
    assert final_panel(over, names).length <= 3800


def test_who_left_stands_below_the_winner_whatever_their_points() -> None:
    over = view(step=step("over"), outcome=Outcome(EndReason.LAST, (1,), (7, 5, 6, 2)))
    over = with_player(with_player(with_player(over, 0, resigned=True), 2, resigned=True), 3, resigned=True)
    lines = final_panel(over, NAMES).players.splitlines()
    assert [next(name for name in NAMES if name in line) for line in lines] == ["Bob", "Ann", "Cy", "Dee"]
    voted = replace(over, outcome=Outcome(EndReason.AGREEMENT, (1,), (7, 5, 6, 2)))
    voted = with_player(voted, 3, resigned=False)
    lines = final_panel(voted, NAMES).players.splitlines()
    assert [next(name for name in NAMES if name in line) for line in lines] == ["Bob", "Dee", "Ann", "Cy"]


@pytest.mark.parametrize(
    ("variants", "told"),
    [((), "1 Victory Point card\n-# held 1 knight"), (("vp-cards-played",), "held 1 knight, 1 Victory Point")],
)
def test_an_unplayed_victory_point_card_is_a_source_of_points_only_if_it_counts(
    variants: tuple[str, ...], told: str
) -> None:
    over = view(config(variants=variants), step=step("over"), outcome=Outcome(EndReason.TARGET, (0,), (10,) * 4))
    table = with_player(over, 0, development_cards=(1, 0, 0, 0, 1))
    assert told in final_panel(table, NAMES).players


@given(st.text(max_size=200), st.integers(1, 32))
def test_a_safe_name_has_no_markdown_no_mention_and_nothing_invisible(raw: str, limit: int) -> None:
    name = safe_name(raw, limit)
    assert name
    assert length(name) <= limit
    assert not set(name) & set("\\`*_~|<>@#[]\n\u200b\u202e\u2066")
    assert safe_name(name, limit) == name


def test_the_public_panel_shows_no_hands_or_hidden_cards() -> None:
    table = with_player(view(step=step("main")), 0, hand_size=3, development_count=2)
    texts = panel(table, NAMES)
    public = panel(with_player(table, 0, hand=None, development_cards=None, fresh_cards=None), NAMES)
    assert texts == public
    assert not any(word in texts.players for word in ("grain", "knight", "victory"))


def test_no_window_closes_during_a_pause() -> None:
    reader = viewer("Ann", "Bob")
    limited = replace(reader.table, deadline=Deadline(1, 60.0))
    assert replace(reader, table=limited).closes == 60.0
    paused = replace(limited, paused=30.0)
    assert replace(reader, table=paused).closes is None


def test_the_undo_button_names_the_end_of_a_turn_only_for_the_player_who_ended_it() -> None:
    """With a knight that answers, another player's move can end the turn of one who resigned (I7, L8)."""
    t = five(seat(), seat(cards="k"), variants=("knight-interrupt",), step="pre_roll", dice=[(3, 4)])
    t.play(0, Roll())
    t.play(0, MoveRobber(hex_("2.1")))
    t.play(0, Resign())
    t.play(1, PlayKnight())
    t.play(1, MoveRobber(hex_("4.1")))
    assert [button.label for button in undo(t.game.view())] == ["Undo"]
    t = five(seat(), seat())
    t.play(0, EndTurn())
    assert [button.label for button in undo(t.game.view())] == ["Undo end of turn"]
