"""Leaderboards and profiles as texts."""

from __future__ import annotations

import pytest

from bot.plaintext import length
from bot.ratings import CAME, LEFT, REPLACED, RESIGNED, GameResult, PersonResult
from bot.screens.ratings import LINES_A_PAGE, MOST_LATEST_GAMES, changed, leaderboard, profile
from bot.service.ratings import Leaderboard, Profile, folded, ranked
from bot.table.promptness import Promptness

ANN, BOB = 1, 2


def games(*fates: str, others: int = 1) -> list[GameResult]:
    """Ann's games with that many others, one for each fate. She won those that she stayed in to the end."""
    results = []
    for number, fate in enumerate(fates, 1):
        ann = PersonResult(ANN, "Ann", 9, fate == "stayed", fate)
        opponents = [PersonResult(BOB + n, "W" * 32, 5, fate != "stayed" and not n) for n in range(others)]
        results.append(
            GameResult(number, 7, 1000.0 * number, "base" if number % 2 else "big-island", (ann, *opponents))
        )
    return results


def test_a_profile_says_how_each_game_ended_for_the_player() -> None:
    ann = folded(games("stayed", RESIGNED, REPLACED, LEFT, CAME, others=2))[ANN]
    lines = profile(ann, "Ann", {1: "https://x"}, own=True, private=False).splitlines()
    assert "4 games, 1 win (25%)" in lines
    assert "9.0 points on average" in lines
    assert "Places: 🥇 1×" in lines
    assert "Left 3 games before their end" in lines
    latest = lines[lines.index("**Latest games**") + 1 : -1]
    assert [line.split(" · ")[3] for line in latest] == [
        "joined later (unrated)",
        "gave up the seat",
        "left, a bot played on",
        "resigned",
        "🏆 place 1 of 3",
    ]
    assert "**−" in latest[1]
    assert "**+" in latest[-1]
    assert latest[-1].startswith("- **[Game 1](https://x)** · <t:1000:d> · ")


def test_a_player_who_joined_later_has_a_game_but_no_rating() -> None:
    text = profile(folded(games(CAME, others=2))[ANN], "Ann", {}, own=False, private=False)
    assert "joined later" in text
    assert "Rating" not in text


def test_a_profile_says_how_fast_a_person_decides_even_without_rated_games() -> None:
    for found in (Profile(ANN), folded(games("stayed", others=2))[ANN]):
        texts = [profile(found, "Ann", {}, own=True, private=False, promptness=one) for one in (None, Promptness.DAY)]
        assert {*texts[1].splitlines()} - {*texts[0].splitlines()} == {"In games over days: **usually within a day**"}


def test_a_rating_is_provisional_until_five_games_are_played() -> None:
    for n in (4, 5):
        results = games(*["stayed"] * n)
        [first, _] = ranked(folded(results).values())
        text = leaderboard(Leaderboard([first], Profile(9), private=False), 0).text
        assert ("· provisional" in text) == (n < 5)
        assert ("· provisional" in profile(first.profile, "Ann", {}, own=True, private=True)) == (n < 5)


@pytest.mark.parametrize("page", [0, 1, 2, 9999])
def test_a_leaderboard_page_fits_in_a_message_with_the_longest_names(page: int) -> None:
    lines = ranked(folded(games("stayed", others=2 * LINES_A_PAGE)).values())
    own = next(line.profile for line in lines if line.rank == 1)
    reply = leaderboard(Leaderboard(lines, own, private=False), page)
    assert length(reply.text) < 3000
    assert reply.text.count("W" * 32) == (1 if page >= 2 else LINES_A_PAGE - (page == 0))
    assert ("You: " in reply.text) == (page > 0)


def test_a_profile_and_the_line_of_rating_changes_fit_in_a_message() -> None:
    results = games(*["stayed"] * 60, others=7)
    links = dict.fromkeys(range(70), "https://discord.com/channels/" + "/".join(["1" * 19] * 3))
    ann = folded(results)[ANN]
    text = profile(ann, "W" * 32, links, own=True, private=True)
    assert text.count("https://") == MOST_LATEST_GAMES
    assert length(text) < 3000
    assert length(changed(p.games[-1] for p in folded(results).values())) < 400
    assert changed([]) == ""
