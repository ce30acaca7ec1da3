"""Whatever arrives is answered by a sentence, privately and in time. Nothing changes and nothing breaks."""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from tests.bot.discord.hall import reply
from tests.wire.calls import AUTOCOMPLETE, COMMAND, COMPONENT, MODAL, Interaction
from tests.wire.commands import STRING, SUB, USER
from tests.wire.forged import ENDS, Forger
from tests.wire.forged_commands import Forged
from tests.wire.forms import set_options
from tests.wire.messages import live, walk
from tests.wire.model import Json
from tests.wire.openings import begun
from tests.wire.party import Party, Person, party

PRIVATE = 1 << 6
ACTING = {"Roll", "End", "Buy", "Accept", "Decline", "Withdraw", "Close", "Pass", "Join", "Leave", "Start", "Undo"}
"""First words of buttons that act immediately."""
STEPS = 6
"""Forged interactions between moves."""


async def look_around(table: Party, forger: Forger) -> None:
    """Let everyone press what opens something, so that the forger sees all kinds of controls and forms."""
    panel = await table.panel()
    forger.learn(panel)
    labels = [c["label"] for c in live(panel.components) if c.get("label")]
    opening = [label for label in labels if label.split()[0] not in ACTING]
    for person in table.people:
        for label in opening:
            with contextlib.suppress(LookupError):
                it = await person.click(await table.panel(), label=label)
                forger.learn(modal=it.data if it.kind == 9 else None)
                for message in it.messages:
                    if message.only_for is not None:
                        forger.learn(message)
    await table.settled()


async def send(table: Party, person: Person, forged: Forged) -> tuple[Interaction | None, str]:
    """Deliver a forged interaction. Also returns what is wrong with the answer, or ""."""
    try:
        it = await person.human.raw(forged.type, forged.data, source=forged.source)
    except TimeoutError:
        return None, "not answered"
    if it.kind in (5, 6):
        try:
            await table.wire.until(lambda: any(not r.path.endswith("/callback") for r in it.requests), 5)
        except TimeoutError:
            return it, "left thinking"
        await table.wire.settled(0.02)
    new = [m for m in it.messages if m is not forged.source]
    if any(m.only_for is not person.human for m in new if not m.deleted):
        return it, "answered in public"
    return it, "broken" if "went wrong" in it.text else ""


async def changed_lawfully(table: Party, person: Person, before: list[Json], after: list[Json]) -> bool:
    """Whether the new records are a single action of this person. That the log replays shows that it is legal."""
    stored = table.last_read
    assert stored is not None
    seats = [s for s in range(len(stored.table.members)) if (await table.person(s)) is person]
    return after[: len(before)] == before and [r["by"] for r in after[len(before) :]] == seats


async def begin(table: Party, seed: int) -> Forger:
    """Begin a game with many kinds of decisions. Returns a forger who has seen its lobby and its turns."""
    people = [person.id for person in table.people]
    forger = Forger(random.Random(seed), table.wire.world.commands[0], people, ENDS, tables=[1])
    host, *others = table.people
    await host.slash(table.channel, "game new")
    await table.settled()
    for person in others:
        await person.click(await table.panel(), label="Join")
    await table.settled()
    await look_around(table, forger)
    await set_options(table, variants=["optional-robber", "knight-interrupt"], edition="1996")
    await host.click(await table.panel(), label="Start")
    await table.settled(1)
    while (await table.game()).view(None).step.kind != "main":
        await table.step()
    await look_around(table, forger)
    return forger


async def campaign(table: Party, seed: int, times: int) -> tuple[Counter[str], Counter[str], list[str]]:
    """Forge interactions in the course of a game. Returns the number by kind, the lawful ones by kind, the faults."""
    rng = random.Random(seed)
    forger = await begin(table, seed)
    kinds, lawful, faults = Counter[str](), Counter[str](), list[str]()
    for n in range(times):
        if n % STEPS == 0:
            for _ in range(3):
                if (await table.game()).outcome is None:
                    await table.step()
            if n % (8 * STEPS) == 0:
                await look_around(table, forger)
        person, forged = rng.choice(table.people), forger.forge()
        before = await table.read()
        kinds[forged.name] += 1
        _, fault = await send(table, person, forged)
        after = await table.read()
        if after.records != before.records:
            if await changed_lawfully(table, person, before.records, after.records):
                lawful[forged.name] += 1
                fault = fault if fault != "left thinking" else ""  # the panel shows what a button has done
                await table.settled()
            else:
                fault = fault or "changed the game"
        if fault:
            faults.append(f"{forged.name}: {fault}: {str(forged.data)[:300]}")
    return kinds, lawful, faults


async def run(folder: Path, seed: int, times: int) -> None:
    """Run a campaign. Nothing can be wrong with any answer."""
    async with party(folder, seed) as table:
        kinds, lawful, faults = await campaign(table, seed, times)
        await table.settled()
        for name, count in sorted(kinds.items()):
            print(f"{count:5} {name}, lawful by chance {lawful[name]}")
        log = table.bot.log.read_text(errors="replace")
        assert faults == []
        assert "Traceback" not in log, log[-3000:]
        assert "ERROR" not in log, log[-3000:]


