"""The wire server itself, as an ordinary discord.py bot in a process of its own sees it."""

import asyncio
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import discord
import pytest
import pytest_asyncio

from tests.wire.calls import Interaction, Request
from tests.wire.messages import Message
from tests.wire.model import EVERYTHING, Permission, Refused
from tests.wire.process import BotProcess
from tests.wire.rates import GlobalLimit, Limit
from tests.wire.sample_bot import PICTURE
from tests.wire.server import WireServer
from tests.wire.users import Human

pytestmark = pytest.mark.asyncio(loop_scope="module")
ARGV = [sys.executable, "-m", "tests.wire.sample_bot"]


@dataclass
class Place:
    """A server with the bot and two people."""

    wire: WireServer
    bot: BotProcess
    alice: Human
    bob: Human


def reply(it: Interaction) -> Message:
    """The message that answers an interaction."""
    assert it.response is not None
    return it.response


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def place(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Place]:
    database = tmp_path_factory.mktemp("wire") / "sample.txt"
    async with WireServer() as wire, BotProcess(wire, ARGV, database) as bot:
        await bot.start()
        yield Place(wire, bot, wire.user("Alice"), wire.user("Bob"))
        assert wire.unserved == []


async def test_commands_are_synced_and_a_subcommand_is_answered(place: Place) -> None:
    assert {c["name"] for c in place.wire.world.commands[0]} >= {"build", "ping", "show"}
    it = await place.alice.slash("build road", {"place": "c4", "length": 2})
    assert (it.kind, it.text, reply(it).only_for) == (4, "2 road at c4", None)
    assert place.wire.messages()[-1] is it.response
    times = it.latency()
    assert 0 < times["head"] <= times["body"] <= times["last"] < 3


async def test_the_simulated_client_refuses_invalid_commands(place: Place) -> None:
    for path, options in (("sail", {}), ("build", {}), ("build road", {}), ("build road", {"place": 4})):
        with pytest.raises(ValueError, match=path.split()[0] if path != "build road" else "place"):
            await place.alice.slash(path, options)


async def test_autocomplete_offers_choices(place: Place) -> None:
    choices = await place.alice.autocomplete("build road", {"place": "c"}, "place")
    assert choices == [{"name": "edge c4", "value": "c4"}, {"name": "edge c5", "value": "c5"}]


async def test_a_mention_notifies_when_allowed_mentions_allows_it(place: Place) -> None:
    it = await place.alice.slash("ping", {"who": place.bob})
    assert reply(it).mentions == [place.bob]
    assert place.wire.world.pings[-1].message is it.response


async def test_a_v2_panel_with_a_picture_is_edited_by_a_dynamic_button(place: Place) -> None:
    shown = reply(await place.alice.slash("show"))
    assert shown.files == {"board.png": PICTURE}
    assert shown.json()["attachments"] == []
    assert shown.alt_texts == ["the board in words"] * 2
    media = shown.components[0]["components"][1]["items"][0]["media"]
    assert (media["width"], media["height"]) == (3, 2)
    it = await place.bob.click(shown, "Roll 1")
    assert it.kind == 7
    assert it.response is shown
    assert (shown.text, list(shown.files)) == ("panel 2", ["board.png"])
    with pytest.raises(LookupError, match="roll:2"):
        await place.bob.click(shown, "roll:1")
    stale = await place.bob.click(shown, "roll:1", stale=True)  # the click was on its way when the edit came
    assert (stale.payload["message"]["components"][0]["components"][0]["content"], stale.text) == (
        "panel 1",
        "panel 2",
    )


