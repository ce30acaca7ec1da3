"""What is said about a game's chance: the promise before it, and how to check it after the end."""

from __future__ import annotations

from bot.words.language import _


def promise(commitment: str) -> str:
    """The shortened commitment, for a message that is never edited."""
    return "-# " + _("🎲 Provably fair · fingerprint `{short}` · `/game verify`", short=shortened(commitment))


def promised(commitment: str) -> str:
    """The whole commitment, while the seed is secret."""
    return _(
        "The dice were fixed before the start. Their fingerprint:\n`{digest}`\n"
        "After the game, `/game verify` checks every die and card.",
        digest=commitment,
    )


def revealed(commitment: str, seal: str) -> str:
    """That the seed is public, and the seal of the game's file, which no one can change anymore."""
    return "-# " + _(
        "🎲 Check every die and card: `/game verify` · fingerprint `{short}` · seal `{seal}`",
        short=shortened(commitment),
        seal=shortened(seal),
    )


def shortened(digest: str) -> str:
    """The beginning and the end of a digest: enough that no one can find another one that looks like it."""
    return f"{digest[:8]}…{digest[-8:]}"
