"""Games of each scenario, with the options that people choose in the lobby."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.scenarios import SCENARIOS
from engine.variants import VARIANTS
from tests.bot.discord.hall import Hall, fill, reply, text

RULES = tuple(VARIANTS)


@dataclass(frozen=True)
class Played:
    """A game to play: its scenario with options, edition, alternate rules, layout."""

    scenario: str
    rules: tuple[str, ...]
    edition: str = "2007"
    layout: str = ""
    options: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return "-".join([self.scenario, *(value for _, value in self.options)])


GAMES = (
    Played("base", ("vp-cards-played", "open-hands", "cards-after-roll"), "1996", "balanced"),
    Played("beginner", ("no-early-sevens", "optional-robber", "build-ends-trade"), "1996"),
    Played("extension", ("keep-a-settlement", "knight-interrupt", "friendly-robber"), layout="random"),
    Played("mayfair-expansion", ("pirate", "vp-cards-played", "open-hands"), "1996"),
    Played(
        "big-island",
        ("cards-after-roll", "no-early-sevens", "separate-phases"),
        options=(("harbors", "wool"), ("limit", "10")),
    ),
    Played("peanut", ("separate-phases", "build-ends-trade", "knight-interrupt"), layout="balanced"),
    Played("islands", ("pirate", "friendly-robber", "knight-interrupt"), options=(("cards", "two"),)),
    Played("big-islands", ("keep-a-settlement", "pirate", "optional-robber"), options=(("variation", "own"),)),
    Played("big-islands", RULES, "1996", options=(("variation", "C"),)),
)


async def choose_in_the_lobby(hall: Hall, game: Played, target: int) -> None:
    """Choose everything about a game, by the host's list and forms."""
    host = hall.people[0]
    menu = reply(await host.click(await hall.panel(), label="Options"))
    menu = reply(await host.select(menu, [game.scenario]))

    async def choose(label: str, **values: Any) -> None:
        nonlocal menu
        menu = reply(await fill(host, menu, label, **values))
        assert "⚠️" not in text(menu)

    await choose("Rules and points", edition=game.edition, variants=list(game.rules), target=[str(target)])
    if "knight-interrupt" in game.rules:
        await choose("Rules and points", answer_time="300")
        assert "5 minutes" in text(menu)
    land = {o.name for o in SCENARIOS[game.scenario].options if o.only_with is not None}
    board: dict[str, Any] = {f"option.{name}": value for name, value in game.options if name not in land}
    if game.layout:
        board["layout"] = game.layout
    if board:
        await choose("Board", **board)
    if own := {f"option.{name}": [value] for name, value in game.options if name in land}:
        await choose("Land", **own)
