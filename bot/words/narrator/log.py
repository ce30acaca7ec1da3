"""The whole game as a readable log: as a story, a paragraph for each turn, and in full, a line for each thing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.plaintext import clip
from bot.table.news import News
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
"""Characters of a paragraph: three fit on a page even where much happens among eight."""


def full(records: Iterable[Sequence[Event]], view: View, names: Sequence[str], news: Sequence[News] = ()) -> list[str]:
    """All events of all records, each with its line, and what has happened beside them; `records` are redacted for the
    reader.

    `view` gives the names of places. Records without events have no number: they are secret (section M).
    """
    lines = [_("Setup")]
    beside = [told for told in news if not told.is_answer]
    for number, events in enumerate(filter(None, records)):
        while beside and beside[0].revision <= number:
            lines.append(f"        {sentence(beside.pop(0))}")
        for event in events:
            text = line(event, view, names, named=True).replace("**", "")  # plain: it is read in a file or a terminal
            lines += ["", text] if isinstance(event, ev.TurnBegan) else [f"  {number:>4}  {text}"]
    return [*lines, *(f"        {sentence(told)}" for told in beside)]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A part of the story in Discord's markdown, and in which turn it happens; setup has several."""

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
    """The story of some turns with what happened beside it, as far as that was at revision `since` or later; `view` is
    the game as it is now."""
    happened = [told for told in news if told.revision >= since and not told.is_answer]
    found = []
    for turn in turns:
        beside = [told for told in happened if told.turn == turn.number]
        events = turn.since(since).events
        if not turn.number:
            setup = _setup([event for _, event in events], view, names)
            found += [Paragraph(0, clip(text, LONGEST)) for text in (*setup, *map(sentence, beside))]
        elif events or beside or not since:
            dice = next((e.dice for _, e in turn.events if isinstance(e, ev.Rolled) and e.counted), None)
            title = heading(turn.number, names[turn.seat], dice)
            text = " ".join(_turn(events, beside, view, names))
            found.append(Paragraph(turn.number, clip(f"**{title}**\n{text}".rstrip(), LONGEST)))
    return found


def _setup(events: Sequence[Event], view: View, names: Sequence[str]) -> list[str]:
    """Who sits where and begins; each player's pieces and first cards; whatever else happened."""
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
    """The sentences of a turn, each event with its revision, and what happened beside it where it did."""
    sentences, at = list[str](), 0
    for told in beside:
        before = [event for revision, event in events if at <= revision < told.revision]
        sentences += [*logged(before, view, names), sentence(told)]
        at = told.revision
    sentences += logged([event for revision, event in events if at <= revision], view, names)
    offers = {event.offer for _, event in events if isinstance(event, ev.OfferMade)}
    if failed := len(offers - kept([event for _, event in events], view)):
        sentences.append(n_("{n} offer, no deal.", "{n} offers, no deal.", failed))
    return sentences
