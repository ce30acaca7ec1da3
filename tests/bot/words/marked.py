"""The messages that the source of bot and engine marks for translation, and the bot's commands."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from typing import Any

import discord
from discord.app_commands import CommandTree

from bot.discord.features import FEATURES
from tests.house import ROOT

MARKS = {"_": (0, 1), "N_": (0, 1), "n_": (0, 2), "NN_": (0, 2), "p_": (1, 2), "P_": (1, 2)}
"""The functions that mark messages, and the slice of their arguments that are messages; a context comes before."""
DECLARED = {"refusal": (1, 3), "config_refusal": (1, 2)}
"""The same for functions that declare refusals; the key comes before the messages."""


@cache
def marked(inside: type[ast.AST] = ast.Module) -> list[tuple[str, list[ast.expr]]]:
    """For each call that marks messages, within syntax nodes of a kind: (file and line, messages)."""
    return list(_marked(inside))


def _marked(inside: type[ast.AST]) -> Iterator[tuple[str, list[ast.expr]]]:
    marks = MARKS | DECLARED
    for path in sorted(path for room in ("bot", "engine") for path in (ROOT / room).rglob("*.py")):
        whole = ast.parse(path.read_text("utf-8"))
        outer = [whole] if inside is ast.Module else (node for node in ast.walk(whole) if isinstance(node, inside))
        for node in (node for within in outer for node in ast.walk(within)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in marks:
                begin, end = marks[node.func.id]
                if not isinstance(node.args[0], ast.Starred):
                    yield f"{path.name}:{node.lineno}", node.args[begin:end]


def messages() -> set[tuple[str, ...]]:
    """All messages, each with its one form or both."""
    forms = set()
    for _place, texts in marked():
        if all(isinstance(text, ast.Constant) for text in texts):
            forms.add(tuple(ast.literal_eval(text) for text in texts))
    return forms


def commands() -> list[dict[str, Any]]:
    """The commands as Discord lists them."""
    tree: CommandTree[Any] = CommandTree(discord.Client(intents=discord.Intents.none()))
    by_name = {command.name: command for feature in FEATURES for command in feature.commands}
    return [command.to_dict(tree) for command in by_name.values()]