async def test_suggestions_work_while_another_option_names_no_valid_user(tmp_path: Path) -> None:
    async with party(tmp_path, people=2, messages=False) as table:
        await table.begin()
        give = {"name": "give", "type": STRING, "value": "1 wo", "focused": True}
        options = [give, {"name": "to", "type": USER, "value": "__proto__"}]
        command = next(c for c in table.wire.world.commands[0] if c["name"] == "trade")
        data = {**{key: command[key] for key in ("id", "name", "type")}}
        data["options"] = [{"name": "offer", "type": SUB, "options": options}]
        it, fault = await send(table, table.people[0], Forged("half typed", AUTOCOMPLETE, data))
        assert it is not None
        assert not fault
        assert "choices" in it.data
        assert "ERROR" not in table.bot.log.read_text(errors="replace")


@pytest.mark.parametrize("seed", range(1))
async def test_forged_interactions_are_answered_and_change_nothing(tmp_path: Path, seed: int) -> None:
    await run(tmp_path, seed, 50)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10, 17))
async def test_a_thousand_forged_interactions_are_answered_and_change_nothing(tmp_path: Path, seed: int) -> None:
    await run(tmp_path, seed, 200)


# --- single ones, by name


@pytest_asyncio.fixture
async def table(tmp_path: Path) -> AsyncIterator[Party]:
    """A game in its setup. The bot must log neither an error nor a traceback."""
    async with party(tmp_path, position=await begun(tmp_path)) as found:
        yield found
        log = found.bot.log.read_text()
        assert "ERROR" not in log, log
        assert "Traceback" not in log, log


def warnings(table: Party) -> list[str]:
    """Warnings in the bot's log."""
    return [line for line in table.bot.log.read_text().splitlines() if "WARNING" in line]


EMPTY: tuple[Any, ...] = (
    *(None, [], "x", {}, {"custom_id": "x"}, {"component_type": 2}, {"custom_id": None, "component_type": None}),
    *({"custom_id": ["x"], "component_type": 2}, {"custom_id": "x" * 5000, "component_type": {}, "values": 3}),
)


@pytest.mark.parametrize("kind", [COMMAND, COMPONENT, MODAL])
async def test_an_interaction_with_empty_or_malformed_data_is_answered_in_one_sentence(table: Party, kind: int) -> None:
    for data in EMPTY:
        it, fault = await send(table, table.people[0], Forged("", kind, data, await table.panel()))
        assert it is not None, data
        assert fault == "", data
        assert "Use the latest game message" in it.text or "pick it again" in it.text
    await table.wire.until(lambda: len(warnings(table)) == len(EMPTY))


async def test_an_unknown_button_is_answered_with_a_link_to_the_current_panel(table: Party) -> None:
    panel = await table.panel()
    data = {"custom_id": "of:an:older:version", "component_type": 2}
    it, fault = await send(table, table.people[0], Forged("", COMPONENT, data))
    assert it is not None
    assert fault == ""
    links = [c["url"] for m in it.messages for c in walk(m.components) if c.get("url")]
    assert links == [f"https://discord.com/channels/{table.wire.world.guild_id}/{panel.channel.id}/{panel.id}"]


async def test_a_form_requested_from_a_deleted_message_is_refused_in_a_new_message(table: Party) -> None:
    """A second tap on something that the first tap has closed."""
    person = table.people[0]
    hand = reply(await person.click(await table.panel(), label="My hand"))
    hand.deleted = True
    data = {"custom_id": "hb:form:1::offer", "component_type": 2}
    for _ in range(2):
        it, fault = await send(table, person, Forged("", COMPONENT, data, hand))
        assert it is not None
        assert fault == ""
        assert "settlement" in it.text


async def test_an_offer_number_that_is_not_a_plain_number_is_refused(table: Party) -> None:
    for offer in ("²", "٣", "1e3", "-1", "9" * 6000, "\ud83d", "1_0", "[x](http://y.z)"):
        for command in ("accept", "decline", "cancel"):
            it = await table.people[0].slash(table.channel, f"trade {command}", check=False, offer=offer)
            assert "isn't the number of an offer" in it.text
            assert "](" not in it.text
        values = {"offer": offer, "give": "1 ore", "get": "1 wool"}
        it = await table.people[0].slash(table.channel, "trade counter", check=False, **values)
        assert "isn't the number of an offer" in it.text


@pytest.mark.parametrize(("status", "code"), [(404, 10062), (400, 40060)])
async def test_suggestions_sent_too_late_are_logged_in_one_line(table: Party, status: int, code: int) -> None:
    table.wire.fault("POST /interactions/.*/callback", status, code=code, times=9)
    table.wire.interactions.limit = 1.5
    with pytest.raises(TimeoutError):
        await table.people[0].human.autocomplete("build settlement", {"place": ""}, "place")
    await table.wire.until(lambda: warnings(table))
    await table.wire.settled(0.5)
    assert len(warnings(table)) == 1


@pytest.mark.parametrize(("status", "code"), [(404, 10062), (400, 40060)])
async def test_a_form_sent_too_late_is_logged_in_one_line(table: Party, status: int, code: int) -> None:
    tavern = table.wire.world.tavern
    await table.people[0].slash(tavern, "game new")
    await table.wire.until(lambda: any(m.interactive for m in table.wire.messages(tavern)))
    lobby = next(m for m in table.wire.messages(tavern) if m.interactive)
    table.wire.fault("POST /interactions/.*/callback", status, code=code)
    table.wire.interactions.limit = 1.0
    with pytest.raises(TimeoutError):
        await table.people[0].human.click(lobby, "Lucky words")
    await table.wire.until(lambda: warnings(table))
    await table.wire.settled(0.3)
    assert len(warnings(table)) == 1