async def test_a_button_opens_a_modal_with_text_and_labelled_select(place: Place) -> None:
    controls = reply(await place.alice.slash("controls"))
    with pytest.raises(LookupError, match="can't see"):
        await place.bob.click(controls, "Offer")
    modal = await place.alice.click(controls, "offer")
    assert (modal.kind, modal.data["title"]) == (9, "Offer")
    with pytest.raises(ValueError, match="must have 1 to 20"):
        await place.alice.submit_modal(modal, {"give": "x" * 21})
    with pytest.raises(ValueError, match="has no"):
        await place.alice.submit_modal(modal, {"give": "2 wool", "You want": ["brick"]})
    it = await place.alice.submit_modal(modal, {"give": "2 wool", "You want": ["ore"]})
    assert (it.text, reply(it).only_for) == ("2 wool for ore", place.alice)


async def test_a_select_sends_its_values(place: Place) -> None:
    controls = reply(await place.alice.slash("controls"))
    assert (await place.alice.select(controls, "place", ["C4", "D1"])).text == "C4+D1"
    with pytest.raises(ValueError, match="1 to 2"):
        await place.alice.select(controls, "place", [])


async def test_using_the_wrong_kind_of_control_or_a_missing_one_fails(place: Place) -> None:
    controls = reply(await place.alice.slash("controls"))
    missing: Any = None
    for which in ("offer", "", missing):
        with pytest.raises(LookupError, match="no live"):
            await place.alice.select(controls, which, ["C4"])
    for which in ("place", "", missing):
        with pytest.raises(LookupError, match="no live"):
            await place.alice.click(controls, which)


async def test_deferred_answers_are_filled_in_and_followed_up(place: Place) -> None:
    it = await place.alice.slash("slow")
    assert it.kind == 5
    await place.wire.until(lambda: it.followups)
    assert (it.text, reply(it).files) == ("done\nand more", {"hand.png": PICTURE})
    assert reply(it).only_for is it.followups[0].only_for is place.alice
    controls = reply(await place.alice.slash("controls"))
    later = await place.alice.click(controls, "Later")
    await place.wire.until(lambda: controls.text == "edited later")
    assert (later.kind, len(controls.history)) == (6, 1)


async def test_direct_messages_arrive_with_working_buttons_and_closed_ones_are_refused(place: Place) -> None:
    assert (await place.bob.slash("dm")).text == "sent"
    message = place.wire.dms(place.bob)[-1]
    assert (message.text, message.files) == ("private", {"hand.png": PICTURE})
    modal = await place.bob.click(message, "Offer")
    assert "user" in modal.payload
    for code in (50007, 50278, 40003):
        closed = place.wire.user("Carol" if code == 40003 else "Bob")
        closed.dm_refusal = code
        assert (await closed.slash("dm")).text == f"refused {code}"
        closed.dm_refusal = 0


async def test_channel_messages_are_posted_edited_fetched_and_deleted(place: Place) -> None:
    it = await place.alice.slash("post")
    assert await place.wire.until(lambda: it.text) == "ok"
    posted = [m for m in place.wire.world.messages.values() if m.text == "edited"][-1]
    assert (posted.files, posted.deleted) == ({"board.png": PICTURE}, True)  # the edit kept the file


@pytest.mark.parametrize(
    ("missing", "where", "code"),
    [
        (Permission.SEND_MESSAGES, "dock", 50013),
        (Permission.ATTACH_FILES, "dock", 50013),
        (Permission.ATTACH_FILES, "pier", 50013),
        (Permission.VIEW_CHANNEL, "dock", 50001),
        (Permission.SEND_MESSAGES_IN_THREADS, "pier", 50013),
    ],
)
async def test_requests_without_permission_are_refused_and_interactions_list_permissions(
    place: Place, missing: Permission, where: str, code: int
) -> None:
    channel = getattr(place.wire.world, where)
    await place.wire.forbid(place.wire.world.dock, missing)
    it = await place.alice.slash("post", channel=channel)
    assert int(it.payload["app_permissions"]) == EVERYTHING & ~missing
    text = await place.wire.until(lambda: it.text)
    await place.wire.allow(place.wire.world.dock, EVERYTHING)
    assert text == f"refused {code}"


