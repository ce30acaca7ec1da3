"""The whole game as a readable log: as a story, a paragraph for each turn; or in full, a line for each event. And what
a reader has missed: what everyone has done, what happened to their cards, and how they stand now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.plaintext import clip
from bot.table.parts import News
from bot.words.language import N_, _, enumeration, n_, sentences, series
from bot.words.marks import cards, city_count, hex_sign, listing, point_count, road_count, settlement_count
from bot.words.narrator import TELLINGS, line, logged, render, story
from bot.words.narrator.building import first_pieces
from bot.words.narrator.cards import kept
from bot.words.narrator.table import awards_since, news_sentence
from bot.words.narrator.telling import Reader
from engine import events as ev
from engine.events import Event
from engine.geometry import bits
from engine.log.recount import Turn
from engine.resources import KNIGHT
from engine.views import OfferView, PlayerView, View

LONGEST_PARAGRAPH = 1100
"""Maximum characters of a paragraph: three fit on a page even if a lot happens among eight players."""


def full_log(
    records: Iterable[Sequence[Event]], view: View, names: Sequence[str], news: Sequence[News] = ()
) -> list[str]:
    """A line for each event of all records, with the table's news in between; `records` are redacted for the reader.

    `view` gives the names of places. Records without events have no number: they are secret (section M).
    """
    lines = [_("Setup")]
    news_left = [item for item in news if not item.is_answer]
    for number, events in enumerate(filter(None, records)):
        while news_left and news_left[0].revision <= number:
            lines.append(f"        {news_sentence(news_left.pop(0))}")
        for event in events:
            text = line(event, view, names, named=True).replace("**", "")  # plain: it is read in a file or a terminal
            lines += ["", text] if isinstance(event, ev.TurnBegan) else [f"  {number:>4}  {text}"]
    return [*lines, *(f"        {news_sentence(item)}" for item in news_left)]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A part of the story in Discord's Markdown, and the turn in which it happens; setup has several."""

    turn: int
    text: str


def turn_heading(turn: int, name: str, dice: tuple[int, int] | None) -> str:
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
            found += [Paragraph(0, clip(text, LONGEST_PARAGRAPH)) for text in (*setup, *map(news_sentence, turn_news))]
        elif events or turn_news or not since:
            dice = next((e.dice for _, e in turn.events if isinstance(e, ev.Rolled) and e.counted), None)
            title = turn_heading(turn.number, names[turn.seat], dice)
            text = sentences(_turn(events, turn_news, view, names))
            found.append(Paragraph(turn.number, clip(f"**{title}**\n{text}".rstrip(), LONGEST_PARAGRAPH)))
    return found


def _setup(events: Sequence[Event], view: View, names: Sequence[str]) -> list[str]:
    """Who sits where and who begins; each player's pieces and first cards; everything else that happened."""
    begun = [e for e in events if isinstance(e, (ev.FirstRolls, ev.FirstPlayer))]
    seated = (line(e, view, names) for e in events if isinstance(e, ev.SeatsTaken))
    own = [e for e in events if isinstance(e, ev.Built) or (isinstance(e, ev.Produced) and e.setup)]
    by_seat = ([e for e in own if e.seat == seat] for seat in dict.fromkeys(e.seat for e in own))
    texts = [
        sentences([*seated, *story(begun, view, names)]),
        *(first_pieces(found, Reader(view, names)) for found in by_seat),
        sentences(story([e for e in events if e not in own and e not in begun], view, names)),
    ]
    return [text for text in texts if text]


def _turn(events: Sequence[tuple[int, Event]], beside: Iterable[News], view: View, names: Sequence[str]) -> list[str]:
    """The sentences of a turn: its events, which come with their revisions, and its news, each at the right point."""
    sentences, at = list[str](), 0
    for item in beside:
        before = [event for revision, event in events if at <= revision < item.revision]
        sentences += [*logged(before, view, names), news_sentence(item)]
        at = item.revision
    sentences += logged([event for revision, event in events if at <= revision], view, names)
    offers = {event.offer for _, event in events if isinstance(event, ev.OfferMade)}
    if failed := len(offers - kept([event for _, event in events], view)):
        sentences.append(n_("{n} offer, no deal.", "{n} offers, no deal.", failed))
    return sentences


# --- what a reader has missed

MOST_ROLLS, MOST_OFFERS = 10, 2
"""Maximum number of rolls, and of open offers, that are listed one by one."""


