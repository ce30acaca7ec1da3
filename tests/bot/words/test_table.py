"""Lobby, rules, alternative texts, dice, log and end."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.plaintext import length
from bot.screens import panel
from bot.table.options import TableOptions
from bot.table.promptness import Promptness
from bot.words import lobby, pictures, proof, rules
from bot.words.marks import sign
from bot.words.narrator import history
from bot.words.options import summary
from engine import events as ev
from engine.codec import Secret
from engine.config import COLORS, EDITIONS, Config
from engine.outcome import Outcome
from engine.resources import ORE, hand_of
from engine.rules import data_of
from engine.scenarios import SCENARIOS
from engine.terms import EndReason
from engine.variants import VARIANTS
from tests.bot.screens.played import table
from tests.bot.screens.tables import NAMES, config, step, view, with_player


def lobby_text(chosen: Config, here: int, players: tuple[int, ...], **more: Any) -> str:
    options = summary(replace(table(chosen), options=TableOptions()))
    about: dict[str, Any] = {"players": players, "host": "Ann", "anyone_starts": False, "number": "7"}
    return lobby.lobby_text(chosen.colors, NAMES[:here], **about, **more, options=options)


def test_the_lobby_shows_its_players_what_is_missing_and_the_options() -> None:
    chosen = Config(colors=COLORS[:1], variants=("open-hands",), target=12)
    text = lobby_text(chosen, 1, (2, 3, 4))
    assert text.splitlines()[:4] == [
        "## Table 7",
        "**Players: 1 of 4**",
        "🔴 Ann (red)",
        "⏳ 1 more player needed: press **Join**.",
    ]
    assert text.splitlines()[4] == "The base game · First to 12 points · Open hands · No timer (reminders after a day)"
    assert "Ann can press **Start**" in lobby_text(replace(chosen, colors=COLORS[:4]), 4, (2, 3, 4))


def test_the_lobby_says_how_fast_players_decide() -> None:
    about: dict[str, Any] = {"players": (3, 4), "host": "Ann", "anyone_starts": False, "number": "7", "options": ""}
    text = lobby.lobby_text(COLORS[:4], NAMES[:3], **about, promptness=[Promptness.HOURS, None, Promptness.LATE])
    assert text.splitlines()[2:5] == [
        "🔴 Ann (red) · ⏳ usually within a few hours",
        "🔵 Bob (blue)",
        f"{sign(COLORS[2])} {NAMES[2]} ({COLORS[2]}) · ⏳ often runs out of time",
    ]


def test_the_longest_lobby_fits() -> None:
    chosen = Config(colors=COLORS, scenario="big-island", variants=tuple(VARIANTS), round_limit=99)
    text = lobby_text(chosen, 8, (7, 8), promptness=8 * [Promptness.LONGER])
    assert length(text) <= 1200
    assert "Friendly robber" in text
    assert "99 rounds" in text


def test_the_fingerprint_is_shortened_to_128_bits_but_can_be_read_in_full() -> None:
    """With half as many, who makes the seeds finds two that look alike in minutes (a birthday attack)."""
    digest = "0123456789abcdef" * 4
    short = "0123456789abcdef…0123456789abcdef"
    assert proof.promise(digest) == f"-# 🎲 Provably fair · fingerprint `{short}` · `/game verify`"
    assert digest in proof.promised(digest)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("variants", [(), tuple(VARIANTS)])
def test_each_rules_topic_of_every_game_fits_in_a_message(
    scenario: str, edition: str, variants: tuple[str, ...]
) -> None:
    chosen = config(scenario, max(SCENARIOS[scenario].players), edition=edition, variants=variants)
    topics = rules.topics(chosen)
    assert len({key for key, _ in topics}) == len(topics) <= 25
    texts = {key: rules.topic(chosen, key) for key, _ in topics}
    assert all(length(text) <= 2000 for text in texts.values())
    together = "\n".join(texts.values())
    assert f"more than {data_of(chosen).discard_limit} cards" in texts["robber"]
    assert str(data_of(chosen).bank) in texts["limits"]
    for name in variants:
        assert VARIANTS[name].summary in together
    assert ("special" in texts) == data_of(chosen).special_building
    assert ("Bridge" in texts["building"]) == SCENARIOS[scenario].bridges


def test_editions_differ_in_the_rules_of_trade_and_robber() -> None:
    old, new = config(edition="1996"), config(edition="2007")
    assert "don't have to steal" in rules.topic(old, "robber")
    assert "don't have to steal" not in rules.topic(new, "robber")
    assert "can't be on both sides" in rules.topic(new, "trade")


def test_a_rules_topic_that_the_game_lacks_is_an_error() -> None:
    with pytest.raises(KeyError):
        rules.topic(config(), "special")


def test_the_board_is_described_in_words() -> None:
    table = view(dice=(3, 4), turn=2)
    table = with_player(table, 0, settlements=1, roads=0b11)
    text = pictures.board_alt(table, NAMES)
    assert text.startswith("Board, turn 2: Ann rolled 7. Ann (red): settlement A1.")
    assert "Robber on 3.3 (desert)." in text
    assert "Row 1: mountains 10, pasture 2, forest 9." in text
    assert "3:1 harbor at A1 and A2" in text


def test_dice_stats_count_the_rolls_and_name_the_most_frequent() -> None:
    rolls = [0] * 13
    rolls[7], rolls[8] = 6, 30
    rolled = view(rolls=tuple(rolls))
    assert pictures.dice_line(rolled) == "**The dice:** 36 rolls; most often 8 (30 times)."
    assert pictures.dice_line(view()) == "No dice have been rolled yet."


def test_the_log_has_a_heading_for_each_turn_and_hides_secrets_until_the_end() -> None:
    records = [
        (ev.FirstPlayer(0),),
        (ev.TurnBegan(0, 1),),
        (ev.Rolled(0, (1, 2)), ev.Produced(1, hand_of(ore=1))),
        (ev.CardTaken(0, 1, Secret(ORE, 0b11)),),
    ]
    public_log = history.full_log([[e.redact(None, False) for e in r] for r in records], view(), NAMES)
    assert public_log[:4] == ["Setup", "     0  Ann begins.", "", "Turn 1: Ann."]
    assert public_log[-1] == "     3  Ann stole a card from Bob."
    after = history.full_log([[e.redact(None, True) for e in r] for r in records], view(), NAMES)
    assert after[-1] == "     3  Ann stole 1 🪨 ore from Bob."


def test_the_end_shows_all_points_and_hidden_cards() -> None:
    table = view(step=step("over"), on_turn=None, outcome=Outcome(EndReason.TARGET, (1,), (4, 10, 3, 2)))
    table = with_player(
        table, 1, settlements=0b11, cities=0b1100, development_cards=(1, 0, 0, 0, 2), hand=hand_of(wool=1),
        all_points=10,
    )  # fmt: skip
    texts = panel.final_panel(table, NAMES)
    lines = texts.players.splitlines()
    assert texts.headline == "🏁 **Bob** wins with 10 points!"
    assert texts.story.startswith("First to 10 · turn ")
    assert lines[0].startswith("🏆 🔵 **Bob** · **10 points** · 2 settlements, 2 cities, 2 Victory Point cards")
    assert lines[1] == "-# held 1 🐑 wool, 1 knight"
