"""The offline table: Harbormaster with a simulated Discord, in a browser on this machine."""

from bot.offline.table import run

__all__ = ["run"]
