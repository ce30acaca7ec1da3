"""People get what is kept about them, and have it forgotten if they want. What they played can still be verified."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import fields, replace
from pathlib import Path

import pytest

from bot.export import dump, load, verified
from bot.projections import Kind, Name
from bot.table.acts.lobby import Join, Leave
from bot.table.acts.motions import Agree, AskForSeat, Propose
from bot.table.acts.options import SetOptions
from bot.table.acts.people import without_person
from bot.table.acts.seats import DeclineSeat, OfferSeat, Replace, TakeSeat
from bot.table.options import DAY
from bot.table.orders import Orders
from bot.table.parts import (
    COMPUTER,
    DECLINED,
    FORGOTTEN,
    PAUSE,
    RESUME,
    SEATED,
    SUBSTITUTE,
    Absence,
    Barred,
    Guest,
    Handover,
    Motion,
    News,
    Wish,
)
from bot.table.preferences import USUAL
from bot.table.table import ARCHIVED, OVER, RUNNING, Table
from bot.table.time import Late, Stop
from engine.actions import AgreeToCallOff, Resign
from engine.errors import RefereeError
from engine.resources import single
from players import OFFERED
from tests.bot.noted import noted
from tests.bot.playground import ANN, BOB, CEM, DOT, EVE, GUILD, Playground, is_over
from tests.bot.service.computers import due, to_the_end
from tests.bot.store.behind import ask
from tests.bot.store.sample import NEW

NOBODYS = {
    *("coached", "lesson", "set_back", "window", "paused", "archived", "earlier", "proposed", "waits", "deadline"),
    *("warned", "downtime", "changes", "fixed", "rematch_of"),
}
"""The fields of a table that have their default in the test because they are about no person."""
GUS, NAME, WORDS = 812_345_678_901_234_567, "Gus of the North", "rain on Tuesday"


async def over(ground: Playground) -> int:
    """The number of a finished game of Gus, with all that can be kept about a person."""
    lobby, people = ground.services.lobby, ground.services.people
    await people.change_settings(GUS, dms=False, choices={"zone": "Europe/Berlin"})
    table = await lobby.new_table(GUILD, 50, GUS, Join(NAME, phrase=WORDS), ground.id())
    await ground.act(table.number, BOB, Join("Bob"))
    await ground.act(table.number, GUS, SetOptions({"target": 3, "pace": DAY}))
    await lobby.start(table.number, GUS, "closing", ground.id())
    await ground.advance(table.number, is_over, seed=52)
    shown = (Name(Kind.HAND, user=GUS), Name(Kind.TOLD, "roll", GUS))
    await ground.store.note(table.number, [noted(name, 5, 7, 8) for name in shown])
    return table.number


async def passed_by(ground: Playground) -> None:
    """Open two tables that Gus leaves: a lobby, and a game that goes on without him."""
    table = await ground.lobby(ANN, BOB, channel=51)
    await ground.act(table.number, GUS, Join(NAME, phrase=WORDS))
    await ground.act(table.number, GUS, Leave())
    table = await ground.lobby(ANN, BOB, channel=52)
    await ground.act(table.number, GUS, Join(NAME, phrase=WORDS))
    await ground.services.lobby.start(table.number, ANN, "closing", ground.id())
    await ground.services.orders.give(table.number, BOB, refused=(GUS,))
    await ground.act(table.number, GUS, OfferSeat(EVE, "Eve"))
    await ground.act(table.number, EVE, TakeSeat("Eve", 2))


@pytest.mark.on_databases
async def test_nothing_is_left_of_a_forgotten_user_and_the_game_still_verifies(ground: Playground) -> None:
    number = await over(ground)
    await passed_by(ground)
    await ground.services.subscriptions.change(GUILD, GUS, how="dm")
    before = await ground.services.ratings.profiles(GUILD)
    name = await ground.services.privacy.forget(GUS)
    stored = json.dumps(await contents(ground), default=str)
    assert not [text for text in (str(GUS), NAME, WORDS, "Europe/Berlin") if text in stored]
    if isinstance(ground.database, Path):
        await ground.close()  # then all of it is in the file
        assert not [text for text in (NAME, WORDS) if text.encode() in ground.path.read_bytes()]
        await ground.open()
    table = await ground.table(number)
    assert (table.members[0].name, table.host, table.status) == (name, table.members[0].user, OVER)
    assert table.host >= FORGOTTEN
    verified(load(dump(await ground.services.games.export(number))))
    after = await ground.services.ratings.profiles(GUILD)
    assert after[BOB].rating == before[BOB].rating
    board = await ground.services.ratings.leaderboard(GUILD, BOB)
    assert [line.profile.user for line in board.lines] == [BOB]
    assert await ground.services.privacy.data(GUS) == {
        "user": GUS,
        "settings": (await ground.services.privacy.data(CEM))["settings"],
        "games": [],
        "new_tables": [],
        "acts": [],
        "results": [],
        "promptness": [],
    }


async def contents(ground: Playground) -> list[object]:
    """All rows of the store, by table."""
    if not isinstance(ground.database, Path):
        names = [
            row[0] for row in await ask(ground.store, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        ]
        return [[list(row) for row in await ask(ground.store, f'SELECT * FROM "{name}"')] for name in names]
    with closing(sqlite3.connect(ground.database)) as sql:
        names = [row[0] for row in sql.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return [sql.execute(f'SELECT * FROM "{name}"').fetchall() for name in names]


async def test_an_earlier_name_is_forgotten_and_others_requests_are_kept(ground: Playground) -> None:
    number = (await ground.begun(ANN, BOB, CEM, channel=60)).number
    await ground.act(number, BOB, Replace(BOB, OFFERED[0]))
    ground.clock += 5 * DAY
    await ground.services.timekeeper.look(number)
    await ground.act(number, ANN, OfferSeat(DOT, "Dot", BOB))
    await ground.act(number, DOT, DeclineSeat("Dot"))
    await ground.services.people.rename(number, BOB, "Robert")
    await ground.act(number, EVE, AskForSeat("Eve", 1))
    await ground.services.privacy.forget(BOB)
    await ground.services.privacy.forget(DOT)
    assert "Bob" not in json.dumps(await contents(ground), default=str)
    assert [motion.newcomer for motion in (await ground.table(number)).motions] == [EVE]


async def test_a_user_in_a_lobby_or_running_game_cannot_be_forgotten(ground: Playground) -> None:
    waiting = await ground.lobby(ANN, BOB)
    with pytest.raises(RefereeError) as refusal:
        await ground.services.privacy.forget(BOB)
    assert refusal.value.key == "forget/waiting"
    await ground.services.lobby.start(waiting.number, ANN, "closing", ground.id())
    with pytest.raises(RefereeError) as refusal:
        await ground.services.privacy.forget(BOB)
    assert refusal.value.key == "forget/playing"
    assert (await ground.table(waiting.number)).users == (ANN, BOB)


async def test_what_the_others_agree_on_holds_once_who_was_away_is_forgotten(ground: Playground) -> None:
    """Of three, two vote to void the game, and the third is forgotten. Of two, one wants to go on after a pause."""
    number = (await ground.begun(ANN, BOB, CEM)).number
    await ground.act(number, CEM, Replace(CEM))
    await due(ground)
    for user in (ANN, BOB):
        await ground.play(number, user, AgreeToCallOff())
    other = (await ground.begun(DOT, EVE, channel=60)).number
    for user, act in ((DOT, Propose(PAUSE)), (EVE, Agree(PAUSE)), (EVE, Replace(EVE)), (DOT, Propose(RESUME))):
        await ground.act(other, user, act)
    assert (await ground.table(other)).paused
    for user in (CEM, EVE):
        await ground.services.privacy.forget(user)
    await due(ground)
    assert (await ground.table(number)).status == OVER
    table = await ground.table(other)
    assert (table.paused, table.news) == (0.0, ())


async def test_no_hand_is_shown_to_who_takes_a_forgotten_persons_place(ground: Playground) -> None:
    """There is no such user."""
    number = (await ground.begun(ANN, BOB, CEM, target=4)).number
    await ground.act(number, BOB, Replace(BOB))
    before = await ground.table(number)
    await ground.services.privacy.forget(BOB)
    assert (await ground.table(number)).version == before.version, "nothing else has changed"
    await to_the_end(ground, number)
    shown = await ground.store.visible(number)
    assert {name.user for name in shown if name.kind is Kind.HAND} == {ANN, CEM}


async def test_who_has_resigned_can_be_forgotten(ground: Playground) -> None:
    number = (await ground.begun(ANN, BOB, CEM)).number
    await ground.play(number, BOB, Resign())
    name = await ground.services.privacy.forget(BOB)
    table = await ground.table(number)
    assert [member.name for member in table.members] == ["Ann", name, "Cem"]
    assert table.status == RUNNING


async def test_users_get_only_their_own_data(ground: Playground) -> None:
    number = await over(ground)
    data = await ground.services.privacy.data(GUS)
    [game] = data["games"]
    assert (game["game"], game["name"], game["phrase"], game["host"]) == (number, NAME, WORDS, True)
    assert [(result["game"], result["name"]) for result in data["results"]] == [(number, NAME)]
    [promptness] = data["promptness"]
    assert promptness.pop("hour") > 1
    assert promptness == {"game": number, "server": GUILD}
    assert (data["settings"]["zone"], data["settings"]["standing"]) == ("Europe/Berlin", USUAL)
    assert (game["last acted"] is None, game["votes"]) == (False, [])
    assert {act["game"] for act in data["acts"]} <= {number}
    table, played = await ground.table(number), await ground.game(number)
    seat = table.seat_of(played, GUS)
    assert {record.number for record in played.records if record.actor == seat} == {*game["own actions"]} - {0}
    assert "Bob" not in json.dumps(data)
    seed = (await ground.store.seed(number)).hex()
    assert seed not in json.dumps(data)


async def test_users_get_their_own_orders_and_no_one_elses(ground: Playground) -> None:
    number = (await ground.begun(ANN, BOB)).number
    await ground.services.orders.give(number, ANN, end=True, few=3)
    [mine], [theirs] = [(await ground.services.privacy.data(user))["games"] for user in (ANN, BOB)]
    assert (mine["orders"]["end"], mine["orders"]["few"]) == (True, 3)
    assert "orders" not in theirs
    assert "own actions" not in mine, "gaps would show what others do in secret"


def test_forgetting_removes_a_user_from_every_field_of_a_table() -> None:
    gus = replace(NEW.members[0], user=GUS, name=NAME, phrase=WORDS)
    table = replace(
        NEW,
        members=(gus, NEW.members[1]),
        host=GUS,
        ended_by=GUS,
        orders=(Orders(GUS, roll=True), Orders(EVE, end=True, refused=(GUS, ANN))),
        invited=(Guest(GUS, NAME), Guest(EVE, "Eve")),
        called=(GUS, EVE),
        said_no=(GUS,),
        barred=(Barred(GUS, NAME), Barred(EVE, "Eve")),
        on_leave=((GUS, 3.0), (EVE, 1.0)),
        missed=(Late(GUS, 1, 2), Late(EVE, 1, 2)),
        motions=(
            Motion("pause", (GUS,)),
            Motion("pace", (EVE, GUS), (GUS,)),
            Motion("substitute", (EVE,), newcomer=GUS, name=NAME),
            Motion("replace", (EVE,), absent=GUS),
            Motion("replace", (GUS, ANN), absent=EVE),
        ),
        handovers=(Handover(0, GUS, NAME), Handover(1, 0)),
        gone=(GUS,),
        absences=(Absence(GUS, 1.0), Absence(EVE, 2.0)),
        news=(
            News(DECLINED, 1, 1, 1, user=GUS),
            News(SUBSTITUTE, 1, 1, 1, about=GUS),
            News(SEATED, 1, 1, 1, user=EVE, name=NAME, newcomer="Eve", place=1, about=GUS),
            News(SEATED, 1, 1, 1, user=GUS, name="Ann", newcomer=NAME, place=0, about=ANN),
            News(COMPUTER, 1, 1, 1, user=EVE, name="Eve"),
            News(COMPUTER, 1, 1, 1, user=GUS, name=NAME),
        ),
        manager=NAME,
        wishes=(Wish(GUS, single(4), single(2), 1),),
        acted=((GUS, 1, 1.0), (EVE, 2, 1.0)),
        stops=(Stop(1.0, 2.0, GUS), Stop(1.0, 2.0)),
    )
    unset = {field.name for field in fields(Table) if getattr(table, field.name) == field.default}
    assert unset == NOBODYS, "what a table knows beside that is tried here"
    for status, levels in ((OVER, ""), (ARCHIVED, "easy")):
        after = without_person(replace(table, status=status), GUS, FORGOTTEN + 7, "Player 7")
        assert not [text for text in (str(GUS), NAME, WORDS) if text in repr((after, after.orders, after.barred))]
        assert after.orders == (Orders(EVE, end=True, refused=(ANN,)),)
        assert after.members[0].level == levels
        assert after.motions == (Motion("pace", (EVE,)), Motion("replace", (ANN,), absent=EVE))
        _, _, went, came, other, _ = table.news
        went = replace(went, name="Player 7", about=FORGOTTEN + 7)
        came = replace(came, newcomer="Player 7", user=FORGOTTEN + 7)
        assert after.news == (went, came, other)
