"""How much time people have, a pause, and what waits for somebody in all their games."""

from __future__ import annotations

from typing import Any

from discord import app_commands

from bot.frontends.discord.ids import Address
from bot.frontends.discord.talk.call import Call
from bot.frontends.discord.talk.commands import GAME, Choices, Interaction, answer, as_button, table_here
from bot.frontends.discord.talk.door import Shape
from bot.frontends.discord.talk.feature import Feature, Verb
from bot.models import ARCHIVED, LOBBY, Table
from bot.presentation import agreement, waiting
from bot.presentation.controls import Entry, Reply
from bot.presentation.steps import presenter_of
from bot.presentation.texts import times
from bot.presentation.texts.language import N_, _
from bot.presentation.texts.refusals import sentence
from bot.proposals import PACE, PAUSE, RESUME, SUBSTITUTE
from bot.service.agreement import Agreement
from bot.service.lobby_options import EXPIRIES, LONGEST_LEAVE, check_pace
from bot.service.seats import people
from engine.errors import RefereeError

EXPIRY_CHOICES = [app_commands.Choice(name=times.EXPIRIES[name], value=name) for name in EXPIRIES]


async def _pace(call: Call) -> Reply:
    """The pace, with the lists to change it."""
    return await _page(call, await call.app.services.repository.table(call.address.game))


async def _page(call: Call, table: Table, lead: str = "", draft: agreement.Draft | None = None) -> Reply:
    """The same below what is told; who decides about it gets the lists."""
    changes = call.user.id == table.host
    if table.status != LOBBY:
        game = await call.app.services.repository.game(table.number) if table.open else None
        changes = game is not None and call.user.id in people(table, game)
    return agreement.pace(table, changes, lead, draft)


async def _paced(call: Call) -> Reply:
    """Something was chosen in a list."""
    (name, *kept), value = call.address.args, call.chosen[0]
    table = await call.app.services.repository.table(call.address.game)
    try:
        if table.status != LOBBY and name != "leave":
            seconds, expiry = (int(kept[0]), kept[1]) if kept else (table.choices.pace, table.choices.expiry)
            draft = (seconds, value) if name == "expiry" else (int(value), expiry)
            return await _page(call, table, draft=draft)
        return await _change(call, table, {name: value if name == "expiry" else int(value)})
    except RefereeError as error:
        return await _page(call, table, f"⚠️ {sentence(error)}")


async def _propose_pace(call: Call) -> Reply:
    """What was put together in the lists."""
    seconds, expiry = call.address.args
    table = await call.app.services.repository.table(call.address.game)
    return await _change(call, table, {"pace": int(seconds), "expiry": expiry})


async def _change(call: Call, table: Table, changes: dict[str, Any]) -> Reply:
    """Change it, as host of a lobby; in a game, propose it."""
    services = call.app.services
    if table.status == LOBBY:
        table = await services.lobby.arrange(table.number, call.user.id, call.key, **changes)
        call.app.publisher.refresh(table.number)
        return await _page(call, table, _("Noted."))
    if "leave" in changes:
        raise RefereeError("not-lobby/running")
    open_ = next((p for p in table.choices.proposals if p.what == PACE and p.agreed[:1] == (call.user.id,)), None)
    before = (open_.pace, open_.expiry) if open_ else (table.choices.pace, table.choices.expiry)
    wanted = {"pace": before[0], "expiry": before[1], **changes}
    if not wanted["pace"] and "expiry" in changes and "pace" not in changes:
        raise RefereeError("expiry/no limit")
    if not wanted["pace"]:
        wanted["expiry"] = table.choices.expiry
    found = await services.agreement.propose(table.number, call.user.id, PACE, call.key, **wanted)
    call.app.publisher.refresh(table.number)
    return await _page(call, found.table, agreement.answer(found))


async def _told(call: Call, found: Agreement) -> Reply:
    call.app.publisher.refresh(found.table.number)
    return await call.with_panel(agreement.answer(found))


async def _propose(call: Call) -> Reply:
    service = call.app.services.agreement
    return await _told(call, await service.propose(call.address.game, call.user.id, call.address.arg, call.key))


async def _pause(call: Call) -> Reply:
    service = call.app.services.agreement
    return await _told(call, await service.propose(call.address.game, call.user.id, PAUSE, call.key))


async def resume(call: Call) -> Reply:
    """Go on with a paused game, or propose to."""
    service = call.app.services.agreement
    return await _told(call, await service.propose(call.address.game, call.user.id, RESUME, call.key))


async def _consent(call: Call) -> Reply:
    service = call.app.services.agreement
    what, made = call.address.args
    return await _told(call, await service.agree(call.address.game, call.user.id, what, call.key, made=int(made)))


