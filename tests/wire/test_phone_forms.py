"""Forms on a phone, which shows one with an id seen before as it was the first time, and forms sent late: nothing is
changed but what the person has changed in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bot.table.options import DECIDE
from engine.terms import StepKind
from tests.wire.calls import MODAL, Interaction
from tests.wire.filled import row
from tests.wire.forms import set_options, set_own
from tests.wire.messages import Message, walk
from tests.wire.party import Person, party

WHERE = "Where: in any channel"


def page(it: Interaction) -> Message:
    """The message that an interaction shows its person."""
    return it.messages[-1]


async def opened(person: Person, it: Interaction, name: str) -> Interaction:
    """The form of a page's button."""
    opener = next(str(c["custom_id"]) for c in page(it).interactive if str(c.get("custom_id")).endswith(f":{name}"))
    return await person.click(page(it), custom_id=opener)


def shows(form: Interaction, field: str) -> list[str]:
    """What a field of an open form shows."""
    component = next(c for c in walk(form.data["components"]) if c.get("custom_id") == field)
    if "options" in component:
        return [option["value"] for option in component["options"] if option.get("default")]
    return [component["value"]] if component.get("value") else []


async def sent_as_before(person: Person, form: Interaction, **values: Any) -> Interaction:
    """Send a form under the id that it had in 0.2.0, without what it shows."""
    components = [row(top, values, {}) for top in form.data["components"]]
    custom_id = form.data["custom_id"].rpartition(":=")[0]
    data = {"custom_id": custom_id, "components": components}
    return await person.party.done(person.human.raw(MODAL, data, source=form.source))


async def test_a_phone_shows_settings_as_they_are_and_a_late_form_changes_only_what_was_changed_in_it(
    tmp_path: Path,
) -> None:
    async with party(tmp_path, people=2, messages=False) as table:
        ann = table.people[0]
        ann.human.phone = True
        settings = await ann.slash(table.channel, "settings")
        early = await opened(ann, settings, "settings")
        assert shows(early, "shared") == ["offer_pings", "listed", "promptness"]
        await set_own(ann, in_words=True, listed=False)
        late = await opened(ann, settings, "settings")
        assert shows(late, "shared") == ["in_words", "offer_pings", "promptness"]
        answer = await ann.submit_modal(early, {"asks": ["ask_to_buy", "ask_to_end"]})
        assert "confirm first" in page(answer).text
        assert shows(await opened(ann, answer, "settings"), "shared") == ["in_words", "offer_pings", "promptness"]
        assert shows(await opened(ann, answer, "settings"), "asks") == ["ask_to_buy", "ask_to_end"]
        await ann.submit_modal(
            early, {"shared": ["offer_pings", "promptness"]}
        )  # without the leaderboard, which is off by now
        assert shows(await opened(ann, answer, "settings"), "shared") == ["in_words", "offer_pings", "promptness"]
        await sent_as_before(ann, early)
        assert shows(await opened(ann, answer, "settings"), "shared") == ["offer_pings", "listed", "promptness"]

        reminding = await opened(ann, answer, "reminders")
        answer = await set_own(ann, begin="22:00", end="8:00", zone="Berlin")
        await ann.submit_modal(reminding, {"reminders": "never"})
        reminding = await opened(ann, answer, "reminders")
        assert [shows(reminding, name) for name in ("reminders", "begin", "end", "zone")] == [
            ["never"], ["22:00"], ["08:00"], ["Europe/Berlin"],
        ]  # fmt: skip


async def test_a_form_opened_before_direct_messages_were_turned_off_does_not_turn_them_on(tmp_path: Path) -> None:
    async with party(tmp_path, people=2, messages=False) as table:
        ann = table.people[0]
        await set_own(ann, dms=True)
        early = await opened(ann, await ann.slash(table.channel, "settings"), "settings")
        assert "dms" in shows(early, "shared")
        await set_own(ann, dms=False)
        answer = await ann.submit_modal(early, {"asks": []})
        assert "My hand by DM: **off**" in page(answer).text


