"""Knights that answer the robber (L8): the same question for all, a time limit, and nothing that betrays a player."""

from __future__ import annotations

import pytest

from engine.actions import EndTurn, Expire, PassOn, PlayKnight
from engine.record import REFEREE
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_components
from tests.bot.discord.hall import Hall, answer, labels, reply, text
from tests.bot.discord.moments import knights
from tests.bot.discord.tables import interrupted


def wire(hall: Hall) -> list[tuple[str, str]]:
    """The bot's requests except answers to interactions."""
    return [
        (r.method, r.path)
        for r in hall.env.http_requests
        if "/interactions/" not in r.path and "/webhooks/" not in r.path
    ]


async def test_all_players_with_a_card_get_the_same_question_until_a_stated_time(open_hall: Opened) -> None:
    async with open_hall() as hall:
        _, mover, asked = await interrupted(hall)
        panel = await hall.panel()
        closes = int(hall.env.now().timestamp()) + 300
        assert any(f"<t:{closes + d}:R>" in text(panel) for d in (-1, 0, 1))
        assert "Answer the robber" in labels(panel)
        [ping] = [m for m in hall.channel.history() if "answer the robber" in m.content]
        for seat in range(4):
            person = await hall.person(seat)
            assert (f"<@{person.id}>" in ping.content) == (seat in asked)
            result = await person.click(panel, label="Answer the robber")
            assert (labels(reply(result)) == ["Play a knight", "Pass"]) == (seat in asked)
        mine = answer(await (await hall.person(mover)).click(panel, label="Answer the robber"))
        assert "You moved the robber" in mine


async def test_answers_stay_hidden_until_the_last(open_hall: Opened) -> None:
    async with open_hall() as hall:
        game, _, asked = await interrupted(hall)
        panel_text, before = text(await hall.panel()), wire(hall)
        others = [await hall.person(s) for s in range(4)]
        first, *rest = sorted(asked, key=lambda s: s not in knights(game, asked))
        result = await by_components(hall, await hall.person(first), PlayKnight())
        assert "Hidden until everyone has answered" in answer(result)
        again = await (await hall.person(first)).click(await hall.panel(), label="Answer the robber")
        assert "Your answer is saved" in answer(again)
        for seat in rest[:-1]:
            await by_components(hall, await hall.person(seat), PassOn())
        assert wire(hall) == before
        assert text(await hall.panel()) == panel_text
        for seat, person in enumerate(others):
            if seat != first:
                status = await person.slash(hall.channel, "board")
                assert "can answer with a knight" in answer(status)
        await by_components(hall, await hall.person(rest[-1]), PassOn())
        game = await hall.game()
        assert (game.view(None).step.kind, game.to_act) == ("move_robber", (first,))
        assert (await hall.table()).deadline is None
        pings = [m.content for m in hall.channel.history() if "robber" in m.content]
        assert [p for p in pings if "answer the robber" in p] == []
        mention = f"<@{(await hall.person(first)).id}>"
        assert any(mention in p and "move the robber" in p for p in pings)


async def test_the_time_limit_closes_the_window(open_hall: Opened) -> None:
    async with open_hall() as hall:
        game, _, asked = await interrupted(hall)
        await hall.env.advance_time(298)
        assert (await hall.game()).revision == game.revision
        await hall.env.advance_time(4)
        after = await hall.game()
        record = after.records[game.revision]
        assert (record.actor, type(record.action)) == (REFEREE, Expire)
        assert after.view(None).step.kind != "interrupt"
        panel = await hall.panel()
        assert "Answer the robber" not in labels(panel)
        assert "<t:" not in text(panel)
        assert not [m for m in hall.channel.history() if "answer the robber" in m.content]
        late = await (await hall.person(asked[0])).slash(hall.channel, "pass")
        assert answer(late)
        assert (await hall.game()).revision == after.revision


async def test_a_promised_knight_is_played_when_the_time_is_over(open_hall: Opened) -> None:
    async with open_hall() as hall:
        game, _, asked = await interrupted(hall)
        knight = knights(game, asked)[0]
        await by_components(hall, await hall.person(knight), PlayKnight())
        await hall.env.advance_time(301)
        game = await hall.game()
        assert (game.view(None).step.kind, game.to_act) == ("move_robber", (knight,))
        assert "Move the robber" in labels(await hall.panel())


async def test_the_time_limit_survives_a_restart_and_grows_by_the_downtime(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await interrupted(hall)
        await hall.env.advance_time(100)
        before = (await hall.table()).deadline
        assert before is not None
        await hall.bot.close()
        await hall.env.advance_time(1000)
        await hall.restart(closed=True)
        after = (await hall.table()).deadline
        assert after is not None
        assert after.serial == before.serial
        assert after.at == pytest.approx(before.at + 1000, abs=2)
        assert f"<t:{int(after.at)}" in text(await hall.panel()) or f"<t:{int(after.at) + 1}" in text(
            await hall.panel()
        )
        await hall.env.advance_time(205)  # so soon after the restart, the time begins again for people to come back
        assert (await hall.game()).view(None).step.kind == "interrupt"
        await hall.env.advance_time(290)
        assert (await hall.game()).view(None).step.kind == "interrupt"
        await hall.env.advance_time(10)
        assert (await hall.game()).view(None).step.kind != "interrupt"


@pytest.mark.parametrize("holds_knight", [True, False])
async def test_a_click_looks_the_same_with_and_without_a_knight(open_hall: Opened, holds_knight: bool) -> None:
    """The requests after a click on the button don't depend on the cards."""
    async with open_hall() as hall:
        game, _, asked = await interrupted(hall)
        able = knights(game, asked)
        person = await hall.person(next(s for s in asked if (s in able) == holds_knight))
        start = len(hall.env.http_requests)
        result = await person.click(await hall.panel(), label="Answer the robber")
        assert labels(reply(result)) == ["Play a knight", "Pass"]
        sent = [r.method for r in list(hall.env.http_requests)[start:]]
        assert [method for method in sent if method != "DELETE"] == ["POST", "POST"]  # an older answer makes room
        if not holds_knight:
            refused = await person.click(reply(result), label="Play a knight")
            assert "no knight" in answer(refused)
            assert (await hall.game()).revision == game.revision


async def test_the_player_who_moved_the_robber_is_pinged_when_all_have_passed(open_hall: Opened) -> None:
    """Whatever comes next in the turn. The ping goes once they have gone on."""
    async with open_hall() as hall:
        _, mover, asked = await interrupted(hall)
        for seat in asked:
            await by_components(hall, await hall.person(seat), PassOn())
        game = await hall.game()
        assert game.to_act == (mover,)
        person = await hall.person(mover)

        def pings() -> list[str]:
            return [m.content for m in hall.channel.history() if m.content.startswith(f"<@{person.id}> · ")]

        assert game.view(None).step.kind == "main"
        [ping] = pings()
        assert "your turn goes on" in ping
        await by_components(hall, person, EndTurn())
        assert not pings()


async def test_a_window_starts_again_when_a_game_is_moved_from_a_deleted_channel(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await interrupted(hall)
        await hall.env.advance_time(290)
        channel = await hall.room()
        hall.channel = hall.guild.create_text_channel("elsewhere")
        await channel.delete()
        await hall.env.advance_time(1)
        assert "continues here" in answer(await hall.people[1].slash(hall.channel, "game move", game=1))
        await hall.env.advance_time(290)
        assert "Answer the robber" in labels(await hall.panel())
        await hall.env.advance_time(15)
        assert (await hall.game()).view(None).step.kind != "interrupt"
