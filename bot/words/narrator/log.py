"""The whole game as a readable log: as a story, a paragraph for each turn; or in full, a line for each event."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.plaintext import clip
from bot.table.parts import News
from bot.words.language import _, n_
from bot.words.narrator import line, logged, story
from bot.words.narrator.building import first_pieces
from bot.words.narrator.telling import Reader
from bot.words.narrator.trade import kept
from bot.words.news import sentence
from engine import events as ev
from engine.events import Event
from engine.log.recount import Turn
from engine.views import View

LONGEST = 1100
"""Maximum characters of a paragraph: three fit on a page even if a lot happens among eight players."""


def full(records: Iterable[Sequence[Event]], view: View, names: Sequence[str], news: Sequence[News] = ()) -> list[str]:
    """A line for each event of all records, with the table's news in between; `records` are redacted for the reader.

    `view` gives the names of places. Records without events have no number: they are secret (section M).
    """
    lines = [_("Setup")]
    news_left = [item for item in news if not item.is_answer]
    for number, events in enumerate(filter(None, records)):
        while news_left and news_left[0].revision <= number:
            lines.append(f"        {sentence(news_left.pop(0))}")
        for event in events:
            text = line(event, view, names, named=True).replace("**", "")  # plain: it is read in a file or a terminal
            lines += ["", text] if isinstance(event, ev.TurnBegan) else [f"  {number:>4}  {text}"]
    return [*lines, *(f"        {sentence(item)}" for item in news_left)]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A part of the story in Discord's Markdown, and the turn in which it happens; setup has several."""

    turn: int
    text: str


def heading(turn: int, name: str, dice: tuple[int, int] | None) -> str:
    """ "Turn 12 · Ann rolled 8"."""
    if dice is None:
        return _("Turn {turn} · {name}", turn=turn, name=name)
    return _("Turn {turn} · {name} rolled {sum}", turn=turn, name=name, sum=sum(dice))


def paragraphs(
    turns: Iterable[Turn], view: View, names: Sequence[str], since: int = 0, news: Sequence[News] = ()
) -> list[Paragraph]:
    """The story of some turns with the news in them, from revision `since` on; `view` is the game as it is now."""
    recent_news = [item for item in news if item.revision >= since and not item.is_answer]
    found = []
    for turn in turns:
        turn_news = [item for item in recent_news if item.turn == turn.number]
        events = turn.since(since).events
        if not turn.number:
            setup = _setup([event for _, event in events], view, names)
            found += [Paragraph(0, clip(text, LONGEST)) for text in (*setup, *map(sentence, turn_news))]
        elif events or turn_news or not since:
            dice = next((e.dice for _, e in turn.events if isinstance(e, ev.Rolled) and e.counted), None)
            title = heading(turn.number, names[turn.seat], dice)
            text = " ".join(_turn(events, turn_news, view, names))
            found.append(Paragraph(turn.number, clip(f"**{title}**\n{text}".rstrip(), LONGEST)))
    return found


def _setup(events: Sequence[Event], view: View, names: Sequence[str]) -> list[str]:
    """Who sits where and who begins; each player's pieces and first cards; everything else that happened."""
    begun = [e for e in events if isinstance(e, (ev.FirstRolls, ev.FirstPlayer))]
    seated = (line(e, view, names) for e in events if isinstance(e, ev.SeatsTaken))
    own = [e for e in events if isinstance(e, ev.Built) or (isinstance(e, ev.Produced) and e.setup)]
    by_seat = ([e for e in own if e.seat == seat] for seat in dict.fromkeys(e.seat for e in own))
    texts = [
        " ".join([*seated, *story(begun, view, names)]),
        *(first_pieces(found, Reader(view, names)) for found in by_seat),
        " ".join(story([e for e in events if e not in own and e not in begun], view, names)),
    ]
    return [text for text in texts if text]


def _turn(events: Sequence[tuple[int, Event]], beside: Iterable[News], view: View, names: Sequence[str]) -> list[str]:
    """The sentences of a turn: its events, which come with their revisions, and its news, each at the right point."""
    sentences, at = list[str](), 0
    for item in beside:
        before = [event for revision, event in events if at <= revision < item.revision]
        sentences += [*logged(before, view, names), sentence(item)]
        at = item.revision
    sentences += logged([event for revision, event in events if at <= revision], view, names)
    offers = {event.offer for _, event in events if isinstance(event, ev.OfferMade)}
    if failed := len(offers - kept([event for _, event in events], view)):
        sentences.append(n_("{n} offer, no deal.", "{n} offers, no deal.", failed))
    return sentences
