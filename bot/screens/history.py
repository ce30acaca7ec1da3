"""A game's past: how a turn ended, its story in pages, what a person has missed, and the whole game as the frames of a
film."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from cachetools import LRUCache

from bot.plaintext import length
from bot.screens.controls import Button, Link, Open, Reply, Row, rows
from bot.screens.viewer import Viewer
from bot.words.language import _, n_
from bot.words.marks import listing
from bot.words.narrator.history import Paragraph, full_log, paragraphs, turn_heading
from engine.actions import Action, MakeOffer
from engine.config import Config
from engine.events import Event, TurnBegan
from engine.game import Game
from engine.log import offers
from engine.log.lasting import ends_of_turns
from engine.log.recount import Recount, recount
from engine.record import Record
from engine.views import View


class TurnMemory:
    """Remembers how the latest turns ended, so that their panels can show it for good; older ends are replayed."""

    def __init__(self, most: int = 256) -> None:
        """`most`: number of ends of turns to remember."""
        self._ends: LRUCache[tuple[int, int], tuple[Game, Game]] = LRUCache(most)
        """By table and turn: the game before and after the action that ended the turn."""

    def remember(self, number: int, before: Game, after: Game) -> None:
        """Remember an action if it ended a turn. Actions that come several at a time aren't remembered."""
        self._ends.pop((number, after.turn), None)  # the end of this turn was undone
        if after.turn > before.turn and after.revision == before.revision + 1:
            self._ends[number, before.turn] = (before, after)

    async def end_of(self, public: Viewer, turn: int) -> Viewer | None:
        """The game as an earlier turn's panel shows it for good; None if the turn has no end in the log."""
        pair = self._ends.pop((public.table.number, turn), None)
        pair = pair or await asyncio.to_thread(_end_of_turn, public.game, turn)
        return None if pair is None else public.showing(_closing_view(*pair))


def _end_of_turn(game: Game, turn: int) -> tuple[Game, Game] | None:
    """Replay the log: the game before and after the action that ended a turn for good; None if there is none."""
    end = ends_of_turns(game.config, game.records).get(turn)
    if end is None:
        return None
    before = Game.replay(game.config, game.records[:end])
    return before, before.followed_by(game.records[end : end + 1])


def _closing_view(before: Game, after: Game) -> View:
    """The view at the end of a turn, with the turn's story up to the action that ended it."""
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


LONGEST_PAGE = 3500
"""Most characters on a page; a message has room for 4,000."""
MOST_TURNS = 10
"""Most turns on a page, and in the story of what a person has missed."""
ANCHOR, LAST_PAGE = "[ft][0-9]{1,5}", "t99999"
"""Pattern of an anchor ("f12": from paragraph 12 on, "t12": up to paragraph 12), and the last page's anchor."""


@dataclass(frozen=True, slots=True)
class StoryPage:
    """Some paragraphs of a story, and anchors of other pages: first, next older, next newer; "" if there is none."""

    paragraphs: Sequence[Paragraph]
    first: str
    older: str
    newer: str


def story_page(paragraphs: Sequence[Paragraph], anchor: str, least: int = 0) -> StoryPage:
    """The page that begins or ends at an anchor: what fits of setup or of turns, nothing before paragraph `least`."""
    if not paragraphs:
        return StoryPage((), "", "", "")
    at = min(max(int(anchor[1:]), least), len(paragraphs) - 1)
    if anchor.startswith("f"):
        begin, end = at, at + _fitting(paragraphs[at:])
    else:
        end = at + 1
        begin = end - _fitting(paragraphs[end - 1 : least - 1 if least else None : -1])
    return StoryPage(
        paragraphs[begin:end],
        first=f"f{least}" if begin > least else "",
        older=f"t{begin - 1}" if begin > least else "",
        newer=f"f{end}" if end < len(paragraphs) else "",
    )


def _fitting(paragraphs: Sequence[Paragraph]) -> int:
    """Number of these paragraphs that fit on a page, at least one."""
    room = LONGEST_PAGE
    for n, paragraph in enumerate(paragraphs):
        room -= length(paragraph.text) + 2
        if n and (room < 0 or n == MOST_TURNS or bool(paragraph.turn) != bool(paragraphs[0].turn)):
            return n
    return len(paragraphs)


def page_reply(viewer: Viewer, page: StoryPage, verb: str, *args: str, lead: str = "") -> Reply:
    """A page as a reply, with buttons to turn it: they open `verb` with `args` and an anchor."""
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
            Button(_("Last"), Open(verb, (*args, LAST_PAGE)), emoji="⏭️"),
        ]
    text = "\n\n".join(paragraph.text for paragraph in page.paragraphs)
    return Reply("\n".join(filter(None, (f"### {title}", lead, text))), rows=[buttons])


