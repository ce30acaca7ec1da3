"""What the people at a table agree on: turn timer, pause and seats; ending a game early (resigning, voting, canceling,
voiding), resuming it, and moving it to another channel. Also the list of games that wait for a person."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from discord import app_commands
from discord.utils import snowflake_time

from bot.discord.context import SHOWN
from bot.discord.features import lobby
from bot.discord.interaction import Address, now
from bot.discord.show import permissions, presence
from bot.discord.show.readers import Readers
from bot.discord.talk.call import Call
from bot.discord.talk.commands import (
    GAME,
    PUT_AWAY,
    WHICH,
    GameNumber,
    Interaction,
    answer_command,
    as_button,
    game_here,
    game_numbers,
    own_games,
    table_here,
)
from bot.discord.talk.door import Shape
from bot.discord.talk.feature import Feature, Verb, asker_of
from bot.projections import LEFT, TROUBLE, is_unseen
from bot.screens import motions, waiting
from bot.screens.controls import Reply, rows
from bot.screens.steps import presenter_of
from bot.service.servers import check_channel
from bot.table.acts.motions import Agree, MotionAct, Object, Propose
from bot.table.acts.places import VoidGame
from bot.table.options import DAY
from bot.table.parts import PACE, PAUSE, RESUME, SUBSTITUTE
from bot.table.seats import who_decides
from bot.table.table import ARCHIVED, LOBBY, RUNNING, Table
from bot.words.language import N_, _
from bot.words.marks import listing
from engine.actions import AgreeToCallOff, AgreeToEnd, Resign
from engine.errors import RefereeError
from engine.refusals import Listed


async def _proposal_reply(call: Call, act: MotionAct) -> Reply:
    """Propose something, or agree to a proposal."""
    return await call.with_panel(motions.proposal_answer(act, await call.act(act)))


async def _propose(call: Call) -> Reply:
    return await _proposal_reply(call, Propose(call.address.arg))


async def _pause(call: Call) -> Reply:
    return await _proposal_reply(call, Propose(PAUSE))


async def propose_to_resume(call: Call) -> Reply:
    """Resume a paused game, or propose to."""
    return await _proposal_reply(call, Propose(RESUME))


async def _consent(call: Call) -> Reply:
    what, made = call.address.args
    return await _proposal_reply(call, Agree(what, int(made)))


async def _object(call: Call) -> Reply:
    what, made = call.address.args
    act = Object(what, int(made))
    return Reply(motions.proposal_answer(act, await call.act(act)))


async def _games(call: Call) -> Reply:
    """What waits for the person in all their games of this server; in a direct message, of all servers."""
    services, guild = call.app.services, call.interaction.guild_id
    games = await services.timekeeper.games_of(call.user.id)
    tables = await services.repository.games_of(call.user.id, LOBBY, ARCHIVED)
    left = await _left(call, [*tables, *(table for table, _wait in games)])
    waits: list[waiting.Waiting] = []
    others = paused = replaced = gone = 0
    for table, wait in games:
        if guild is not None and table.guild != guild:
            continue
        if table.guild in left:
            gone += 1
            continue
        try:
            game = await services.repository.game(table.number)
        except RefereeError:  # it can't be read, and the host has been told
            continue
        link = await call.app.panel_link(table.number)
        seat = table.seat_of(game, call.user.id)
        if wait is not None:
            waits.append(waiting.Waiting(table, wait, presenter_of(game.view(None)).asks, link))
        elif (answer := waiting.other_request(table, game, call.user.id)) is not None:
            waits.append(waiting.Waiting(table, *answer, link))
        elif seat is None or game.view(None).players[seat].resigned:
            continue
        elif table.member_at(game, seat).level:
            replaced += 1
        elif table.paused:
            paused += 1
        else:
            others += 1
    here = [table for table in tables if table.guild == guild or (guild is None and table.guild not in left)]
    lobbies = tuple(table for table in here if table.status == LOBBY)
    archived = tuple(table.number for table in here if table.status == ARCHIVED)
    call.address = Address("", 0)
    other_games = waiting.OtherGames(others, paused, replaced, gone, archived, lobbies)
    return Reply(waiting.games_text(waits, other_games), rows=waiting.catching_up(waits))


async def _left(call: Call, tables: Sequence[Table]) -> set[int]:
    """Those of the tables' servers that the person has left. Only in a direct message can there be any. Servers that
    have removed Harbormaster aren't asked, as Discord counts what it refuses."""
    if call.interaction.guild_id is not None:
        return set()
    tables_by_guild = {table.guild: table for table in tables if table.guild is not None}
    found = set[int]()
    for guild, table in tables_by_guild.items():
        known, person = call.app.left, (guild, call.user.id)
        if person not in known and LEFT not in await call.app.services.projections.visible(table.number):
            known[person] = await permissions.has_left(call.app.client, *person)
        if known.get(person):
            found.add(guild)
    return found


