"""What the people at a table agree on: the turn timer, a pause and its end, a substitute; and the early end of a game,
by votes (I6), by resigning, or by a manager of the channel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.screens.controls import Button, Do, Open, Reply, Style, rows
from bot.screens.steps import About, Ping
from bot.screens.viewer import Viewer, named
from bot.service.games import Done
from bot.table.acts.motions import MOTION_KINDS, MotionAct, Object, agreement
from bot.table.parts import PAUSE, REPLACE, RESUME, SUBSTITUTE, Motion
from bot.table.seats import who_decides
from bot.table.table import LOBBY, Table
from bot.words import times
from bot.words.language import NN_, _, n_, p_
from bot.words.marks import listing
from engine.actions import AgreeToCallOff, AgreeToEnd, Resign
from engine.errors import RefereeError
from engine.geometry import bits
from engine.views import View


def pause_button(table: Table) -> Button:
    """The button that proposes a pause, or the end of the present one."""
    if table.paused:
        return Button(_("Resume"), Open("propose", (RESUME,)), Style.SUCCESS, "▶️")
    return Button(_("Pause game"), Open("propose", (PAUSE,)), emoji="⏸️")


def resume_button() -> Button:
    """The button that resumes an archived game."""
    return Button(_("Resume"), Open("resume"), Style.SUCCESS, "▶️")


def turn_timer_button() -> Button:
    """The button that leads to the choice of a turn timer."""
    return Button(_("Turn timer"), Open("pace"), emoji="⏳")


def proposal_pings(public: Viewer) -> list[Ping]:
    """A ping for each proposal, to the players who haven't voted on it."""
    if public.view.outcome is not None:
        return []
    deciding, found = who_decides(public.table, public.game), []
    for motion in public.table.motions:
        if motion.kind == REPLACE or motion.kind not in MOTION_KINDS:
            continue  # `bot.screens.seats` asks about replacing; an unknown kind comes from a newer version
        answered = (*motion.ayes, *motion.noes)
        asked = tuple(seat for seat, user in enumerate(public.users) if user in deciding and user not in answered)
        motion = replace(motion, ayes=motion.among(deciding).ayes or motion.ayes)
        who = listing(public.marked[public.users.index(user)] for user in motion.ayes if user in public.users)
        which = (motion.kind, str(motion.made))
        agree = Button(_("Agree"), Open("consent", which), Style.SUCCESS, "👍")
        against = Button(p_("a proposal", "Decline"), Open("object", which), emoji="👎")
        text, occasion = _proposal(public, motion, who), f"proposal.{motion.kind}.{motion.made}"
        topic, newcomer = f"proposal.{motion.kind}", (motion.newcomer, motion.name) if motion.newcomer else None
        if asked:
            found.append(Ping(occasion, asked, text, About.GROUP, (agree, against), topic=topic, newcomer=newcomer))
    return found


def _proposal(public: Viewer, motion: Motion, who: str) -> str:
    n = len(motion.ayes)
    if motion.kind == PAUSE:
        return n_(
            "{who} wants to pause the game: timers stop until you resume. OK?",
            "{who} want to pause the game: timers stop until you resume. OK?",
            n,
            who=who,
        )
    if motion.kind == SUBSTITUTE:
        return _(
            "{who} wants to take over {name}'s seat. OK?",
            who=motion.name,
            name=public.table.members[motion.place].name,
        )
    if motion.kind == RESUME:
        return n_(
            "{who} wants to resume the game. OK?",
            "{who} want to resume the game. OK?",
            n,
            who=who,
        )
    if not motion.pace:
        return n_(
            "{who} proposes to play without a turn timer. OK?",
            "{who} propose to play without a turn timer. OK?",
            n,
            who=who,
        )
    return n_(
        "{who} proposes a turn timer: {pace}, then {expiry}. OK?",
        "{who} propose a turn timer: {pace}, then {expiry}. OK?",
        n,
        who=who,
        pace=times.span(motion.pace),
        expiry=_(times.AFTERWARDS[motion.expiry]),
    )


