"""Computers that play for somebody: asking for it, voting on it, and the way back."""

from __future__ import annotations

from bot.models import Table
from bot.presentation.controls import Button, Open, Option, Reply, Select, Style, rows
from bot.presentation.steps import Ping
from bot.presentation.texts.language import _, n_
from bot.presentation.texts.marks import card_count, listing, point_count
from bot.presentation.texts.news import sentence
from bot.presentation.viewer import Viewer
from bot.proposals import COMPUTER
from bot.service.handover import free_places, withdrawable
from bot.service.seats import Replacement, people
from engine.errors import RefereeError


def play_again() -> Button:
    """Gives somebody their seat back."""
    return Button(_("Play myself again"), Open("return"), Style.SUCCESS, "🙋")


def let_play() -> Button:
    """Leads to the question for whom."""
    return Button(_("Let a computer play for…"), Open("replace"), emoji="🤖")


def question(viewer: Viewer) -> Reply:
    """For whom a computer is to play; raises for somebody who doesn't play themselves."""
    playing = people(viewer.table, viewer.game)
    viewer.check_in_person()
    if len(playing) == 1:
        raise RefereeError("last-person")
    seats = sorted((viewer.users.index(user) for user in playing), key=lambda seat: seat == viewer.seat)
    mine = _("Me: I can take my seat back at any time")
    options = [Option(str(seat), viewer.names[seat], mine if seat == viewer.seat else None) for seat in seats]
    return Reply(_question(viewer.table), rows=[Select(_("Choose somebody"), Open("replaced"), options)])


def _question(table: Table) -> str:
    """From when on one person decides it."""
    if table.choices.paused:
        return _(
            "**Who should a computer play for?** They can take their seat back at any time. Once a wish to go on has "
            "waited a day for their answer, the host can decide it; until then, more than half of the others must "
            "agree."
        )
    if table.choices.pace:
        return _(
            "**Who should a computer play for?** They can take their seat back at any time. Once their time for a "
            "decision has run out, the host can decide it; until then, more than half of the others must agree."
        )
    return _(
        "**Who should a computer play for?** They can take their seat back at any time. Once the game has waited an "
        "hour for them, the host can decide it; until then, more than half of the others must agree."
    )


def answer(viewer: Viewer, seat: int, found: Replacement, by: int = 0) -> str:
    """What came of it; `by`: user who was to be asked to take the seat."""
    name = viewer.names[seat]
    if found.done:
        told = _("A computer is playing for {name} now.", name=name)
        if seat == viewer.seat:
            told = _("A computer is playing for you now. `/game return` gives you your seat back at any time.")
        return f"{told}\n{offered(by)}" if by else told
    told = _(
        "Noted: {votes} of {of} want a computer to play for {name}; {needed} are needed.",
        votes=found.votes,
        of=found.of,
        needed=found.needed,
        name=name,
    )
    later = _(
        "{user} hasn't been asked yet: once a computer plays for {name}, the host can do that by the same command.",
        user=f"<@{by}>",
        name=name,
    )
    return f"{told}\n{later}" if by else told


def offered(to: int, before: int = 0) -> str:
    """A seat was offered to a user, or to anybody (0); `before`: whom it was offered to until then; 0: to nobody."""
    told = _("{user} has been asked to take the seat.", user=f"<@{to}>") if to else ""
    told = told or _("The seat is offered to whoever wants it.")
    no_more = _("{user} can't take it any more.", user=f"<@{before}>") if before not in (0, to) else ""
    return f"{told} {no_more}".rstrip()


