"""A sample table for the tests of the stores."""

from __future__ import annotations

from bot.projections import PANEL
from bot.store import Store
from bot.table.parts import Member
from bot.table.table import LOBBY, Table
from engine.chance import commitment
from engine.config import Config

SEED = bytes(range(32))
MEMBERS = (
    Member(11, "Ann ✨", "red", True, "a phrase", "i1"),
    Member(12, "Bob", "blue", False, "", "i2"),
)
NEW = Table(
    number=0,
    guild=1,
    channel=5,
    status=LOBBY,
    host=11,
    anyone_starts=True,
    config=Config(("red", "blue"), target=8, options=(("a", "b"),)),
    members=MEMBERS,
    commitment="",
    entropy=(),
    version=1,
    created=100.0,
    updated=100.0,
)


async def add(store: Store, table: Table = NEW, interaction: str = "i0") -> Table:
    return await store.add_table(table, SEED, interaction, (PANEL,))


def promise(number: int) -> str:
    return commitment(SEED, str(number))
