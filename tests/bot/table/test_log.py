"""A log keeps each act exactly as it was done."""

from __future__ import annotations

import json
from dataclasses import fields

import pytest

from bot.table.act import Act, GameAct, LobbyAct
from bot.table.acts.absence import GoAway, NoteBack, NoteGone
from bot.table.acts.forgetting import Forget
from bot.table.acts.lessons import GiveTips, StopTips
from bot.table.acts.lobby import (
    AddComputer,
    AddPhrase,
    Cancel,
    Close,
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
from bot.table.acts.places import CallItOff, Move, PutAway, TakeUp, Warn
from bot.table.acts.play import ORDER, Play
from bot.table.acts.seats import DeclineSeat, OfferSeat, PlayAgain, Replace, TakeSeat
from bot.table.acts.time import Elsewhere, LookAfter
from bot.table.acts.wishes import PostWish, WithdrawWish
from bot.table.kinds import kinds
from bot.table.log import Entry, Played, Snapshot, entry_in
from bot.table.motion import PACE
from bot.table.options import DECIDE
from bot.table.preferences import Look as Pictures
from bot.table.table import OVER
from engine.errors import MalformedInput, UnknownInput
from engine.resources import single
from tests.bot.store.sample import NEW
from tests.bot.table.desk import stored

ACTS: tuple[Act, ...] = (
    NoteGone(1 << 60),
    NoteBack(3),
    GoAway(),
    Forget(3, 1 << 62, "Player 4"),
    GiveTips(("roll", "plan.0.1")),
    StopTips(),
    Join("Ann ✨", "red", "four leaves"),
    AddPhrase("five"),
    Leave(),
    AddComputer("easy", fill=True),
    SetLevel("hard"),
    RemoveComputer(),
    Rename("Anna"),
    Cancel(),
    Close("Mod"),
    Start("closing"),
    Propose(PACE, 3600, DECIDE),
    AskForSeat("Eve", 2),
    Agree(PACE, 3),
    Object(PACE, 0),
    SetOptions(
        {
            "look": Pictures(dark=True),
            "pace": 3600,
            "hints": False,
            "expiry": DECIDE,
            "scenario": "islands",
            "variants": ("friendly-robber", "pirate"),
            "option.map": "large",
            "round_limit": 10,
            "anyone_starts": True,
        }
    ),
    GiveOrders(
        {"roll": True, "keep": None, "never": (0, 4), "refused": (-1, 1 << 60), "least": 2, "building": ("city",)}
    ),
    GiveOrders({"keep": (1,)}),
    CarryOut(0),
    Move(7, anybody=True, busy=NEW),
    CallItOff("Mod"),
    TakeUp(NEW),
    Warn(1.5),
    PutAway(OVER, 1e9),
    Played(ORDER),
    Replace(3, "easy", left=True, unseen=2.0),
    PlayAgain(),
    OfferSeat(3, "Cem", 4),
    TakeSeat("Eve", 1),
    DeclineSeat("Eve", 1),
    LookAfter(1.5, {3: Elsewhere(1, 2.5, first=True), -4: Elsewhere()}, 9.5),
    PostWish(single(1), single(2)),
    WithdrawWish(),
    Snapshot(NEW),
)


@pytest.mark.parametrize("act", ACTS, ids=lambda act: type(act).__name__)
def test_an_act_is_stored_with_all_its_details(act: Act) -> None:
    stored(Entry(7, 8, 9, 1.5, 11, act, "i", (), ((1.0, 2.0), (3.0, 1.0))))


def test_each_kind_of_act_is_stored_under_its_own_name() -> None:
    act_kinds: list[type[Act]] = [*kinds().values(), Played, Snapshot]
    assert len({act.kind for act in act_kinds}) == len(act_kinds)
    assert {act.__name__ for act in (*act_kinds, Play, GameAct, LobbyAct)} == _names(Act)
    assert {type(act) for act in ACTS} == {*act_kinds}
    for kind in act_kinds:
        for part in fields(kind):  # type: ignore[arg-type]
            values = [getattr(act, part.name) for act in ACTS if type(act) is kind]
            assert any(value != part.default for value in values), f"{kind.__name__}.{part.name} is tried here"


@pytest.mark.parametrize(
    ("kind", "body", "error"),
    [
        ("sing", {}, UnknownInput),
        ("back", {"mood": 1}, MalformedInput),
        ("back", {"do": {"user": 3, "mood": 1}}, UnknownInput),
        ("back", {"do": {}}, MalformedInput),
        ("orders", {"do": {"changes": {"sing": True}}}, UnknownInput),
        ("look", {"do": {"elsewhere": [3]}}, MalformedInput),
    ],
)
def test_unknown_and_malformed_entries_are_refused(kind: str, body: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        entry_in(7, 8, 9, 1.5, 11, kind, json.loads(json.dumps(body)))


def _names(kind: type[Act]) -> set[str]:
    """The names of all classes in `bot` that are derived from it."""
    subclasses = [subclass for subclass in kind.__subclasses__() if subclass.__module__.startswith("bot.")]
    return {name for subclass in subclasses for name in (subclass.__name__, *_names(subclass))}
