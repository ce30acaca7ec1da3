"""Every act as the services keep it: stored whole and told of, done once, or not at all. What it does, and when it is
refused, is tested in `tests/bot/table`."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable

import pytest

from bot.projections import PANEL
from bot.service import Done, Services
from bot.store import Change, Unavailable
from bot.table.act import Act, GameAct, LobbyAct
from bot.table.acts.coach import GiveTips, StopTips
from bot.table.acts.guests import Decline, KeepSeats, LetBack, MakeHost, NoteTold, TakeOff
from bot.table.acts.lobby import (
    AddComputer,
    AddPhrase,
    Cancel,
    Join,
    Leave,
    RemoveComputer,
    Rename,
    SetLevel,
    Start,
)
from bot.table.acts.motions import Agree, AskForSeat, Object, Propose
from bot.table.acts.options import SetOptions
from bot.table.acts.orders import CarryOut, GiveOrders
from bot.table.acts.people import Forget, ForgetInGame
from bot.table.acts.places import CloseUnused, GiveUp, MoveGame, Resume, VoidGame, Warn
from bot.table.acts.play import Play
from bot.table.acts.seats import DeclineSeat, OfferSeat, Replace, ReturnToSeat, TakeSeat
from bot.table.acts.waiting import LookAfter, NoteBack, NoteGone, RefreshTimes
from bot.table.acts.wishes import PostWish, WithdrawWish
from bot.table.options import DAY, REMIND
from bot.table.parts import PAUSE
from bot.table.table import ARCHIVED, Table
from bot.table.waiting import AWAY
from engine.autoplay import default_action
from engine.resources import single
from tests.bot.playground import ANN, BOB, CEM, DOT, EVE, Playground
from tests.bot.service.tables import HOUR, in_step, paced, refused, until

Before = tuple[tuple[int, Act], ...]
"""What is done before an act, and by whom. User 0: no one."""
LOBBY: dict[type[Act], tuple[Before, int, Act]] = {
    Join: ((), DOT, Join("Dot", color="orange", phrase="four leaves")),
    AddPhrase: ((), BOB, AddPhrase("four leaves")),
    Leave: ((), ANN, Leave()),
    AddComputer: ((), ANN, AddComputer("easy")),
    SetLevel: (((ANN, AddComputer("easy")),), ANN, SetLevel("hard")),
    RemoveComputer: (((ANN, AddComputer("easy")),), ANN, RemoveComputer()),
    Rename: ((), BOB, Rename("Bobby")),
    Cancel: ((), ANN, Cancel()),
    KeepSeats: ((), ANN, KeepSeats(((DOT, "Dot"),))),
    Decline: (((ANN, KeepSeats(((DOT, "Dot"),))),), DOT, Decline()),
    TakeOff: ((), ANN, TakeOff(BOB)),
    NoteTold: (((ANN, TakeOff(BOB)),), BOB, NoteTold()),
    LetBack: (((ANN, TakeOff(BOB)),), ANN, LetBack(BOB)),
    MakeHost: ((), ANN, MakeHost(BOB)),
    SetOptions: ((), ANN, SetOptions({"target": 5})),
}
"""Examples in a lobby of Ann, who is the host, Bob and Cem."""
GAME: dict[type[Act], tuple[Before, int, Act]] = {
    NoteGone: ((), 0, NoteGone(BOB)),
    NoteBack: (((0, NoteGone(BOB)),), 0, NoteBack(BOB)),
    Forget: (((BOB, OfferSeat(EVE)), (EVE, TakeSeat("Eve", 1))), 0, Forget(BOB, 901, "Forgotten")),
    ForgetInGame: (((BOB, Replace(BOB)),), 0, ForgetInGame(BOB, 901, "Forgotten")),
    Propose: ((), ANN, Propose(PAUSE)),
    Agree: (((ANN, Propose(PAUSE)),), BOB, Agree(PAUSE)),
    Object: (((ANN, Propose(PAUSE)),), BOB, Object(PAUSE)),
    GiveOrders: ((), BOB, GiveOrders({"roll": True, "never": (1,)})),
    MoveGame: ((), ANN, MoveGame(51)),
    VoidGame: ((), DOT, VoidGame("Mod")),
    Replace: ((), BOB, Replace(BOB)),
    ReturnToSeat: (((BOB, Replace(BOB)),), BOB, ReturnToSeat()),
    OfferSeat: ((), BOB, OfferSeat(EVE)),
    TakeSeat: (((BOB, OfferSeat(EVE)),), EVE, TakeSeat("Eve", 1)),
    DeclineSeat: (((BOB, OfferSeat(EVE)),), EVE, DeclineSeat("Eve")),
}
"""Examples in a game of the same three, which has just begun."""


async def example(ground: Playground, act: type[Act]) -> tuple[int, int, Act]:
    """A table at which an act is possible. Returns its number, a user, and the act; fails for an act without one."""
    if act in LOBBY:
        number = (await ground.lobby(ANN, BOB, CEM)).number
        before, user, one = LOBBY[act]
    elif act in GAME:
        number = (await paced(ground, REMIND)).number
        before, user, one = GAME[act]
    else:
        assert act in ELSEWHERE, f"{act.__name__} has no example here"
        return await ELSEWHERE[act](ground)
    for other, earlier in before:
        await ground.act(number, other, earlier)
    return number, user, one


async def a_start(ground: Playground) -> tuple[int, int, Act]:
    return (await ground.lobby(ANN, BOB, CEM)).number, ANN, Start("closing")


async def an_action(ground: Playground) -> tuple[int, int, Act]:
    table = await ground.begun(ANN, BOB, CEM)
    game = await ground.game(table.number)
    [seat] = game.to_act
    action = default_action(game.state, seat, game.options(seat))
    return table.number, table.user_at(game, seat), Play(action, game.decision(seat))


async def an_order(ground: Playground) -> tuple[int, int, Act]:
    number = (await ground.begun(ANN, BOB, CEM, target=20)).number
    table, game = await until(ground, number, in_step("pre_roll"))
    [seat] = game.to_act
    await ground.act(number, table.user_at(game, seat), GiveOrders({"roll": True}))
    return number, 0, CarryOut(seat)


async def a_wish(ground: Playground) -> tuple[int, int, Act]:
    number = (await ground.begun(ANN, BOB, CEM, target=20)).number
    table, game = await until(ground, number, in_step("main"))
    return number, table.user_at(game, (game.to_act[0] + 1) % 3), PostWish(single(0))


async def a_wish_withdrawn(ground: Playground) -> tuple[int, int, Act]:
    number, user, wish = await a_wish(ground)
    await ground.act(number, user, wish)
    return number, user, WithdrawWish()


async def a_question_for_a_seat(ground: Playground) -> tuple[int, int, Act]:
    number = (await ground.begun(ANN, BOB, CEM)).number
    await ground.act(number, BOB, Replace(BOB))
    ground.clock += AWAY
    await ground.services.timekeeper.look(number)
    return number, EVE, AskForSeat("Eve", 1)


async def a_vacation(ground: Playground) -> tuple[int, int, Act]:
    table = await paced(ground, REMIND)
    game = await ground.game(table.number)
    away = (ground.clock, ground.clock + 5 * DAY)
    await ground.services.people.change_settings(table.user_at(game, game.to_act[0]), choices={"vacation": away})
    return table.number, 0, RefreshTimes()


async def a_look(ground: Playground) -> tuple[int, int, Act]:
    number = (await paced(ground)).number
    ground.clock += 2 * HOUR
    return number, 0, LookAfter()


async def a_tip(ground: Playground) -> tuple[int, int, Act]:
    table = await ground.services.lobby.new_table(1, 50, ANN, Join("Ann"), ground.id(), learning=True)
    return table.number, 0, GiveTips(("roll",))


async def no_tips(ground: Playground) -> tuple[int, int, Act]:
    number, _, _ = await a_tip(ground)
    return number, ANN, StopTips()


async def a_warning(ground: Playground) -> tuple[int, int, Act]:
    table = await ground.begun(ANN, BOB)
    return table.number, 0, Warn(table.updated)


async def an_archived_game(ground: Playground) -> tuple[int, int, Act]:
    table = await ground.begun(ANN, BOB)
    return table.number, 0, CloseUnused(ARCHIVED, table.updated)


async def a_resumed_game(ground: Playground) -> tuple[int, int, Act]:
    number, nobody, put_away = await an_archived_game(ground)
    await ground.act(number, nobody, put_away)
    return number, BOB, Resume()


async def a_game_given_up(ground: Playground) -> tuple[int, int, Act]:
    number, nobody, put_away = await an_archived_game(ground)
    table = (await ground.act(number, nobody, put_away)).table
    return number, nobody, GiveUp(table.updated)


ELSEWHERE: dict[type[Act], Callable[[Playground], Awaitable[tuple[int, int, Act]]]] = {
    Start: a_start,
    Play: an_action,
    CarryOut: an_order,
    PostWish: a_wish,
    WithdrawWish: a_wish_withdrawn,
    AskForSeat: a_question_for_a_seat,
    RefreshTimes: a_vacation,
    LookAfter: a_look,
    GiveTips: a_tip,
    StopTips: no_tips,
    Warn: a_warning,
    CloseUnused: an_archived_game,
    Resume: a_resumed_game,
    GiveUp: a_game_given_up,
}


def _derived_from(act: type[Act]) -> list[type[Act]]:
    """The program's acts that are derived from one, at any remove; not what `dataclass` made them of."""
    found = [one for one in act.__subclasses__() if one.__module__.startswith("bot.")]
    found = [one for one in found if getattr(sys.modules[one.__module__], one.__name__) is one]
    return [*found, *(further for one in found for further in _derived_from(one))]


