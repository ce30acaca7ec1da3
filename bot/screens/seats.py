"""Bots that play for people, and seats that change hands: asking for it, voting on it, and taking a seat back."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import ceil

from bot.screens.controls import Button, ListOption, Open, Reply, Select, Style, rows
from bot.screens.steps import About, Ping
from bot.screens.viewer import Viewer
from bot.table.acts.motions import open_motion
from bot.table.options import VOTE
from bot.table.parts import COMPUTER, REPLACE
from bot.table.promptness import Promptness
from bot.table.seats import (
    OFTEN,
    can_replace_alone_from,
    free_places,
    is_replaced,
    who_decides,
    who_plays,
    withdrawable,
)
from bot.table.table import Table
from bot.table.waiting import decisions
from bot.words.language import _, n_, sentences, within
from bot.words.marks import card_count, listing, point_count
from bot.words.narrator.table import news_sentence
from bot.words.promptness import said_of
from engine.errors import RefereeError


def take_back_button() -> Button:
    """The button that gives a person their seat back."""
    return Button(_("Take my seat back"), Open("return"), Style.SUCCESS, "🙋")


def replace_button() -> Button:
    """The button that leads to the question whom a bot should play for."""
    return Button(_("Let a bot play for…"), Open("replace"), emoji="🤖")


def question(viewer: Viewer) -> Reply:
    """Ask whom a bot should play for. Codes: "not-playing", "replaced", "last-person"."""
    playing = who_plays(viewer.table, viewer.game)
    viewer.check_deciding()
    if len(playing) == 1:
        raise RefereeError("last-person")
    seats = sorted((viewer.users.index(user) for user in playing), key=lambda seat: seat == viewer.seat)
    mine = _("Me (I can come back any time)")
    options = [ListOption(str(seat), viewer.names[seat], mine if seat == viewer.seat else None) for seat in seats]
    return Reply(_question(viewer.table), rows=[Select(_("Choose a player"), Open("replaced"), options)])


def _question(table: Table) -> str:
    """The question, and when one person can decide alone."""
    if table.paused:
        return _(
            "**Who should a bot play for?** They can come back any time. It takes a majority. If they don't "
            "answer a vote to resume for a day, the host alone can do it."
        )
    if table.options.pace:
        return _(
            "**Who should a bot play for?** They can come back any time. It takes a majority. If they run out "
            "of time, the host alone can do it."
        )
    return _(
        "**Who should a bot play for?** They can come back any time. It takes a majority. After an hour's wait, "
        "the host alone can do it."
    )


def answer(viewer: Viewer, seat: int, table: Table) -> str:
    """What came of a vote about a seat, at the table as it is now."""
    name, user = viewer.names[seat], viewer.users[seat]
    if is_replaced(table, user):
        if seat == viewer.seat:
            return _("A bot is playing for you now. Take your seat back any time with `/seat back`.")
        return _("A bot is playing for {name} now.", name=name)
    others = [other for other in who_decides(table, viewer.game) if other != user]
    return _(
        "Vote counted: {votes} of {needed} needed for a bot to play for {name}.",
        votes=len(_ayes(table, user, others)),
        of=len(others),
        needed=len(others) // 2 + 1,
        name=name,
    )


def offered(to: str, before: str = "", promptness: Promptness | None = None) -> str:
    """The reply after a seat was offered: to a person of this name, or to anyone (""); `before`: to whom until then;
    `promptness`: how fast the person decides, if there is something to say."""
    text = _("{user} has been asked to take the seat.", user=to) if to else ""
    text = text or _("The seat is open to anyone.")
    no_more = _("{user} can't take it anymore.", user=before) if before not in ("", to) else ""
    return sentences([text, no_more, "" if promptness is None else said_of(to, promptness)])


def seat_pings(public: Viewer) -> list[Ping]:
    """Pings to people for whom a bot plays unasked, to people who are asked whether a bot should play for someone, and
    about offered seats."""
    if public.view.outcome is not None:
        return []
    return [*_played_for(public), *_questions(public), *_votes(public), *_offered(public), *turned_down(public)]


def _played_for(public: Viewer) -> list[Ping]:
    found = []
    for seat, user in enumerate(public.users):
        member = public.table.member_at(public.game, seat)
        wished = [news.by_wish for news in public.table.news if (news.what, news.user) == (COMPUTER, user)][-1:]
        if member.is_person and member.level and not public.view.players[seat].resigned and wished != [True]:
            text = _("a bot is playing for you until you take your seat back")
            found.append(Ping(f"replaced.{user}", (seat,), text, About.GROUP, (take_back_button(),)))
    return found


def _questions(public: Viewer) -> list[Ping]:
    """Pings that ask whether a bot should play for someone who left the server, or whose time is over, or was over
    three times in a row."""
    table, texts = public.table, dict[int, str]()
    if table.paused:
        return []
    for wait in decisions(table):
        if wait.over and table.options.expiry == VOTE:
            text = _("{name}'s time is up. Should a bot play for them?", name=public.names[wait.seat])
            texts[public.users[wait.seat]] = text
    playing = who_plays(table, public.game)
    for missed in table.missed:
        if missed.times >= OFTEN and missed.user in playing:
            texts[missed.user] = n_(
                "{name} ran out of time {n} time in a row. Should a bot play for them?",
                "{name} ran out of time {n} times in a row. Should a bot play for them?",
                missed.times,
                name=public.names[public.users.index(missed.user)],
            )
    for user in table.gone:
        if user in playing:
            name = public.names[public.users.index(user)]
            texts[user] = _("{name} left this server. Should a bot play for them?", name=name)
    return [ping for user, text in texts.items() for ping in _ask(public, user, text)]


def _votes(public: Viewer) -> list[Ping]:
    """Pings to those who haven't voted yet on a wish to replace someone. They replace a question about that person."""
    deciding, found = who_decides(public.table, public.game), list[Ping]()
    for user in who_plays(public.table, public.game):
        voters = _ayes(public.table, user, deciding)
        if voters:
            text = n_(
                "{who} wants a bot to play for {name}. OK?",
                "{who} want a bot to play for {name}. OK?",
                len(voters),
                who=listing(public.marked[public.users.index(by)] for by in voters),
                name=public.names[public.users.index(user)],
            )
            found += _ask(public, user, text, voters)
    return found


