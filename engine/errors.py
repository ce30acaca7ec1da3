"""How the referee refuses: with a stable code, and typed parameters that the sentence is made from."""

from __future__ import annotations

from collections.abc import Mapping

SENTENCES: dict[str, tuple[str, str]] = {}
"""The engine's English sentences by key: one for `n` = 1, one for all other cases; see `engine.refusals`."""


class RefereeError(Exception):
    """Why something can't be done, as an answer to a person.

    `key` names the sentence, and `params` hold its values: numbers, texts and the small types of `engine.refusals`.
    `code` is the key up to its first "/". Callers can rely on it even if sentences change.
    """

    def __init__(self, key: str, **params: object) -> None:
        super().__init__(key)
        self.key = key
        self.params: Mapping[str, object] = params

    @property
    def code(self) -> str:
        """The stable name of the reason."""
        return self.key.partition("/")[0]

    def __str__(self) -> str:
        """The sentence in English, where the engine has one."""
        if self.key not in SENTENCES:
            return " ".join([self.key, *(f"{name}={value}" for name, value in self.params.items())])
        one, many = SENTENCES[self.key]
        return (one if self.params.get("n") == 1 else many).format_map(self.params)


class IllegalAction(RefereeError):
    """The rules don't allow this action now; nothing has changed."""


class ConfigError(RefereeError):
    """A game can't be configured like this."""


class MalformedInput(ValueError):
    """Data that is no action, record or configuration at all."""


class UnknownInput(MalformedInput):
    """Malformed input with a part that this version doesn't know; a newer version may have written it."""


class ReplayError(ValueError):
    """A log that doesn't fit the rules: an altered action, draw or configuration."""