async def test_a_phone_shows_options_as_they_are_and_a_late_form_keeps_newer_ones(tmp_path: Path) -> None:
    async with party(tmp_path, people=2, messages=False) as table:
        await table.gather()
        host = table.people[0]
        host.human.phone = True
        options = await host.slash(table.channel, "game options")
        early = await opened(host, options, "set_rules")
        other = await opened(host, options, "set_rules")
        await host.submit_modal(other, {"variants": ["open-hands"], "target": ["12"]})
        late = await opened(host, options, "set_rules")
        assert (shows(late, "variants"), shows(late, "target")) == (["open-hands"], ["12"])
        await host.submit_modal(early, {"variants": ["keep-a-settlement"]})
        late = await opened(host, options, "set_rules")
        assert shows(late, "variants") == ["open-hands", "keep-a-settlement"]
        assert shows(late, "target") == ["12"]

        pace = await opened(host, options, "pace")
        await host.submit_modal(pace, {"pace": ["86400"]})
        pace = await opened(host, options, "pace")
        await set_options(table, pace=172800)
        answer = await host.submit_modal(pace, {"expiry": DECIDE})
        assert "**Turn timer:** 2 days" in page(answer).text
        assert "the simplest move" in page(answer).text


async def test_a_refused_form_opens_again_with_what_was_changed_in_it_and_all_else_as_it_is_set(tmp_path: Path) -> None:
    async with party(tmp_path, people=2, messages=False) as table:
        await table.gather()
        host = table.people[0]
        host.human.phone = True
        own: Any = {"option.variation": "own"}
        await set_options(table, scenario="big-islands", **own)
        options = await host.slash(table.channel, "game options")
        early, late = [await opened(host, options, "set_land") for _ in range(2)]
        hills, forest, mountains = [int(*shows(early, f"option.{kind}")) for kind in ("hills", "forest", "mountains")]
        refused = await host.submit_modal(early, {"option.hills": [str(hills + 9)], "option.forest": [str(forest + 1)]})
        assert "more than twice as many" in page(refused).text
        await host.submit_modal(late, {"option.mountains": [str(mountains + 1)]})
        again = await table.done(host.human.click(page(refused), "Try again", stale=True))
        assert shows(again, "option.hills") == [str(hills + 9)]
        assert shows(again, "option.mountains") == [str(mountains + 1)]
        answer = await host.submit_modal(again, {"option.hills": [str(hills)]})
        now = await opened(host, answer, "set_land")
        assert shows(now, "option.forest") == [str(forest + 1)]
        assert shows(now, "option.mountains") == [str(mountains + 1)]


async def test_a_late_form_of_the_autopilot_or_of_a_request_keeps_newer_choices(tmp_path: Path) -> None:
    async with party(tmp_path, people=2, messages=False) as table:
        await table.begin(scenario="beginner")
        ann = table.people[0]
        ann.human.phone = True
        autopilot = await ann.slash(table.channel, "auto")
        early = await opened(ann, autopilot, "orders")
        await ann.submit_modal(await opened(ann, autopilot, "orders"), {"does": ["roll", "discards"], "keep": ["4"]})
        await ann.submit_modal(early, {"does": ["end"]})
        late = await opened(ann, autopilot, "orders")
        assert shows(late, "does") == ["roll", "end", "discards"]
        assert shows(late, "keep") == ["4"]

        while (await table.game()).view(None).step.kind is not StepKind.MAIN:
            await table.step()
        game = await table.game()
        asker = await table.person(next(seat for seat in range(2) if seat != game.state.on_turn))
        hand = await asker.slash(table.channel, "hand")
        early = await opened(asker, hand, "wish")
        await asker.submit_modal(await opened(asker, hand, "wish"), {"want": ["0"]})
        posted = await asker.submit_modal(early, {"want": ["1"], "give": ["4"]})
        assert all(sign in page(posted).text for sign in ("brick", "lumber", "ore"))


async def test_a_late_choice_of_channels_keeps_those_that_others_have_chosen(tmp_path: Path) -> None:
    async with party(tmp_path, people=2, messages=False) as table:
        owner, world = table.people[0], table.wire.world
        one, other = [(await owner.slash(table.channel, "server")).messages[0] for _ in range(2)]
        await owner.select(one, [str(world.dock.id)], custom_id=WHERE)
        page = await owner.select(other, [str(world.table.id)], custom_id=WHERE)
        assert f"Where: <#{world.dock.id}>, <#{world.table.id}> and threads there" in page.text
