"""Rules, board, dice, log, export and verification, as people look them up; rematch, undo, resigning, votes to end."""

from __future__ import annotations

import json

from bot.export import load, verified
from bot.page import page as page_of
from bot.service.orders import DELAY
from bot.table.acts.places import CloseUnused, GiveUp
from bot.table.table import ARCHIVED
from bot.words.proof import shortened
from engine.actions import AgreeToEnd, BuildRoad, BuildSettlement, EndTurn, Resign, Undo
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_commands, by_components
from tests.bot.discord.hall import answer, labels, parts, reply, text
from tests.bot.discord.moments import at


async def test_a_finished_game_is_exported_verified_and_played_again(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        await hall.begin(target=3)
        ann = hall.people[0]
        early = await ann.slash(hall.channel, "game verify")
        assert (await hall.table()).commitment in answer(early)
        assert not reply(early).attachments
        await hall.advance(lambda game: game.outcome is not None)
        exported = await ann.slash(hall.channel, "game verify")
        page, file = reply(exported).attachments
        assert (page.filename, file.filename) == ("game-1.html", "game-1.json")
        data = json.loads(await file.read())
        assert verified(load(json.dumps(data))).outcome is not None
        assert await page.read() == page_of(data)
        assert shortened(data["seal"]) in "".join(text(m) for m in hall.channel.history())
        assert all(words in answer(exported) for words in ("Verified", data["seed"], data["seal"]))
        assert "'" not in answer(exported).rpartition("Points at the end: ")[2].partition("\n")[0]
        panel_text = text(await hall.panel())
        assert " points!" in panel_text
        assert "First to 3 · turn " in panel_text
        assert all(panel_text.count(f"**{person.name.title()}** · **") == 1 for person in hall.people[:3])
        await hall.people[1].click(await hall.panel(), label="Rematch")
        table = await hall.table()
        assert (table.number, len(table.members), table.host) == (2, 1, hall.people[1].id)
        invitation = await hall.panel()
        assert "rematch of game 1" in text(invitation)
        assert {user.id for user in invitation.mentions} == {hall.people[0].id, hall.people[2].id}
        refused = await hall.people[1].click(await hall.panel(), label="Start")
        assert "at least 2 players" in answer(refused)
        for person in (hall.people[0], hall.people[2]):
            await person.click(await hall.panel(), label="Join")
        assert "seat kept" not in text(await hall.panel())
        assert "Join" in labels(await hall.panel())
        await hall.people[1].click(await hall.panel(), label="Start")
        assert (await hall.game()).view(None).step.kind == "setup"


async def test_an_archived_game_that_no_one_resumes_ends_with_its_seal_and_calls_no_one(open_hall: Opened) -> None:
    """Only where the host has old games deleted; otherwise it can be resumed forever."""
    async with open_hall(3) as hall:
        await hall.begin()
        await hall.advance(lambda game: game.view(None).turn > 2)
        table = await hall.table()
        acts = hall.services.games.act
        archived = (await acts(table.number, 0, CloseUnused(ARCHIVED, table.updated))).table
        await hall.bot.app.publisher.idle()
        notice = await hall.panel()
        assert "Resume" in labels(notice)
        await acts(table.number, 0, GiveUp(archived.updated))
        await hall.bot.app.publisher.idle()
        data = await hall.services.games.export(table.number)
        new = [message for message in hall.channel.history() if message.id > notice.id]
        assert shortened(data["seal"]) in "".join(map(text, new))
        assert not any(message.mentions for message in new)
        assert "Voided" in text(await hall.panel())
        assert labels(hall.message(notice.id)) == []


async def test_whoever_presses_rematch_after_the_first_joins_the_new_table(open_hall: Opened) -> None:
    async with open_hall(4) as hall:
        ann, bob, cleo, onlooker = hall.people
        await ann.slash(hall.channel, "game new")
        await hall.options(target=3)
        for person in (bob, cleo):
            await person.click(await hall.panel(), label="Join")
        await ann.click(await hall.panel(), label="Start")
        await hall.advance(lambda game: game.outcome is not None)
        ended = await hall.panel()
        await bob.click(ended, label="Rematch")
        joined = await ann.click(ended, label="Rematch")
        assert "The rematch is table 2. You're" in answer(joined)
        await bob.click(ended, label="Rematch")
        await onlooker.click(ended, label="Rematch")
        assert "The rematch is table 2" in answer(await cleo.slash(hall.channel, "game rematch"))
        table = await hall.table()
        assert (table.number, table.host) == (2, bob.id)
        assert table.users == (bob.id, ann.id, onlooker.id, cleo.id)


async def test_the_log_hides_other_players_development_cards(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        await hall.begin()
        await hall.advance(lambda game: any(sum(p.played) for p in game.view(None).players))
        response = await hall.people[0].slash(hall.channel, "game log")
        assert "Setup" in (await reply(response).attachments[0].read()).decode()
        seat = (await hall.viewer(hall.people[0])).seat
        logged = (await reply(response).attachments[0].read()).decode().splitlines()
        name = (await hall.viewer(hall.people[0])).names[seat or 0]
        for line in logged:
            if "bought a development card" in line and name not in line:
                assert "(" not in line


async def test_players_and_onlookers_can_look_up_rules_board_and_dice(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        await hall.begin(target=7)
        await hall.advance(lambda game: game.view(None).turn > 5)
        onlooker = hall.guild.add_member(hall.env.create_user("zoe"))
        for person in (hall.people[0], onlooker):
            topics = await person.autocomplete(hall.channel, "game rules", "topic", "road")
            assert topics
            rules = await person.slash(hall.channel, "game rules", topic="goal")
            assert "7 points" in answer(rules)
            other = await person.select(reply(rules), ["building"])
            assert "Settlement" in answer(other)
            assert "round" in answer(await person.slash(hall.channel, "board"))
            board = await person.slash(hall.channel, "board")
            assert [a.filename for a in reply(board).attachments] == ["board.png"]
            assert reply(board).attachments[0].description
            assert "rolls; most often" in answer(await person.slash(hall.channel, "stats"))
        assert "not playing" in answer(await onlooker.slash(hall.channel, "hand"))


async def test_undo_reverts_one_action_after_asking(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        await hall.begin()
        game = await hall.game()
        seat = game.to_act[0]
        person = await hall.person(seat)
        assert "Undo" not in labels(await hall.panel())
        assert "Nothing to undo" in answer(await person.slash(hall.channel, "undo"))
        first = next(iter(game.options(seat)[BuildSettlement]))
        await by_components(hall, person, first)
        assert (await hall.step()).piece == "road"
        asked = await person.click(await hall.panel(), label="Undo")
        assert "settlement" in answer(asked)
        await person.click(reply(asked), label="Undo")
        assert (await hall.step()).piece == "settlement"
        await by_commands(hall, person, first)
        await by_commands(hall, person, Undo())
        assert (await hall.step()).piece == "settlement"


async def test_undo_asks_about_the_action_it_would_revert(open_hall: Opened) -> None:
    """That isn't always the last action: it can be undone already."""
    async with open_hall(3) as hall:
        await hall.begin()
        game = await hall.game()
        person = await hall.person(game.to_act[0])
        for kind in (BuildSettlement, BuildRoad):
            game = await hall.game()
            await by_components(hall, person, next(iter(game.options(game.to_act[0])[kind])))
        for what in ("a road", "a settlement"):
            asked = reply(await person.click(await hall.panel(), label="Undo"))
            assert text(asked).startswith("Undo this? ")
            assert what in text(asked)
            assert "undid" not in text(asked)
            await person.click(asked, label="Undo")
        game = await hall.advance(lambda now: at("main")(now) and now.turn > 2)
        person = await hall.person(game.state.on_turn)
        await by_components(hall, person, EndTurn())
        asked = reply(await person.click(await hall.panel(), label="Undo end of turn"))
        assert text(asked) == "Undo the end of your turn?"


async def test_a_player_can_resign_and_the_others_can_end_the_game_by_agreement(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        await hall.begin()
        await hall.advance(lambda game: game.view(None).turn > 3)
        ann, bob, cem = hall.people
        asked = await ann.slash(hall.channel, "game resign")
        assert "Really resign" in answer(asked)
        assert not (await hall.game()).view(None).players[0].resigned
        await ann.click(reply(asked), label="Yes, leave the game for good")
        assert isinstance((await hall.game()).records[-1].action, Resign)
        await by_components(hall, bob, AgreeToEnd())
        assert (await hall.game()).outcome is None
        await by_commands(hall, cem, AgreeToEnd())
        outcome = (await hall.game()).outcome
        assert outcome is not None
        assert outcome.reason == "agreement"
        assert "🏁" in text(await hall.panel())


async def test_a_player_asks_to_build_in_secret_and_is_called_after_the_turn(open_hall: Opened) -> None:
    async with open_hall(5) as hall:
        ann, *others = hall.people
        await ann.slash(hall.channel, "game new")
        await hall.options(scenario="extension")
        for person in others:
            await person.click(await hall.panel(), label="Join")
        for person in hall.people:
            await hall.standing(person, 20)
        await ann.click(await hall.panel(), label="Start")
        game = await hall.advance(lambda g: g.view(None).step.kind == "main" and g.view(None).turn > 2)
        turn = game.view(None).on_turn or 0
        asker = await hall.person((turn + 2) % 5)
        panel = await hall.panel()
        before, edits = text(panel), len(hall.env.http_requests)
        asked = await asker.click(panel, label="Ask to build")
        assert "you can build when this turn ends" in answer(asked)
        assert text(await hall.panel()) == before
        here = [r for r in hall.env.http_requests[edits:] if str(hall.channel.id) in r.path]
        assert not here, "a secret request has left a trace"
        player = await hall.person(turn)
        await player.click(panel, label="End turn")
        view = (await hall.game()).view(None)
        assert view.step.kind == "special_building"
        assert view.awaited == 1 << (turn + 2) % 5
        await hall.env.advance_time(DELAY[1] + 2)
        assert any(text(m).startswith(f"<@{asker.id}>") for m in hall.channel.history())
        await asker.click(await hall.panel(), label="Pass")
        assert (await hall.game()).view(None).step.kind == "pre_roll"
        assert not [m for m in hall.channel.history() if "build, buy" in text(m) and text(m).startswith("<@")]
        assert list(parts(await hall.panel(), 12))
