"""What can be chosen before a game, a sentence each: scenarios, editions, layouts, alternate rules."""

from __future__ import annotations

from engine.config import Config

SCENARIOS: dict[str, tuple[str, str]] = {
    "base": ("Base game", "The classic island of 19 hexes."),
    "beginner": ("Beginners' island", "A fixed, fair island with the first pieces already placed."),
    "extension": ("Large island", "30 hexes for five or six, with a special building phase between turns."),
    "mayfair-expansion": ("Large island, 1996", "30 hexes for five or six; no building between turns."),
    "big-island": ("Big island", "37 hexes in one hexagon for seven or eight."),
    "islands": ("Islands", "Land, harbors and sea shuffled together; bridges join the islands."),
    "big-islands": ("Big islands", "61 hexes of land and sea for five or six; bridges join the islands."),
    "peanut": ("Peanut", "Two islands grown together, for seven or eight."),
}
"""Title and sentence of each scenario (section K)."""

EDITIONS: dict[str, str] = {
    "2007": "The rules as printed in 2007: no gifts or like-for-like trades, the robber always takes a card.",
    "1996": "The rules as printed in 1996: freer trades, a larger bank and deck, the robber may take nothing.",
}

LAYOUTS: dict[str, str] = {
    "spiral": "The numbers lie in their printed order along a spiral.",
    "random": "The numbers are shuffled; no 6 or 8 beside another.",
    "balanced": "The numbers are shuffled and spread fairly.",
}

VARIANTS: dict[str, tuple[str, str]] = {
    "vp-cards-played": (
        "Victory points are played",
        "Victory point cards are played like the others and count only then.",
    ),
    "open-hands": ("Open hands", "Everybody sees everybody's resource cards."),
    "cards-after-roll": ("Cards after the roll", "No development card before the roll."),
    "no-early-sevens": ("No early sevens", "In everybody's first two turns a 7 is rolled again."),
    "optional-robber": (
        "The robber may stay",
        "Whoever rolls a 7 may leave the robber where it is, and then takes no card.",
    ),
    "build-ends-trade": (
        "Building ends trade",
        "After the first thing built or bought in a turn, no more trade.",
    ),
    "keep-a-settlement": (
        "Keep a settlement",
        "Your last settlement can't become a city, unless that wins the game.",
    ),
    "knight-interrupt": (
        "Knights answer",
        "When the robber has moved, anybody may play a knight and move it on before a card is taken.",
    ),
    "pirate": ("Pirate", "The robber may go to a harbor, which is then closed."),
    "friendly-robber": (
        "Friendly robber",
        "The robber spares hexes of players with fewer than 3 points, while it can go elsewhere.",
    ),
}
"""Title and sentence of each alternate rule (section L)."""


def scenario_title(config: Config) -> str:
    """The scenario's title; its id where there is none."""
    return SCENARIOS.get(config.scenario, (config.scenario, ""))[0]


def chosen(config: Config) -> list[str]:
    """Everything that a configuration sets, a line each, the scenario first."""
    title, sentence = SCENARIOS.get(config.scenario, (config.scenario, ""))
    lines = [f"**{title}**: {sentence}" if sentence else f"**{title}**"]
    lines.append(f"**{config.target} points** win.")
    lines.append(f"**Edition {config.edition}**: {EDITIONS[config.edition]}")
    if config.scenario not in ("beginner", "islands", "big-islands"):
        lines.append(f"**Numbers {config.layout}**: {LAYOUTS[config.layout]}")
    lines += [f"**{name.replace('_', ' ').capitalize()}**: {value}" for name, value in config.options]
    lines += ["**{}**: {}".format(*VARIANTS.get(name, (name, ""))) for name in config.variants]
    lines.append(
        "**Seats** are shuffled." if config.shuffle_seats else "**Seats** stay in the order of joining."
    )
    if config.round_limit:
        lines.append(f"**{config.round_limit} rounds** at most; then most points win.")
    return lines