@pytest.mark.parametrize(
    ("what", "why"),
    [
        ("components", "40 components"),
        ("text", "4000"),
        ("ids", "duplicated"),
        ("content", "cannot be used with"),
    ],
)
async def test_messages_beyond_the_v2_limits_are_refused(place: Place, what: str, why: str) -> None:
    it = await place.alice.slash("big", {"what": what})
    assert it.text.startswith("refused 50035 Invalid Form Body\nIn data.components" if what != "content" else "refused")
    assert (why in it.text, [r.code for r in it.refusals]) == (True, [50035])


async def test_a_second_acknowledgement_is_refused(place: Place) -> None:
    it = await place.alice.slash("twice", {"after": 0.0}, channel=place.wire.world.tavern)
    assert [r.code for r in await place.wire.until(lambda: it.refusals)] == [40060]


async def test_a_late_answer_is_refused_and_the_user_is_told(place: Place) -> None:
    place.wire.interactions.limit = 0.2
    with pytest.raises(TimeoutError, match="did not respond"):
        await place.alice.slash("twice", {"after": 0.4}, channel=place.wire.world.tavern)
    tavern = place.wire.world.tavern
    await place.wire.until(lambda: [m for m in place.wire.messages(tavern) if "10062" in m.text])
    place.wire.interactions.limit = 3.0


async def test_an_interaction_can_be_delivered_twice(place: Place) -> None:
    it = await place.alice.slash("build road", {"place": "d1"}, twice=True)
    await place.wire.until(lambda: [r.code for r in it.requests] == [0, 40060])
    assert place.bot.database.read_text().split().count(str(it.id)) == it.deliveries == 2


async def test_a_rate_limit_and_a_delay_are_waited_out(place: Place) -> None:
    limited = place.wire.fault("POST /channels/.*/messages", 429, retry_after=0.1)
    slow = place.wire.fault("PATCH /channels/", delay=0.1)
    it = await place.alice.slash("post")
    await place.wire.until(lambda: it.text == "ok")
    assert (limited.hits, slow.hits) == (1, 1)
    assert it.requests[-1].answered - it.sent > 0.2


async def test_a_request_that_took_effect_despite_a_server_error_is_retried_without_a_duplicate(place: Place) -> None:
    place.wire.fault("POST /channels/.*/messages", 502, effect=True)
    before = len(place.wire.calls("POST /channels/"))
    it = await place.alice.slash("post")
    await place.wire.until(lambda: it.text == "ok")
    assert [r.status for r in place.wire.calls("POST /channels/")[before:]] == [502, 200]
    assert all(m.text != "posted" for m in place.wire.messages())  # by its nonce the second is the first


async def test_discords_own_rate_limit_holds_the_bot_back(place: Place) -> None:
    place.wire.rates.set("create message", Limit(1, 0.2))
    for _ in range(2):
        it = await place.alice.slash("post", channel=place.wire.world.tavern)
    await place.wire.until(lambda: it.text == "ok")
    posts = [r.at for r in place.wire.calls("POST /channels/") if r.accepted][-2:]
    assert posts[1] - posts[0] >= 0.19
    assert not place.wire.rates.exceeded  # discord.py keeps to the headers


async def test_the_global_limit_holds_the_bot_back_but_not_its_answers(place: Place) -> None:
    place.wire.global_limit = limit = GlobalLimit(3)
    for _ in range(2):
        it = await place.alice.slash("post", channel=place.wire.world.tavern)
        await place.wire.until(lambda it=it: it.text == "ok", 10.0)  # type: ignore[misc]
    place.wire.global_limit = None
    taken = [r.at for r in place.wire.requests if r.accepted and limit.counts(r.path)][-4:]
    assert taken[-1] - taken[0] >= 0.9
    assert limit.exceeded >= 1
    assert not it.refusals


async def test_a_lost_answer_is_an_error_only_for_the_bot(place: Place) -> None:
    place.wire.fault("POST /channels/.*/messages", cut=True, effect=True)
    before = len(place.wire.messages())
    it = await place.alice.slash("post")
    await place.wire.until(lambda: len(place.wire.messages()) == before + 1)
    await place.wire.settled()
    assert it.text == ""