def all_have_done(then: View, events: Sequence[Event], reader: Reader) -> list[str]:
    """Sentences on the board, cards played and votes: "Built: Bob 1 city and 2 roads; Cy 1 settlement."."""
    now, names, buyers = reader.view, reader.names, [e.seat for e in events if isinstance(e, ev.CardBought)]
    pairs = list(zip(then.players, now.players, strict=True))
    built = [f"{names[new.seat]} {things}" for old, new in pairs if (things := pieces_built(old, new))]
    bought = [f"{names[seat]} {buyers.count(seat)}" for seat in sorted(set(buyers))]
    knights = [f"{names[new.seat]} {n}" for old, new in pairs if (n := new.played[KNIGHT] - old.played[KNIGHT])]
    lists = (
        (N_("Built: {list}."), series(built)),
        (N_("Development cards bought: {list}."), enumeration(bought)),
        (N_("Knights played: {list}."), enumeration(knights)),
    )
    lines = [_(message, list=listed) for message, listed in lists if listed]
    if now.robber not in (then.robber, -1):
        lines.append(_("The robber is on {hex} now.", hex=hex_sign(now.board, now.robber)))
    others = ~(0 if now.seat is None else 1 << now.seat)
    left = [ev.Resigned(new.seat) for old, new in pairs if new.resigned > old.resigned]
    end_votes = [ev.EndAgreed(seat, True) for seat in bits(now.end_votes & ~then.end_votes & others)]
    void_votes = [ev.CallOffAgreed(seat, True) for seat in bits(now.call_off_votes & ~then.call_off_votes & others)]
    return lines + [line(event, now, names) for event in (*left, *end_votes, *void_votes)]


def pieces_built(old: PlayerView, new: PlayerView) -> str:
    """What a player has built between two views: "1 city and 2 roads"; or ""."""
    counted = (
        (new.cities & ~old.cities, city_count),
        ((new.settlements | new.cities) & ~(old.settlements | old.cities), settlement_count),
        (new.roads & ~old.roads, road_count),
    )
    return listing(found) if (found := [count(mask.bit_count()) for mask, count in counted if mask]) else ""


def rolled_sums(events: Iterable[Event]) -> str:
    """The sums that were rolled, if there are only a few: "🎲 8, 7, 5"."""
    sums = [str(sum(e.dice)) for e in events if isinstance(e, ev.Rolled) and e.counted]
    return f"🎲 {enumeration(sums)}" if 0 < len(sums) <= MOST_ROLLS else ""


def own_cards(events: Sequence[Event], reader: Reader) -> list[str]:
    """Sentences on what came to the reader's hand, and what left it."""
    lines = list[str]()
    for kind, telling in TELLINGS.items():
        lines += telling.all_while_away([e for e in events if type(e) is kind], reader)
    return [*lines, *filter(None, (render(event, reader, lambda telling: telling.while_away) for event in events))]


def own_standing(then: View, events: Sequence[Event], me: int, reader: Reader) -> list[str]:
    """Sentences on what was decided for a seat, on awards, and on players who have passed it."""
    pairs = list(zip(then.players, reader.view.players, strict=True))
    mine, new = map(_points, pairs[me])
    passed = [player for old, player in pairs if _points(player) > new and _points(old) <= mine]
    message = N_("📈 {name} has passed you: {points} to your {n}.")
    ahead = [
        _(message, name=reader.names[player.seat], points=point_count(_points(player)), n=new)
        for player in sorted(passed, key=lambda player: (-_points(player), player.seat))
    ]
    return [*_decided(events, me), *awards_since(then, reader), *ahead]


def _decided(events: Sequence[Event], me: int) -> list[str]:
    """In how many turns a seat's time ran out, and what was done for it then, as a sentence."""
    turn, late, deeds = 0, set[int](), list[str]()
    for at, event in enumerate(events):
        turn += isinstance(event, ev.TurnEnded)
        if isinstance(event, ev.DecidedFor) and event.seat == me:
            late.add(turn)
            deeds += [TELLINGS[type(next_)].decided for next_ in events[at + 1 : at + 2]]
    if not any(deeds):
        return []
    what = listing(dict.fromkeys(_(deed) for deed in deeds if deed))
    if len(late) == 1:
        return [_("⌛ You ran out of time. Done for you: {deeds}.", deeds=what)]
    text = n_(
        "⌛ You ran out of time in {n} turn. Done for you: {deeds}.",
        "⌛ You ran out of time in {n} turns. Done for you: {deeds}.",
        len(late),
        deeds=what,
    )
    return [text]


def _points(player: PlayerView) -> int:
    """A player's points, as far as the viewer knows them."""
    return player.points if player.all_points is None else player.all_points


def standing(then: View, reader: Reader) -> list[str]:
    """Sentences on how all players stand, for an onlooker."""
    parts = []
    for old, new in zip(then.players, reader.view.players, strict=True):
        gain = _points(new) - _points(old)
        parts.append((-_points(new), f"{reader.names[new.seat]} {_points(new)}" + (f" ({gain:+})" if gain else "")))
    points = _("Points: {list}.", list=enumeration(text for _n, text in sorted(parts)))
    return [*awards_since(then, reader), points]


def offers_to_reader(open_offers: Sequence[OfferView], gone: int, names: Sequence[str]) -> list[str]:
    """Sentences on offers to the reader: the open ones, and how many came and went."""
    lines = [
        _("📨 {name} offers you {give} for {want}.", name=names[o.seat], give=cards(o.give), want=cards(o.want))
        for o in open_offers[:MOST_OFFERS]
    ]
    if (more := len(open_offers) - MOST_OFFERS) > 0:
        lines.append(n_("{n} more offer waits for your answer.", "{n} more offers wait for your answer.", more))
    if gone:
        lines.append(n_("{n} offer to you expired.", "{n} offers to you expired.", gone))
    return lines
