"""Leaderboards and profiles as texts."""

from __future__ import annotations

import pytest

from bot.plaintext import length
from bot.results import CAME, LEFT, REPLACED, RESIGNED, PersonResult, Result
from bot.screens.ratings import LATEST, PAGE, changed, leaderboard, profile
from bot.service.ratings import Leaderboard, Profile, folded, ranked

ANN, BOB = 1, 2


def games(*fates: str, others: int = 1) -> list[Result]:
    """Games of Ann, who won those to whose end she stayed, with so many others."""
    found = []
    for number, fate in enumerate(fates, 1):
        ann = PersonResult(ANN, "Ann", 9, fate == "stayed", fate)
        rest = [PersonResult(BOB + n, "W" * 32, 5, fate != "stayed" and not n) for n in range(others)]
        found.append(Result(number, 7, 1000.0 * number, "base" if number % 2 else "big-island", (ann, *rest)))
    return found


def test_a_profile_says_how_each_game_was_for_somebody() -> None:
    found = folded(games("stayed", RESIGNED, REPLACED, LEFT, CAME, others=2))[ANN]
    told = profile(found, "Ann", {1: "https://x"}, own=True, private=False).splitlines()
    assert "4 games, 1 win (25%)" in told
    assert "9.0 points on average" in told
    assert "Places: 🥇 1×" in told
    assert "Left 3 games before their end" in told
    latest = told[told.index("**Latest games**") + 1 : -1]
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


def test_a_newcomer_in_a_seat_has_a_game_and_no_rating() -> None:
    told = profile(folded(games(CAME, others=2))[ANN], "Ann", {}, own=False, private=False)
    assert "joined later" in told
    assert "Rating" not in told


def test_after_some_games_a_rating_is_no_longer_provisional() -> None:
    for n in (4, 5):
        results = games(*["stayed"] * n)
        [first, _] = ranked(folded(results).values())
        shown = leaderboard(Leaderboard([first], Profile(9), private=False), 0).text
        assert ("· provisional" in shown) == (n < 5)
        assert ("· provisional" in profile(first.profile, "Ann", {}, own=True, private=True)) == (n < 5)


@pytest.mark.parametrize("page", [0, 1, 2, 9999])
def test_a_page_fits_whatever_people_are_called(page: int) -> None:
    lines = ranked(folded(games("stayed", others=2 * PAGE)).values())
    own = next(line.profile for line in lines if line.rank == 1)
    reply = leaderboard(Leaderboard(lines, own, private=False), page)
    assert length(reply.text) < 3000
    assert reply.text.count("W" * 32) == (1 if page >= 2 else PAGE - (page == 0))
    assert ("You: " in reply.text) == (page > 0)


def test_a_profile_and_the_line_of_the_end_fit_in_a_message() -> None:
    results = games(*["stayed"] * 60, others=7)
    links = dict.fromkeys(range(70), "https://discord.com/channels/" + "/".join(["1" * 19] * 3))
    found = folded(results)[ANN]
    told = profile(found, "W" * 32, links, own=True, private=True)
    assert told.count("https://") == LATEST
    assert length(told) < 3000
    assert length(changed(p.games[-1] for p in folded(results).values())) < 400
    assert changed([]) == ""
