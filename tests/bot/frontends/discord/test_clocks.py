"""A bot whose clock differs from that of a database that it shares doesn't start."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.frontends.discord.client import Harbormaster
from bot.settings import SettingsError
from bot.store.sqlite.store import SqliteStore


@pytest.mark.parametrize(("ahead", "words"), [(20.4, "20 s ahead of"), (-7.0, "7 s behind")])
async def test_a_clock_that_differs_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ahead: float, words: str
) -> None:
    async def told(_: SqliteStore) -> float:
        return ahead

    monkeypatch.setattr(SqliteStore, "ahead", told)
    client = Harbormaster(tmp_path / "games.db")
    with pytest.raises(SettingsError, match=rf"^This machine's clock is {words} that of .*games\.db\. .*NTP\.$"):
        await client.setup_hook()
    assert client.store is None
    await (await SqliteStore.open(tmp_path / "games.db", exclusive=True)).close()
