"""Pings: an edit notifies no one, so players who must act get a short message, which is deleted once they answer."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import partial

from bot.discord.show import directs, turns
from bot.discord.show.display import Display
from bot.discord.show.members import look_for
from bot.discord.show.messages import below, plain
from bot.discord.show.notified import is_owed
from bot.discord.show.recent import acted_by, now
from bot.discord.show.wanted import Content, Say, Wanted, nothing
from bot.projections import PING, Projections
from bot.screens import calling, seats, waiting
from bot.screens.controls import Row
from bot.screens.personal import building_choices
from bot.screens.steps import Ping, presenter_of
from bot.screens.steps.step import catch_up
from bot.screens.viewer import Viewer, mention
from bot.table.last_seen import has_acted, present_until
from bot.table.preferences import UserSettings
from bot.table.waiting import actionable_since, decisions
from bot.words.language import _
from engine.geometry import bits, mask_of

_CALL = re.compile(r"((<@!?[0-9]+>|\*\*[^*]+\*\*) )+· ")
"""Beginning of a message that calls people (`_text`). After a name, other notices in the channel go on differently."""


def wanted(display: Display, public: Viewer, projections: Projections) -> list[Wanted]:
    """The messages that call people; players who have answered are taken off them. A ping that a reminder has replaced
    is noted as already said, so that its players aren't called a second time when they go on."""
    pings = calling.pings(public)
    pings += [*_late(public, projections, pings), *_untold(public, projections)]
    calls = [_wanted(display, public, projections, ping) for ping in pings]
    names = {call.name for call in calls}
    asked = presenter_of(public.view).pings(public.view, public.view.step)
    reminded = {PING + ping.occasion for ping in asked if set(ping.seats) <= set(waiting.reminded(public))}
    replaced = [name for name in projections if name in reminded and name not in names]
    return [*(Wanted(name=name, draw=nothing, covered=True) for name in replaced), *calls]


def _late(public: Viewer, projections: Projections, pings: Sequence[Ping]) -> list[Ping]:
    """The ping to players whom the message of the present turn couldn't notify yet: its beginning was undone and done
    again. Players who have acted, or whom another ping asks to, are left out."""
    name, topic = turns.late(public), turns.topic(public)
    asked = {seat for ping in pings if ping.about != "seat" for seat in ping.seats}
    late = tuple(
        seat
        for seat in bits(public.view.awaited & ~public.computers)
        if seat not in asked
        and not has_acted(public.table, public.users[seat], seat)
        and (name in projections or is_owed(projections, topic, public.users[seat], name))
    )
    if not late or public.table.paused or public.view.outcome is not None:
        return []
    wanted = _("your turn: {wanted}", wanted=_(presenter_of(public.view).wanted))
    return [Ping(name.removeprefix(PING), late, wanted, topic=topic)]


def _untold(public: Viewer, projections: Projections) -> list[Ping]:
    """News of an earlier turn of which the person it is for could not be notified yet."""
    if public.view.outcome is not None:
        return []
    earlier = seats.turned_down(public, earlier=True)
    return [
        ping
        for ping in earlier
        if any(is_owed(projections, ping.topic, user, PING + ping.occasion) for user, _name in ping.users)
    ]


def _wanted(display: Display, public: Viewer, projections: Projections, ping: Ping) -> Wanted:
    """The message of a ping. Whom it notifies is public, so it must not depend on anyone's autopilot or hand.

    A call must not reveal who has an autopilot that passes in special building. So all are called only once an
    autopilot would have acted.
    """
    table, name = public.table, PING + ping.occasion
    users, topic = tuple(dict.fromkeys(public.users[seat] for seat in ping.seats)), ping.topic or ping.occasion
    if ping.called is not None:
        called = {public.users[seat] for seat in ping.called}
        users = tuple(user for user in users if user in called or is_owed(projections, topic, user))
    on_panel = ping.about not in ("seat", "reminder") and not mask_of(ping.seats) & ~public.view.awaited
    sent = name in projections and projections[name].channel is not None

    def wants(settings: UserSettings) -> bool:
        if ping.about == "seat" or settings.user not in users:
            return True
        if ping.about == "offer":
            return settings.choices.offer_pings
        return not (ping.about in ("", "building") and directs.calls(table, settings))

    async def look() -> None:
        await look_for(display, public, users)

    async def offered() -> None:
        for user, settings in (await display.services.people.settings_of(users)).items():
            if not settings.choices.building_offered:
                await display.services.people.change_settings(user, choices={"building_offered": True})

    after = {"reminder": look, "building": offered}
    return Wanted(
        name=name,
        draw=partial(_draw, display, public, ping),
        key=hash(ping) or 1,
        once=ping.about == "offer",  # the panel already shows it, at no cost
        users=(*(user for user, _name in ping.users), *users),
        wants=wants,
        topic=topic,
        calls=True,
        send_unnotified=ping.about not in ("offer", "") or ping.called is not None,
        named=True,
        covered_by=turns.key(public) if on_panel else "",
        delay=0.0 if sent else _held(public, ping),
        then=after.get(ping.about),
    )


def _held(public: Viewer, ping: Ping) -> float:
    """Seconds for which a call is held back: one to build, or one to players who are at it."""
    if ping.own:
        return max(0.0, present_until(public.table, [public.users[seat] for seat in ping.seats]) - now())
    if ping.about != "building":
        return 0.0
    since = [actionable_since(public.table, wait) for wait in decisions(public.table) if wait.seat in ping.seats]
    return acted_by(max((*since, 0.0)))


def is_call(text: str) -> bool:
    """Whether a message's text calls people, as `_text` does."""
    return _CALL.match(text) is not None


def _text(public: Viewer, ping: Ping, notified: Collection[int]) -> str:
    said = ping.wanted if ping.wanted.endswith(("?", ".")) else _("{said}.", said=ping.wanted)
    people = [*((public.users[seat], public.marked[seat]) for seat in ping.seats), *ping.users]
    who = [mention(user) if user in notified else f"**{name}**" for user, name in people]
    return f"{' '.join(who)} · {said}" if who else said


async def _draw(display: Display, public: Viewer, ping: Ping) -> Say:
    """The ping as a text, perhaps with a button below; or as a layout, if it has its own buttons or calls to build.
    Players called to build for the first time are offered the choice when to be asked."""
    number, returns = public.table.number, waiting.returns(public, ping.seats)
    if ping.buttons:
        return lambda notified: Content(plain(_text(public, ping, notified), [ping.buttons], number))
    if ping.about == "building":
        people = await display.services.people.settings_of([public.users[seat] for seat in ping.seats])
        choices = [settings.choices for settings in people.values()]
        known = all(choice.building_chosen or choice.building_offered for choice in choices)
        rows: list[Row] = [*([] if known else building_choices()), *([[catch_up()]] if returns else [])]
        return lambda notified: Content(plain(_text(public, ping, notified), rows, number))
    asks = ping.about == "reminder" or (not ping.about and returns)
    buttons = below([catch_up()], number) if asks else None
    return lambda notified: Content(text=_text(public, ping, notified), buttons=buttons)