def proposal_answer(act: MotionAct, done: Done) -> str:
    """The reply to a proposal or a vote: what came of it."""
    assert done.old is not None
    result = agreement(act, done.before, done.old, done.table, done.by)
    if result.void:
        theirs = done.by.user in (*result.proposal.ayes, result.proposal.newcomer)
        return _("Withdrawn: nothing changes.") if theirs else _("You voted no: the proposal is off.")
    if isinstance(act, Object):
        if result.proposal.kind == RESUME:
            return _("You voted no. A day after the proposal, half of you are enough to resume.")
        return _("You voted no.")
    if not result.done and not result.proposal.ayes:
        return _("Vote started: a majority must agree.")
    if not result.done:
        agreed = len(result.proposal.ayes)
        if result.proposal.kind == RESUME:
            return _(
                "Vote counted: {agreed} of {needed} needed. A day from now, half of you are enough: press **Resume** "
                "then. If someone doesn't answer by then, `/seat bot` lets a bot play for them.",
                agreed=agreed,
                n=result.of,
                needed=result.needed,
            )
        return _("Vote counted: {agreed} of {needed} needed.", agreed=agreed, n=result.of, needed=result.needed)
    if result.proposal.kind == PAUSE:
        return _("The game is paused and timers are stopped. Resume it with `/game resume`.")
    if result.proposal.kind == RESUME:
        return _("The game is running again.")
    if result.proposal.kind == SUBSTITUTE:
        return _("{who} is in the game now.", who=result.proposal.name)
    if not result.proposal.pace:
        return _("Agreed: no turn timer from now on.")
    return _(
        "Agreed: turn timer {pace}, then {expiry}.",
        pace=times.span(result.proposal.pace),
        expiry=_(times.AFTERWARDS[result.proposal.expiry]),
    )


# --- the early end of a game

_VOTE_QUESTIONS = {
    "count": NN_(
        "{names} votes to end the game now: most points wins. OK?",
        "{names} vote to end the game now: most points wins. OK?",
    ),
    "off": NN_(
        "{names} votes to void the game: no winner. OK?",
        "{names} vote to void the game: no winner. OK?",
    ),
}


def agree_button(kind: str, votes: int = 1) -> Button:
    """The button that leads to a vote for an end: "count" the points, or call the game "off"; `votes`: mask of the
    seats that have voted for it."""
    if kind == "count":
        label = _("Agree: end now") if votes else _("Vote: end now")
        return Button(label, Open("agree", (kind,)), emoji="🏁")
    label = _("Agree: void the game") if votes else _("Vote: void the game")
    return Button(label, Open("agree", (kind,)), emoji="🛑")


def vote_pings(view: View, names: Sequence[str]) -> list[Ping]:
    """Pings to players who haven't voted for an end that others voted for."""
    if view.outcome is not None:
        return []
    found = []
    for kind, votes in (("count", view.end_votes), ("off", view.call_off_votes)):
        waiting = tuple(p.seat for p in view.players if not p.resigned and not votes >> p.seat & 1)
        if votes and waiting:
            agreed = [names[seat] for seat in bits(votes)]
            text = n_(*_VOTE_QUESTIONS[kind], len(agreed), names=listing(agreed))
            found.append(Ping(f"vote.{kind}", waiting, text, About.GROUP, (agree_button(kind),)))
    return found


def ways_to_end(viewer: Viewer) -> list[Button]:
    """The buttons to vote for either end of the game (I6), and for players to resign."""
    view, found = viewer.view, []
    if view.may_count_points:
        agreed = view.end_votes >> viewer.my_seat & 1
        found.append(_take_back_vote("count") if agreed else agree_button("count", view.end_votes))
    agreed = view.call_off_votes >> viewer.my_seat & 1
    found.append(_take_back_vote("off") if agreed else agree_button("off", view.call_off_votes))
    if not viewer.is_replaced:
        found.append(Button(_("Resign"), Open("resign"), Style.DANGER, "🏳️"))
    return found


def _take_back_vote(kind: str) -> Button:
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
        return Reply(_("You voted for that already."), rows=rows([_take_back_vote(kind)]))
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
