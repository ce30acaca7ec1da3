"""Turns: what is refused, double clicks, stale pickers, discards, trade, suggestions."""

from __future__ import annotations

from typing import Any

import discord

from bot.words.typed import coded, parse_hand, understood
from engine.actions import BuildRoad, BuildSettlement, Discard, MakeOffer, Roll
from engine.game import Game
from engine.resources import covers, hand_of, single
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_commands, by_components
from tests.bot.discord.hall import Hall, again, answer, labels, parts, reply, select_with, text
from tests.bot.discord.moments import at, before_discards


async def other_than(hall: Hall, seat: int) -> Any:
    """The person in the next seat, so not in this one."""
    return await hall.person((seat + 1) % (await hall.game()).config.players)


async def test_the_wrong_person_and_the_wrong_phase_are_refused(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin(hall.people[:3])
        game = await hall.advance(at("pre_roll"))
        onlooker = hall.people[3]
        revision, digest = game.revision, game.hash()
        player, other = await hall.person(game.to_act[0]), await other_than(hall, game.to_act[0])
        panel = await hall.panel()
        assert "It isn't your turn" in answer(await other.click(panel, label="Roll"))
        assert "turn" in answer(await other.slash(hall.channel, "roll"))
        assert "not playing" in answer(await onlooker.click(panel, label="My hand"))
        assert "playing" in answer(await onlooker.click(panel, label="Roll"))
        assert "roll" in answer(await player.slash(hall.channel, "build card")).lower()
        assert "roll" in answer(await player.slash(hall.channel, "end")).lower()
        game = await hall.game()
        assert (game.revision, game.hash()) == (revision, digest)


async def test_illegal_places_are_refused_with_the_reason(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.advance(lambda g: g.revision == 3)
        person = await hall.person(game.to_act[0])
        grid = game.board.grid
        taken = game.records[1].action
        assert isinstance(taken, BuildSettlement)
        assert "taken by" in answer(
            await person.slash(hall.channel, "build settlement", place=grid.node_names[taken.at])
        )
        beside = next(n for e in grid.node_edges[taken.at] for n in grid.edges[e] if n != taken.at)
        near = answer(await person.slash(hall.channel, "build settlement", place=grid.node_names[beside]))
        assert "next to" in near
        assert grid.node_names[taken.at] in near
        assert "isn't a corner" in answer(await person.slash(hall.channel, "build settlement", place="Z99"))
        assert (await hall.game()).revision == 3


async def test_missing_cards_are_named_privately_and_the_public_button_stays(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.advance(lambda game: at("main")(game) and not any(game.state.hands[game.to_act[0]][2:]))
        person = await hall.person(game.to_act[0])
        panel = await hall.panel()
        assert "Build" in labels(panel)
        asked = reply(await person.click(panel, label="Build"))
        assert not {"City", "Settlement", "Buy card"} & set(labels(asked))
        assert "city: 2 🌾 3 🪨" in text(asked)
        malformed = await person.slash(hall.channel, "trade bank", give="4 bananas", get="1 ore")
        assert "bananas" in answer(malformed)
        unheld = await person.slash(hall.channel, "trade offer", give="9 ore", get="1 wool")
        assert answer(unheld)
        assert (await hall.game()).revision == game.revision


async def test_a_second_click_and_a_second_delivery_have_no_effect(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.advance(at("pre_roll"))
        person = await hall.person(game.to_act[0])
        panel = await hall.panel()
        await person.click(panel, label="Roll")
        after = (await hall.game()).revision
        assert after == game.revision + 1
        await again(hall)
        assert (await hall.game()).revision == after


async def test_a_stale_picker_is_redrawn_with_the_reason(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.game()
        person = await hall.person(game.to_act[0])
        panel = await hall.panel()
        picker = await person.click(panel, label="Place settlement")
        values = [o["value"] for c in parts(reply(picker), 3) for o in c["options"]]
        at = game.board.grid.node_names[int(values[0].split(".")[1])]
        await person.slash(hall.channel, "build settlement", place=at)
        stale = await person.select(reply(picker), [values[9]], custom_id=select_with(reply(picker), values[9]))
        assert "⚠️" in answer(stale)
        assert "Where does the road go?" in answer(stale)
        assert (await hall.game()).revision == game.revision + 1
        road = next(o["value"] for c in parts(reply(stale), 3) for o in c["options"])
        await person.select(reply(stale), [road], custom_id=select_with(reply(stale), road))
        assert isinstance((await hall.game()).records[-1].action, BuildRoad)


async def test_private_messages_dont_pile_up(open_hall: Opened) -> None:
    def private(person: Any) -> list[Any]:
        return [m for m in hall.channel.history(viewer=person) if m.flags.ephemeral and m.id not in before]

    async with open_hall() as hall:
        await hall.begin()
        game = await hall.game()
        person, before = await hall.person(game.to_act[0]), list[int]()
        before += [m.id for m in private(person)]  # answers to commands stay
        panel = await hall.panel()
        for label in ("Place settlement", "My hand", "Place settlement"):
            last = await person.click(panel, label=label)
            assert [m.id for m in private(person)] == [reply(last).id]
        for question in ("Where does the road go?", ""):
            value = next(o["value"] for c in parts(reply(last), 3) for o in c["options"])
            last = await person.select(reply(last), [value], custom_id=select_with(reply(last), value))
            assert [text(m) for m in private(person)] == ([f"**{question}**"] if question else [])
        assert (await hall.game()).revision == game.revision + 2
        again = await person.click(panel, label="Place settlement")
        assert "Setup:" in answer(again)


async def test_discards_are_shown_when_all_players_have_discarded(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.advance(before_discards)
        await by_components(hall, await hall.person(game.to_act[0]), Roll())
        game = await hall.game()
        seats = game.to_act
        pings = [m for m in hall.channel.history() if "discard" in m.content]
        assert len(pings) == 1
        for seat in seats:
            assert f"<@{(await hall.person(seat)).id}>" in pings[0].content
        for way, seat in zip([by_components, by_commands, by_components, by_commands], reversed(seats), strict=False):
            cards = next(iter(game.options(seat)[Discard]))
            await way(hall, await hall.person(seat), cards)
            panel = text(await hall.panel())
            assert ("Discarded:" in panel) == (seat == seats[0])
            person = f"<@{(await hall.person(seat)).id}>"
            assert not [m for m in hall.channel.history() if "discard" in m.content and person in m.content]
        assert not [m for m in hall.channel.history() if "discard" in m.content]


async def test_a_trade_works_from_offer_to_closing(open_hall: Opened) -> None:
    def tradable(game: Game) -> bool:
        view = game.view(None)
        if view.step.kind != "main" or view.on_turn is None or view.offers:
            return False
        return all(game.view(p.seat).players[p.seat].hand_size > 2 for p in view.players)

    async with open_hall(3) as hall:
        await hall.begin()
        game = await hall.advance(tradable)
        turn = game.to_act[0]
        others = [s for s in range(3) if s != turn]
        mine = game.view(turn).players[turn].hand or ()
        theirs = game.view(others[0]).players[others[0]].hand or ()
        give, want = next((k, i) for k, n in enumerate(mine) for i, m in enumerate(theirs) if n and m and i != k)
        names = ("brick", "lumber", "wool", "grain", "ore")
        offer = MakeOffer(hand_of(**{names[give]: 1}), hand_of(**{names[want]: 1}), (others[0],))
        player, partner, outsider = [await hall.person(s) for s in (turn, *others)]
        await by_components(hall, player, offer)
        assert any(text(m).startswith(f"<@{partner.id}> · ") for m in hall.channel.history())
        panel = await hall.panel()
        assert "Offer" in text(panel)
        number = (await hall.game()).view(None).offers[0].id
        assert "wasn't made to you" in answer(await outsider.click(panel, label=f"Accept {number}"))
        assert not any(label.startswith("Trade with") for label in labels(panel))
        await partner.click(panel, label=f"Accept {number}")
        assert not any(text(m).startswith(f"<@{partner.id}> · ") for m in hall.channel.history())
        closing = f"Trade with {(await hall.viewer(partner)).names[others[0]]} ({number})"
        panel = await hall.panel()
        assert "isn't your turn" in answer(await outsider.click(panel, label=closing))
        await player.click(panel, label=closing)
        assert "🤝" in text(await hall.panel())
        assert not (await hall.game()).view(None).offers


async def test_places_are_suggested_only_to_the_player_whose_turn_it_is(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.game()
        person, other = await hall.person(game.to_act[0]), await other_than(hall, game.to_act[0])
        choices = await person.autocomplete(hall.channel, "build settlement", "place", "")
        assert len(choices) == 25
        names = {game.board.grid.node_names[n] for n in range(54)}
        assert {choice["value"] for choice in choices} <= names
        assert "dots" in choices[0]["name"]
        assert await other.autocomplete(hall.channel, "build settlement", "place", "") == []


async def test_suggested_cards_come_only_from_the_players_own_hand(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.advance(at("discard"))
        seat = game.to_act[0]
        person, owed = await hall.person(seat), (await hall.step()).owed[seat]
        found = await person.autocomplete(hall.channel, "discard", "cards", "")
        assert all(game.options(seat).allows(Discard(parse_hand(choice["value"]))) for choice in found)
        assert {sum(parse_hand(choice["value"])) for choice in found} == {owed}
        assert await person.autocomplete(hall.channel, "trade offer", "give", "") == []
        game = await hall.advance(at("main"))
        seat = game.to_act[0]
        person, hand = await hall.person(seat), game.view(seat).players[seat].hand
        assert hand is not None
        gives = await person.autocomplete(hall.channel, "trade offer", "give", "")
        read = [understood(choice["value"]) for choice in gives]
        assert all(covers(hand, found[0].sides[0]) for found in read)
        lots = {coded(single(kind, n)) for kind, most in enumerate(hand) for n in range(1, most + 1)}
        assert lots <= {choice["value"] for choice in gives}
        wants = await person.autocomplete(hall.channel, "trade offer", "get", "")
        assert len(wants) == (5 if sum(hand) else 0)


async def test_an_unknown_button_gets_an_answer(open_hall: Opened) -> None:
    async with open_hall() as hall:
        ann, *_ = hall.people
        view: discord.ui.View = discord.ui.View(timeout=None)
        view.add_item(discord.ui.Button(label="Old", custom_id="something:else"))
        channel = await hall.room()
        message = await channel.send("an older version", view=view)
        await hall.restart()
        assert "expired" in answer(await ann.click(message, label="Old"))
