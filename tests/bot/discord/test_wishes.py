"""Requests at the table: posted by button and by command, shown to all, answered by an offer that is filled in."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from simcord.components import walk_components

from bot.discord.show import panel
from bot.screens.viewer import Viewer
from bot.table.acts.wishes import open_wishes
from bot.table.parts import Wish
from engine.actions import AcceptOffer, CloseOffer, EndTurn, MakeOffer
from engine.game import Game
from engine.resources import NOTHING, RESOURCES, hand, single
from engine.scenarios import SCENARIOS
from engine.views import OfferView
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_components
from tests.bot.discord.hall import Hall, answer, find_select, labels, parts, reply, text
from tests.bot.discord.moments import at
from tests.bot.discord.tables import begin

SAY = "I'm looking for…"


def dealing(game: Game) -> tuple[int, int, int] | None:
    """Another seat, a resource that the player on turn can give it, and one that it can give in return; or None."""
    view = game.view(None)
    if view.step.kind != "main" or view.on_turn is None:
        return None
    mine = game.state.hands[view.on_turn]
    for seat in range(game.config.players):
        for want in range(5):
            for give in range(5):
                if seat != view.on_turn and want != give and mine[want] and game.state.hands[seat][give]:
                    return seat, want, give
    return None


async def ready(hall: Hall) -> tuple[Any, Any, int, int]:
    """Start a game. Returns the player on turn, another player, and what that one could look for and give for it."""
    await hall.begin()
    game = await hall.advance(lambda game: game.turn > 4 and dealing(game) is not None)
    deal = dealing(game)
    assert deal is not None
    seat, want, give = deal
    return await hall.person(game.state.on_turn), await hall.person(seat), want, give


async def wishes(hall: Hall) -> dict[int, Wish]:
    """The requests that are open, by user."""
    return {wish.user: wish for wish in open_wishes(await hall.table(), await hall.game()).values()}


async def test_a_request_is_posted_by_command_and_answered_by_a_filled_in_offer(open_hall: Opened) -> None:
    """From the request to the trade. No one is pinged for it, and a restart changes nothing."""
    async with open_hall() as hall:
        turn, other, want, give = await ready(hall)
        messages = len(list(hall.channel.history()))
        response = await other.slash(hall.channel, "trade want", get=RESOURCES[want], give=f"a {RESOURCES[give]}")
        assert "looking for 1 " in answer(response)
        assert "until you trade for some" in answer(response), "cards that are rolled don't end it"
        assert len(list(hall.channel.history())) == messages, "nobody is pinged"
        line = next(line for line in text(await hall.panel()).splitlines() if line.startswith("🔎"))
        assert f"**{other.name.title()}**" in line
        assert RESOURCES[want] in line
        assert RESOURCES[give] in line
        await hall.restart()
        label = f"Offer to {other.name.title()}"
        draft = await turn.click(await hall.panel(), label=label)
        assert f"from {other.name.title()}" in answer(draft)
        [chosen] = [c for c in parts(reply(draft), 3) if ":give" in c["custom_id"]]
        assert [o["value"] for o in chosen["options"] if o.get("default")] == [f"{want}.1"]
        number = (await hall.game()).state.next_offer
        await turn.click(reply(draft), label="Offer")
        [made] = (await hall.game()).view(None).offers
        seat = (await hall.table()).seat_of(await hall.game(), other.id)
        assert seat is not None
        assert (made.give, made.want, made.to) == (single(want), single(give), 1 << seat)
        await by_components(hall, other, AcceptOffer(number))
        assert other.id in await wishes(hall), "an answer is no deal yet"
        await by_components(hall, turn, CloseOffer(number, seat))
        assert await wishes(hall) == {}
        assert "🔎" not in text(await hall.panel())


async def test_a_request_is_posted_changed_and_withdrawn_by_buttons(open_hall: Opened) -> None:
    async with open_hall() as hall:
        turn, other, want, give = await ready(hall)
        opened = await other.click(await hall.panel(), label="Offer a trade")
        form = await other.click(reply(opened), label=SAY)
        await other.submit_modal(form, {"want": [str(want)], "give": []})
        assert (await wishes(hall))[other.id].want == single(want)
        assert (await wishes(hall))[other.id].give == NOTHING
        draft = await turn.click(await hall.panel(), label=f"Offer to {other.name.title()}")
        assert "Offer" not in labels(reply(draft)), "what is wanted in return is still to be chosen"
        menu = await other.click(reply(await other.click(await hall.panel(), label="More")), label="Offers")
        assert "🔎" in answer(menu)
        form = await other.click(reply(menu), label=SAY)
        await other.submit_modal(form, {"want": [str(give)], "give": [str(want)]})
        assert (await wishes(hall))[other.id].want == single(give)
        assert (await wishes(hall))[other.id].give == single(want)
        hand_ = await other.slash(hall.channel, "hand")
        assert {"Stop looking", SAY} <= set(labels(reply(hand_)))
        gone = await other.click(reply(menu), label="Stop looking")
        assert "no longer looking" in answer(gone)
        assert await wishes(hall) == {}
        assert "🔎" not in text(await hall.panel())
        assert "aren't looking" in answer(await other.click(reply(hand_), label="Stop looking"))


async def test_a_request_is_withdrawn_by_command_and_refused_if_it_makes_no_sense(open_hall: Opened) -> None:
    async with open_hall(5) as hall:
        *players, onlooker = hall.people
        await hall.begin(players)
        stranger = await hall.person(((await hall.game()).to_act[0] + 1) % 4)

        async def said(person: Any, **values: Any) -> str:
            return answer(await person.slash(hall.channel, "trade want", **values))

        assert "Wait until the first turn" in await said(stranger, get="brick")
        game = await hall.advance(lambda game: game.turn > 4 and game.view(None).step.kind == "main")
        turn, other = await hall.person(game.state.on_turn), await hall.person((game.state.on_turn + 1) % 4)
        before = await hall.table()
        for person, values, reason in (
            (turn, {"get": "brick"}, "It's your turn: make an offer"),
            (onlooker, {"get": "brick"}, "not playing"),
            (other, {}, "No cards are named"),
            (other, {"get": "woool"}, "did you mean wool?"),
            (other, {"get": "brick for brick"}, "can't give the resource"),
            (other, {"get": "brick for ore", "give": "wool"}, "You say twice what you would give"),
            (other, {"cancel": True}, "You aren't looking for anything"),
            (other, {"cancel": True, "get": "ore"}, "or use `cancel` alone"),
        ):
            assert reason in await said(person, **values), values
        assert await hall.table() == before
        assert "for 1 " not in await said(other, get="2 ore : brick")
        assert (await wishes(hall))[other.id].want == single(4, 2)
        assert (await wishes(hall))[other.id].give == single(0)
        assert "no longer looking" in await said(other, cancel=True)
        assert await wishes(hall) == {}


async def test_only_the_player_whose_turn_it_is_can_answer_a_request_while_it_is_open(open_hall: Opened) -> None:
    async with open_hall(5) as hall:
        *players, onlooker = hall.people
        await hall.begin(players)
        game = await hall.advance(lambda game: game.turn > 4 and dealing(game) is not None)
        turn, other = await hall.person(game.state.on_turn), await hall.person((game.state.on_turn + 1) % 4)
        third = await hall.person((game.state.on_turn + 2) % 4)
        lacking = next((k for k in range(5) if not game.state.hands[game.state.on_turn][k]), None)
        await other.slash(hall.channel, "trade want", get="brick")
        label = f"Offer to {other.name.title()}"
        old = await hall.panel()
        assert "isn't your turn" in answer(await third.click(old, label=label))
        assert "not playing" in answer(await onlooker.click(old, label=label))
        if lacking is not None:
            await other.slash(hall.channel, "trade want", get=RESOURCES[lacking])
            assert "You have nothing that" in answer(await turn.click(old, label=label))
        stale = await turn.slash(hall.channel, "hand")
        assert label in labels(reply(stale))
        await other.slash(hall.channel, "trade want", cancel=True)
        assert "is no longer looking for that" in answer(await turn.click(reply(stale), label=label))
        await other.slash(hall.channel, "trade want", get="brick")
        await by_components(hall, turn, EndTurn())
        assert "🔎" not in text(await hall.panel()), "it ends with its maker's own turn"
        assert await wishes(hall) == {}


async def test_many_requests_share_a_button(open_hall: Opened) -> None:
    async with open_hall() as hall:
        turn, _other, want, _give = await ready(hall)
        for person in hall.people:
            if person is not turn:
                await person.slash(hall.channel, "trade want", get=RESOURCES[want])
        assert not [label for label in labels(await hall.panel()) if label.startswith("Offer to")]
        menu = await turn.click(await hall.panel(), label="Looking for (3)")
        buttons = [label for label in labels(reply(menu)) if label.startswith("Offer to")]
        assert len(buttons) == 3
        draft = await turn.click(reply(menu), label=buttons[0])
        assert find_select(reply(draft), "draft", "want")


async def test_a_request_has_no_button_before_the_roll(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.advance(lambda game: game.turn > 4 and at("pre_roll")(game))
        other = await hall.person((game.state.on_turn + 1) % 4)
        await other.slash(hall.channel, "trade want", get="2 brick, ore")
        message = await hall.panel()
        assert "🔎" in text(message)
        assert not [label for label in labels(message) if label.startswith("Offer to")]


async def test_a_full_panel_with_requests_stays_within_discords_limits(open_hall: Opened) -> None:
    async with open_hall(8) as hall:
        await begin(hall, "peanut")
        await hall.advance(lambda game: game.view(None).step.kind == "main")
        table, game = await hall.table(), await hall.game()
        turn = game.state.on_turn
        full = hand((99, 99, 99, 99, 99))
        for many in (1, 2, 7):
            seats = [seat for seat in range(8) if seat != turn][:many]
            requests = tuple(Wish(table.user_at(game, seat), full, full, game.state.turns[seat]) for seat in seats)
            members = tuple(replace(m, name="W" * 32) for m in table.members)
            wished = replace(table, members=members, wishes=requests)
            public = Viewer(wished, game)
            for n in (0, 1, 2, 3, 11):
                offers = tuple(OfferView(i, i % 8, (1, 2, 3, 4, 5), full, 255, 85, 170, -1) for i in range(n))
                view = replace(public.view, offers=offers, events=public.view.events * 40)
                layout: Any = panel.panel_layout(public.showing(view))
                parts_ = list(walk_components(layout.to_components()))
                assert len(parts_) <= 39, (many, n)  # the picture is one more
                assert sum(len(c["content"]) for c in parts_ if c["type"] == 10) <= 4000
                ids = [c["custom_id"] for c in parts_ if "custom_id" in c]
                assert len(ids) == len(set(ids))
    assert max(SCENARIOS["peanut"].players) == 8


async def test_a_player_can_have_both_a_request_and_a_counter_offer(open_hall: Opened) -> None:
    """The panel shows both a request and a counter-offer."""
    async with open_hall() as hall:
        turn, other, want, give = await ready(hall)
        await other.slash(hall.channel, "trade want", get=RESOURCES[want])
        await by_components(hall, other, MakeOffer(single(give), single(want)))
        assert {"🔎", "**Offer"} <= {line.split()[0] for line in text(await hall.panel()).splitlines() if line}
        assert turn is not other
