"""How much there is to read, and how many commands: `python -m bench.texts [-v]`.

It counts messages and their words. Messages are what `bot/` and `engine/` mark to be translated. `-v` lists those that
are long or hold a semicolon.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from babel.messages.extract import extract_from_dir

from tests.bot.words.marked import commands
from tools.texts import KEYWORDS

ROOT = Path(__file__).parent.parent
LONG = 20
"""A message with more words is long."""


def messages() -> set[str]:
    """Each message once; if it has forms for one and several, the form for one."""
    found = set[str]()
    for room in ("bot", "engine"):
        for _file, _line, message, *_more in extract_from_dir(ROOT / room, keywords=KEYWORDS):
            found.add(message if isinstance(message, str) else message[0])
    return found


def leaves(command: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The commands that can be called: the command itself, or those of a group."""
    inner = [option for option in command.get("options", ()) if option["type"] in (1, 2)]
    if not inner:
        yield command
    for option in inner:
        yield from leaves(option)


def characters(command: dict[str, Any]) -> int:
    """Characters of a command as Discord counts them. It accepts 8,000."""
    total = len(command["name"]) + len(command.get("description") or "")
    total += sum(len(choice["name"]) + len(str(choice["value"])) for choice in command.get("choices") or ())
    return total + sum(map(characters, command.get("options", ())))


def main(args: list[str]) -> None:
    """Print the figures."""
    texts, listed = messages(), commands()
    long = {text for text in texts if len(text.split()) > LONG}
    split = {text for text in texts if ";" in text}
    called = [leaf for command in listed for leaf in leaves(command)]
    print(f"messages {len(texts)}, words {sum(len(text.split()) for text in texts)}")
    print(f"with more than {LONG} words {len(long)}, with a semicolon {len(split)}")
    print(f"commands {len(called)}, options {sum(len(leaf.get('options', ())) for leaf in called)}")
    print(f"characters of /game {max(characters(command) for command in listed if command['name'] == 'game')}")
    if "-v" in args:
        print(*sorted(long | split), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
