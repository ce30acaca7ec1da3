"""What the referee answers to what can't be: one code for tests, one helpful sentence for the player."""

from __future__ import annotations

from typing import Any


class RefereeError(Exception):
    """Base of answers to a person: `code` is stable, `message` one sentence, `params` what it speaks of."""

    def __init__(self, code: str, message: str, **params: Any) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.params = params


class IllegalAction(RefereeError):
    """The rules don't allow this action now; nothing has changed."""


class ConfigError(RefereeError):
    """A game can't be configured like this."""


class MalformedInput(ValueError):
    """Data that is no action, record or configuration at all."""


class ReplayError(ValueError):
    """A log that doesn't fit the rules: an altered action, draw or configuration."""