async def test_files_are_kept_by_a_patch_and_dropped_by_a_callback() -> None:
    world = WireServer().world
    message = world.post(world.table, {"content": "x"}, {0: ("a.png", b"1")})
    assert world.edit(message, {"content": "y"}, {}, keep_files=True).files == {"a.png": b"1"}
    assert world.edit(message, {"content": "z"}, {}, keep_files=False).files == {}
    gallery = {"type": 12, "items": [{"media": {"url": "attachment://a.png"}}]}
    v2 = {"flags": 1 << 15, "components": [gallery]}
    panel = world.post(world.table, v2, {0: ("a.png", b"1")})
    listed = [{"id": str(panel.attachments[0].id), "filename": "a.png"}]
    world.edit(panel, {**v2, "attachments": listed}, {}, keep_files=True)
    with pytest.raises(Refused, match="attachment was not found"):
        world.edit(panel, v2, {}, keep_files=False)
    assert (len(panel.history), list(panel.files)) == (1, ["a.png"])


async def test_ids_increase_and_follow_the_clock() -> None:
    now = [1_800_000_000.0]
    wire = WireServer(clock=lambda: now[0])
    ids = [u.id for u in wire.users] + [wire.world.ids() for _ in range(5000)]
    assert ids == sorted(set(ids))
    now[0] += 60
    later = wire.world.ids()
    assert (wire.world.ids.age(ids[0]), wire.world.ids.age(later)) == (60.0, 0.0)
    now[0] -= 3600  # the clock is set back
    assert wire.world.ids() > later
    assert discord.utils.snowflake_time(WireServer().world.ids()) > discord.utils.utcnow() - timedelta(minutes=1)


async def test_an_interaction_token_expires_after_fifteen_minutes() -> None:
    now = [1_800_000_000.0]
    wire = WireServer(clock=lambda: now[0])
    it = Interaction(wire.world.ids(), "token", wire.users[0], wire.world.table, {}, callback={"type": 5})
    it.response = wire.world.loading(wire.world.table, it.user)
    wire.world.interactions[it.token] = it
    now[0] += 899
    wire.interactions.edit(Request("PATCH", "", 0.0, json={"content": "done"}), "", it.token, "@original")
    now[0] += 2
    with pytest.raises(Refused, match="50027"):
        wire.interactions.delete(Request("DELETE", "", 0.0), "", it.token, "@original")
    assert (it.response.text, it.response.deleted) == ("done", False)


@pytest.mark.parametrize("code", [4000, None])
async def test_a_dropped_gateway_is_resumed_with_the_missed_events(place: Place, code: int | None) -> None:
    resumed = place.wire.gateway.resumed
    await place.wire.gateway.drop(code)
    it = await place.alice.slash("build road", {"place": "c5"}, wait=False)
    await place.wire.until(lambda: it.callback, 10)
    assert place.wire.gateway.resumed == resumed + 1
    assert it.text == "1 road at c5"


async def test_a_killed_bot_comes_back_and_old_buttons_work(place: Place) -> None:
    shown = reply(await place.alice.slash("show"))
    await place.bot.kill()
    place.wire.interactions.limit = 0.1
    with pytest.raises(TimeoutError):
        await place.alice.click(shown, "Roll 1")
    place.wire.interactions.limit = 3.0
    await place.bot.start()
    it = await place.alice.click(shown, "Roll 1")
    assert (it.id > shown.id, shown.text) == (True, "panel 2")


async def test_a_bot_that_fails_to_start_shows_its_output(tmp_path: Path) -> None:
    async with WireServer() as wire:
        bot = BotProcess(wire, [sys.executable, "-c", "raise SystemExit('no such sea')"], tmp_path / "x")
        with pytest.raises(RuntimeError, match="no such sea"):
            await asyncio.wait_for(bot.start(), 10)
