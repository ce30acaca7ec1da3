"""Pings: an edit notifies nobody, so who must act gets a short message of their own, deleted when answered."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import partial

from bot.discord.show import directs, turns
from bot.discord.show.display import Display
from bot.discord.show.members import look_for
from bot.discord.show.messages import below, plain
from bot.discord.show.recent import acted_by
from bot.discord.show.wanted import Content, Say, Wanted, nothing
from bot.projections import PING, Projections
from bot.screens import calling, waiting
from bot.screens.controls import Row
from bot.screens.personal import building_choices
from bot.screens.steps import Ping, presenter_of
from bot.screens.steps.step import catch_up
from bot.screens.viewer import Viewer, mention
from bot.table.preferences import UserSettings
from bot.table.waiting import called_at, decisions
from bot.words.language import _
from engine.geometry import mask_of

_CALL = re.compile(r"((<@!?[0-9]+>|\*\*[^*]+\*\*) )+· ")
"""How a message begins that calls people (`_text`); other notices in the channel go on otherwise after a name."""


def wanted(display: Display, public: Viewer, known: Projections) -> list[Wanted]:
    """The messages that call people, and take who has answered off. In whose place a reminder has come are noted as
    said, so that who then goes on isn't called a second time."""
    found = [_wanted(display, public, known, ping) for ping in calling.called(public)]
    names = {one.name for one in found}
    asked = presenter_of(public.view).pings(public.view, public.view.step)
    reminded = {PING + ping.occasion for ping in asked if set(ping.seats) <= set(waiting.reminded(public))}
    replaced = [name for name in known if name in reminded and name not in names]
    return [*(Wanted(name=name, draw=nothing, said=True) for name in replaced), *found]


def _wanted(display: Display, public: Viewer, known: Projections, ping: Ping) -> Wanted:
    """Whom a ping notifies must not depend on their orders, or on their hands: it is no secret.

    Who has an order to pass in special building may not be told apart from others by a call, so all are called once an
    order would have acted.
    """
    table, name = public.table, PING + ping.occasion
    users = tuple(dict.fromkeys(public.users[seat] for seat in ping.seats))
    if ping.called is not None:
        users = tuple(public.users[seat] for seat in ping.seats if seat in ping.called)
    on_panel = ping.about not in ("seat", "reminder") and not mask_of(ping.seats) & ~public.view.awaited
    sent = name in known and known[name].channel is not None

    def wants(settings: UserSettings) -> bool:
        if ping.about == "seat" or settings.user not in users:
            return True
        if ping.about == "offer":
            return settings.choices.offer_pings
        return not (ping.about in ("", "building") and directs.calls(table, settings))

    async def look() -> None:
        await look_for(display, public, users)

    return Wanted(
        name=name,
        draw=partial(_drawn, display, public, ping),
        key=hash(ping) or 1,
        once=ping.about == "offer",  # the panel shows it, at no cost
        users=(*(user for user, _name in ping.users), *users),
        wants=wants,
        topic=(table.number, ping.topic or ping.occasion),
        calls=True,
        lone=ping.about not in ("offer", "") or ping.called is not None,
        named=True,
        said_by=turns.key(public) if on_panel else "",
        held=_held(public, ping) if ping.about == "building" and not sent else 0.0,
        then=look if ping.about == "reminder" else None,
    )


def _held(public: Viewer, ping: Ping) -> float:
    """Seconds for which a call to build is held back."""
    since = [called_at(public.table, wait) for wait in decisions(public.table) if wait.seat in ping.seats]
    return acted_by(max((*since, 0.0)))


def is_call(text: str) -> bool:
    """Whether a message says what somebody is awaited for."""
    return _CALL.match(text) is not None


def _text(public: Viewer, ping: Ping, notified: Collection[int]) -> str:
    said = ping.wanted if ping.wanted.endswith(("?", ".")) else _("{said}.", said=ping.wanted)
    called = [*((public.users[seat], public.marked[seat]) for seat in ping.seats), *ping.users]
    who = [mention(user) if user in notified else f"**{name}**" for user, name in called]
    return f"{' '.join(who)} · {said}" if who else said


async def _drawn(display: Display, public: Viewer, ping: Ping) -> Say:
    """A text, below which there may be a button; or a layout where it has buttons of its own, or offers to say when to
    be asked to build, to who is called for the first time."""
    number, returns = public.table.number, waiting.returns(public, ping.seats)
    if ping.buttons:
        return lambda notified: Content(plain(_text(public, ping, notified), [ping.buttons], number))
    if ping.about == "building":
        people = await display.services.people.settings_of([public.users[seat] for seat in ping.seats])
        chosen = all(settings.choices.building_chosen for settings in people.values())
        rows: list[Row] = [*([] if chosen else building_choices()), *([[catch_up()]] if returns else [])]
        return lambda notified: Content(plain(_text(public, ping, notified), rows, number))
    asks = ping.about == "reminder" or (not ping.about and returns)
    buttons = below([catch_up()], number) if asks else None
    return lambda notified: Content(text=_text(public, ping, notified), buttons=buttons)
