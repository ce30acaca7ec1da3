"""What a newer version has written is no damage: this version says so, leaves it as it is, and makes way."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from bot.projections import COMMITMENT, PANEL, State
from bot.store import MustEnd, Newer
from bot.store.sql.rows import _checksum, record_sum
from engine.config import FORMAT
from tests.bot.noted import noted
from tests.bot.playground import ANN, BOB, CEM, Playground
from tests.bot.service.tables import paced
from tests.bot.store.behind import ask

NEWER: dict[str, tuple[str, Any]] = {
    "a wait": ("waits", lambda waits: [{**wait, "mood": 1} for wait in waits]),
    "a choice's part": ("choices", lambda choices: {**choices, "missed": [{"user": 1, "mood": 1}]}),
    "a configuration": ("config", lambda config: {**config, "weather": "rain"}),
    "a format": ("config", lambda config: {**config, "format": FORMAT + 1}),
    "an action": ("records", lambda record: {**record, "do": ["sing", 1]}),
    "an action's new value": ("records", lambda record: {**record, "do": [*record["do"], 1]}),
    "another type in an action": ("records", lambda record: {**record, "do": [record["do"][0], {"place": 1}]}),
    "another type in a draw": ("records", lambda record: {**record, "draws": [["dice", 0, 6, [1, 2]]]}),
    "another type in a wait": ("waits", lambda waits: [{**wait, "until": "noon"} for wait in waits]),
    "another type in a choice": ("choices", lambda choices: {**choices, "pace": {"hours": 1}}),
    "another type in a configuration": ("config", lambda config: {**config, "target": [10, 12]}),
    "a draw": ("records", lambda record: {**record, "draws": [["wind", 0, 6, 1]]}),
}


async def write(ground: Playground, column: str, change: Any) -> None:
    """Change what is stored of game 1 as a newer version would, with the right checksum."""
    table, key = ("records", "body") if column == "records" else ("games", column)
    where = "game = 1 AND number = 1" if column == "records" else "number = 1"
    [row] = await ask(ground.store, f"SELECT * FROM {table} WHERE {where}")
    text = json.dumps(change(json.loads(row[key])))
    if column == "records":
        checksum = record_sum(1, 1, row["actor"], text)
    else:
        members = await ask(ground.store, "SELECT * FROM members WHERE game = 1 ORDER BY position")
        people = [(m["user"], m["color"], m["asked"], m["phrase"], m["interaction"], m["level"]) for m in members]
        checksum = _checksum({name: row[name] for name in row.keys()} | {key: text}, people)  # noqa: SIM118
    update = f"UPDATE {table} SET {key} = ?, checksum = ? WHERE {where}"
    await ask(ground.store, update, text, checksum)


@pytest.mark.on_databases
@pytest.mark.parametrize("what", NEWER)
async def test_a_game_that_a_newer_version_wrote_is_not_called_damaged(
    ground: Playground, what: str, caplog: pytest.LogCaptureFixture
) -> None:
    table = await paced(ground)
    game = await ground.game(table.number)
    user = table.user_at(game, game.to_act[0])
    await ground.play(table.number, user, game.options(game.to_act[0]).sample(random.Random(1)))
    column, change = NEWER[what]
    await write(ground, column, change)
    ground.services.repository.drop_cache()
    for _ in range(2):
        with pytest.raises(Newer) as refused:
            await ground.services.repository.game(table.number)
        assert (refused.value.code, refused.value.params) == ("newer", {"number": table.number})
    lines = [record.getMessage() for record in caplog.records if "Game 1 can't" in record.getMessage()]
    assert len(lines) == 1
    assert "a newer version" in lines[0]
    assert "backup" not in lines[0]


@pytest.mark.parametrize("ground", ["postgresql"], indirect=True)
async def test_a_process_that_sees_a_newer_schema_must_end(ground: Playground) -> None:
    await ground.store.check()
    errors: list[MustEnd] = []
    ground.store.on_must_end(errors.append)
    await ask(ground.store, "INSERT INTO schema_version (number) VALUES (999)")
    with pytest.raises(MustEnd, match="newer version"):
        await ground.store.check()
    assert len(errors) == 1


@pytest.mark.parametrize("ground", ["postgresql"], indirect=True)
async def test_new_games_use_a_format_that_all_running_processes_can_play(ground: Playground) -> None:
    now = ground.now()
    await ground.store.share(now, now + 500, {})
    assert (await ground.lobby(ANN, BOB, CEM)).config.format == FORMAT
    older = "INSERT INTO processes (run, process, held_until) VALUES ('discord', 'older', ?)"
    await ask(ground.store, older, now + 500)
    table = await ground.begun(ANN, BOB, CEM, channel=51)
    assert table.config.format == 3
    ground.clock += 600  # the older process is gone
    assert (await ground.begun(ANN, BOB, CEM, channel=52)).config.format == FORMAT


@pytest.mark.on_databases
async def test_what_is_in_an_unknown_state_might_be_there(ground: Playground) -> None:
    number = (await ground.lobby(ANN, BOB)).number
    await ground.store.note(number, [noted(PANEL, 1, 7, 8)])
    await ask(ground.store, "UPDATE shown SET state = 'floating', version = 0")
    visible = await ground.store.visible(number)
    assert {name: one.state for name, one in visible.items()} == {COMMITMENT: State.POSTING, PANEL: State.REPLACING}
    assert all(one.doubtful for one in visible.values())
