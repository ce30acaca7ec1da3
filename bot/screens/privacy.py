"""What people are told about their own data, and how they export it or have it deleted."""

from __future__ import annotations

from dataclasses import dataclass

from bot.screens.controls import Button, Download, Open, Reply, Row, Style
from bot.words.language import _, n_


@dataclass(frozen=True, slots=True)
class Policy:
    """The host's decisions about data."""

    url: str | None = None
    """Address of the host's own policy; None: there is none."""
    days: int = 0
    """Days after their last change until finished, canceled and archived games are deleted; 0: never."""


def policy(found: Policy) -> Reply:
    """What is stored about people, with buttons to export or delete it."""
    title = _("What I store about you")
    lines = [
        _("Your Discord ID, and in the games you joined your name, your color and your lucky words."),
        _("What you did in those games, and when. Your hand and your plans are shown to you alone."),
        _("Your settings and autopilot."),
        _("How your finished games ended, for the leaderboard."),
    ]
    more = [
        _("I don't read messages, and I know nothing about people who don't use me."),
        _("All of it stays with the host of this bot, who can read it. I send it to no one else."),
        _kept(found.days),
    ]
    if found.url:
        more.append(_("More in the host's [privacy policy]({link}).", link=found.url))
    text = "\n".join([f"### {title}", *(f"- {line}" for line in lines), *more])
    return Reply(text, rows=_controls())


def _controls() -> list[Row]:
    export = Button(_("Export my data"), Open("my_data"), emoji="📦")
    return [[export, Button(_("Forget me"), Open("forget"), Style.DANGER, "🗑️")]]


def _kept(days: int) -> str:
    if not days:
        return _("Finished games stay until their host deletes them.")
    return n_(
        "Finished, canceled and archived games are deleted after {n} day.",
        "Finished, canceled and archived games are deleted after {n} days.",
        days,
    )


def exported(data: bytes) -> Reply:
    """A person's data as a file."""
    text = _("Everything I know about you. `/game verify` gives you a whole finished game.")
    return Reply(text, rows=_controls(), download=Download(data, "my-data.json"))


def sure() -> Reply:
    """The question to confirm before a person's data is deleted."""
    title = _("Forget you?")
    lines = [
        _("I delete your settings, autopilot, lucky words and ratings."),
        _("Finished games stay, so that their dice can be checked. They call you “Player” and a number."),
        _("Messages that I have posted stay in Discord."),
        _("This can't be undone."),
    ]
    text = "\n".join([f"### {title}", *(f"- {line}" for line in lines)])
    forget = Button(_("Yes, forget me"), Open("forgotten"), Style.DANGER, "🗑️")
    return Reply(text, rows=[[forget, Button(_("Keep it"), Open("privacy"))]])


def forgotten(name: str) -> Reply:
    """The reply once a person's data is deleted; `name`: theirs in finished games, empty if there are none."""
    if not name:
        return Reply(_("I've forgotten you. No game knows you anymore."))
    return Reply(_("I've forgotten you. Your finished games call you **{name}** now.", name=name))
