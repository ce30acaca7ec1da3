"""The slash commands: fast for those who know, with suggestions of what is legal now."""

from __future__ import annotations

from discord import app_commands

from bot.frontends.discord.commands import building, cards, game, personal, trade, turn


def add_all(tree: app_commands.CommandTree) -> None:
    """Put all commands into the tree."""
    for group in (game, building, trade, cards):
        tree.add_command(group.make())
    for single in (*turn.make(), *personal.make()):
        tree.add_command(single)