async def log_page(viewer: Viewer, anchor: str) -> tuple[StoryPage, list[str]]:
    """The whole game so far as the viewer can know it: a page of the story, and the full log for a file."""

    def tell() -> tuple[StoryPage, list[str]]:
        found = recount(viewer.game.config, viewer.game.records, viewer.seat)
        news = viewer.table.news
        story = paragraphs(found.turns, viewer.view, viewer.names, news=news)
        return story_page(story, anchor or LAST_PAGE), full_log(found.log, viewer.view, viewer.names, news)

    return await asyncio.to_thread(tell)


async def latest_page(viewer: Viewer, since: int, anchor: str) -> tuple[StoryPage, int]:
    """A page of the story since a revision, of the last `MOST_TURNS` turns only, and how many turns that leaves out."""

    def tell() -> tuple[StoryPage, int]:
        found = recount(viewer.game.config, viewer.game.records, viewer.seat)
        story = paragraphs(found.turns, viewer.view, viewer.names, since, viewer.table.news)
        turns = sorted({paragraph.turn for paragraph in story})
        shown = turns[-MOST_TURNS:]
        least = sum(paragraph.turn not in shown for paragraph in story)
        return story_page(story, anchor or f"f{least}", least), len(turns) - len(shown)

    return await asyncio.to_thread(tell)


def has_done(viewer: Viewer, kind: type[Action], since: int = 0) -> bool:
    """Whether the viewer's seat has played an action of a kind, undone or not, after the first `since` records."""
    records = viewer.game.records[since:]
    return any(record.actor == viewer.seat and isinstance(record.action, kind) for record in reversed(records))


def latest_offer(viewer: Viewer) -> MakeOffer | None:
    """The last offer of the viewer's seat, with the seats that it asked; no seats: all others."""
    return offers.last_offer(viewer.game.records, viewer.my_seat)


def has_traded(viewer: Viewer) -> bool:
    """Whether the player has traded with the bank or with another player."""
    return offers.has_traded(viewer.game.records, viewer.my_seat)


def offers_made(viewer: Viewer, until: int) -> int:
    """Number of offers in the first `until` records, which is the id of the latest of them."""
    return sum(isinstance(record.action, MakeOffer) for record in viewer.game.records[:until])


async def latest_done(viewer: Viewer) -> list[Event]:
    """The events of the latest action that wasn't undone, as the viewer can know them."""

    def tell() -> list[Event]:
        turns = recount(viewer.game.config, viewer.game.records, viewer.seat).turns
        found = [found for turn in turns for found in turn.events]
        return [event for revision, event in found if revision == found[-1][0]]

    return await asyncio.to_thread(tell)


async def missed_turns(viewer: Viewer, since: int | None) -> Recount:
    """The view at a revision and the turns since then. 0: after the seat's latest action; None: when the latest round
    began."""
    game, view = viewer.game, viewer.view
    playing = sum(not player.resigned for player in view.players)
    turn = max(0, view.turn - max(1, playing) + 1)

    def tell() -> Recount:
        found = recount(game.config, game.records, viewer.seat, since, turn)
        turns = (turn.since(found.then.revision) for turn in found.turns)
        return found._replace(turns=tuple(turn for turn in turns if turn.events))

    return await asyncio.to_thread(tell)


# --- the page, and the film


def page_hint() -> str:
    """What a game's page is for, where the page is."""
    return _("Open the page in any browser: watch the game again, and check the dice.")


def page_buttons(link: str | None, *, film: bool) -> list[Row]:
    """The ways from a game's page: to the same page on the web, if it is there (`link`), and to the film."""
    web = [Button(_("Open in the browser"), Link(link), emoji="🌐")] if link else []
    return rows([*web, *([Button(_("Film"), Open("film"), emoji="🎬")] if film else [])])


MOST_FRAMES = 240
"""Most frames in a film; from longer games some turns are left out."""


def frames(config: Config, records: Iterable[Record]) -> list[View]:
    """The public view at the end of setup, of each turn, and of the game, from the log."""
    log = list(records)
    ends = ends_of_turns(config, log).values()
    found: list[View] = []
    for number, past in enumerate(Game.each(config, log)):
        if number + 1 in ends or number + 1 == len(log):
            found.append(past.view(None))
    if past.outcome is not None and number in ends:  # the next player won by beginning their turn
        del found[-2]
    return thinned(found)


def caption(view: View, names: Sequence[str]) -> str:
    """A frame's caption: "Turn 12 · Ann rolled 8"."""
    if view.outcome is not None:
        who, n = listing(names[seat] for seat in view.outcome.winners), len(view.outcome.winners)
        return n_("The end: {names} won", "The end: {names} won", n, names=who) if n else _("The end: no winner")
    if not view.turn or view.on_turn is None:
        return _("After setup")
    return turn_heading(view.turn, names[view.on_turn], view.dice)


def thinned(views: Sequence[View]) -> list[View]:
    """At most `MOST_FRAMES` of the views, evenly spread, with the first and the last."""
    if len(views) <= MOST_FRAMES:
        return list(views)
    return [views[round(k * (len(views) - 1) / (MOST_FRAMES - 1))] for k in range(MOST_FRAMES)]
