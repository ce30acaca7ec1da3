"""What is said of the chance of a game: what was promised before it, and how everybody checks it after the end."""

from __future__ import annotations

from bot.words.language import _


def promise(commitment: str) -> str:
    """The commitment, shortened: a message that is never edited."""
    return "-# " + _("🎲 Provably fair · fingerprint `{short}` · `/game verify`", short=shortened(commitment))


def promised(commitment: str) -> str:
    """All of it, while the seed is secret."""
    return _(
        "The dice were fixed before the start. Their fingerprint:\n`{digest}`\n"
        "After the game, `/game verify` checks every die and card.",
        digest=commitment,
    )


def revealed(commitment: str, seal: str) -> str:
    """That the seed is public, and the seal of the game's file, which nobody can change any more."""
    return "-# " + _(
        "🎲 Check every die and card: `/game verify` · fingerprint `{short}` · seal `{seal}`",
        short=shortened(commitment),
        seal=shortened(seal),
    )


def shortened(digest: str) -> str:
    """The beginning and the end of a digest: enough that nobody finds another one that looks like it."""
    return f"{digest[:8]}…{digest[-8:]}"
