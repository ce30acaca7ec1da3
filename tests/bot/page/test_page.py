"""A game's page as a file: alone, safe, small, translated, and without secrets while the game runs."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import random
import re
from dataclasses import replace
from typing import Any

import pytest

from bot.export import ExportError, Player, export
from bot.languages import language
from bot.page import Unfolding, page
from bot.words.language import speaking
from engine.actions import CallOff
from engine.chance import SeededChance
from engine.config import Config
from engine.game import Game
from engine.record import REFEREE
from engine.scenarios import SCENARIOS
from players.simulate import play_out
from tests.bot.page.facts import data_of
from tests.bot.words.pseudo import Pseudo, untranslated
from tests.engine.randomly import lively, played
from tests.seeds import few_of

NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve", "Finn", "Gus", "Hana")
SEED = bytes(range(32))


def players_of(config: Config) -> list[Player]:
    return [Player(name, color) for name, color in zip(NAMES, config.colors, strict=False)]


def file_of(game: Game, entropy: tuple[str, ...] = ()) -> dict[str, Any]:
    return export(game, "7", SEED, entropy, players_of(game.config))


def running(game: Game, until: int) -> bytes:
    return Unfolding("7", game.config, game.records[:until], players_of(game.config)).running().data


# --- alone and safe


@pytest.mark.parametrize("over", [True, False])
def test_the_policy_allows_exactly_the_pages_own_scripts_and_styles(over: bool) -> None:
    game = lively(2)
    text = (page(file_of(game)) if over else running(game, 30)).decode()
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert found
    policy = dict(part.split(" ", 1) for part in html.unescape(found[1]).split("; "))
    styles, scripts = re.findall(r"<style>(.*?)</style>", text, re.S), re.findall(r"<script>(.*?)</script>", text, re.S)
    assert len(styles) == 1
    assert len(scripts) == 5
    asks = {} if over else {"connect-src": "'self'"}
    assert policy == asks | {
        "default-src": "'none'",
        "style-src": hashes(styles),
        "script-src": hashes(scripts),
        "base-uri": "'none'",
        "form-action": "'none'",
    }


def hashes(texts: list[str]) -> str:
    digests = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts)
    return " ".join(f"'sha256-{digest}'" for digest in digests)


def test_the_page_refers_to_nothing_outside_and_has_no_inline_handlers_or_styles() -> None:
    text = page(file_of(lively(2))).decode()
    markup = re.sub(r"<(script|style)\b.*?</\1>", "", text, flags=re.DOTALL)
    assert not re.search(r"\b(?:src|action|style|on\w+)=", markup)
    assert all(reference.startswith("#") for reference in re.findall(r'\bhref="([^"]*)"', markup))
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|url\((?!#)|@import", text)
    assert not re.search(r"localStorage|sessionStorage|cookie|window\.open|fetch\(|XMLHttp|WebSocket", text)


def test_what_people_wrote_is_never_markup() -> None:
    game, wild = lively(2), "</script><!--<script>{title}&amp;\u2028\ud800"
    file = file_of(game, (wild.encode("utf-8", "replace").decode(),))
    for player in file["players"]:
        player["name"] = wild
    made = page(file)
    text = made.decode()
    assert text.count("<script") == text.count("</script>") == 8
    assert "<!--" not in text
    assert data_of(made, "file") == file


def test_players_of_one_name_are_told_apart_by_color() -> None:
    game = lively(2)
    file = file_of(game)
    for player in file["players"]:
        player["name"] = "Ann"
    assert sorted(player["name"] for player in data_of(page(file))["players"]) == sorted(
        f"Ann ({color})" for color in game.config.colors
    )


def test_only_a_finished_game_has_a_proof() -> None:
    game = lively(2)
    begun = Game.replay(game.config, game.records[:20])
    with pytest.raises(ValueError, match=r"^game 7 isn't over$"):
        page(file_of(begun))
    with pytest.raises(ExportError):
        page({"harbormaster": 1})


# --- secrets


@pytest.mark.parametrize("seed", range(3))
def test_M_a_running_games_page_has_no_seed_no_draws_and_no_hands(seed: int) -> None:
    game = lively(seed)
    made = running(game, game.revision // 2)
    assert data_of(made, "file") is None
    assert not re.search(r"seed|draws|entropy|commitment", json.dumps(data_of(made)))
    for moment in data_of(made)["moments"]:
        for name, fact in moment["set"].items():
            if name.startswith(("hand.", "cards.")):
                assert isinstance(fact, int)


@pytest.mark.parametrize("kind", ["steal", "deck"])
def test_M_a_running_games_page_does_not_depend_on_hidden_cards(kind: str) -> None:
    """Which card the robber took (G3), and which development card was bought."""
    differed = 0
    game = played(3)
    config, players = game.config, players_of(game.config)
    shown = Unfolding("7", config, game.records[:1], players)
    for number, record in enumerate(game.records[:-1]):
        if not shown.go_on(config, game.records[: number + 1], players):
            shown = Unfolding("7", config, game.records[: number + 1], players)
        for at, (drawn, ordinal, n, result) in enumerate(record.draws):
            if drawn != kind:
                continue
            other = 0 if result else n - 1
            draws = (*record.draws[:at], (drawn, ordinal, n, other), *record.draws[at + 1 :])
            elsewhere = Unfolding("7", config, [*game.records[:number], replace(record, draws=draws)], players)
            if other != result and elsewhere.now.outcome is None:
                assert elsewhere.running().data == shown.running().data
                differed += 1
    assert differed > 5


# --- words


@pytest.mark.parametrize("scenario", few_of(SCENARIOS, 2))
def test_no_text_of_a_page_bypasses_translation(scenario: str) -> None:
    game = lively(5, scenarios=(scenario,), variants=0.3)
    with speaking(Pseudo()):
        for made in (page(file_of(game)), running(game, game.revision // 2)):
            data = data_of(made)
            texts = [moment[key] for moment in data["moments"] for key in ("told", "new")]
            texts += [text for jump in data["jumps"] for text in (jump["to"], *(told for _, told in jump["at"]))]
            texts += [*data["ways"].values(), *data["resources"], *data["developments"], *data["awards"]]
            texts += [place for places in data["names"].values() for place in places]
            texts += [*data["words"].values(), *(data_of(made, "proof-words") or {}).values()]
            texts += (data_of(made, "follow") or {"words": {}})["words"].values()
            markup = re.sub(
                r"<(script|style|svg)\b.*?</\1>|aria-labelledby=\S+|<meta[^>]*>", "", made.decode(), flags=re.S
            )
            texts += re.findall(r">([^<]+)<", markup) + re.findall(r'aria-label="([^"]*)"', markup)
            for text in texts:
                assert untranslated(re.sub(r"\{\w+\}", "", html.unescape(text)), NAMES) == []


def test_a_page_says_its_language() -> None:
    game = lively(2)
    for code in ("en", "de", "pt-BR"):
        with speaking(language(code)):
            assert f'<html lang="{code}">' in page(file_of(game)).decode()
            assert f'<html lang="{code}">' in running(game, 20).decode()


# --- its size


def test_a_long_game_of_eight_is_small() -> None:
    """150 turns, with offers."""
    config = Config(SCENARIOS["big-island"].colors_for(8), "big-island", target=20)
    game = Game.new(config, SeededChance(SEED, "7", ()))
    play_out(game, random.Random(1), turn_limit=150, offers=True)
    game.play(REFEREE, CallOff())
    assert game.turn >= 150
    assert len(page(file_of(game))) < 400_000