# --- commands


@GAME.command(name="pause", description=N_("Vote to pause the game"))
async def pause(interaction: Interaction) -> None:
    await as_button(interaction, _pause)


@app_commands.command(name="games", description=N_("See which games wait for you"))
async def games(interaction: Interaction) -> None:
    await answer_command(interaction, _games)


_WHAT = "|".join((PAUSE, RESUME))
_ANY = f"({'|'.join((PAUSE, RESUME, PACE, SUBSTITUTE))}):[0-9]{{1,9}}"


ENDS = [
    app_commands.Choice(name=N_("Most points wins"), value="count"),
    app_commands.Choice(name=N_("No winner, nothing counts"), value="off"),
]


async def _agree(call: Call) -> Reply:
    """Ask before a player votes for an end, or takes the vote back."""
    viewer = await call.viewer()
    viewer.check_deciding()
    return motions.sure_to_agree(viewer, call.address.arg)


async def _resign(call: Call) -> Reply:
    """Ask before a player leaves for good."""
    (await call.viewer()).check_in_person()
    return motions.sure_to_resign()


async def _resume_archived(call: Call) -> Reply:
    """Resume an archived game."""
    number, services, client = call.address.game, call.app.services, call.app.display.client
    table = await services.repository.table(number)
    if table.channel == call.interaction.channel_id:
        permissions.check_interaction(call.interaction)
    elif await permissions.is_closed(client, table.guild, table.channel):
        raise RefereeError("no-channel/gone", number=number)
    await services.games.resume(number, call.user.id, call.key)
    return Reply(_("Game {number} resumed.", number=table.number))


@GAME.command(name="resign", description=N_("Give up and leave the game for good"))
async def resign(interaction: Interaction) -> None:
    await as_button(interaction, _resign)


@GAME.command(name="resume", description=N_("Resume a paused or archived game"))
@app_commands.describe(game=WHICH)
@app_commands.autocomplete(game=game_numbers(PUT_AWAY))
async def resume(interaction: Interaction, game: GameNumber | None = None) -> None:
    async def run(call: Call) -> Reply:
        table = await call.app.services.repository.in_channel(call.interaction.channel_id or 0)
        if game is None and table is not None and table.status == RUNNING:
            call.address = Address("", table.number)
            return await propose_to_resume(call)
        await game_here(call, game, PUT_AWAY)
        return await _resume_archived(call)

    await answer_command(interaction, run)


@GAME.command(name="move", description=N_("Move one of your games to this channel"))
@app_commands.describe(game=N_("Game number"))
@app_commands.autocomplete(game=own_games)
async def move(interaction: Interaction, game: GameNumber) -> None:
    async def run(call: Call) -> Reply:
        permissions.check_asker(interaction)
        permissions.check_interaction(interaction)
        await presence.check_presence(call.app.client, interaction)
        services = call.app.services
        table = await game_here(call, game, (RUNNING, ARCHIVED))
        unseen = is_unseen(await services.projections.visible(table.number)) or await permissions.is_closed(
            call.app.client, table.guild, table.channel
        )
        channel = interaction.channel_id or 0
        if not unseen:
            if at := call.app.moved.get(table.number):  # each move leaves a message behind
                raise RefereeError("moved", when=f"<t:{ceil(at + SHOWN)}:R>")
            if (asker := asker_of(call)) is not None:
                check_channel(await services.servers.settings(asker.guild), asker.channel)
        kept_out = await _check_seen(call, table, channel, unseen=unseen)
        await services.games.move(table.number, call.user.id, channel, call.key, anybody=unseen)
        call.app.moved[table.number] = now()
        said = [_("Game {number} continues here.", number=table.number)]
        if kept_out:
            names = listing(kept_out)
            said.append(_("This channel is hidden from {names}. To play on, they must be let in.", names=names))
        return Reply("\n".join(said))

    await answer_command(interaction, run)


