"""Two worlds that differ in the language in which a player reads: others can't tell."""

from __future__ import annotations

import pytest

from bot.table.preferences import DM
from engine.game import Game
from tests.bot.discord.hall import answer
from tests.bot.discord.tongues import make_up
from tests.bot.words.pseudo import Pseudo
from tests.bot.worlds.compare import as_planned, compare, probe
from tests.bot.worlds.plans import Twins, found
from tests.bot.worlds.stage import Stage, Theatre

pytestmark = pytest.mark.usefixtures("in_time")

COMMANDS = ("hand", "help", "stats", "board", "auto", "games", "catchup", "settings", "game rules", "game options")
HOUR = 3600.0


def _to_roll(here: Game, there: Game) -> bool:
    return here.view(None).step.kind == "pre_roll" and here.to_act == (1,) and here.turn > 4


async def languages_of_a_player(stage: Stage, twins: Twins) -> object:
    """They look at everything, are refused, are reminded by direct message, and do what all see."""
    hall, person = stage.hall, await stage.person(1)
    await hall.remind(person, DM)
    await hall.change_own(person, "Your settings", language=["en", "xx"][stage.world])
    said = [answer(await person.slash(hall.channel, command)) for command in COMMANDS]
    said.append(answer(await person.slash(hall.channel, "trade want", get="2 ore", give="3 wool")))
    assert (Pseudo().write("Your hand") in "".join(said)) == (stage.world == 1)
    answers = await probe(stage, twins)
    await hall.env.advance_time(30 * HOUR)
    answers += await probe(stage, twins, most=1)
    for command in ("roll", "end", "undo"):
        await person.slash(hall.channel, command)
    return [*answers, *(await probe(stage, twins, most=1))]


async def test_others_cant_tell_in_which_language_a_player_reads(
    theatre: Theatre, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_up(monkeypatch, xx=Pseudo())
    here, there = await compare(
        theatre, lambda config: found(config, (1,), _to_roll), as_planned, languages_of_a_player, pace=86_400
    )
    assert here[1] != there[1], "the bench sees nothing"
