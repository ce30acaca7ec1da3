"""What did I miss? In at most five lines: what has happened since a person's last action, and what it means to them.

It is made from their own view, and from events redacted for them. No one else sees it (section M).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from bot.plaintext import clip
from bot.screens.controls import Button, Open, Row, Style
from bot.screens.history import has_done, missed_turns
from bot.screens.panel import headline
from bot.screens.steps import presenter_of
from bot.screens.trade import open_offers
from bot.screens.viewer import Viewer
from bot.screens.waiting import archived, deadlines
from bot.table.parts import News
from bot.table.reminders import seen_by
from bot.table.table import seatings
from bot.table.waiting import decisions
from bot.words.language import _, enumeration, n_, sentence, sentences
from bot.words.narrator import history as texts
from bot.words.narrator.table import news_sentence
from bot.words.narrator.telling import Reader
from engine.actions import Action
from engine.events import Event, OfferMade, Traded
from engine.log.recount import Turn
from engine.views import View

LONGEST_LINE = 700
"""Most characters in a line; five such lines fit into a message."""


@dataclass(frozen=True, slots=True)
class Missed:
    """What happened in a game while a person was away; in the latest round, if they weren't there before."""

    viewer: Viewer
    own: bool
    """Whether it starts at their own last action."""
    then: View
    turns: tuple[Turn, ...]
    """What has happened since then, by turn."""

    @property
    def events(self) -> list[Event]:
        """All events in order."""
        return [event for turn in self.turns for _, event in turn.events]

    @property
    def news(self) -> list[News]:
        """News since then, but not the reader's own coming and going, nor answers to others."""
        me = None if self.viewer.seat is None else self.viewer.users[self.viewer.seat]
        since = [told for told in self.viewer.table.news if told.revision >= self.then.revision]
        return [told for told in since if told.is_answer == (told.user == me)]

    @property
    def built(self) -> bool:
        """Whether pieces or the robber have changed on the board."""
        now = self.viewer.view
        pairs = zip(self.then.players, now.players, strict=True)
        return self.then.robber != now.robber or any(texts.pieces_built(old, new) for old, new in pairs)


async def look_back(viewer: Viewer) -> Missed:
    """What the viewer has missed. Onlookers, and people who just took a seat, get the latest round."""
    seen = None if viewer.seat is None else seen_by(viewer.table, viewer.users[viewer.seat])
    logged = _is_logged(viewer)
    past = await missed_turns(viewer, 0 if logged else seen)
    return Missed(viewer, seen is not None or logged, past.then, past.turns)


def _is_logged(viewer: Viewer) -> bool:
    """Whether only the game's log says what the viewer did last: they haven't acted since tables began to store it."""
    if viewer.seat is None:
        return False
    user = viewer.users[viewer.seat]
    if any(who == user for who, _, _ in viewer.table.acted) or seatings(viewer.table, viewer.table.place_of(user)):
        return False
    return has_done(viewer, Action)


def text(missed: Missed, done: str = "") -> str:
    """At most five lines; the last one says whom the game waits for. `done`: what the autopilot did for the viewer."""
    viewer, events = missed.viewer, missed.events
    if not events and not missed.news:
        if missed.own:
            line = _("Nothing new in game {number} since your last move.", number=viewer.table.number)
        else:
            line = _("Nothing has happened in game {number} yet.", number=viewer.table.number)
        return "\n".join(filter(None, (line, _waits(viewer))))  # it can wait for the reader, or be over
    then, reader = missed.then, Reader(viewer.view, viewer.names)
    lines = [_first(missed)]
    if viewer.seat is None:
        lines.append(sentences(texts.standing(then, reader)))
    else:
        lines.append(sentences([done, *texts.own_cards(events, reader)]))
        lines.append(sentences(texts.own_standing(then, events, viewer.seat, reader)))
        lines.append(sentences(texts.offers_to_reader(open_offers(viewer), _gone(missed), viewer.names)))
    lines.append(_waits(viewer))
    return "\n".join(clip(line, LONGEST_LINE) for line in lines if line)


def _names(viewer: Viewer) -> list[str]:
    """Names by seat; "you" for the viewer's, also for what an autopilot, a bot or the referee did there."""
    return [_("you") if seat == viewer.seat else name for seat, name in enumerate(viewer.names)]


def _first(missed: Missed) -> str:
    """The first line: since when, how many turns that was, and what everyone has done."""
    number, turns = missed.viewer.table.number, [turn for turn in missed.turns if turn.number]
    happenings = texts.all_have_done(missed.then, missed.events, Reader(missed.viewer.view, _names(missed.viewer)))
    if turns:
        count, rolls = n_("{n} turn", "{n} turns", len(turns)), texts.rolled_sums(missed.events)
        happenings.insert(0, sentence(enumeration(filter(None, (count, rolls)))))
    happenings += [news_sentence(news) for news in missed.news]
    if missed.own and happenings:
        head = _("**Game {number}** since your last move:", number=number)
    elif missed.own:
        head = _("**Game {number}**: no change on the board since your last move.", number=number)
    elif happenings:
        head = _("**Game {number}**, the latest round:", number=number)
    else:
        head = _("**Game {number}**: no change on the board in the latest round.", number=number)
    return sentences([head, *happenings])


def _gone(missed: Missed) -> int:
    """How many offers to the viewer were made and ended without a trade of the viewer's."""
    me, events = missed.viewer.seat, missed.events
    still = {offer.id for offer in missed.viewer.view.offers}
    made = [e for e in events if isinstance(e, OfferMade) and me in e.to and e.offer not in still]
    mine = [e for e in events if isinstance(e, Traded) and me in (e.seat, e.partner)]
    return max(0, len(made) - len(mine))


def _waits(viewer: Viewer) -> str:
    """Whom the game waits for, and until when."""
    view, table = viewer.view, viewer.table
    if line := archived(table):
        return line
    if view.outcome is not None:
        return headline(view, viewer.names)
    if table.paused:
        return deadlines(viewer)
    ends = {wait.seat: wait.until for wait in decisions(table) if wait.until is not None and not wait.over}
    over = {wait.seat: wait.until for wait in decisions(table) if wait.until is not None and wait.over}
    if viewer.is_replaced:
        return _("🤖 A bot is playing for you. Take your seat back with `/seat back`.")
    if viewer.seat is not None and view.awaited >> viewer.seat & 1:
        line = _("👉 **Your move:** {wanted}.", wanted=_(presenter_of(view).asks))
        end = viewer.closes or ends.get(viewer.seat)
        when = _("Your deadline: {when}.", when=f"<t:{ceil(end)}:R>") if end else ""
        if late := over.get(viewer.seat):
            when = _("Your time ran out {when}. You can still move.", when=f"<t:{ceil(late)}:R>")
    else:
        line = f"⏳ {headline(view, viewer.names, viewer.computers)}"
        end = viewer.closes or min(ends.values(), default=None)
        when = _("Deadline: {when}.", when=f"<t:{ceil(end)}:R>") if end else ""
    return sentences([line, when])


def controls(missed: Missed, link: Button | None) -> list[Row]:
    """The buttons: the story, offers that wait for the viewer, and the link to the table."""
    buttons = []
    if missed.events:
        buttons.append(Button(_("Turn by turn"), Open("story", (str(missed.then.revision),)), Style.PRIMARY, "📜"))
    if open_offers(missed.viewer):
        buttons.append(Button(_("Offers"), Open("offers"), Style.PRIMARY, "📨"))
    return [[*buttons, *([link] if link else [])]]
