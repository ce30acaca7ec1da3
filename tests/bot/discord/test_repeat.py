"""Repeating a player's last offer: by command and by button, from the log, to the same people."""

from __future__ import annotations

from typing import Any

from engine.actions import MakeOffer, WithdrawOffer
from engine.game import Game
from engine.resources import RESOURCES, hand
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_components
from tests.bot.discord.hall import Hall, answer, labels, reply
from tests.bot.discord.moments import trading
from tests.bot.discord.tables import sides


async def now(hall: Hall) -> tuple[Game, int, Any]:
    game = await hall.advance(trading)
    return game, game.state.on_turn, await hall.person(game.state.on_turn)


async def last(hall: Hall) -> Any:
    return (await hall.game()).records[-1].action


async def test_a_withdrawn_offer_can_be_repeated_in_the_same_turn_and_after_a_restart(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin(target=14)
        game, me, person = await now(hall)
        assert "made no offer" in answer(await person.slash(hall.channel, "trade offer"))
        give, want = sides(game, me)
        to = ((me + 2) % 4,)
        await by_components(hall, person, MakeOffer(give, want, to))
        assert "already have that offer open" in answer(await person.slash(hall.channel, "trade offer"))
        opened = await person.click(await hall.panel(), label="Offer a trade")
        assert not [label for label in labels(reply(opened)) if label.startswith("Repeat")]
        await by_components(hall, person, WithdrawOffer(game.state.next_offer))
        await hall.restart()
        await person.slash(hall.channel, "trade offer")
        assert await last(hall) == MakeOffer(give, want, to)
        await by_components(hall, person, WithdrawOffer(game.state.next_offer + 1))
        opened = await person.click(await hall.panel(), label="Offer a trade")
        kinds = [next(k for k, n in enumerate(side) if n) for side in (give, want)]
        label = f"Repeat: 1 {RESOURCES[kinds[0]]} → 1 {RESOURCES[kinds[1]]}"
        await person.click(reply(opened), label=label)
        assert await last(hall) == MakeOffer(give, want, to)


async def test_a_player_who_took_over_a_seat_cant_repeat_the_former_players_offer(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin(target=14)
        zoe = hall.guild.add_member(hall.env.create_user("zoe", global_name="Zoe"))
        game, me, person = await now(hall)
        give, want = sides(game, me)
        await by_components(hall, person, MakeOffer(give, want))
        await by_components(hall, person, WithdrawOffer(game.state.next_offer))
        await person.slash(hall.channel, "seat give", to=zoe.user)
        [offered] = [m for m in hall.channel.history() if "Take the seat" in labels(m)]
        await zoe.click(offered, label="Take the seat")
        assert "made no offer" in answer(await zoe.slash(hall.channel, "trade offer"))
        opened = await zoe.click(await hall.panel(), label="Offer a trade")
        assert not [label for label in labels(reply(opened)) if label.startswith("Repeat")]
        await by_components(hall, zoe, MakeOffer(give, want))
        await by_components(hall, zoe, WithdrawOffer(game.state.next_offer + 1))
        await hall.restart()
        await zoe.slash(hall.channel, "trade offer")
        assert await last(hall) == MakeOffer(give, want)


async def test_an_offer_can_be_repeated_later_only_if_the_player_can_pay(open_hall: Opened) -> None:
    """In a player's own later turn and in another's. If they can't pay, they are told what they hold."""
    async with open_hall() as hall:
        await hall.begin(target=14)
        _game, me, person = await now(hall)
        cases = set[str]()
        for turn in range(6, 60):
            game = await hall.advance(lambda g, turn=turn: trading(g) and g.turn > turn, seed=turn)  # type: ignore[misc]
            if len(cases & {"own", "another's", "short"}) == 3:
                break
            offers = [r.action for r in game.records if r.actor == me and isinstance(r.action, MakeOffer)]
            if game.state.on_turn == me and any(game.state.hands[me]):  # offer all of a kind: later they can have fewer
                give, want = sides(game, me)
                every = tuple(n * held for n, held in zip(give, game.state.hands[me], strict=True))
                if not offers or (offers[-1].give, offers[-1].want) != (every, want):
                    await by_components(hall, person, MakeOffer(hand(every), want))
                    continue
            if not offers:
                continue
            content = answer(await person.slash(hall.channel, "trade offer"))
            action = await last(hall)
            if (await hall.game()).revision > game.revision:
                assert (action.give, action.want) == (offers[-1].give, offers[-1].want)
                assert person.name.title() in content
                cases.add("own" if game.state.on_turn == me else "another's")
            else:
                cases.add("short" if "you only have" in content or "no cards" in content else "else")
                assert content
        assert {"own", "another's", "short"} <= cases