async def _object(call: Call) -> Reply:
    what, made = call.address.args
    service = call.app.services.agreement
    found = await service.decline(call.address.game, call.user.id, what, call.key, made=int(made))
    call.app.publisher.refresh(found.table.number)
    return Reply(agreement.answer(found) if found.void else _("Noted: you are against it."))


async def _games(call: Call) -> Reply:
    """All that waits for the person, in all their games of this server."""
    services, guild = call.app.services, call.interaction.guild_id
    found: list[waiting.Waiting] = []
    others = paused = replaced = 0
    for table, wait in await services.pacing.games_of(call.user.id):
        if guild is not None and table.guild != guild:
            continue
        game = await services.repository.game(table.number)
        link = await call.app.panel_link(table.number)
        seat = table.seat_of(game, call.user.id)
        if wait is not None:
            found.append(waiting.Waiting(table, wait, presenter_of(game.view(None)).wanted, link))
        elif (asked := waiting.answers(table, game, call.user.id)) is not None:
            found.append(waiting.Waiting(table, *asked, link))
        elif seat is None or game.view(None).players[seat].resigned:
            continue
        elif table.member_at(game, seat).level:
            replaced += 1
        elif table.choices.paused:
            paused += 1
        else:
            others += 1
    tables = await services.repository.games_of(call.user.id, LOBBY, ARCHIVED)
    here = [table for table in tables if guild is None or table.guild == guild]
    lobbies = tuple(table for table in here if table.status == LOBBY)
    archived = tuple(table.number for table in here if table.status == ARCHIVED)
    call.address = Address("", 0)
    rest = waiting.Rest(others, paused, replaced, archived, lobbies)
    return Reply(waiting.games(found, rest), rows=waiting.catching_up(found))


# --- commands


async def _times(interaction: Interaction, current: str) -> Choices:
    """Suggests the usual times, and what has been typed if it is one."""
    found = [times.pace(seconds) for seconds in times.PACES]
    try:
        seconds = times.typed(current)
        check_pace(seconds, EXPIRIES[0])
        found.insert(0, times.pace(seconds))
    except RefereeError:
        found = [text for text in found if current.strip().casefold() in text]
    return [app_commands.Choice(name=text, value=text) for text in dict.fromkeys(found)]


@GAME.command(name="pace", description=N_("How much time each decision has, and what happens when it runs out"))
@app_commands.describe(
    time=N_("For each decision: 2 minutes to 14 days, like “1 day”, or none"),
    over=N_("What happens when time runs out"),
    vacation=N_("How many days of vacation stop somebody's clock; only before the start"),
)
@app_commands.choices(over=EXPIRY_CHOICES)
@app_commands.autocomplete(time=_times)
async def pace(
    interaction: Interaction,
    time: str | None = None,
    over: str | None = None,
    vacation: app_commands.Range[int, 0, LONGEST_LEAVE] | None = None,
) -> None:
    async def run(call: Call) -> Reply:
        table = await table_here(call, finished=True)
        given = {"pace": None if time is None else times.typed(time), "expiry": over, "leave": vacation}
        changes = {name: value for name, value in given.items() if value is not None}
        return await _change(call, table, changes) if changes else await _page(call, table)

    await answer(interaction, run)


@GAME.command(name="pause", description=N_("Pause the game, if more than half of you agree; no clock runs meanwhile"))
async def pause(interaction: Interaction) -> None:
    await as_button(interaction, _pause)


@app_commands.command(name="games", description=N_("What waits for you, in all your games on this server"))
async def games(interaction: Interaction) -> None:
    await answer(interaction, _games)


_WHAT = "|".join((PAUSE, RESUME))
_ANY = f"({'|'.join((PAUSE, RESUME, PACE, SUBSTITUTE))}):[0-9]{{1,9}}"
FEATURE = Feature(
    commands=[games],
    buttons={
        "pace": Verb(_pace),
        "propose": Verb(_propose, shape=Shape(_WHAT)),
        "propose_pace": Verb(_propose_pace, shape=Shape(f"[0-9]{{1,7}}:({'|'.join(EXPIRIES)})")),
        "consent": Verb(_consent, shape=Shape(_ANY)),
        "object": Verb(_object, shape=Shape(_ANY)),
    },
    selects={
        "paced": Verb(
            _paced,
            shape=Shape(
                f"(pace|expiry|leave)(:[0-9]{{1,7}}:({'|'.join(EXPIRIES)}))?",
                lambda args: {"": Entry("|".join(EXPIRIES) if args[0] == "expiry" else "[0-9]{1,7}")},
            ),
        )
    },
)
