"""The messages that the source of bot and engine marks for translation, and the bot's commands."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from functools import cache
from typing import Any

import discord
from discord.app_commands import CommandTree

from bot.discord.features import FEATURES
from tests.house import ROOT
from tools.texts import TEMPLATE, read

MARKS = {"_": (0, 1), "N_": (0, 1), "n_": (0, 2), "NN_": (0, 2), "p_": (1, 2), "P_": (1, 2)}
"""The functions that mark messages, and the slice of their arguments that are messages; a context comes before."""
DECLARED = {"refusal": (1, 3), "config_refusal": (1, 2)}
"""The same for functions that declare refusals; the key comes before the messages."""


@cache
def marked(*, in_f_string: bool = False) -> list[tuple[str, list[ast.expr]]]:
    """For each call that marks messages, or each in an f-string: (file and line, messages)."""
    return [(place, texts) for place, texts, inside in _marked() if inside or not in_f_string]


@cache
def _marked() -> list[tuple[str, list[ast.expr], bool]]:
    marks, found = MARKS | DECLARED, list[tuple[str, list[ast.expr], bool]]()
    for path in sorted(path for room in ("bot", "engine") for path in (ROOT / room).rglob("*.py")):
        inside = set[ast.AST]()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):  # the outer nodes come first
            if isinstance(node, ast.JoinedStr) or node in inside:
                inside.update(ast.iter_child_nodes(node))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in marks:
                begin, end = marks[node.func.id]
                if not isinstance(node.args[0], ast.Starred):
                    found.append((f"{path.name}:{node.lineno}", node.args[begin:end], node in inside))
    return found


def in_source() -> set[tuple[str, ...]]:
    """All messages of the source, each with its one form or both."""
    forms = set()
    for _place, texts in marked():
        if all(isinstance(text, ast.Constant) for text in texts):
            forms.add(tuple(ast.literal_eval(text) for text in texts))
    return forms


@cache
def messages() -> Mapping[tuple[str, ...], Collection[str]]:
    """The same from the template, which is up to date and is read faster; and the files that each message is in."""
    return {
        (message.id,) if isinstance(message.id, str) else tuple(message.id): {file for file, _ in message.locations}
        for message in read(TEMPLATE)
        if message.id
    }


def commands() -> list[dict[str, Any]]:
    """The commands as Discord lists them."""
    tree: CommandTree[Any] = CommandTree(discord.Client(intents=discord.Intents.none()))
    by_name = {command.name: command for feature in FEATURES for command in feature.commands}
    return [command.to_dict(tree) for command in by_name.values()]