ACTS = sorted((act for act in _derived_from(Act) if act not in (GameAct, LobbyAct)), key=lambda act: act.__name__)
"""All that the program has."""


def test_each_act_has_a_kind_of_its_own() -> None:
    kinds = {act.__name__: act.kind for act in ACTS}
    assert len({*kinds.values()} - {"", "open"}) == len(kinds) > 30


async def do(services: Services, number: int, user: int, act: Act) -> Done:
    """Do an act by always the same interaction, if anyone does it."""
    if isinstance(act, Start):
        return await services.lobby.start(number, user, act.closing, "once")
    return await services.games.act(number, user, act, "once" if user else None)


async def kept(ground: Playground, number: int) -> tuple[object, ...]:
    """All that is stored of a table and its game."""
    store = ground.store
    game = (await ground.game(number)).hash() if await ground.revision(number) else None
    return await ground.table(number), game, await store.visible(number), await store.next_job(0.0)


ALIKE = (Start, Play, Join, Forget, CarryOut, GiveOrders, MoveGame, VoidGame, Warn)
"""Acts that store all kinds of things that acts store, by a person and by no one: where these are stored whole, so are
the others, as a change of a table has the same statements whatever it is about."""
STORED = [
    pytest.param(base, act, marks=() if base == "sqlite" or act in ALIKE else pytest.mark.soak)
    for base in ("sqlite", "postgresql")
    for act in ACTS
]


