"""The lobby: opening a table, joining and leaving, colors, lucky words (phrases), bots, and the start."""

from __future__ import annotations

from discord import app_commands

from bot.discord import threads
from bot.discord.features import guests, people
from bot.discord.interaction import Address
from bot.discord.show import absent, channels, permissions, presence
from bot.discord.show import lobby as closing
from bot.discord.show.private import check_rooms
from bot.discord.talk.call import Call
from bot.discord.talk.commands import GAME, Interaction, answer_command, as_button, table_here
from bot.discord.talk.door import Shape
from bot.discord.talk.feature import Feature, Verb, asker_of
from bot.screens import lobby, motions
from bot.screens.controls import Entry, Form, Reply, TextField
from bot.servers import ServerSettings
from bot.store import Unavailable
from bot.table.acts.lobby import AddComputer, AddPhrase, Cancel, Join, Leave, RemoveComputer, SetLevel, is_rematch
from bot.table.guests import check_not_barred
from bot.table.table import LOBBY, Table
from bot.words.language import N_, _
from bot.words.marks import COLOR_TITLES
from bot.words.refusals import refusal_sentence
from engine.config import COLORS
from engine.errors import RefereeError
from players import OFFERED

USUAL_LEVEL = "hard"
"""The level of a bot if none is chosen."""
MOST_CLOSINGS = 5
"""How often a table is closed for one press of *Start*, if someone changes something there each time."""


async def _add_bot(call: Call, level: str = USUAL_LEVEL, fill: bool = False) -> Reply:
    add, act = call.app.services.lobby.add_computer, AddComputer(level, fill)
    done = await absent.as_host(call.app.display, call.interaction, call.address.game, add, act, call.key)
    return lobby.computers(done.table)


async def _fill_with_bots(call: Call) -> Reply:
    return await _add_bot(call, fill=True)


async def _level(call: Call) -> Reply:
    return lobby.computers((await call.act(SetLevel(call.chosen[0]))).table)


async def _remove_bot(call: Call) -> Reply:
    return lobby.computers((await call.act(RemoveComputer())).table)


# --- commands

LEVEL_CHOICES = [app_commands.Choice(name=lobby.LEVEL_NAMES[level], value=level) for level in OFFERED]

BOT_COMMANDS = app_commands.Group(name="bot", description=N_("Bots at the table"), parent=GAME)


@BOT_COMMANDS.command(name="add", description=N_("Add a bot to the table"))
@app_commands.describe(level=N_("How well it plays"), fill=N_("Fill all free seats"))
@app_commands.choices(level=LEVEL_CHOICES)
async def add_bot(interaction: Interaction, level: str = USUAL_LEVEL, fill: bool = False) -> None:
    await as_button(interaction, lambda call: _add_bot(call, level, fill))


@BOT_COMMANDS.command(name="remove", description=N_("Remove the last bot from the table"))
async def remove_bot(interaction: Interaction) -> None:
    await as_button(interaction, _remove_bot)


# --- joining and leaving


async def enter(call: Call, color: str | None = None, phrase: str = "") -> Table:
    """Join, or change one's color or phrase. In any case show what is due: the lobby's message could be gone."""
    table = (await call.act(Join(call.user.display_name, color, phrase))).table
    call.app.publisher.refresh(table.number)
    return table


def _with_colors(table: Table, user: int) -> Reply:
    return Reply(lobby.place_at(table, user), rows=[lobby.color_select(table, user)])


async def _join(call: Call) -> Reply:
    return await people.with_dm_question(call, _with_colors(await enter(call), call.user.id))


async def _messages(call: Call) -> Reply:
    """Switch direct messages on or off, from now on and in all games."""
    table = await call.app.services.repository.table(call.address.game) if call.address.game else None
    message = await people.switch_dms(call, call.address.arg == "1")
    if table is None or table.status != LOBBY or table.place_of(call.user.id) is None:
        return Reply(message)
    reply = _with_colors(table, call.user.id)
    reply.text = f"{message}\n{reply.text}"
    return reply


async def _color(call: Call) -> Reply:
    table = await call.app.services.repository.table(call.address.game)
    if table.status != LOBBY or table.place_of(call.user.id) is None:
        check_not_barred(table, call.user.id)
        raise RefereeError("not-member/color")
    return _with_colors(table, call.user.id)


async def _colored(call: Call) -> Reply:
    return _with_colors(await enter(call, color=call.chosen[0]), call.user.id)


async def _leave(call: Call) -> Reply:
    await call.act(Leave())
    return Reply(_("You left table {number}.", number=call.address.game))


async def _ask_to_cancel(call: Call) -> Reply:
    """Cancel the table; the button asks first if others have joined it, or if the table is another person's."""
    table = await call.app.services.repository.table(call.address.game)
    if ends_as_manager(call, table):
        return motions.sure_to_end(table)
    if not call.address.arg and call.user.id == table.host and table.status == LOBBY and len(table.people) > 1:
        return motions.sure_to_end(table, by_host=True)
    return await cancel(call)


