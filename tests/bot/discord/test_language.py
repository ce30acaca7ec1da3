"""Whole games in made-up languages: every text that people get has gone through the seam (architecture: Languages)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import discord
import pytest
from discord import app_commands

from bot import languages, plaintext
from bot.discord.features import FEATURES
from bot.discord.show import messages as layouts
from bot.discord.talk import commands, door
from bot.words.language import speaking
from engine.config import COLORS, EDITIONS
from engine.scenarios import SCENARIOS
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_commands, by_components
from tests.bot.discord.hall import Hall, answer, reply, text
from tests.bot.discord.moves import plan, play_each
from tests.bot.discord.tongues import all_read, make_up, read_locales, texts
from tests.bot.words.pseudo import FalseFriend, Language, Long, Pseudo, Shipped, untranslated

NAMES = ("Ann", "Bob", "Cem", "Dot", "Eve", "Fay")
OURS = {*NAMES, "Manage", "Channels", "English"}
"""Words that stay as they are: names of people, of Discord's permissions, and of languages."""


NARROW = {wide: wide - 0xFEE0 for wide in range(0xFF21, 0xFF5B)}


def sent(hall: Hall) -> set[str]:
    """All texts that were sent so far, without descriptions of commands."""
    bodies = [request.json for request in hall.env.http_requests if not request.path.endswith("/commands")]
    return {text for data in bodies for text in texts(data)}


