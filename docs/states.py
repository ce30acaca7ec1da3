"""Draws the states of what is shown into docs/architecture.md, from `bot.projections`: `python -m docs.states`."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

from bot.projections import NEXT, Move, State

PAGE = Path(__file__).with_name("architecture.md")
HEADING = "\n## What is shown\n"
BEGIN, END = "```mermaid\nstateDiagram-v2\n", "```\n"


def drawn() -> str:
    """The states as a diagram in Mermaid. Moves that change nothing are left out, and one that leads to the same state
    from all states is drawn once."""
    arrows = defaultdict[tuple[str, str], list[str]](list)
    for move in Move:
        ways = {before: after for (before, made), after in NEXT.items() if made is move}
        if ways.keys() == {None, *State} and len({*ways.values()}) == 1:
            arrows["any", ways[None].value].append(move.value)
            continue
        for before, after in ways.items():
            if before != after:
                arrows["[*]" if before is None else before.value, after.value].append(move.value)
    arrows["any", "[*]"].append("forgotten")
    lines = [f"    {before} --> {after}: {', '.join(moves)}" for (before, after), moves in arrows.items()]
    return BEGIN + "\n".join(lines) + "\n" + END


def redrawn(text: str) -> str:
    """The page with its diagram of what is shown as it is now. Others, above and below, stay as they are."""
    before, heading, after = text.partition(HEADING)
    diagram = re.compile(re.escape(BEGIN) + r".*?" + re.escape(END), re.DOTALL)
    after, replaced = diagram.subn(lambda _: drawn(), after, count=1)
    assert replaced == 1, f"no diagram below {HEADING.strip()}"
    return before + heading + after


def main() -> None:
    """Write the diagram."""
    PAGE.write_text(redrawn(PAGE.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
