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


ANSWER_TIMES: dict[int, str] = {
    300: "5 minutes",
    1800: "30 minutes",
    3600: "1 hour",
    6 * 3600: "6 hours",
    24 * 3600: "1 day",
}
"""Times for an answer to the robber (L8), in seconds."""


def asks_knights(config: Config) -> bool:
    """Whether the time for answers to the robber matters (L8)."""
    return "knight-interrupt" in config.variants


def answer_time(config: Config) -> str:
    """The time for an answer to the robber in words."""
    seconds = config.answer_time
    return ANSWER_TIMES.get(seconds, f"{round(seconds / 60)} minutes")


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
    if asks_knights(config):
        lines.append(f"**Answers to the robber** within {answer_time(config)}.")
    lines.append("**Seats** are shuffled." if config.shuffle_seats else "**Seats** are in the order of joining.")
    if config.round_limit:
        lines.append(f"**{config.round_limit} rounds** at most; then most points win.")
    return lines
