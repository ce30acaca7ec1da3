"""Everything that a curious person can ask for: all that can be looked at, every suggestion, every refusal."""

from __future__ import annotations

import contextlib
from typing import Any

import simcord

from bot.screens import servers
from bot.screens.viewer import Viewer
from engine.actions import TakeBackDiscard
from tests.bot.discord.hall import find_button, parts, reply
from tests.bot.worlds.stage import Stage

ALIKE = ("stats", "game verify")
"""What all people who look are told in the same way."""
LOOKS = ("hand", "board", "catchup", "game log", "settings", *ALIKE)
SUGGESTED = (
    ("build road", "place"),
    ("build bridge", "place"),
    ("build settlement", "place"),
    ("build city", "place"),
    ("robber", "hex"),
    ("robber", "player"),
    ("play year-of-plenty", "cards"),
    ("trade offer", "give"),
    ("trade offer", "get"),
    ("trade offer", "to"),
    ("trade counter", "give"),
    ("trade want", "get"),
    ("trade want", "give"),
    ("discard", "cards"),
    ("trade bank", "give"),
    ("trade bank", "get"),
    ("trade accept", "offer"),
    ("trade decline", "offer"),
    ("trade counter", "offer"),
    ("trade confirm", "offer"),
    ("trade cancel", "offer"),
    ("trade confirm", "player"),
    ("game rules", "topic"),
    ("seat give", "player"),
)
FILLED = {
    "trade offer": {"give": "1 ore", "get": "1 wool"},
    "trade want": {"get": "1 ore", "give": "1 wool"},
    "trade bank": {"give": "4 ore", "get": "1 ore"},
    "trade counter": {"offer": "1", "give": "1 ore", "get": "1 wool"},
    "trade confirm": {"offer": "1", "player": "Ann"},
    "trade accept": {"offer": "1"},
    "trade decline": {"offer": "1"},
    "trade cancel": {"offer": "1"},
}
REFUSED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("roll", {}),
    ("end", {}),
    ("undo", {}),
    ("pass", {}),
    ("discard", {"cards": "1 ore"}),
    ("robber", {"hex": "1.1"}),
    ("build road", {"place": "a1"}),
    ("build settlement", {"place": "A1"}),
    ("build city", {"place": "A1"}),
    ("build card", {}),
    ("play knight", {}),
    ("play road-building", {}),
    ("play monopoly", {"resource": "ore"}),
    ("play year-of-plenty", {"cards": "2 ore"}),
    ("trade bank", {"give": "4 ore", "get": "1 wool"}),
    ("trade accept", {"offer": "1"}),
    ("trade confirm", {"offer": "1", "player": "Ann"}),
)
ACTS = (
    *("Roll", "End turn", "Buy card", "Pass", "Undo", "Answer with a knight", "Discard"),
    *("Leave it where it is", "Steal nothing"),
)


async def look(
    stage: Stage, seat: int | None, looks: tuple[str, ...] = LOOKS, *, suggested: bool = True
) -> list[object]:
    """Look at everything that can be seen without a change: commands, suggestions, private answers of the panel.

    Returns what isn't seen as a message: the suggestions, in their order, and the list of games.
    """
    hall, person = stage.hall, await stage.person(seat)
    for command in [one for one in looks if seat is None or one not in ALIKE]:
        message = reply(await person.slash(hall.channel, command))
        if further := find_button(message, "story") or find_button(message, "log"):
            await person.click(message, custom_id=further)
    found: list[object] = []
    for command, option in SUGGESTED if suggested else ():
        others = {k: v for k, v in FILLED.get(command, {}).items() if k != option}
        found.append(await person.autocomplete(hall.channel, command, option, "", **others))
    table = await hall.table()  # as in the server's list of games, which shows it outside the channel
    found.append(servers.list_lines([servers.ListedGame(table, Viewer.of(table, await hall.game(), None))]))
    panel = await hall.panel()
    for button in list(parts(panel, 2)):
        if not button["label"].startswith((*ACTS, "Accept", "Decline", "Withdraw", "Ask")):
            await person.click(panel, custom_id=button["custom_id"])
    return found


async def meddle(stage: Stage, seat: int | None) -> None:
    """Try everything that isn't this person's business now; all of it must be refused."""
    hall, person = stage.hall, await stage.person(seat)
    game = await hall.game()
    before = game.hash()
    may_undo = seat is not None and game.can_undo(seat)  # the end of their turn, until another player acts
    may_undo |= seat is not None and TakeBackDiscard in game.options(seat)
    for command, values in REFUSED:
        if may_undo and command == "undo":
            continue
        await person.slash(hall.channel, command, **values)
    panel = await hall.panel()
    for label in ACTS if not may_undo else [act for act in ACTS if act != "Undo"]:
        with contextlib.suppress(simcord.SetupError):
            await person.click(panel, label=label)
    assert (await hall.game()).hash() == before, "the curious have changed something"
