"""Secrets stay where they belong: what the source of each room can use, and what is refused regardless of the cards."""

from __future__ import annotations

import ast
import logging
import stat
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import bot
from bot.discord import app as discord_app
from bot.discord.show import channels
from bot.settings import Settings
from bot.store import open_store
from engine.actions import BankTrade
from engine.codec import Secret
from engine.config import COLORS, Config
from engine.errors import RefereeError, ReplayError
from engine.game import Game
from engine.record import Record
from engine.resources import single
from tests.bot.discord.conftest import Opened
from tests.bot.discord.conftest import open_hall as open_hall
from tests.bot.discord.hall import answer, reply
from tests.bot.playground import ANN, BOB, Playground
from tests.bot.worlds.plans import Told

BOT = Path(bot.__file__).parent
GAME = {"board", "can_undo", "config", "copy", "decision", "options", "outcome", "play", "records", "revision"}
GAME |= {"awaited", "public_revision", "turn", "view"}
"""Attributes of a game that the front can use: none reveals all hands or the secret answers."""
OTHERS = {"domain.hands", "projection.state", "projections[name].state", "one.state"}
"""Attributes that others share with a game: what a domain's viewer can choose, how far a projection is."""


def sources(*rooms: str) -> Iterator[tuple[Path, ast.AST]]:
    for room in rooms:
        paths = sorted((BOT / room).rglob("*.py"))
        assert paths, f"there is no {room}"
        for path in paths:
            yield path, _tree(path)


@cache
def _tree(path: Path) -> ast.AST:
    return ast.parse(path.read_text("utf-8"))


def test_front_and_words_never_read_a_games_state() -> None:
    """They work with views and use little of a game."""
    for path, tree in sources("discord", "offline", "page", "screens", "words"):
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and ast.unparse(node) not in OTHERS:
                assert node.attr not in ("state", "hands", "last_events", "to_act", "hash", "chance"), (
                    f"{path}: {node.attr}"
                )
                if isinstance(node.value, (ast.Name, ast.Attribute)):
                    name = node.value.id if isinstance(node.value, ast.Name) else node.value.attr
                    assert name != "game" or node.attr in GAME, f"{path}:{node.lineno}: game.{node.attr}"


def test_only_a_few_modules_read_a_games_records() -> None:
    """Records contain every draw, so few places can read them."""
    files = sources("discord", "offline", "page", "screens", "words")
    readers = {path.name for path, tree in files for n in ast.walk(tree) if getattr(n, "attr", "") == "records"}
    assert readers == {"history.py", "pictures.py", "play.py", "proof.py", "__init__.py"}  # the last: of a page


def test_no_module_shows_which_kinds_of_cards_moved() -> None:
    """Stats show only numbers of cards (`engine.log.chronicle.story_of`), so no code imports `flows_of`."""
    for path, tree in sources("."):
        for node in ast.walk(tree):
            assert not (isinstance(node, ast.ImportFrom) and any(name.name == "flows_of" for name in node.names)), path


def test_every_sent_message_says_which_users_it_may_ping() -> None:
    """No one is pinged by accident: the client's default allows no pings, and every `send` names its own."""
    assert dict(channels.SILENT.to_dict()) == {"parse": []}
    for path, tree in sources("discord", "offline", "rehearsal"):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "send":
                assert any(word.arg == "allowed_mentions" for word in node.keywords), f"{path}:{node.lineno}"


async def test_the_client_asks_only_for_servers_and_pings_no_user_by_default(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        assert [name for name, on in hall.bot.intents if on] == ["guilds"]
        assert hall.bot.allowed_mentions == channels.SILENT


async def test_seed_and_draws_stay_secret_while_the_game_runs(open_hall: Opened) -> None:
    """While the game runs, `/game verify` shows no seed and has no file; only the owner can read the database."""
    async with open_hall(3) as hall:
        await hall.begin(hall.people[:2])
        for person in (hall.people[0], hall.people[2]):
            for command in ("game verify",):
                response = await person.slash(hall.channel, command)
                assert (await hall.table()).commitment in answer(response)
                assert "Seed" not in answer(response)
                assert not reply(response).attachments
        files = [path for path in hall.path.parent.glob(f"{hall.path.name}*") if path.suffix != ".commands"]
        assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}


async def test_a_refused_export_and_a_printed_table_dont_reveal_the_seed(ground: Playground) -> None:
    table_ = await ground.begun(ANN, BOB)
    seed = await ground.store.seed(table_.number)
    with pytest.raises(RefereeError) as refused:
        await ground.services.games.export(table_.number)
    game = await ground.game(table_.number)
    for shown in (str(refused.value), repr(refused.value), repr(table_), repr(game), repr(game.chance)):
        assert seed.hex() not in shown
        assert repr(seed) not in shown


@pytest.mark.parametrize("level", ["DEBUG", "INFO", "WARNING"])
def test_the_process_log_never_contains_what_is_sent(
    level: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """At no level: with DEBUG, discord.py would log hands and aiosqlite would log seeds."""

    async def served(settings: Settings) -> None:
        await (await open_store(settings.database)).close()

    root, names = logging.getLogger(), ("discord", "aiosqlite")
    before = root.level, root.handlers[:], [logging.getLogger(name).level for name in names]
    monkeypatch.setattr(discord_app, "_serve", served)
    try:
        discord_app.run(Settings(_env_file=None, log_level=level, database=tmp_path / "games.db"))  # type: ignore[call-arg, arg-type]
        assert root.level == getattr(logging, level)
        for name in ("discord.http", "discord.gateway", "discord.webhook.async_", "aiosqlite"):
            assert not logging.getLogger(name).isEnabledFor(logging.DEBUG)
    finally:
        root.setLevel(before[0])
        root.handlers[:] = before[1]
        for name, old in zip(names, before[2], strict=True):
            logging.getLogger(name).setLevel(old)


def test_printing_a_secret_does_not_reveal_it() -> None:
    assert repr(Secret(3, 1)) == str(Secret(3, 1)) == "Secret(…)"


def test_a_damaged_log_is_refused_without_revealing_a_card() -> None:
    """The error about a damaged log can get into the process's log, so it contains neither draws nor hands."""
    game = Game.new(Config(COLORS[:3]), Told())
    *draws, (kind, ordinal, n, _) = game.records[0].draws
    with pytest.raises(ReplayError) as damaged:
        Game.replay(game.config, [Record(0, -1, None, (*draws, (kind, ordinal, n, 777)))])
    assert "777" not in str(damaged.value)
    with pytest.raises(ReplayError, match=r"^record 1: bank_trade is refused \([a-z-]+\)$") as refused:
        Game.replay(game.config, [game.records[0], Record(1, 0, BankTrade(single(4, 4), single(0, 1)))])
    assert refused.value.__context__ is None


def test_only_modules_that_answer_its_owner_read_an_autopilot() -> None:
    """Only code that answers the owner, or sends the owner's hand, reads an autopilot."""
    files = sources("discord", "offline", "screens", "words")
    readers = {
        path.name
        for path, tree in files
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("services.orders.of")
    }
    assert readers == {"orders.py", "private.py", "history.py"}
