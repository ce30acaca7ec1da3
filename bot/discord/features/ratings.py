"""Ratings of a server's people: /leaderboard, and /profile, which is also in each person's menu."""

from __future__ import annotations

from dataclasses import replace

import discord
from discord import app_commands

from bot.discord.show import permissions
from bot.discord.show.messages import plain
from bot.discord.talk.call import Call
from bot.discord.talk.commands import Interaction, answer_command
from bot.discord.talk.door import Shape
from bot.discord.talk.feature import Feature, Verb
from bot.plaintext import safe_name
from bot.screens import ratings
from bot.screens.controls import Reply
from bot.service.ratings import Leaderboard
from bot.words.language import N_, speaking
from engine.errors import RefereeError


def _guild(call: Call) -> int:
    """The interaction's server. Code: "no-server"."""
    if call.interaction.guild_id is None:
        raise RefereeError("no-server")
    return call.interaction.guild_id


async def _leaderboard(call: Call) -> Leaderboard:
    """The leaderboard, with the current name of the person who asks."""
    board = await call.app.services.ratings.leaderboard(_guild(call), call.user.id)
    own = replace(board.own, name=safe_name(call.user.display_name))
    lines = [replace(line, profile=own) if line.profile.user == own.user else line for line in board.lines]
    return replace(board, lines=lines, own=own)


async def _leaders(call: Call) -> Reply:
    """A page of the leaderboard."""
    return ratings.leaderboard(await _leaderboard(call), int(call.address.arg or 0))


async def _show(call: Call) -> None:
    """Show a page to everyone in the channel, in place of the private one. Code: "repeated" if it was just shown."""
    permissions.check_asker(call.interaction)
    permissions.check_interaction(call.interaction)
    shown, place = call.app.shown, (call.interaction.channel_id or 0, call.address.arg)
    if place in shown:
        raise RefereeError("repeated")
    shown[place] = True
    try:
        board = await _leaderboard(call)
        with speaking(await call.app.languages.public(call.interaction)):
            text = ratings.board(board.lines, int(call.address.arg))
        await call.acknowledge()
        await call.interaction.followup.send(view=plain(text), allowed_mentions=discord.AllowedMentions.none())
    except Exception:
        shown.pop(place, None)
        raise


async def _profile(call: Call, user: discord.User | discord.Member) -> Reply:
    """A person's games and rating on this server. Codes: "no-server", "profile/bot", "profile/private"."""
    services, guild = call.app.services, _guild(call)
    if user.bot:
        raise RefereeError("profile/bot")
    profile, private = await services.ratings.profile(guild, user.id, call.user.id)
    latest = [rated.result.game for rated in profile.games[-ratings.MOST_LATEST_GAMES :]]
    own, name = user.id == call.user.id, safe_name(user.display_name)
    hidden = set() if own else {*latest} - await call.can_see(*latest)
    links = {number: link for number in latest if number not in hidden and (link := await _link(call, number))}
    promptness = (await services.promptness.of(guild, [user.id])).get(user.id)
    text = ratings.profile(profile, name, links, own=own, private=private, hidden=hidden, promptness=promptness)
    return Reply(text)


async def _link(call: Call, number: int) -> str | None:
    """A link to the end of a game; None if it can't be seen anywhere."""
    try:
        return await call.app.panel_link(number)
    except RefereeError:  # the game is damaged
        return None


@app_commands.command(name="leaderboard", description=N_("Ratings on this server"))
@app_commands.guild_only()
async def leaderboard(interaction: Interaction) -> None:
    await answer_command(interaction, _leaders)


@app_commands.command(name="profile", description=N_("Games, wins and rating of a player"))
@app_commands.describe(user=N_("Whose profile (default: yours)"))
@app_commands.guild_only()
async def profile(interaction: Interaction, user: discord.User | None = None) -> None:
    await answer_command(interaction, lambda call: _profile(call, user or call.user))


@app_commands.context_menu(name=N_("Profile"))
@app_commands.guild_only()
async def profile_of(interaction: Interaction, user: discord.User) -> None:
    await answer_command(interaction, lambda call: _profile(call, user))


_NUMBER = Shape("[0-9]{1,4}")
FEATURE = Feature(
    commands=[leaderboard, profile, profile_of],
    buttons={"leaders": Verb(_leaders, shape=_NUMBER), "show_leaders": Verb(_show, shape=_NUMBER)},
)
