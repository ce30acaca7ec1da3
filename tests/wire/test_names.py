"""Anyone can choose any name. The person chosen is always the one who was meant; no name does anything in a text."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from engine.actions import AgreeToCallOff, DeclineCard, TakeCard
from engine.domains import Choices
from tests.bot.discord.doing import by_commands
from tests.bot.discord.hall import reply
from tests.wire.calls import Interaction
from tests.wire.forms import set_options
from tests.wire.messages import V2, walk
from tests.wire.model import User
from tests.wire.party import Party, Person, party

NO_EMBEDS = 1 << 2  # a flag of messages
HOSTILE = {
    "[Free nitro](https://evil.example)": "](https://evil",
    "# @everyone discord.gg/x": "@everyone",
    "||x\u3164||": "||x",
    "\u202eevil": "\u202e",
    "no\u200bwidth": "\u200b",
    "Z" + "\u0301" * 32: "\u0301" * 3,
    "**a`b**": "a`b",
    "<@123>": "<@123>",
}
"""Names, each with the part of it that must never be in a text."""


@asynccontextmanager
async def named(folder: Path, *names: str, **options: Any) -> AsyncIterator[Party]:
    """A game of people with these names."""
    async with party(folder, 5, len(names)) as table:
        for person, name in zip(table.people, names, strict=True):
            person.human.name = name
        await table.begin(**options)
        yield table
        log = table.bot.log.read_text()
        assert "ERROR" not in log, log


async def until_victims(table: Party) -> tuple[Person, Choices]:
    """Play until a player chooses from whom the robber takes a card. Returns the player and the victims."""
    for _ in range(600):
        game = await table.game()
        assert game.outcome is None
        if game.view(None).step.kind == "take_card":
            [seat] = game.to_act
            victims = game.options(seat).get(TakeCard)
            if isinstance(victims, Choices):
                return await table.person(seat), victims
        await table.step()
    raise AssertionError("the robber never had a choice")


async def last_action(table: Party, after: int) -> Any:
    """The one action stored after the first `after` records, or None."""
    await table.settled()
    new = (await table.read()).records[after:]
    assert len(new) <= 1
    return new[0]["do"] if new else None


# --- who is meant


@pytest.mark.soak
async def test_a_namesake_is_never_robbed_by_mistake(tmp_path: Path) -> None:
    async with named(tmp_path, "Bob", "**bob**", "BOB", "b\u200bob", edition="1996") as table:
        person, victims = await until_victims(table)
        before = (await table.read()).revision
        typed = await person.slash(table.channel, "robber", player="bob", check=False)
        assert await last_action(table, before) is None
        colors = [player.color for player in (await table.game()).view(None).players]
        assert all(f"({color})" in typed.text for color in colors), typed.text
        picker = await person.click(await table.panel(), label="Steal a card")
        labels = [c["label"] for c in walk(reply(picker).components) if c["type"] == 2]
        assert len(set(labels)) == len(labels) == len(victims) + 1  # the choices include no one
        choices = await person.human.autocomplete("robber", {"player": ""}, "player", channel=table.channel)
        assert len({c["value"] for c in choices}) == len({c["name"] for c in choices}) == len(victims) + 1
        seat = victims.values[-1]
        chosen = next(choice for choice in choices if f"({colors[seat]})" in choice["name"])
        await person.slash(table.channel, "robber", player=chosen["value"])
        assert await last_action(table, before) == ["take_card", seat]


@pytest.mark.soak
async def test_a_player_called_nobody_can_be_chosen_and_differs_from_choosing_no_one(tmp_path: Path) -> None:
    async with named(tmp_path, "nobody", "Nobody", "NOBODY", "no\u200bbody", edition="1996") as table:
        person, victims = await until_victims(table)
        before = (await table.read()).revision
        typed = await person.slash(table.channel, "robber", player="nobody", check=False)
        assert await last_action(table, before) is None
        assert "no one at all" in typed.text
        choices = await person.human.autocomplete("robber", {"player": ""}, "player", channel=table.channel)
        assert len(choices) == len(victims) + 1
        color = (await table.game()).view(None).players[victims.values[-1]].color
        chosen = next(choice for choice in choices if f"({color})" in choice["name"])
        await person.slash(table.channel, "robber", player=chosen["value"])
        assert await last_action(table, before) == ["take_card", victims.values[-1]]


@pytest.mark.soak
async def test_reserved_words_that_could_name_a_player_are_refused(tmp_path: Path) -> None:
    async with named(tmp_path, "blue", "red", "Ann", "Ben", edition="1996") as table:
        person, _ = await until_victims(table)
        before = (await table.read()).revision
        for typed in ("Zoe", "<@999>", "<@!1>", "", "²", "[x](http://y.z)", "@everyone"):
            it = await person.slash(table.channel, "robber", player=typed, check=False)
            assert all(f"{name} (" in it.text for name in ("blue", "red", "Ann", "Ben")), (typed, it.text)
            assert "](" not in it.text
            assert "@everyone" not in it.text
        users = {p.human.name: p.id for p in table.people}
        game = await table.game()
        stored = await table.read()
        for color in ("blue", "red"):
            seat = next(p.seat for p in game.view(None).players if p.color == color)
            if stored.table.members[game.state.order[seat]].user != users[color]:
                it = await person.slash(table.channel, "robber", player=color, check=False)
                assert "could be" in it.text
        assert await last_action(table, before) is None
        await person.slash(table.channel, "robber", player="Nobody", check=False)
        assert await last_action(table, before) == DeclineCard().to_json()


# --- what a name does in a text


def all_texts(table: Party) -> Iterator[str]:
    """All that anyone could read: messages with their earlier states, suggestions, and text files."""
    for message in table.wire.world.messages.values():
        if message.author is table.wire.world.bot:
            for state in [message.json(), *message.history]:
                yield from _texts(state["components"])
                yield state.get("content") or ""
            yield from message.alt_texts
            yield from (data.decode() for name, data in message.files.items() if name.endswith(".txt"))
    for it in table.wire.world.interactions.values():
        if it.kind == 8:
            yield from (choice["name"] for choice in it.data["choices"])


def _texts(components: list[Any]) -> Iterator[str]:
    for component in walk(components):
        yield from (str(component[key]) for key in ("content", "label", "placeholder") if component.get(key))
        yield from (str(option["label"]) for option in component.get("options", []))


async def refusals(table: Party) -> list[Interaction]:
    """Answers to commands that must be refused with a name, tried by all people."""
    answers = []
    stranger = User(table.wire.world.ids(), "[x](http://y.z)")
    view = (await table.game()).view(None)
    taken = [n for p in view.players[:2] for n in range(200) if p.settlements >> n & 1]
    places = [view.board.grid.node_names[n] for n in taken]
    for person in table.people:
        ways: list[tuple[str, dict[str, Any]]] = [
            ("robber", {"player": person.human.name}),
            ("robber", {"player": "Bob](http://x.y)"}),
            ("trade confirm", {"offer": "1", "player": person.human.name}),
            ("trade accept", {"offer": "²"}),
            ("trade offer", {"give": "1 ore", "get": "1 wool", "to": stranger.name}),
            ("discard", {"cards": "[x](http://y.z)"}),
            ("build city", {"place": "[x](http://y.z)"}),
            ("build road", {"place": "||C4||-@everyone"}),
            ("game timer", {"time": "[x](http://y.z)"}),
            *(("build settlement", {"place": place}) for place in places),
            ("end", {}),
            ("board", {}),
            ("game log", {}),
            ("board", {}),
        ]
        for command, values in ways:
            answers.append(await person.slash(table.channel, command, check=False, **values))
    return answers


async def test_names_have_no_effect_in_texts(tmp_path: Path) -> None:
    async with party(tmp_path, 5, len(HOSTILE)) as table:
        for person, name in zip(table.people, HOSTILE, strict=True):
            person.human.name = name
        host, other, *_ = table.people
        await host.slash(table.channel, "game new", color="red")
        await set_options(table, scenario="peanut")
        for person in table.people[1:]:
            await person.slash(table.channel, "game join")
        taken = await other.slash(table.channel, "game join", color="red")
        assert "already has" in taken.text
        hosted = await other.slash(table.channel, "game timer", time="1 day")
        assert "Only the host" in hosted.text
        await table.settled()
        await host.click(await table.panel(), label="Start")
        await table.settled(1)
        for _ in range(40):
            await table.step()
        assert all(it.text for it in await refusals(table))
        await table.people[0].human.autocomplete("game log", {"game": ""}, "game")
        for person in table.people:
            await by_commands(table, person, AgreeToCallOff())
        await host.slash(table.channel, "game verify")
        await host.slash(table.channel, "game log")
        texts = list(all_texts(table))
        assert len(texts) > 200
        posts = [message for message in table.wire.world.messages.values() if message.author is table.wire.world.bot]
        plain = [message for message in posts if not message.flags & V2]
        assert plain
        assert all(message.flags & NO_EMBEDS for message in plain)
        for bad in (*HOSTILE.values(), "](http://", "[x]", "discord.gg", "evil.example", "\u3164"):
            assert [text for text in texts if bad in text] == []
        log = table.bot.log.read_text()
        assert "ERROR" not in log, log
