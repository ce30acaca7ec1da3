"""Formats: how the rules behaved when a game began, which stays so until it ends.

The rules as they are written play the newest format. A change of behaviour gets a new number here, and the format
before it a patch that puts back what it had; so running games, and those in archives, replay to the same hashes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.refusals import config_refusal

if TYPE_CHECKING:
    from engine.rules import Rules

UNKNOWN_FORMAT = config_refusal("format", "This program plays format {known} of the rules, not {format}.")


def _first(rules: Rules) -> None:
    """Points could be counted by agreement at any time (I6)."""
    rules.may_count_points = lambda state: True


def _as_written(rules: Rules) -> None:
    """Nothing has changed since."""


FORMATS: dict[int, Callable[[Rules], None]] = {1: _first, 2: _as_written}
"""What each format changes of the rules, by number; `engine.config.FORMAT` is the one of new games."""


def apply_format(rules: Rules) -> None:
    """Bring rules to the format of their game; raises `ConfigError` for one that isn't known."""
    patch = FORMATS.get(rules.config.format)
    if patch is None:
        raise UNKNOWN_FORMAT(known=" or ".join(map(str, FORMATS)), format=rules.config.format)
    patch(rules)