@contextmanager
def spoken(language: Language, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Have the bot write in a language, and the tests find buttons by their labels in it. Yields the cut texts."""
    import simcord.actors

    click, shortened = simcord.actors.MemberActor.click, list[str]()

    async def find(self: Any, message: Any, *, label: str | None = None, **how: Any) -> Any:
        return await click(self, message, label=language.gettext(label) if label else label, **how)

    def cut(text: str, limit: int) -> str:
        if len(text) > limit:
            shortened.append(text)
        return plaintext.cut(text, limit)

    monkeypatch.setattr(simcord.actors.MemberActor, "click", find)
    for module in (layouts, door, commands):
        monkeypatch.setattr(module, "cut", cut)
    all_read(monkeypatch, language)
    with speaking(language):  # what the test types
        yield shortened


LOOKS = (
    "hand",
    "hint",
    "stats",
    "settings",
    "leaderboard",
    "profile",
    "board",
    "game log",
    "game rules",
    "game options",
)
GAMES = [
    (Pseudo(), "islands", "2007", ("separate-phases", "vp-cards-played", "friendly-robber")),
    (Long(), "extension", "1996", ("knight-interrupt", "optional-robber", "pirate")),
    (FalseFriend(), "base", "2007", ("open-hands", "build-ends-trade")),
    *(pytest.param(Shipped(code), "base", "2007", (), marks=pytest.mark.soak) for code in languages.codes()),
]


@pytest.mark.parametrize(("language", "scenario", "edition", "rules"), GAMES)
async def test_a_whole_game_can_be_played_in_any_language(
    open_hall: Opened,
    monkeypatch: pytest.MonkeyPatch,
    language: Language,
    scenario: str,
    edition: str,
    rules: tuple[str, ...],
) -> None:
    """Nothing bypasses the seam, no label is cut, and typed and suggested values still work."""
    players = max(SCENARIOS[scenario].players)
    with spoken(language, monkeypatch) as shortened:
        async with open_hall(players) as hall:
            await _play(hall, scenario, edition, rules)
            ignored = OURS | {scenario, *COLORS, *EDITIONS} - set(COLORS)
            bypassed = {text for text in sent(hall) if untranslated(strip(text), ignored)}
            assert not bypassed or not isinstance(language, Pseudo)
    assert shortened == []


async def _play(hall: Hall, scenario: str, edition: str, rules: tuple[str, ...]) -> None:
    """Play a game from its lobby to its rematch, by buttons and by commands, and try much that is shown or refused.
    What happens again and again is left out: texts about events are tested with the words."""
    ann, *others = hall.people
    await ann.slash(hall.channel, "game new")
    await hall.options(scenario=scenario, edition=edition, target=4, variants=rules)
    for person in others:
        await person.slash(hall.channel, "game join")
    await ann.click(await hall.panel(), label="Lucky words")
    page = reply(await ann.click(await hall.panel(), label="Options"))
    for sheet in ("Rules and points", "Turn timer", "Table and pictures"):
        await ann.click(page, label=sheet)
    for sheet in ("Your settings", "Building between turns", "Reminders", "Vacation"):
        await ann.click(reply(await ann.slash(hall.channel, "settings")), label=sheet)
    await ann.click(await hall.panel(), label="Start")
    start = await hall.game()
    moves = min((plan(start, seed, offers=True) for seed in range(6)), key=len)
    middle = len(moves) // 2
    await play_each(hall, by_components, moves[:middle])
    table, game = await hall.table(), await hall.game()
    busy = (*game.to_act, game.view(None).undo)  # a player who has just ended their turn could undo that
    idle = [person for person in hall.people if table.seat_of(game, person.id) not in busy]
    for person in idle[:2]:
        for command in LOOKS:
            await person.slash(hall.channel, command)
        orders = reply(await person.slash(hall.channel, "auto"))
        for sheet in ("What to do for me", "What to decline"):
            await person.click(orders, label=sheet)
        more = reply(await person.click(await hall.panel(), label="More"))
        await person.click(more, label="Pause, leave, change…")
        for wrong in ("roll", "end", "undo", "pass", "build card", "play knight", "trade done"):
            await person.slash(hall.channel, wrong)
        await person.slash(hall.channel, "build settlement", place="A1")
        await person.slash(hall.channel, "trade offer", give="9 ore", get="x")
    await play_each(hall, by_commands, moves[middle:])
    for command in ("game verify", "game rematch"):
        await ann.slash(hall.channel, command)


@pytest.mark.parametrize("table_is_foreign", [True, False])
async def test_public_messages_are_in_the_language_of_the_table_and_answers_in_each_persons(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch, table_is_foreign: bool
) -> None:
    async with open_hall(3) as hall:
        make_up(monkeypatch, xx=Pseudo())
        ann, bob, cem = hall.people
        read_locales(monkeypatch, {ann.id: "xx"} if table_is_foreign else {bob.id: "xx", cem.id: "xx"})
        opened = await ann.slash(hall.channel, "game new")
        label = Pseudo().gettext if table_is_foreign else str
        for person in (bob, cem):
            await person.click(await hall.panel(), label=label("Join"))
        await ann.click(await hall.panel(), label=label("Start"))
        hands = [reply(await person.slash(hall.channel, "hand")) for person in hall.people]
        public_text = "".join(text(m) for m in hall.channel.history() if not m.flags.ephemeral)
        assert label("Shuffling") in public_text
        assert is_foreign(public_text) == table_is_foreign
        assert is_foreign(answer(opened)) == table_is_foreign
        assert [is_foreign(text(hand)) for hand in hands] == [table_is_foreign, *[not table_is_foreign] * 2]


def is_foreign(said: str) -> bool:
    """Whether all of a text is in `Pseudo`; that none of it is, otherwise, is checked."""
    found = not untranslated(said, OURS)
    assert found or not any(letter in NARROW for letter in map(ord, said)), said
    return found


class Shouting(app_commands.Translator):
    """Translates German texts into capitals with marks at their end; names stay as they are."""

    def __init__(self, marks: str) -> None:
        self.marks = marks

    async def translate(self, string: Any, locale: discord.Locale, context: Any) -> str | None:
        named = context.location.name.endswith("_name")
        return None if named or locale is not discord.Locale.german else f"{string.message.upper()}{self.marks}"


async def test_the_payload_of_commands_changes_with_their_translation(open_hall: Opened) -> None:
    async with open_hall(1) as hall:
        tree = hall.bot.tree
        payloads = [await tree.payload()]
        for marks in ("!", "?"):
            await tree.set_translator(Shouting(marks))
            payloads.append(await tree.payload())
        assert "ROLL THE DICE?" in str(payloads[-1])
        assert payloads[0] != payloads[1] != payloads[2]


def strip(text: str) -> str:
    """The text without names of files, which are in no language."""
    return re.sub(r"game-\d+\.\w+", "", text)


def test_every_command_description_can_be_collected_for_translation() -> None:
    """Discord shows them in the reader's language if there is a catalog."""
    from tests.bot.words.marked import messages

    collected = {forms[0] for forms in messages()}
    for feature in FEATURES:
        for command in feature.commands:
            for description in described(command):
                assert description in collected, description


def described(command: Any) -> Iterator[str]:
    """The descriptions of a command or group, and of everything in it. Commands in a menu have only a name."""
    yield str(getattr(command, "description", command.name))
    for inner in getattr(command, "commands", ()):
        yield from described(inner)
    for parameter in getattr(command, "parameters", ()):
        yield str(parameter.description)


async def test_descriptions_and_choices_are_translated_and_names_are_not(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_up(monkeypatch, de=Pseudo())
    async with open_hall(1) as hall:
        game = next(command for command in await hall.bot.tree.payload() if command["name"] == "game")
        [new] = [option for option in game["options"] if option["name"] == "new"]
        [color] = [option for option in new["options"] if option["name"] == "color"]
        assert not any(named.get("name_localizations") for named in (game, new, color))
        assert new["description_localizations"]["de"] == Pseudo().write("Open a table in this channel")
        assert color["choices"][0]["name_localizations"]["de"] == Pseudo().write(color["choices"][0]["name"])