@pytest.mark.parametrize(
    ("ground", "kind"), STORED, indirect=["ground"], ids=lambda value: getattr(value, "__name__", value)
)
async def test_an_act_is_stored_whole_and_once_or_not_at_all(
    ground: Playground, monkeypatch: pytest.MonkeyPatch, kind: type[Act]
) -> None:
    """Nothing of it is told or stays in memory if it can't be stored. A kill and a repeated click change nothing."""
    number, user, act = await example(ground, kind)
    assert type(act) is kind
    told = list[Table]()
    before = await kept(ground, number)

    async def full(change: Change) -> None:
        raise Unavailable("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(ground.store, "save", full)
        ground.services.repository.subscribe(told.append)
        with pytest.raises(Unavailable):
            await do(ground.services, number, user, act)
    assert await kept(ground, number) == before
    assert not told
    await ground.kill()
    assert await kept(ground, number) == before

    ground.services.repository.subscribe(told.append)
    done = await do(ground.services, number, user, act)
    after = await kept(ground, number)
    assert after[0] == done.table != done.before
    assert (done.before, done.repeated) == (before[0], False)
    is_shown = done.table.version > done.before.version
    assert told == [done.table] * is_shown
    assert not is_shown or (await ground.store.visible(number))[PANEL].due == done.table.version
    for _ in range(2):
        await ground.kill()
        assert await kept(ground, number) == after
        if user:
            again = await do(ground.services, number, user, act)
            assert (again.repeated, again.table) == (True, done.table)
            assert again.revision == done.revision or not kind.plays
            assert again.events == done.events or kind is Start  # the deal
            assert await kept(ground, number) == after
    assert told == [done.table] * is_shown


@pytest.mark.on_databases
async def test_a_refused_act_changes_nothing(ground: Playground) -> None:
    number = (await ground.begun(ANN, BOB, CEM)).number
    before = await kept(ground, number)
    await refused(ground.act(number, DOT, Propose(PAUSE), "once"), "not-playing")
    await refused(ground.act(99, ANN, Propose(PAUSE), "once"), "no-table")
    assert await kept(ground, number) == before
    assert await ground.store.interaction("once") is None