def _ayes(table: Table, absent: int, deciding: Collection[int]) -> list[int]:
    """The users among `deciding` who want a bot to play for someone."""
    motion = open_motion(table, REPLACE, absent)
    return [] if motion is None else [user for user in motion.ayes if user in deciding]


def _ask(public: Viewer, user: int, text: str, voters: Sequence[int] = ()) -> list[Ping]:
    """A ping to all others who decide and haven't voted yet, asking whether a bot should play for a user."""
    deciding, playing = (who(public.table, public.game) for who in (who_decides, who_plays))
    asked = tuple(seat for seat, by in enumerate(public.users) if by in deciding and by not in (user, *voters))
    if user not in playing or len(playing) == 1 or not asked:
        return []
    agree = Button(_("Let a bot play"), Open("replaced", (str(public.users.index(user)),)), emoji="🤖")
    text = sentences([text, *_deciding(public, user)])
    return [Ping(f"replacing.{user}", asked, text, About.GROUP, (agree,))]


def _deciding(public: Viewer, absent: int) -> list[str]:
    """How many votes it takes, who can decide alone, and from when on. Quiet hours, which are private, can make that
    later."""
    table, game = public.table, public.game
    host, others = table.host_in(game), [user for user in who_plays(table, game) if user != absent]
    voters = [user for user in who_decides(table, game) if user != absent]
    if len(voters) == 1:
        at = can_replace_alone_from(table, game, absent, others[0])
        return [_("You can decide this from {when}.", when=_at(at)), *_except_quiet_hours(table)] if at else []
    lines = [n_("It takes {n} of you.", "It takes {n} of you.", len(voters) // 2 + 1)]
    if host in others and (at := can_replace_alone_from(table, game, absent, host)) is not None:
        name = public.names[public.users.index(host)]
        if at:
            lines.append(_("The host, {name}, can decide this alone from {when}.", name=name, when=_at(at)))
            lines += _except_quiet_hours(table)
        else:
            lines.append(_("The host, {name}, can decide this alone.", name=name))
    anyone = next((user for user in voters if user != host), host)
    if at := can_replace_alone_from(table, game, absent, anyone):
        lines.append(_("From {when}, one of you is enough.", when=_at(at)))
    return lines


def _except_quiet_hours(table: Table) -> list[str]:
    """A note that the hour can take longer for some players."""
    return [] if table.options.pace or table.paused else [_("Quiet hours don't count.")]


def _at(moment: float) -> str:
    return f"<t:{ceil(moment)}:f>"


def turned_down(public: Viewer, *, earlier: bool = False) -> list[Ping]:
    """Pings that tell people who offered a seat, or asked for one, that nothing comes of it: in that turn only, or
    `earlier` ones."""
    found = []
    for news in public.table.news:
        now = news.turn >= public.view.turn  # later: a turn's end was undone
        if news.is_answer and news.user and now != earlier:
            text = within(news_sentence(news))
            name = next((m.name for m in public.table.members if m.user == news.user), news.newcomer)
            occasion, users = f"news.{news.made}.{news.what}", ((news.user, name),)
            found.append(Ping(occasion, (), text, About.GROUP, users=users, topic="news"))
    return found


def _offered(public: Viewer) -> list[Ping]:
    """Pings about offered seats: to one person, or open to anyone."""
    found = []
    for offered in public.table.handovers:
        seat = public.table.seat_at(public.game, offered.place)
        if public.view.players[seat].resigned:
            continue
        values = {
            "name": public.names[seat],
            "points": point_count(public.view.players[seat].points),
            "cards": card_count(public.view.players[seat].hand_size),
        }
        if offered.to:
            text = _(
                "{name}'s seat in this game is offered to you: {points}, {cards}. You'd play on from there", **values
            )
        else:
            text = _("{name}'s seat in this game is free: {points}, {cards}. You'd play on from there", **values)
        buttons = [Button(_("Take the seat"), Open("seat", (str(offered.place),)), Style.SUCCESS, "🪑")]
        if offered.to:
            buttons.append(Button(_("No thanks"), Open("noseat"), emoji="👎"))
        users = ((offered.to, offered.name),) if offered.to else ()
        found.append(Ping(f"seat.{offered.place}.{offered.to}", (), text, About.GROUP, tuple(buttons), users))
    return found


def give_seat_button(viewer: Viewer) -> Button:
    """The button that leads to offering the player's seat, or that takes the offer back."""
    if any(viewer.table.members[h.place].user == viewer.users[viewer.my_seat] for h in viewer.table.handovers):
        return Button(_("Keep my seat"), Open("noseat"), emoji="🪑")
    return Button(_("Give away my seat…"), Open("handover"), emoji="🪑")


def withdrawing(viewer: Viewer) -> list[Button]:
    """Buttons to stop offering other players' seats, where the viewer can do that."""
    buttons = []
    for place in withdrawable(viewer.table, viewer.game, viewer.users[viewer.my_seat]):
        name = viewer.names[viewer.table.seat_at(viewer.game, place)]
        buttons.append(Button(_("Stop offering {name}'s seat", name=name), Open("noseat", (str(place),)), emoji="🪑"))
    return buttons


def take_over() -> Button:
    """The button that leads to the seats that bots play."""
    return Button(_("Take over a bot's seat"), Open("substitute"), emoji="🪑")


def sure_to_hand_over(viewer: Viewer) -> Reply:
    """Ask for confirmation before a player offers their seat, saying what it means."""
    viewer.check_not_resigned()
    text = _(
        "**Offer your seat to anyone?** The new player sees your cards and plays on, and there's no way back. "
        "`/seat give to:` offers it to one person."
    )
    return Reply(text, rows=rows([Button(_("Offer my seat"), Open("handover", ("yes",)), Style.DANGER, "🪑")]))


def free_seats(viewer: Viewer) -> Reply:
    """The seats that a person who doesn't play could take over. Code: "handover"."""
    if viewer.seat is not None:
        raise RefereeError("handover/you play")
    places = free_places(viewer.table, viewer.game)
    if not places:
        raise RefereeError("handover/no computer")
    options = []
    for place in places:
        seat = viewer.table.seat_at(viewer.game, place)
        points = point_count(viewer.view.players[seat].points)
        options.append(ListOption(str(place), viewer.names[seat], points))
    text = _("**Whose seat do you want to take over?** A majority must agree.")
    return Reply(text, rows=[Select(_("Choose a seat"), Open("substitute"), options)])