def pings(public: Viewer) -> list[Ping]:
    """Those for whom a computer plays without their wish, and those who have not voted on that yet."""
    if public.view.outcome is not None:
        return []
    playing = people(public.table, public.game)
    found = []
    for seat, user in enumerate(public.users):
        member = public.table.member_at(public.game, seat)
        wished = [told.by_wish for told in public.table.choices.news if (told.what, told.user) == (COMPUTER, user)][-1:]
        if member.is_person and member.level and not public.view.players[seat].resigned and wished != [True]:
            wanted = _("a computer is playing for you until you take your seat back")
            found.append(Ping(f"replaced.{user}", (seat,), wanted, "seat", (play_again(),)))
        voters = [by for who, by in public.table.choices.replacing if who == user and by in playing]
        asked = tuple(s for s, other in enumerate(public.users) if other in playing and other not in (user, *voters))
        if voters and asked and user in playing:
            who = listing(public.mentions[public.users.index(by)] for by in voters)
            wanted = n_(
                "{who} wants a computer to play for {name}. Do you agree?",
                "{who} want a computer to play for {name}. Do you agree?",
                len(voters),
                who=who,
                name=public.names[seat],
            )
            agree = Button(_("Let a computer play"), Open("replaced", (str(seat),)), emoji="🤖")
            found.append(Ping(f"replacing.{user}", asked, wanted, "seat", (agree,)))
    return [*found, *_offered(public), *_turned_down(public)]


def _turned_down(public: Viewer) -> list[Ping]:
    """Those who offered a seat, or asked for one, and are told in that turn that nothing comes of it."""
    found = []
    for told in public.table.choices.news:
        if told.is_answer and told.turn >= public.view.turn:  # the end of the turn before may be taken back
            said = sentence(told).removesuffix(".")
            found.append(Ping(f"news.{told.made}.{told.what}", (), said, "seat", users=(told.user,)))
    return found


def _offered(public: Viewer) -> list[Ping]:
    """Seats that are offered: to somebody, or to whoever takes them."""
    found = []
    for offered in public.table.choices.handovers:
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
            text = _(
                "{name}'s seat in this game is free: {points}, {cards}. Whoever takes it plays on from there", **values
            )
        buttons = (
            Button(_("Take the seat"), Open("seat", (str(offered.place),)), Style.SUCCESS, "🪑"),
            *[Button(_("No, thanks"), Open("noseat"), emoji="👎")] * bool(offered.to),
        )
        users = (offered.to,) if offered.to else ()
        found.append(Ping(f"seat.{offered.place}.{offered.to}", (), text, "seat", buttons, users))
    return found


def hand_over(viewer: Viewer) -> Button:
    """Asks once more before one's seat is offered, or takes that back."""
    if any(viewer.table.members[h.place].user == viewer.users[viewer.player] for h in viewer.table.choices.handovers):
        return Button(_("Keep my seat"), Open("noseat"), emoji="🪑")
    return Button(_("Give up my seat to…"), Open("handover"), emoji="🪑")


def withdrawing(viewer: Viewer) -> list[Button]:
    """Take back the seats that are offered for others, as far as somebody can."""
    buttons = []
    for place in withdrawable(viewer.table, viewer.game, viewer.users[viewer.player]):
        name = viewer.names[viewer.table.seat_at(viewer.game, place)]
        buttons.append(Button(_("No longer offer {name}'s seat", name=name), Open("noseat", (str(place),)), emoji="🪑"))
    return buttons


def take_over() -> Button:
    """Leads to the seats that computers play."""
    return Button(_("Take over a computer's seat"), Open("substitute"), emoji="🪑")


def sure_to_hand_over(viewer: Viewer) -> Reply:
    """What it means."""
    viewer.check_not_resigned()
    text = _(
        "**Offer your seat to whoever wants it?** Whoever takes it sees your cards and plays on, and you can't just "
        "come back. `/game handover player:` offers it to one person only."
    )
    return Reply(text, rows=rows([Button(_("Offer my seat"), Open("handover", ("yes",)), Style.DANGER, "🪑")]))


def free_seats(viewer: Viewer) -> Reply:
    """The seats that somebody who doesn't play could take over."""
    if viewer.seat is not None:
        raise RefereeError("handover/you play")
    places = free_places(viewer.table, viewer.game)
    if not places:
        raise RefereeError("handover/no computer")
    options = []
    for place in places:
        seat = viewer.table.seat_at(viewer.game, place)
        points = point_count(viewer.view.players[seat].points)
        options.append(Option(str(place), viewer.names[seat], points))
    text = _("**Whose seat do you want to take over?** More than half of the players must agree.")
    return Reply(text, rows=[Select(_("Choose a seat"), Open("substitute"), options)])
