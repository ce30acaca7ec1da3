"""What can be chosen before a game, a sentence each: scenarios, editions, layouts, alternate rules."""

from __future__ import annotations

from engine.config import Config
from engine.scenarios import SCENARIOS
from engine.variants import VARIANTS

EDITIONS: dict[str, str] = {
    "2007": "No gifts and no like-for-like trades; the robber always takes a card where it can.",
    "1996": "Freer trades, a larger bank and deck; the robber may take nothing.",
}

LAYOUTS: dict[str, str] = {
    "spiral": "The numbers lie in their printed order along a spiral.",
    "random": "The numbers are shuffled; no 6 or 8 beside another.",
    "balanced": "The numbers are shuffled and spread fairly.",
}


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
    lines += [f"**{VARIANTS[name].title}**: {VARIANTS[name].summary}" for name in config.variants]
    lines.append("**Seats** are shuffled." if config.shuffle_seats else "**Seats** are in the order of joining.")
    if config.round_limit:
        lines.append(f"**{config.round_limit} rounds** at most; then most points win.")
    return lines
