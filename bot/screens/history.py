"""What was: a game as a story in pages, what somebody has missed of it, and how a turn ended."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from cachetools import LRUCache

from bot.plaintext import length
from bot.screens.controls import Button, Open, Reply
from bot.screens.viewer import Viewer
from bot.words.language import _
from bot.words.narrator.log import Paragraph, full, paragraphs
from engine.actions import Action, MakeOffer
from engine.events import Event, TurnBegan
from engine.game import Game
from engine.log.lasting import ends_of_turns
from engine.log.offers import last_offer
from engine.log.recount import Recount, recount
from engine.views import View


class TurnMemory:
    """How the latest turns ended, so that a turn's panel can be put away as it was; what is forgotten is replayed."""

    def __init__(self, most: int = 256) -> None:
        """`most`: ends of turns that are remembered."""
        self._ends: LRUCache[tuple[int, int], tuple[Game, Game]] = LRUCache(most)
        """By table and turn: the game before and after the action that ended it."""

    def remember(self, number: int, before: Game, after: Game) -> None:
        """Remember what was played; several actions at once leave a gap."""
        self._ends.pop((number, after.turn), None)  # what ended this turn was taken back
        if after.turn > before.turn and after.revision == before.revision + 1:
            self._ends[number, before.turn] = (before, after)

    async def end_of(self, public: Viewer, turn: int) -> Viewer | None:
        """An earlier turn as its panel shows it for good."""
        pair = self._ends.pop((public.table.number, turn), None)
        pair = pair or await asyncio.to_thread(_end_of_turn, public.game, turn)
        return None if pair is None else public.showing(_closing_view(*pair))


def _end_of_turn(game: Game, turn: int) -> tuple[Game, Game] | None:
    """The game before and after the action that ended a turn for good, by replaying its log."""
    end = ends_of_turns(game.config, game.records).get(turn)
    if end is None:
        return None
    before = Game.replay(game.config, game.records[:end])
    return before, before.followed_by(game.records[end : end + 1])


def _closing_view(before: Game, after: Game) -> View:
    """The end of a turn: the turn's story with the action that ended it."""
    old, new = before.view(None), after.view(None)
    last = tuple(itertools.takewhile(lambda event: not isinstance(event, TurnBegan), new.last))
    return replace(
        new,
        step=replace(old.step, awaited=0),
        on_turn=old.on_turn,
        turn=old.turn,
        round=old.round,
        dice=old.dice,
        events=(*old.events, *last),
        last=last,
        offers=(),
    )


# --- the story


PAGE = 3500
"""Characters of a page, of the 4,000 of a message."""
TURNS = 10
"""Turns on a page, and of the story of what somebody has missed."""
ANCHOR, LAST = "[ft][0-9]{1,5}", "t99999"
"""What an anchor looks like: "f12": from paragraph 12 on, "t12": up to it; and that of the last page."""


@dataclass(frozen=True, slots=True)
class Page:
    """Some paragraphs of a story, and the anchors of the pages around; "" where there is none."""

    paragraphs: Sequence[Paragraph]
    first: str
    older: str
    newer: str


def page_of(found: Sequence[Paragraph], anchor: str, least: int = 0) -> Page:
    """As much of a story as fits, of setup or of turns: what begins, or ends, at an anchor; nothing before `least`."""
    if not found:
        return Page((), "", "", "")
    at = min(max(int(anchor[1:]), least), len(found) - 1)
    if anchor.startswith("f"):
        begin, end = at, at + _fitting(found[at:])
    else:
        end = at + 1
        begin = end - _fitting(found[end - 1 : least - 1 if least else None : -1])
    return Page(
        found[begin:end],
        first=f"f{least}" if begin > least else "",
        older=f"t{begin - 1}" if begin > least else "",
        newer=f"f{end}" if end < len(found) else "",
    )


def _fitting(found: Sequence[Paragraph]) -> int:
    """How many of them fit on a page, the first in any case."""
    room = PAGE
    for n, paragraph in enumerate(found):
        room -= length(paragraph.text) + 2
        if n and (room < 0 or n == TURNS or bool(paragraph.turn) != bool(found[0].turn)):
            return n
    return len(found)


