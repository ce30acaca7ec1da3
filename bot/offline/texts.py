"""What the offline table tells its people: on the page when it opens, and in the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from bot.table.table import LOBBY, Table
from bot.words.language import _

PEOPLE = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana")
"""The people at the table, as many as it has seats."""


def welcome(people: Sequence[str], waiting: Table | None) -> str:
    """The first message, for the people who are there; `waiting`: the table that continues."""
    if waiting is not None:
        begin = _("## Welcome back\n**{table}** continues here.", table=_named(waiting))
    elif len(people) == 1:
        begin = _(
            "## Welcome to the island game\nYou are **{name}**. Type one of these commands below:\n- `/game "
            "learn`: your first game, against three bots and with tips.\n- `/game new`: any other game. Choose "
            "**Options**, press **Fill with bots**, then **Start**.",
            name=people[0],
        )
    else:
        begin = _(
            "## Welcome to the island game\n1. One of you types `/game new`. The others press **Join**, each as "
            "themselves.\n2. The first one presses **Start**. **Fill with bots** fills the seats that are "
            "left.\n\nAlone? `/game learn` is a first game against three bots, with tips."
        )
    choose = "" if len(people) == 1 else _("Choose who you are at **Viewing as** above.")
    play = _(
        "The game message says whose turn it is. Play with its buttons, or type `/` to see all commands.\n**My "
        "hand** shows your cards, only to you. `/game rules` has the rules, `/game log` the story so far.\n-# "
        "There are no direct messages here: your hand is always behind **My hand** or `/hand`."
    )
    return "\n\n".join(filter(None, (begin, choose, play)))


def instructions(address: str, people: Sequence[str], waiting: Table | None, place: str) -> str:
    """What the terminal shows while the table is open; `place`: where its games are kept."""
    alone = len(people) == 1
    if waiting is not None:
        steps = [f"{_named(waiting)} goes on."]
    elif alone:
        steps = [
            "Type  /game learn  for your first game, against three bots and with tips.\n"
            "     For any other game type  /game new  and press Fill with bots. Then start."
        ]
    else:
        steps = [
            "Type  /game new\n     Alone? Type  /game learn  for a first game against three bots, with tips.",
            "Change to the others, one after the other, and press Join. Then start.",
        ]
    if not alone:
        steps[0] = f'Choose a person at the top ("Viewing as"). {steps[0]}'
        steps[-1] += "\n     Or open the address in another tab for each person."
    numbered = "\n".join(f"  {n}. {step}" for n, step in enumerate([f"Open  {address}", *steps], 1))
    return f"""
  The offline table is open for {", ".join(people)}.

{numbered}

  {place} keeps every game. Ctrl-C closes the table.
"""


def _named(table: Table) -> str:
    lobby = table.status == LOBBY
    return _("Table {number}", number=table.number) if lobby else _("Game {number}", number=table.number)
