"""What the people at a table can agree on, such as the turn timer, a pause and its end: questions and results."""

from __future__ import annotations

from dataclasses import replace

from bot.screens.controls import Button, Open, Style
from bot.screens.steps import About, Ping
from bot.screens.viewer import Viewer
from bot.service.games import Done
from bot.table.acts.motions import KINDS, MotionAct, Object, agreement
from bot.table.parts import PAUSE, REPLACE, RESUME, SUBSTITUTE, Motion
from bot.table.seats import who_decides
from bot.table.table import Table
from bot.words import times
from bot.words.language import _, n_
from bot.words.marks import listing


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


def pings(public: Viewer) -> list[Ping]:
    """A ping for each proposal, to the players who haven't voted on it."""
    if public.view.outcome is not None:
        return []
    deciding, found = who_decides(public.table, public.game), []
    for motion in public.table.motions:
        if motion.kind == REPLACE or motion.kind not in KINDS:
            continue  # `bot.screens.seats` asks about replacing; an unknown kind comes from a newer version
        answered = (*motion.ayes, *motion.noes)
        asked = tuple(seat for seat, user in enumerate(public.users) if user in deciding and user not in answered)
        motion = replace(motion, ayes=motion.among(deciding).ayes or motion.ayes)
        who = listing(public.marked[public.users.index(user)] for user in motion.ayes if user in public.users)
        which = (motion.kind, str(motion.made))
        agree = Button(_("Agree"), Open("consent", which), Style.SUCCESS, "👍")
        against = Button(_("Decline"), Open("object", which), emoji="👎")
        text, occasion = _question(public, motion, who), f"proposal.{motion.kind}.{motion.made}"
        topic = f"proposal.{motion.kind}"
        if asked:
            found.append(Ping(occasion, asked, text, About.GROUP, (agree, against), topic=topic))
    return found


def _question(public: Viewer, motion: Motion, who: str) -> str:
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


def answer(act: MotionAct, done: Done) -> str:
    """The reply to a proposal or a vote: what came of it."""
    assert done.old is not None
    result = agreement(act, done.before, done.old, done.table, done.by)
    if result.void:
        theirs = done.by.user in (*result.proposal.ayes, result.proposal.newcomer)
        return _("Withdrawn: nothing changes.") if theirs else _("You voted no: the proposal is off.")
    if isinstance(act, Object):
        return _("You voted no.")
    if not result.done and not result.proposal.ayes:
        return _("Vote started: a majority must agree.")
    if not result.done:
        agreed = len(result.proposal.ayes)
        if result.proposal.kind == RESUME:
            return _(
                "Vote counted: {agreed} of {needed} needed. If someone doesn't answer for a day, `/seat bot` "
                "lets a bot play for them.",
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
