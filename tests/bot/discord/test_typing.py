"""Typed cards: whole trades in one option, suggestions while typing, and complaints that help."""

from __future__ import annotations

from typing import Any

from bot.words.typed import as_typed, coded, parse_hand, parse_trade, understood
from engine.actions import AcceptOffer, BankTrade, Discard, MakeOffer, PlayYearOfPlenty
from engine.game import Game
from engine.resources import RESOURCES, hand, single
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_components
from tests.bot.discord.hall import Hall, answer, reply
from tests.bot.discord.moments import at


def offering(game: Game) -> bool:
    """Whether the player on turn can offer two kinds of cards."""
    view = game.view(None)
    if view.step.kind != "main" or game.turn < 4 or view.on_turn is None:
        return False
    return sum(map(bool, game.state.hands[view.on_turn])) > 1


async def on_turn(hall: Hall, until: Any = offering) -> tuple[Any, list[int], int]:
    """Start a game. Returns the player on turn, the resources that they hold, and one not among the first two."""
    await hall.begin(target=14)
    game = await hall.advance(until)
    seat = game.state.on_turn
    kinds = [kind for kind, n in enumerate(game.state.hands[seat]) if n]
    return await hall.person(seat), kinds, next(kind for kind in range(5) if kind not in kinds[:2])


async def names(hall: Hall, person: Any, command: str, option: str, text: str, **rest: str) -> list[dict[str, str]]:
    choices: list[dict[str, str]] = await person.autocomplete(hall.channel, command, option, text, **rest)
    assert len(choices) <= 25
    assert len({choice["value"] for choice in choices}) == len(choices)
    assert all(len(choice["name"]) <= 100 and len(choice["value"]) <= 100 for choice in choices)
    return choices


async def test_a_whole_offer_can_be_typed_in_one_option_or_in_the_first_field(open_hall: Opened) -> None:
    async with open_hall() as hall:
        person, (one, two, *_rest), want = await on_turn(hall)
        give = f"a {RESOURCES[one]} + {RESOURCES[two]}s"
        both = hand(int(kind in (one, two)) for kind in range(5))
        await person.slash(hall.channel, "trade offer", give=f"{give} for {RESOURCES[want].upper()}")
        assert (await hall.game()).records[-1].action == MakeOffer(both, single(want))
        draft = await person.click(await hall.panel(), label="Offer a trade")
        form = await person.click(reply(draft), label="Type it instead")
        await person.submit_modal(form, {"give": f"{give}: 2 {RESOURCES[want]}", "want": ""})
        assert (await hall.game()).records[-1].action == MakeOffer(both, single(want, 2))
        other = await hall.person(((await hall.game()).state.on_turn + 1) % 4)
        number = (await hall.game()).view(None).offers[0].id
        mine = (await hall.viewer(other)).view.players[(await hall.viewer(other)).my_seat].hand
        assert mine is not None
        kind = next((k for k, n in enumerate(mine) if n and k != one), None)
        if kind is not None:
            text = f"{RESOURCES[kind]} -> {RESOURCES[one]}"
            await other.slash(hall.channel, "trade counter", offer=str(number), give=text)
            made = (await hall.game()).records[-1].action
            assert made == MakeOffer(single(kind), single(one), (), number)


async def test_each_typing_mistake_is_explained_in_one_line(open_hall: Opened) -> None:
    """Each mistake gets one sentence, and nothing happens."""
    async with open_hall() as hall:
        person, (one, two, *_rest), want = await on_turn(hall)
        revision = (await hall.game()).revision
        for values, reason in (
            (
                {"give": f"woool + {RESOURCES[two]} for ore"},
                "I don't know “woool” (did you mean wool?). The rest I read as",
            ),
            ({"give": "wool 2 ore for brick"}, "It isn't clear whether 2 counts “wool” or “ore”"),
            ({"give": "wool"}, "Say what you want for it, too"),
            ({"give": "wool for ore", "get": "brick"}, "You say twice what you want"),
            ({"give": "wool for ore for brick"}, "more than two sides"),
            ({"give": f"9 {RESOURCES[one]}", "get": RESOURCES[want]}, "you only have"),
        ):
            content = answer(await person.slash(hall.channel, "trade offer", **values))
            assert reason in content
            assert content.count("\n") == 0
        assert (await hall.game()).revision == revision


async def test_suggestions_show_what_was_understood_and_without_text_only_possible_offers(open_hall: Opened) -> None:
    async with open_hall() as hall:
        person, (one, two, *_rest), want = await on_turn(hall)
        game = await hall.game()
        seat = game.state.on_turn
        text = f"{RESOURCES[one]} {RESOURCES[two]} : {RESOURCES[want][:3]}"
        first, *_others = await names(hall, person, "trade offer", "give", text)
        guess = " · did you mean this?" if RESOURCES[want] != "ore" else ""
        assert first["name"] == f"1 {RESOURCES[one]} + 1 {RESOURCES[two]} → 1 {RESOURCES[want]}{guess}"
        assert parse_trade(first["value"]) == (hand(int(k in (one, two)) for k in range(5)), single(want))
        for choice in await names(hall, person, "trade offer", "give", ""):
            best, *_more = understood(choice["value"])
            if len(best.sides) == 2:
                assert game.options(seat).allows(MakeOffer(*best.sides))
        first, *_others = await names(hall, person, "trade offer", "give", "2w")
        assert first["name"].startswith("2 wool · w = wool")
        first, *_others = await names(hall, person, "trade offer", "give", f"99 {RESOURCES[one]}")
        assert "missing:" in first["name"]
        gets = await names(hall, person, "trade offer", "get", "", give=RESOURCES[one])
        assert [choice["name"] for choice in gets] == [
            f"1 {RESOURCES[one]} → {as_typed(parse_hand(choice['value']))}" for choice in gets
        ]
        assert single(one) not in {parse_hand(choice["value"]) for choice in gets}
        lone = await names(hall, person, "trade offer", "give", RESOURCES[one], get=RESOURCES[want])
        assert lone[0] == {"name": f"1 {RESOURCES[one]} → 1 {RESOURCES[want]}", "value": coded(single(one))}
        for garbage in ("gold", "?" * 300, "2 2 2", "for for for", "🐑" * 90, "<@1>"):
            await names(hall, person, "trade offer", "give", garbage)