def turned(viewer: Viewer, page: Page, verb: str, *args: str, lead: str = "") -> Reply:
    """A page as an answer, with the buttons of a verb that turn it; they have these details before their anchor."""
    turns = [paragraph.turn for paragraph in page.paragraphs]
    values = {"number": viewer.table.number, "now": viewer.game.turn}
    if not turns:
        return Reply(_("### Game {number}\nEverything since then was undone.", **values))
    if not turns[0]:
        title = _("Game {number} · setup", **values)
    elif turns[0] == turns[-1]:
        title = _("Game {number} · turn {first} of {now}", **values, first=turns[0])
    else:
        title = _("Game {number} · turns {first} to {last} of {now}", **values, first=turns[0], last=turns[-1])
    buttons = []
    if page.first:
        buttons += [
            Button(_("First"), Open(verb, (*args, page.first)), emoji="⏮️"),
            Button(_("Older"), Open(verb, (*args, page.older)), emoji="◀️"),
        ]
    if page.newer:
        buttons += [
            Button(_("Newer"), Open(verb, (*args, page.newer)), emoji="▶️"),
            Button(_("Last"), Open(verb, (*args, LAST)), emoji="⏭️"),
        ]
    text = "\n\n".join(paragraph.text for paragraph in page.paragraphs)
    return Reply("\n".join(filter(None, (f"### {title}", lead, text))), rows=[buttons] if buttons else [])


async def log(viewer: Viewer, anchor: str) -> tuple[Page, list[str]]:
    """The whole game so far as the viewer may read it: a page of the story, and all in full for a file."""

    def tell() -> tuple[Page, list[str]]:
        found = recount(viewer.game.config, viewer.game.records, viewer.seat)
        news = viewer.table.news
        story = paragraphs(found.turns, viewer.view, viewer.names, news=news)
        return page_of(story, anchor or LAST), full(found.log, viewer.view, viewer.names, news)

    return await asyncio.to_thread(tell)


async def latest(viewer: Viewer, since: int, anchor: str) -> tuple[Page, int]:
    """A page of what has happened since a revision, in the last `TURNS` turns, and how many turns came before."""

    def tell() -> tuple[Page, int]:
        found = recount(viewer.game.config, viewer.game.records, viewer.seat)
        story = paragraphs(found.turns, viewer.view, viewer.names, since, viewer.table.news)
        turns = sorted({paragraph.turn for paragraph in story})
        shown = turns[-TURNS:]
        least = sum(paragraph.turn not in shown for paragraph in story)
        return page_of(story, anchor or f"f{least}", least), len(turns) - len(shown)

    return await asyncio.to_thread(tell)


def has_done(viewer: Viewer, kind: type[Action], since: int = 0) -> bool:
    """Whether the viewer's seat has done anything of a kind after so many records, taken back or not."""
    records = viewer.game.records[since:]
    return any(record.actor == viewer.seat and isinstance(record.action, kind) for record in reversed(records))


def latest_offer(viewer: Viewer) -> MakeOffer | None:
    """The offer that the viewer's seat has made last, naming those it asked; none: all others."""
    return last_offer(viewer.game.records, viewer.my_seat)


def offers_made(viewer: Viewer, until: int) -> int:
    """How many offers had been made after so many records: the id of the latest of them."""
    return sum(isinstance(record.action, MakeOffer) for record in viewer.game.records[:until])


async def latest_done(viewer: Viewer) -> list[Event]:
    """What the latest action did that was not taken back."""

    def tell() -> list[Event]:
        turns = recount(viewer.game.config, viewer.game.records, viewer.seat).turns
        found = [found for turn in turns for found in turn.events]
        return [event for revision, event in found if revision == found[-1][0]]

    return await asyncio.to_thread(tell)


async def missed(viewer: Viewer, since: int | None) -> Recount:
    """The game as it was at a revision (0: after what the seat did last), and its turns since; None: since the round
    before this moment began."""
    game, view = viewer.game, viewer.view
    playing = sum(not player.resigned for player in view.players)
    turn = max(0, view.turn - max(1, playing) + 1)

    def tell() -> Recount:
        found = recount(game.config, game.records, viewer.seat, since, turn)
        turns = (turn.since(found.then.revision) for turn in found.turns)
        return found._replace(turns=tuple(turn for turn in turns if turn.events))

    return await asyncio.to_thread(tell)
