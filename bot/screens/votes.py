"""How a game is ended before its time: by votes (I6), by resigning, by who manages the channel."""

from __future__ import annotations

from collections.abc import Sequence

from bot.screens.controls import Button, Do, Open, Reply, Style, rows
from bot.screens.steps import Ping
from bot.screens.viewer import Viewer, named
from bot.table.table import LOBBY, Table
from bot.words.language import NN_, _, n_
from bot.words.marks import listing
from engine.actions import AgreeToCallOff, AgreeToEnd, Resign
from engine.geometry import bits
from engine.views import View

_ASKED = {
    "count": NN_(
        "{names} wants to end the game here and count the points. Do you agree?",
        "{names} want to end the game here and count the points. Do you agree?",
    ),
    "off": NN_(
        "{names} wants to call the game off. Do you agree?",
        "{names} want to call the game off. Do you agree?",
    ),
}


def agree(kind: str, votes: int = 1) -> Button:
    """Leads to the question whether somebody agrees to an end: "count" the points, or call it "off"; `votes`: a mask of
    those who do already."""
    if kind == "count":
        label = _("Agree to end and count the points") if votes else _("Propose to end and count the points")
        return Button(label, Open("agree", (kind,)), emoji="🏁")
    label = _("Agree to call the game off") if votes else _("Propose to call the game off")
    return Button(label, Open("agree", (kind,)), emoji="🛑")


def pings(view: View, names: Sequence[str]) -> list[Ping]:
    """Those who haven't agreed to what others have agreed to."""
    if view.outcome is not None:
        return []
    found = []
    for kind, votes in (("count", view.end_votes), ("off", view.call_off_votes)):
        waiting = tuple(p.seat for p in view.players if not p.resigned and not votes >> p.seat & 1)
        if votes and waiting:
            agreed = [names[seat] for seat in bits(votes)]
            text = n_(*_ASKED[kind], len(agreed), names=listing(agreed))
            found.append(Ping(f"vote.{kind}", waiting, text, "seat", (agree(kind),)))
    return found


def ways_to_end(viewer: Viewer) -> list[Button]:
    """To end the game by agreement in one of two ways (I6), or for oneself."""
    view, found = viewer.view, []
    if view.may_count_points:
        agreed = view.end_votes >> viewer.my_seat & 1
        found.append(_takes_back("count") if agreed else agree("count", view.end_votes))
    agreed = view.call_off_votes >> viewer.my_seat & 1
    found.append(_takes_back("off") if agreed else agree("off", view.call_off_votes))
    found.append(Button(_("Resign"), Open("resign"), Style.DANGER, "🏳️"))
    return found


def _takes_back(kind: str) -> Button:
    """Takes a vote back."""
    if kind == "count":
        return Button(_("I no longer agree to end"), Do(AgreeToEnd(False), bound=False), emoji="🏁")
    return Button(_("I no longer agree to call it off"), Do(AgreeToCallOff(False), bound=False), emoji="🛑")


def sure_to_agree(viewer: Viewer, kind: str) -> Reply:
    """Asks before a vote to "count" the points, or to call the game "off"; who has voted can take it back."""
    votes = viewer.view.end_votes if kind == "count" else viewer.view.call_off_votes
    if votes >> viewer.my_seat & 1:
        return Reply(_("You voted for that already."), rows=rows([_takes_back(kind)]))
    if kind == "count":
        text = _("**End the game here?** Once all agree it is over, and most points win.")
        button = Button(_("Yes, I agree to end"), Do(AgreeToEnd(), bound=False), Style.PRIMARY, "🏁")
    else:
        text = _("**Call the game off?** Once all agree it is over: nobody wins, and nothing counts.")
        button = Button(_("Yes, I agree to call it off"), Do(AgreeToCallOff(), bound=False), Style.DANGER, "🛑")
    return Reply(text, rows=rows([button]))


def sure_to_resign() -> Reply:
    """Asks once more."""
    leave = Button(_("Yes, leave the game for good"), Do(Resign(), bound=False), Style.DANGER, "🏳️")
    question = _("Your pieces stay and block, your cards go to the bank, and you can't come back. Really resign?")
    return Reply(question, rows=rows([leave]))


def call_off() -> Button:
    """Leads to the question."""
    return Button(_("Call the game off"), Open("ask_call_off"), Style.DANGER, "🛑")


def sure_to_end(table: Table) -> Reply:
    """Asks who manages the channel once more, saying what it means."""
    number = table.number
    if table.status == LOBBY:
        text = _(
            "**Cancel table {number} of {host}?** It closes for everybody, and all are told that you did it.",
            number=number,
            host=named(table, table.host),
        )
        label = _("Cancel table {number}", number=number)
        return Reply(text, rows=rows([Button(label, Open("close_lobby"), Style.DANGER, "✖️")]))
    text = _(
        "**Call game {number} off?** It ends at once for everybody: nobody wins, nothing counts, and all hands are "
        "shown. All are told that you did it, and it can't be taken back.",
        number=number,
    )
    label = _("Call game {number} off", number=number)
    return Reply(text, rows=rows([Button(label, Open("call_off"), Style.DANGER, "🛑")]))