def ends_as_manager(call: Call, table: Table) -> bool:
    """Whether the person would cancel the table because they manage the channel."""
    return call.manages(table) and table.status == LOBBY and call.user.id != table.host


async def cancel(call: Call) -> Reply:
    """Cancel the table."""
    await call.act(Cancel(call.user.display_name))
    return Reply(_("Table {number} is canceled.", number=call.address.game))


async def _phrase(call: Call) -> None:
    """Open the form for lucky words."""
    hint = _("Mixed into the dice. Only their fingerprint is shown at the end.")
    form = Form(_("Lucky words"), [TextField("phrase", _("Your words"), hint, longest=100)])
    await call.ask(form, "phrased")


async def _phrased(call: Call) -> Reply:
    table = (await call.act(AddPhrase(call.entered("phrase")))).table
    return Reply(_("Saved. {place}", place=lobby.place_at(table, call.user.id)))


# --- start


async def _start(call: Call) -> None:
    await begin(call, call.key)


async def begin(call: Call, key: str) -> None:
    """Close the table with a message, whose id is the last part of the entropy, and deal. If anyone changes something
    at the table in between, such as their lucky words, it is closed again: that id must come last. Codes: "absent";
    "restless", if that goes on, so that no one can keep the bot posting."""
    app, services, number = call.app, call.app.services, call.address.game
    if (await services.repository.table(number)).channel == call.interaction.channel_id:
        permissions.check_interaction(call.interaction)
    manages = permissions.managed_channel(call.interaction)

    async def close() -> tuple[Table, int]:
        table = await services.lobby.may_start(number, call.user.id, manages=manages)
        return table, await closing.close_table(app.display, table, call.user.id, call.user.display_name)

    async def is_dealt() -> bool:
        start = services.lobby.start(number, call.user.id, str(message), key, closed=table.version, manages=manages)
        return (await start).table.status != LOBBY

    await absent.check_start(app.display, call.interaction, number)
    table, message = await close()
    try:
        for _again in range(MOST_CLOSINGS - 1):
            if await is_dealt():
                return
            table, message = await close()
        if not await is_dealt():
            raise RefereeError("restless")
    except RefereeError:
        if (await services.repository.table(number)).status == LOBBY:  # otherwise another person's start has used it
            await closing.reopen_table(app.display, table, message)
        raise


async def _rematch(call: Call) -> Reply | None:
    """Open a new table like this one, and ask the others to join; or join it if another player was faster. Whether the
    person can open one depends on their permissions in its channel, which an interaction of another one doesn't have.
    """
    permissions.check_asker(call.interaction)
    permissions.check_interaction(call.interaction)
    services = call.app.services
    finished = await services.repository.table(call.address.game)
    try:
        if call.interaction.channel_id != finished.channel:  # forged
            raise RefereeError("no-table/here")
        left_out, _why = await unusable(call)
        language = await call.app.languages.public(call.interaction)
        await services.lobby.rematch(
            finished.number, call.user.id, call.key, asker_of(call), left_out, language=language.code
        )
    except RefereeError:
        table = await services.repository.in_channel(finished.channel)
        if table is None or not (is_rematch(table, finished) or table.is_invited(call.user.id)):
            raise  # a command is about the table that is open here
        call.address = Address("", table.number)
        reply = await _join(call)
        reply.text = _("The rematch is table {number}. {place}", number=table.number, place=reply.text)
        return reply
    return None


async def unusable(call: Call, *, thread: bool = False) -> tuple[tuple[str, ...], str]:
    """Options with which tables begin on this server, but can't in this channel, or in a thread for the table; and a
    sentence that says why."""
    guild = call.interaction.guild_id
    settings = await call.app.services.servers.settings(guild) if guild is not None else ServerSettings()
    if not settings.begins.options.rooms:
        return (), ""
    try:
        if thread and settings.forum:
            raise RefereeError("rooms")
        await check_rooms(call.app.client, call.interaction)
    except RefereeError as refusal:
        return ("rooms",), f"⚠️ {refusal_sentence(refusal)}"
    return (), ""


