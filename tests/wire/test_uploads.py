"""Uploads: no picture that a message has already, and none twice because a text came back changed."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path

from tests.wire.openings import main_step, on_turn
from tests.wire.party import Party, party


def uploads(table: Party) -> Counter[tuple[int, str]]:
    """How often each file was sent to each message by edits, by message id and the file's digest."""
    sent = Counter[tuple[int, str]]()
    for request in table.wire.requests:
        it = request.interaction
        number = request.path.rpartition("/")[2]
        message = int(number) if number.isdigit() else 0
        if number == "@original" and it is not None and it.response is not None:
            message = it.response.id
        if message and request.accepted:
            sent.update((message, hashlib.sha256(data).hexdigest()) for _, data in request.files.values())
    return sent


async def test_an_edit_uploads_no_file_that_the_message_already_has(tmp_path: Path) -> None:
    async with party(tmp_path) as table:
        await table.begin()
        for _ in range(25):
            await table.step()
        await table.panel_current()
        sent = uploads(table)
        assert sum(sent.values()) > 10
        assert max(sent.values()) == 1


async def test_a_picture_removed_by_a_moderator_is_sent_again(tmp_path: Path) -> None:
    async with party(tmp_path, position=await main_step(tmp_path)) as table:
        await table.step()
        await table.panel_current()
        panel = await table.panel()
        panel.attachments.clear()  # by a moderator
        for person in table.people:
            await person.slash(table.channel, "trade want", get="wool", check=False)
        await table.panel_current()
        refused = [request for request in table.wire.requests if request.code == 50035]
        assert len(refused) == 1
        table.wire.requests.remove(refused[0])


async def test_a_message_whose_text_discord_changes_is_not_edited_again(tmp_path: Path) -> None:
    async with party(tmp_path) as table:
        table.wire.world.rewrites.append(lambda text: text.replace("·", "-"))
        await table.people[0].slash(table.channel, "game new")
        await table.settled()
        [lobby] = table.panels()
        assert "-" in lobby.text
        assert lobby.history == [], "it was edited"


async def test_panels_and_hands_are_posted_if_edits_take_no_new_files(tmp_path: Path) -> None:
    """discord-api-docs #7529, an open bug for some clients."""
    async with party(tmp_path, people=2, messages=False) as table:
        table.wire.world.losing_uploads = frozenset({"edit", "update"})
        await table.begin()
        for _ in range(6):
            await table.step()
            await table.panel_current()
        for _ in range(2):  # the second replaces the first
            hand = await table.people[0].click(await table.panel(), label="My hand")
            await table.settled()
            mine = [m for m in table.wire.world.messages.values() if m.only_for and "Your hand" in m.text]
            assert [m for m in mine if not m.deleted] == [hand.messages[-1]]
        refused = [request for request in table.wire.requests if request.code == 50035]
        assert len(refused) > 6
        for request in refused:
            table.wire.requests.remove(request)


async def test_a_game_message_stays_until_another_is_posted_in_its_place(tmp_path: Path) -> None:
    async with party(tmp_path, position=await main_step(tmp_path)) as table:
        panel = await table.panel()
        refusals = [table.wire.fault(where, code=50035, times=99) for where in ("PATCH /", "POST /channels/")]
        current = await on_turn(table)  # who can't look for cards
        other = next(person for person in table.people if person is not current)
        await other.human.slash("trade want", {"get": "wool"}, channel=table.channel)
        await table.wire.until(refusals[1].struck(2), 10.0, "posting is tried again")
        assert not panel.deleted
        assert panel.interactive
        for refusal in refusals:
            refusal.times = 0
        await table.panel_current()
        table.wire.requests.clear()
