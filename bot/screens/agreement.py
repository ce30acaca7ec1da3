"""What people at a table can agree on: the pace, a pause and its end; asking for it, and what came of it."""

from __future__ import annotations

from dataclasses import replace

from bot.screens.controls import Button, Open, Style
from bot.screens.steps import Ping
from bot.screens.viewer import Viewer
from bot.service.games import Done
from bot.table.acts.motions import Object, Statement, agreement
from bot.table.motion import PAUSE, REPLACE, RESUME, SUBSTITUTE, Motion
from bot.table.motions import KINDS
from bot.table.seats import who_plays
from bot.table.table import Table
from bot.words import times
from bot.words.language import _, n_
from bot.words.marks import listing


def pause_button(table: Table) -> Button:
    """Asks for a pause, or to go on."""
    if table.paused:
        return Button(_("Go on"), Open("propose", (RESUME,)), Style.SUCCESS, "▶️")
    return Button(_("Pause the game"), Open("propose", (PAUSE,)), emoji="⏸️")


def take_up_button() -> Button:
    """Goes on with an archived game."""
    return Button(_("Take it up again"), Open("resume"), Style.SUCCESS, "▶️")


def pace_button() -> Button:
    """Leads to the choice of a pace."""
    return Button(_("Pace"), Open("pace"), emoji="⏳")


def pings(public: Viewer) -> list[Ping]:
    """Those who have not said whether they agree, of each proposal."""
    if public.view.outcome is not None:
        return []
    playing, found = who_plays(public.table, public.game), []
    for motion in public.table.motions:
        if motion.kind == REPLACE or motion.kind not in KINDS:
            continue  # it is asked together with other reasons for it (`bot.screens.seats`); or by a newer version
        answered = (*motion.ayes, *motion.noes)
        asked = tuple(seat for seat, user in enumerate(public.users) if user in playing and user not in answered)
        motion = replace(motion, ayes=motion.among(playing).ayes or motion.ayes)
        who = listing(public.marked[public.users.index(user)] for user in motion.ayes if user in public.users)
        which = (motion.kind, str(motion.made))
        agree = Button(_("I agree"), Open("consent", which), Style.SUCCESS, "👍")
        against = Button(_("No"), Open("object", which), emoji="👎")
        text, occasion = _asked(public, motion, who), f"proposal.{motion.kind}.{motion.made}"
        topic = f"proposal.{motion.kind}"
        found += [Ping(occasion, asked, text, "seat", (agree, against), topic=topic)] * bool(asked)
    return found


def _asked(public: Viewer, motion: Motion, who: str) -> str:
    n = len(motion.ayes)
    if motion.kind == PAUSE:
        return n_(
            "{who} wants to pause the game: nobody's clock runs until you go on. Do you agree?",
            "{who} want to pause the game: nobody's clock runs until you go on. Do you agree?",
            n,
            who=who,
        )
    if motion.kind == SUBSTITUTE:
        return _(
            "{who} wants to take over {name}'s seat. Do you agree?",
            who=motion.name,
            name=public.table.members[motion.place].name,
        )
    if motion.kind == RESUME:
        return n_(
            "{who} wants to go on with the paused game. Do you agree?",
            "{who} want to go on with the paused game. Do you agree?",
            n,
            who=who,
        )
    if not motion.pace:
        return n_(
            "{who} wants to play without a time limit. Do you agree?",
            "{who} want to play without a time limit. Do you agree?",
            n,
            who=who,
        )
    return n_(
        "{who} wants to give each decision {pace}; when time runs out: {expiry}. Do you agree?",
        "{who} want to give each decision {pace}; when time runs out: {expiry}. Do you agree?",
        n,
        who=who,
        pace=times.span(motion.pace),
        expiry=_(times.AFTERWARDS[motion.expiry]),
    )


def answer(act: Statement, done: Done) -> str:
    """What came of what somebody has said to it."""
    assert done.old is not None
    found = agreement(act, done.before, done.old, done.table, done.by)
    if found.void:
        return _("Noted: nothing changes.")
    if isinstance(act, Object):
        return _("Noted: you are against it.")
    if not found.done and not found.proposal.ayes:
        return _("The players have been asked; more than half of them must agree.")
    if not found.done:
        agreed = len(found.proposal.ayes)
        if found.proposal.kind == RESUME:
            return _(
                "Noted: {agreed} of {n} want to go on so far; {needed} are needed. `/seat bot` has a computer "
                "play for somebody who doesn't answer for a day.",
                agreed=agreed,
                n=found.of,
                needed=found.needed,
            )
        return _(
            "Noted: {agreed} of {n} agree so far; {needed} are needed.", agreed=agreed, n=found.of, needed=found.needed
        )
    if found.proposal.kind == PAUSE:
        return _("The game is paused: nobody's clock runs. `/game resume` continues it.")
    if found.proposal.kind == RESUME:
        return _("The game goes on.")
    if found.proposal.kind == SUBSTITUTE:
        return _("{who} is in the game now.", who=found.proposal.name)
    if not found.proposal.pace:
        return _("Agreed: no time limit from now on.")
    return _(
        "Agreed: {pace} for each decision from now on; when time runs out: {expiry}.",
        pace=times.span(found.proposal.pace),
        expiry=_(times.AFTERWARDS[found.proposal.expiry]),
    )