async def open_table(
    call: Call, host: Join, *, thread: bool, players: str = "", learning: bool = False
) -> tuple[Table, str]:
    """Open a table here, or in a thread of its own, which is dropped if the table is refused all the same. Returns it,
    and a sentence that says why it can't begin as the server's tables do. `players`: a text that mentions people for
    whom seats are kept; `learning`: for a first game."""
    interaction, app, place = call.interaction, call.app, 0
    if not thread:  # otherwise neither the person nor the bot needs to write here
        permissions.check_asker(interaction)
        permissions.check_interaction(interaction)
    if interaction.channel_id is None:
        raise RefereeError("no-channel")
    await presence.check_presence(app.client, interaction)
    left_out, why = await unusable(call, thread=thread)

    async def own_thread() -> int:
        nonlocal place
        place = await threads.open_thread(app, interaction)
        return place

    try:
        table = await app.services.lobby.new_table(
            interaction.guild_id,
            interaction.channel_id,
            call.user.id,
            host,
            call.key,
            invited=await guests.typed_people(call, players),
            learning=learning,
            asker=asker_of(call),
            without=left_out,
            language=(await app.languages.public(interaction)).code,
            thread=own_thread if thread else None,
        )
    except RefereeError:
        if place:
            await channels.drop(app.client, place)
        raise
    except Unavailable:  # no one can say now whether the table is open
        if place:
            threads.drop_later(app, place)
        raise
    call.address = Address("", table.number)
    return table, why


def opened_in_thread(table: Table) -> str:
    """The answer to a person who has opened a table in a thread."""
    return _("Table {number} is open in {thread}.", number=table.number, thread=f"<#{table.channel}>")


# --- commands

COLOR_CHOICES = [app_commands.Choice(name=COLOR_TITLES[color], value=color) for color in COLORS]
COLOR, PHRASE = N_("Your color"), N_("Lucky words, mixed into the dice")
THREAD = N_("Give the game its own thread")


@GAME.command(name="new", description=N_("Open a table in this channel"))
@app_commands.rename(phrase="lucky-words")
@app_commands.describe(
    color=COLOR,
    phrase=PHRASE,
    thread=THREAD,
    players=N_("Mention people to keep seats for them"),
)
@app_commands.choices(color=COLOR_CHOICES)
async def new(
    interaction: Interaction,
    color: str | None = None,
    phrase: app_commands.Range[str, 1, 100] | None = None,
    thread: bool = False,
    players: str | None = None,
) -> None:
    async def run(call: Call) -> Reply:
        host = Join(call.user.display_name, color, phrase or "")
        table, why = await open_table(call, host, thread=thread, players=players or "")
        why = "\n".join(filter(None, (why, await guests.warning_of_guests(call, table))))
        if thread:
            return Reply("\n".join(filter(None, (opened_in_thread(table), why))))
        text = _(
            "Table {number} is open. {place}",
            number=table.number,
            place=lobby.place_at(table, call.user.id),
        )
        return await people.with_dm_question(call, Reply("\n".join(filter(None, (text, why)))))

    await answer_command(interaction, run)


@GAME.command(name="join", description=N_("Join the table, or change your color"))
@app_commands.rename(phrase="lucky-words")
@app_commands.describe(color=COLOR, phrase=PHRASE)
@app_commands.choices(color=COLOR_CHOICES)
async def join(
    interaction: Interaction,
    color: str | None = None,
    phrase: app_commands.Range[str, 1, 100] | None = None,
) -> None:
    async def run(call: Call) -> Reply:
        await table_here(call)
        table = await enter(call, color, phrase or "")
        return await people.with_dm_question(call, Reply(lobby.place_at(table, call.user.id)))

    await answer_command(interaction, run)


@GAME.command(name="leave", description=N_("Leave the table before the game starts"))
async def leave(interaction: Interaction) -> None:
    await as_button(interaction, _leave)


@GAME.command(name="start", description=N_("Start the game"))
async def start(interaction: Interaction) -> None:
    async def run(call: Call) -> Reply:
        await table_here(call)
        await _start(call)
        return Reply(_("The game has started."))

    await answer_command(interaction, run)


@GAME.command(name="rematch", description=N_("Open a new table with the same options"))
async def rematch(interaction: Interaction) -> None:
    async def run(call: Call) -> Reply:
        await table_here(call, finished=True)
        return await _rematch(call) or Reply(_("The new table is open."))

    await answer_command(interaction, run)


FEATURE = Feature(
    commands=[GAME],
    buttons={
        "computer": Verb(_add_bot),
        "fill": Verb(_fill_with_bots),
        "uncomputer": Verb(_remove_bot),
        "join": Verb(_join),
        "messages": Verb(_messages, shape=Shape("[01]")),
        "leave": Verb(_leave),
        "color": Verb(_color),
        "cancel": Verb(_ask_to_cancel, shape=Shape("(yes)?")),
        "start": Verb(_start),
        "rematch": Verb(_rematch),
    },
    selects={
        "level": Verb(_level, shape=Shape("", {"": Entry("|".join(OFFERED))})),
        "colored": Verb(_colored, shape=Shape("", {"": Entry("|".join(COLORS))})),
    },
    modals={"phrased": Verb(_phrased, Shape("", {"phrase": Entry("(?s).{1,100}")}))},
    openers={"phrase": _phrase},
)
