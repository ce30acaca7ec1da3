"""What can be chosen before a game, a sentence each: scenarios, editions, layouts, alternate rules."""

from __future__ import annotations

from bot.presentation.texts.language import N_, _, n_
from engine.config import Config
from engine.rules import data_of
from engine.scenarios import SCENARIOS
from engine.variants import VARIANTS

EDITIONS: dict[str, str] = {
    "2007": N_("No gifts and no like-for-like trades; the robber always takes a card where it can."),
    "1996": N_("Freer trades, a larger bank and deck; the robber may take nothing."),
}

LAYOUTS: dict[str, str] = {
    N_("spiral"): N_("The numbers lie in their printed order along a spiral."),
    N_("random"): N_("The numbers are shuffled; no 6 or 8 beside another."),
    N_("balanced"): N_("The numbers are shuffled and spread fairly."),
}


ANSWER_TIMES: dict[int, str] = {
    300: N_("5 minutes"),
    1800: N_("30 minutes"),
    3600: N_("1 hour"),
    6 * 3600: N_("6 hours"),
    24 * 3600: N_("1 day"),
}
"""Times for an answer to the robber (L8), in seconds."""


def asks_knights(config: Config) -> bool:
    """Whether the time for answers to the robber matters (L8)."""
    return data_of(config).robber_interrupts


def answer_time(config: Config) -> str:
    """The time for an answer to the robber in words."""
    if config.answer_time in ANSWER_TIMES:
        return _(ANSWER_TIMES[config.answer_time])
    return n_("{n} minute", "{n} minutes", round(config.answer_time / 60))


def edition_title(edition: str) -> str:
    """ "Edition 2007"."""
    return _("Edition {edition}", edition=edition)


def layout_title(layout: str) -> str:
    """ "Numbers spiral"."""
    return _("Numbers {layout}", layout=_(layout))


def chosen(config: Config) -> list[str]:
    """Everything that a configuration sets, a line each, the scenario first."""
    scenario = SCENARIOS[config.scenario]
    lines = [f"**{_(scenario.title)}**: {_(scenario.summary)}"]
    for option in scenario.offered(config):
        value = option.of(config)
        phrase = dict(option.choices).get(value)
        lines.append(f"**{_(option.title)}**: {_(phrase) if phrase else value}.")
    lines.append(n_("**{n} point** wins.", "**{n} points** win.", config.target))
    lines.append(f"**{edition_title(config.edition)}**: {_(EDITIONS[config.edition])}")
    if scenario.layouts:
        lines.append(f"**{layout_title(config.layout)}**: {_(LAYOUTS[config.layout])}")
    lines += [f"**{_(VARIANTS[name].title)}**: {_(VARIANTS[name].summary)}" for name in config.variants]
    if asks_knights(config):
        lines.append(_("**Answers to the robber** within {time}.", time=answer_time(config)))
    if config.shuffle_seats:
        lines.append(_("**Seats** are shuffled."))
    else:
        lines.append(_("**Seats** are in the order of joining."))
    if config.round_limit:
        lines.append(
            n_(
                "**{n} round** at most; then most points win.",
                "**{n} rounds** at most; then most points win.",
                config.round_limit,
            )
        )
    return lines
