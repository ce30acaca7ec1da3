"""Ending a game early: by votes (I6), by resigning, or by a manager of the channel."""

from __future__ import annotations

from collections.abc import Sequence

from bot.screens.controls import Button, Do, Open, Reply, Style, rows
from bot.screens.steps import About, Ping
from bot.screens.viewer import Viewer, named
from bot.table.table import LOBBY, Table
from bot.words.language import NN_, _, n_
from bot.words.marks import listing
from engine.actions import AgreeToCallOff, AgreeToEnd, Resign
from engine.errors import RefereeError
from engine.geometry import bits
from engine.views import View

_ASKED = {
    "count": NN_(
        "{names} votes to end the game now: most points wins. OK?",
        "{names} vote to end the game now: most points wins. OK?",
    ),
    "off": NN_(
        "{names} votes to void the game: no winner. OK?",
        "{names} vote to void the game: no winner. OK?",
    ),
}


def agree(kind: str, votes: int = 1) -> Button:
    """The button that leads to a vote for an end: "count" the points, or call the game "off"; `votes`: mask of the
    seats that have voted for it."""
    if kind == "count":
        label = _("Agree: end now") if votes else _("Vote: end now")
        return Button(label, Open("agree", (kind,)), emoji="🏁")
    label = _("Agree: void the game") if votes else _("Vote: void the game")
    return Button(label, Open("agree", (kind,)), emoji="🛑")


def pings(view: View, names: Sequence[str]) -> list[Ping]:
    """Pings to players who haven't voted for an end that others voted for."""
    if view.outcome is not None:
        return []
    found = []
    for kind, votes in (("count", view.end_votes), ("off", view.call_off_votes)):
        waiting = tuple(p.seat for p in view.players if not p.resigned and not votes >> p.seat & 1)
        if votes and waiting:
            agreed = [names[seat] for seat in bits(votes)]
            text = n_(*_ASKED[kind], len(agreed), names=listing(agreed))
            found.append(Ping(f"vote.{kind}", waiting, text, About.GROUP, (agree(kind),)))
    return found


def ways_to_end(viewer: Viewer) -> list[Button]:
    """The buttons to vote for either end of the game (I6), and for players to resign."""
    view, found = viewer.view, []
    if view.may_count_points:
        agreed = view.end_votes >> viewer.my_seat & 1
        found.append(_takes_back("count") if agreed else agree("count", view.end_votes))
    agreed = view.call_off_votes >> viewer.my_seat & 1
    found.append(_takes_back("off") if agreed else agree("off", view.call_off_votes))
    if not viewer.is_replaced:
        found.append(Button(_("Resign"), Open("resign"), Style.DANGER, "🏳️"))
    return found


def _takes_back(kind: str) -> Button:
    """The button that takes a vote back."""
    if kind == "count":
        return Button(_("Take back my vote to end"), Do(AgreeToEnd(False), bound=False), emoji="🏁")
    return Button(_("Take back my vote to void"), Do(AgreeToCallOff(False), bound=False), emoji="🛑")


def sure_to_agree(viewer: Viewer, kind: str) -> Reply:
    """Ask for confirmation of a vote to "count" the points, or to call the game "off".

    Players who have voted already can take their vote back.
    """
    votes = viewer.view.end_votes if kind == "count" else viewer.view.call_off_votes
    if votes >> viewer.my_seat & 1:
        return Reply(_("You voted for that already."), rows=rows([_takes_back(kind)]))
    if kind == "count":
        if not viewer.view.may_count_points:
            raise viewer.why([AgreeToEnd()], RefereeError("not-now/end"))
        text = _("**End the game now?** If everyone agrees, most points wins.")
        button = Button(_("Yes, end now"), Do(AgreeToEnd(), bound=False), Style.PRIMARY, "🏁")
    else:
        text = _("**Void the game?** If everyone agrees, it ends: no winner, nothing counts.")
        button = Button(_("Yes, void it"), Do(AgreeToCallOff(), bound=False), Style.DANGER, "🛑")
    return Reply(text, rows=rows([button]))


def sure_to_resign() -> Reply:
    """Ask for confirmation before a player resigns."""
    leave = Button(_("Yes, leave the game for good"), Do(Resign(), bound=False), Style.DANGER, "🏳️")
    question = _("Your pieces stay on the board, your cards go to the bank, and you can't come back. Really resign?")
    return Reply(question, rows=rows([leave]))


def void_button() -> Button:
    """The button that leads to the question whether to void the game."""
    return Button(_("Void the game"), Open("ask_call_off"), Style.DANGER, "🛑")


def sure_to_end(table: Table, *, by_host: bool = False) -> Reply:
    """Ask a manager of the channel for confirmation before a table or game ends, saying what it means; or the host,
    before a table that others have joined is canceled."""
    number = table.number
    if by_host:
        text = n_(
            "**Cancel table {number}?** {n} other player has joined it, and learns that you canceled it.",
            "**Cancel table {number}?** {n} other players have joined it, and learn that you canceled it.",
            len(table.people) - 1,
            number=number,
        )
        label = _("Cancel table {number}", number=number)
        return Reply(text, rows=rows([Button(label, Open("cancel", ("yes",)), Style.DANGER, "✖️")]))
    if table.status == LOBBY:
        text = _(
            "**Cancel {host}'s table {number}?** It closes for everyone, and everyone sees that you did it.",
            number=number,
            host=named(table, table.host),
        )
        label = _("Cancel table {number}", number=number)
        return Reply(text, rows=rows([Button(label, Open("close_lobby"), Style.DANGER, "✖️")]))
    text = _(
        "**Void game {number}?** It ends now for everyone: no winner, nothing counts, all hands are shown. "
        "Everyone sees that you did it. You can't undo this.",
        number=number,
    )
    label = _("Void game {number}", number=number)
    return Reply(text, rows=rows([Button(label, Open("call_off"), Style.DANGER, "🛑")]))
