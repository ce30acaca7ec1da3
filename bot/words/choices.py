"""What can be chosen before a game, a sentence each: scenarios, editions, layouts, alternate rules."""

from __future__ import annotations

from engine.config import Config
from engine.scenarios import SCENARIOS
from engine.variants import VARIANTS as RULES

EDITIONS: dict[str, str] = {
    "2007": "No gifts and no like-for-like trades; the robber always takes a card where it can.",
    "1996": "Freer trades, a larger bank and deck; the robber may take nothing.",
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
    "pirate": ("Pirate", "The robber may also go to a harbor, which is then closed."),
    "friendly-robber": (
        "Friendly robber",
        "The robber spares hexes of players with fewer than 3 points, while it can go elsewhere.",
    ),
}
"""Title and sentence of each alternate rule (section L)."""


def variant(name: str) -> tuple[str, str]:
    """Title and sentence of an alternate rule."""
    if name in RULES:
        return RULES[name].title, RULES[name].summary
    return VARIANTS.get(name, (name.replace("-", " ").capitalize(), ""))


def chosen(config: Config) -> list[str]:
    """Everything that a configuration sets, a line each, the scenario first."""
    scenario = SCENARIOS[config.scenario]
    lines = [f"**{scenario.title}**: {scenario.summary}"]
    for option in scenario.options:
        phrases = dict(option.choices)
        lines.append(f"**{option.title}**: {phrases.get(option.of(config), option.of(config))}.")
    lines.append(f"**{config.target} points** win.")
    lines.append(f"**Edition {config.edition}**: {EDITIONS[config.edition]}")
    if scenario.layouts:
        lines.append(f"**Numbers {config.layout}**: {LAYOUTS[config.layout]}")
    lines += ["**{}**: {}".format(*variant(name)) for name in config.variants]
    lines.append("**Seats** are shuffled." if config.shuffle_seats else "**Seats** are in the order of joining.")
    if config.round_limit:
        lines.append(f"**{config.round_limit} rounds** at most; then most points win.")
    return lines