async def test_an_offer_that_answers_a_request_is_suggested_first(open_hall: Opened) -> None:
    async with open_hall() as hall:
        person, (one, *_rest), want = await on_turn(hall)
        other = await hall.person(((await hall.game()).state.on_turn + 1) % 4)
        await other.slash(hall.channel, "trade want", get=f"{RESOURCES[one]} for {RESOURCES[want]}")
        first, *_others = await names(hall, person, "trade offer", "give", "")
        expected = f"1 {RESOURCES[one]} → 1 {RESOURCES[want]} · {other.name.title()} is looking for that"
        assert first["name"] == expected
        await person.slash(hall.channel, "trade offer", give=first["value"])
        assert (await hall.game()).records[-1].action == MakeOffer(single(one), single(want))
        choices = await names(hall, other, "trade want", "get", "2 brick for wo")
        assert [choice["name"] for choice in choices[:2]] == [
            "2 brick (for 1 wool + 1 ore)",
            "2 brick (for 1 wool) · did you mean this?",
        ]
        assert await names(hall, other, "trade want", "give", "", get="brick")
        assert await names(hall, person, "trade want", "get", "") == []
        number = str((await hall.game()).view(None).offers[0].id)
        turned = await names(hall, other, "trade counter", "give", "", offer=number)
        cards = (await hall.viewer(other)).view.players[(await hall.viewer(other)).my_seat].hand
        if cards and any(cards):
            assert turned[0]["name"] == f"1 {RESOURCES[want]} → 1 {RESOURCES[one]}"
        await by_components(
            hall, person, (await hall.game()).options((await hall.game()).state.on_turn).sample(_Last())
        )


class _Last:
    """A source of chance that always takes the last possibility."""

    def random(self) -> float:
        return 0.999


async def test_a_whole_bank_trade_can_be_typed_in_one_option(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin(target=14)
        game = await hall.advance(lambda g: at("main")(g) and BankTrade in g.options(g.to_act[0]))
        seat = game.to_act[0]
        person = await hall.person(seat)
        first, *others = await names(hall, person, "trade bank", "give", "")
        assert game.options(seat).allows(BankTrade(*parse_trade(first["value"])))
        assert any(" for 1 card" in choice["name"] for choice in others)
        gets = await names(hall, person, "trade bank", "get", "", give="4 ore")
        assert gets
        assert single(4) not in {parse_hand(choice["value"]) for choice in gets}
        await person.slash(hall.channel, "trade bank", give=first["value"])
        assert (await hall.game()).records[-1].action == BankTrade(*parse_trade(first["value"]))


async def test_suggestions_for_a_discard_count_the_typed_cards(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin(target=14)
        game = await hall.advance(at("discard"))
        seat = game.to_act[0]
        person = await hall.person(seat)
        owed = (await hall.step()).owed[seat]
        kind = next(k for k, n in enumerate(game.state.hands[seat]) if n)
        first, *_others = await names(hall, person, "discard", "cards", RESOURCES[kind])
        assert first["name"] == f"1 {RESOURCES[kind]} · 1 of {owed}"
        cards = next(iter(game.options(seat)[Discard]))
        assert isinstance(cards, Discard)
        words = " + ".join(" ".join([RESOURCES[k]] * n) for k, n in enumerate(cards.cards) if n)
        await person.slash(hall.channel, "discard", cards=words)
        assert (await hall.game()).records[-1].action == cards


async def test_both_cards_of_a_year_of_plenty_are_typed_in_one_option(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin(target=14)
        game = await hall.advance(lambda g: at("main")(g) and PlayYearOfPlenty in g.options(g.to_act[0]))
        person = await hall.person(game.to_act[0])
        refused = await person.slash(hall.channel, "play year-of-plenty", cards="3 ore")
        assert "⚠️" in answer(refused) or "bank" in answer(refused).lower() or "two" in answer(refused).lower()
        for nothing in ("", "  "):
            refused = await person.slash(hall.channel, "play year-of-plenty", cards=nothing)
            assert "That command has changed" in answer(refused)
        await person.slash(hall.channel, "play year-of-plenty", cards="sheep + 1 rock")
        action = (await hall.game()).records[-1].action
        assert action == PlayYearOfPlenty(hand((0, 0, 1, 0, 1)))
        assert AcceptOffer not in (await hall.game()).options(game.to_act[0])