async def _check_seen(call: Call, table: Table, channel: int, *, unseen: bool) -> list[str]:
    """Refuse to move a game where not all who decide in it can go on: times run there. If it is `unseen`, so that its
    people can't agree on anything, no one can hold it up by staying out: it can move to where more than half go on; of
    two, without one who was told a day ago. Who has left the server doesn't count. Returns the names of those who are
    kept out. Code: "hidden"."""
    users = who_decides(table, await call.app.services.repository.game(table.number))
    let_in = await Readers(call.app.client, table.guild or 0).let_in(users, channel)
    kept_out = [user for user, seen in let_in.items() if not seen and user != call.user.id]
    names, most = [table.member(user).name for user in kept_out], 2 * len(kept_out) < len(let_in)
    if kept_out and not (unseen and (most or await _knew(call, table, kept_out))):
        raise RefereeError("hidden/most" if unseen else "hidden", names=Listed(names))
    return names


async def _knew(call: Call, table: Table, users: list[int]) -> bool:
    """Whether only one user is meant, who was told a day ago, or earlier, that the game is stuck."""
    services = call.app.services
    trouble = (await services.projections.visible(table.number)).get(TROUBLE)
    place = None if trouble is None else trouble.posted
    if place is None or len(users) > 1:
        return False
    theirs = (await services.people.settings(users[0])).choices.direct == place.channel
    return theirs and now() - snowflake_time(place.message).timestamp() >= DAY


@GAME.command(name="cancel", description=N_("Cancel the table before the game starts"))
async def cancel(interaction: Interaction) -> None:
    async def run(call: Call) -> Reply:
        table = await table_here(call)
        if lobby.ends_as_manager(call, table):
            return motions.sure_to_end(table)
        return await lobby.cancel(call)

    await answer_command(interaction, run)


@GAME.command(name="end", description=N_("Vote to end the game early"))
@app_commands.describe(how=N_("What happens then"))
@app_commands.choices(how=ENDS)
async def end(interaction: Interaction, how: str) -> None:
    async def run(call: Call) -> Reply:
        table = await table_here(call)
        if table.place_of(call.user.id) is None and call.manages(table):
            return motions.sure_to_end(table)
        call.address = Address("", table.number, args=(how,))
        reply = await _agree(call)
        if call.manages(table):
            reply.rows = [*reply.rows, *rows([motions.void_button()])]
        return reply

    await answer_command(interaction, run)


# --- ending from outside: people who manage the channel


def _check_manager(call: Call, table: Table) -> None:
    """Refuse people who don't manage the table's channel. Code: "not-manager"."""
    if not call.manages(table):
        raise RefereeError("not-manager")


async def _ask_call_off(call: Call) -> Reply:
    table = await call.app.services.repository.table(call.address.game)
    _check_manager(call, table)
    if table.status not in (LOBBY, RUNNING, ARCHIVED):
        raise RefereeError("over")
    return motions.sure_to_end(table)


async def _close_lobby(call: Call) -> Reply:
    _check_manager(call, await call.app.services.repository.table(call.address.game))
    return await lobby.cancel(call)


async def _call_off(call: Call) -> Reply:
    services = call.app.services
    _check_manager(call, await services.repository.table(call.address.game))
    done = await call.act(VoidGame(call.user.display_name))
    return Reply(_("Game {number} is void.", number=done.table.number))


FEATURE = Feature(
    commands=[games],
    buttons={
        "propose": Verb(_propose, shape=Shape(_WHAT)),
        "consent": Verb(_consent, shape=Shape(_ANY)),
        "object": Verb(_object, shape=Shape(_ANY)),
        "agree": Verb(_agree, shape=Shape("count|off")),
        "resign": Verb(_resign),
        "resume": Verb(_resume_archived),
        "ask_call_off": Verb(_ask_call_off),
        "call_off": Verb(_call_off),
        "close_lobby": Verb(_close_lobby),
    },
    actions=[AgreeToEnd, AgreeToCallOff, Resign],
)
