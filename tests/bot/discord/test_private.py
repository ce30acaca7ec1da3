"""What a person sees and does in private: hand with buttons, lists for trades, discards, settings, help."""

from __future__ import annotations

from typing import Any

import pytest

from bot.discord.features.cards import why_no_card
from bot.screens.steps.discard import MOST_BOXES
from bot.screens.viewer import Viewer
from bot.table.acts.play import Play
from bot.table.preferences import Look
from engine.actions import (
    BankTrade,
    BuyCard,
    Discard,
    EndTurn,
    MakeOffer,
    MoveRobber,
    PlayKnight,
    Resign,
    Roll,
    TakeCard,
)
from engine.game import Game
from engine.resources import NOTHING, RESOURCES
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_commands, by_components
from tests.bot.discord.hall import Hall, answer, fill, find_select, labels, parts, reply, text
from tests.bot.discord.moments import able, at
from tests.bot.screens.played import table
from tests.engine import builder


async def on_turn(hall: Hall, game: Game) -> Any:
    """The player who must act first."""
    return await hall.person(game.to_act[0])


@pytest.mark.parametrize(("variants", "told"), [((), "not-now/cards"), (("vp-cards-played",), "too-new/victory point")])
def test_a_new_victory_point_card_is_a_reason_only_where_it_is_played(variants: tuple[str, ...], told: str) -> None:
    one = builder.table(builder.seat(cards="v", fresh="v"), builder.seat(), variants=variants)
    viewer = Viewer(table(one.game.config), one.game, 0)
    held = viewer.view.players[0].development_cards or NOTHING
    assert why_no_card(viewer, held).key == told


async def test_my_hand_has_buttons_for_what_the_player_can_do(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin(hall.people[:3])
        game = await hall.advance(able(MakeOffer))
        person = await on_turn(hall, game)
        opened = await person.click(await hall.panel(), label="My hand")
        assert {"Offer a trade", "End turn"} <= set(labels(reply(opened)))
        other = await hall.person((game.to_act[0] + 1) % 3)
        theirs = labels(reply(await other.click(await hall.panel(), label="My hand")))
        assert "Offer a trade" in theirs
        assert not {"Road", "End turn", "Bank"} & set(theirs)
        onlooker = hall.people[3]
        assert "not playing" in answer(await onlooker.click(await hall.panel(), label="My hand"))
        await person.click(reply(opened), label="End turn")
        assert isinstance((await hall.game()).records[-1].action, EndTurn)


async def test_an_offer_is_composed_with_lists_of_the_players_own_cards(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        await hall.begin()
        game = await hall.advance(
            lambda g: able(MakeOffer)(g) and sum(g.view(g.to_act[0]).players[g.to_act[0]].hand or ()) > 2
        )
        seat = game.to_act[0]
        person = await hall.person(seat)
        cards = game.view(seat).players[seat].hand or ()
        draft = await person.click(await hall.panel(), label="Offer a trade")
        assert "Offer" not in labels(reply(draft)), "nothing is on either side yet"
        assert "Pick what you give and what you want." in answer(draft)
        [give] = [c for c in parts(reply(draft), 3) if ":give" in c["custom_id"]]
        listed = {option["value"] for option in give["options"]}
        assert listed == {f"{kind}.{n}" for kind, most in enumerate(cards) for n in range(1, min(most, 5) + 1)}
        kind = next(k for k, n in enumerate(cards) if n)
        other = next(k for k in range(5) if k != kind)
        draft = await person.select(reply(draft), [f"{kind}.1"], custom_id=find_select(reply(draft), "draft", "give"))
        draft = await person.select(reply(draft), [f"{other}.1"], custom_id=find_select(reply(draft), "draft", "want"))
        assert RESOURCES[kind] in answer(draft)
        asked = next(s for s in range(3) if s != seat)
        draft = await person.select(reply(draft), [str(asked)], custom_id=find_select(reply(draft), "draft", "to"))
        await person.click(reply(draft), label="Offer")
        [offer] = (await hall.game()).view(None).offers
        assert (offer.seat, offer.to, offer.give[kind], offer.want[other]) == (seat, 1 << asked, 1, 1)
        again = await person.click(await hall.panel(), label="Offer a trade")
        for side, value in (("give", f"{kind}.1"), ("want", f"{other}.1"), ("to", str(asked))):
            again = await person.select(reply(again), [value], custom_id=find_select(reply(again), "draft", side))
        again = await person.click(reply(again), label="Offer")
        assert "already have that offer open" in answer(again)
        assert "Offer" in labels(reply(again)), "it can be changed"


async def test_the_offers_menu_stays_open_after_an_answer(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        await hall.begin()
        game = await hall.advance(lambda g: able(MakeOffer)(g) and max(g.state.hands[g.to_act[0]]) > 0)
        seat = game.to_act[0]
        maker = await hall.person(seat)
        kind = next(k for k, n in enumerate(game.state.hands[seat]) if n)
        kinds = [k for k in range(5) if k != kind][:3]
        for want in kinds:
            await maker.slash(hall.channel, "trade offer", give=f"1 {RESOURCES[kind]}", get=f"1 {RESOURCES[want]}")
        other = await hall.person((seat + 1) % 3)
        menu = await other.click(await hall.panel(), label="Offers (3)")
        numbers = [offer.id for offer in (await hall.game()).view(None).offers]
        menu = await other.click(reply(menu), label=f"Decline {numbers[0]}")
        assert f"Decline {numbers[1]}" in labels(reply(menu))
        assert f"Decline {numbers[0]}" not in labels(reply(menu))


async def test_all_trades_with_the_bank_are_in_one_list(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        await hall.begin()
        game = await hall.advance(able(BankTrade))
        person = await on_turn(hall, game)
        opened = await person.click(await hall.panel(), label="Bank")
        [trades] = list(parts(reply(opened), 3))
        value = trades["options"][0]["value"]
        await person.select(reply(opened), [value], custom_id=trades["custom_id"])
        action = (await hall.game()).records[-1].action
        assert isinstance(action, BankTrade)
        assert sum(action.get) == 1
        while BankTrade in (await hall.game()).options(game.to_act[0]):
            trade = next(iter((await hall.game()).options(game.to_act[0])[BankTrade]))
            await by_components(hall, person, trade)
        assert "too few cards" in answer(await person.click(await hall.panel(), label="Bank"))


async def test_a_refused_form_opens_again_as_it_was_filled_in(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        await hall.begin()
        game = await hall.advance(able(MakeOffer))
        person = await on_turn(hall, game)
        draft = await person.click(await hall.panel(), label="Offer a trade")
        form = await person.click(reply(draft), label="Type it instead")
        sent = await person.submit_modal(form, {"give": "19 ore", "want": "1 wool"})
        assert "⚠️" in answer(sent)
        again = await person.click(reply(sent), label="Try again")
        modal = str(again.modal)
        assert "19 ore" in modal
        assert "1 wool" in modal


async def test_a_discard_is_proposed_and_can_be_changed(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin(target=20)
        game = await hall.advance(lambda game: at("discard")(game) and _cards(game) > MOST_BOXES)
        seat = game.to_act[0]
        person = await hall.person(seat)
        opened = await person.click(await hall.panel(), label="Discard")
        assert "Suggested" in answer(opened)
        assert labels(reply(opened)) == ["Discard these", "Choose myself"]
        form = await person.click(reply(opened), label="Choose myself")
        cards = game.view(seat).players[seat].hand or ()
        short = await person.submit_modal(form, {f"r{k}": ["0"] for k, n in enumerate(cards) if n})
        assert "⚠️" in answer(short)
        again = await person.click(reply(short), label="Try again")
        assert again.modal is not None
        opened = await person.click(await hall.panel(), label="Discard")
        await person.click(reply(opened), label="Discard these")
        action = (await hall.game()).records[-1].action
        assert isinstance(action, Discard)
        assert sum(action.cards) == sum(cards) // 2


async def test_cards_to_discard_are_ticked_one_by_one(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin(target=14)
        game = await hall.advance(lambda game: at("discard")(game) and _cards(game) <= MOST_BOXES)
        seat, hand_cards = game.to_act[0], list(game.view(game.to_act[0]).players[game.to_act[0]].hand or ())
        person, count = await hall.person(seat), _cards(game) // 2
        opened = reply(await person.click(await hall.panel(), label="Discard"))
        boxes = [f"{kind}.{n}" for kind, cards in enumerate(hand_cards) for n in range(cards)][-count:]
        await fill(person, opened, "Choose myself", cards=boxes)
        action = (await hall.game()).records[-1].action
        assert isinstance(action, Discard)
        assert list(action.cards) == [sum(box.startswith(str(kind)) for box in boxes) for kind in range(5)]


def _cards(game: Game) -> int:
    """How many cards the player who must act first holds."""
    return game.view(None).players[game.to_act[0]].hand_size


async def test_victim_and_thief_are_told_immediately_which_card_was_stolen(open_hall: Opened) -> None:
    def robbing(game: Game) -> bool:
        return game.view(None).step.kind == "take_card"

    async with open_hall() as hall:
        await hall.begin(target=14)
        game = await hall.advance(robbing)
        seat = game.to_act[0]
        take = next(iter(game.options(seat)[TakeCard]))
        done = await by_components(hall, await hall.person(seat), take)
        card = next(e for e in (await hall.game()).last_events if e.name == "card_taken")
        victim = await hall.person(card.victim)  # type: ignore[attr-defined]
        kind = RESOURCES[card.card.value]  # type: ignore[attr-defined]
        assert "You stole 1 " in answer(done)
        assert kind in answer(done)
        assert victim.name.title() in answer(done)
        newest = max(victim.user.dm_channel.history(), key=lambda m: m.id)
        assert "stole" in text(newest)
        assert kind in text(newest)


async def test_buying_a_card_asks_first_if_the_player_chose_that(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        await hall.begin(target=14)
        game = await hall.advance(able(BuyCard))
        person = await on_turn(hall, game)
        opened = await person.slash(hall.channel, "settings")
        await fill(person, reply(opened), "Your settings", asks={"ask_to_buy": True})
        menu = reply(await person.click(await hall.panel(), label="Build"))
        asked = await person.click(menu, label="Buy card")
        assert (await hall.game()).revision == game.revision
        assert "can't undo this" in answer(asked)
        await person.click(reply(asked), label="Buy card")
        assert isinstance((await hall.game()).records[-1].action, BuyCard)


async def test_settings_can_be_changed_in_forms(open_hall: Opened) -> None:
    async with open_hall() as hall:
        ann = hall.people[0]
        page = reply(await ann.slash(hall.channel, "settings"))
        page = reply(
            await fill(
                ann,
                page,
                "Your settings",
                shared={"dms": False, "offer_pings": False},
                asks={"ask_to_buy": True},
                look=["dark", "colorblind"],
            )
        )
        page = reply(await fill(ann, page, "Building between turns", calls="pay", building=["city"]))
        chosen = (await hall.services.people.settings(ann.id)).choices
        assert (chosen.messages, chosen.offer_pings, chosen.ask_to_buy, chosen.ask_to_end) == (False, False, True, True)
        assert chosen.look == Look(colorblind=True, dark=True)
        assert chosen.building == ("city",)
        assert "only if you can get a city" in text(page)
        page = reply(await fill(ann, page, "Building between turns", calls="asked"))
        await fill(ann, page, "Your settings", look=["colorblind"])
        chosen = (await hall.services.people.settings(ann.id)).choices
        assert (chosen.look, chosen.offer_pings) == (Look(colorblind=True), False)
        assert (await hall.services.people.settings(ann.id)).standing == 0


@pytest.mark.parametrize("moment", ["nothing", "lobby", "game"])
async def test_help_says_what_the_player_can_do_now(moment: str, open_hall: Opened) -> None:
    async with open_hall() as hall:
        ann = hall.people[0]
        if moment == "nothing":
            told = await ann.slash(hall.channel, "help")
            assert "/game new" in answer(told)
            assert "/game learn" in answer(told)
            rules = reply(await ann.click(reply(told), label="Rules"))
            assert "10 points" in text(rules)
            assert "Settlement" in answer(await ann.select(rules, ["building"]))
            told = await ann.slash(hall.channel, "help")
            assert "Your settings" in answer(await ann.click(reply(told), label="Settings"))
            assert await ann.autocomplete(hall.channel, "game rules", "topic", "road")
            assert "10 points" in answer(await ann.slash(hall.channel, "game rules"))
            await hall.services.servers.change(hall.guild.id, computers=False)
            without = answer(await ann.slash(hall.channel, "help"))
            assert "/game learn" not in without
            assert "on servers" not in without
            told = await ann.user.slash("help")
            assert "Games are played on servers" in answer(told)
            assert "10 points" in answer(await ann.user.click(reply(told), label="Rules"))
            return
        await hall.lobby()
        if moment == "lobby":
            assert "Start" in answer(await ann.slash(hall.channel, "help"))
            return
        await ann.click(await hall.panel(), label="Start")
        game = await hall.advance(at("pre_roll"))
        response = await (await on_turn(hall, game)).slash(hall.channel, "help")
        assert "roll the dice" in answer(response)
        assert len([line for line in answer(response).splitlines() if line]) <= 9
        assert reply(response).attachments[0].filename == "costs.png"
        more = await ann.click(await hall.panel(), label="More")
        assert {"Story", "Rules", "Help", "Settings"} <= set(labels(reply(more)))
        assert len(labels(reply(more))) <= 12, "that a phone shows at once"
        assert answer(await ann.click(reply(more), label="Story"))


async def test_the_end_of_a_turn_can_be_undone_until_the_next_roll(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        await hall.begin()
        game = await hall.advance(lambda g: able(EndTurn)(g) and g.turn > 2)
        person = await on_turn(hall, game)
        turn = await hall.panel()
        await by_components(hall, person, EndTurn())
        panel = await hall.panel()
        assert panel.id != turn.id
        assert "Undo end of turn" in labels(panel)
        other = await hall.person((game.to_act[0] + 1) % 3)
        assert answer(await other.click(panel, label="Undo end of turn"))
        opened = await person.click(panel, label="Undo end of turn")
        await person.click(reply(opened), label="Undo")
        after = await hall.game()
        assert (after.turn, after.to_act) == (game.turn, game.to_act)
        assert (await hall.panel()).id == turn.id, "the turn goes on in its own message"
        assert not [m for m in hall.channel.history() if m.id == panel.id]
        await by_components(hall, person, EndTurn())
        await by_commands(hall, other, Roll())
        assert "Nothing to undo" in answer(await person.slash(hall.channel, "undo"))
        assert labels(hall.message(turn.id)) == []


async def test_a_player_who_resigned_is_not_asked_again(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        await hall.advance(at("pre_roll"))
        ann = hall.people[0]
        opened = await ann.slash(hall.channel, "game resign")
        await ann.click(reply(opened), label="Yes, leave the game for good")
        for command in ("game resign", "auto", "help"):
            message = reply(await ann.slash(hall.channel, command))
            assert "You left this game" in text(message)
            assert "Really resign" not in text(message)
            assert not {"Roll for me", "My hand"} & set(labels(message))


async def test_only_members_can_add_lucky_words_and_others_are_not_seated(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.lobby(hall.people[:2])
        panel = await hall.panel()
        form = await hall.people[2].click(panel, label="Lucky words")
        response = await hall.people[2].submit_modal(form, {"phrase": "lucky me"})
        assert answer(response)
        assert hall.people[2].id not in (await hall.table()).users
        form = await hall.people[1].click(panel, label="Lucky words")
        await hall.people[1].submit_modal(form, {"phrase": "seven"})
        assert [m.phrase for m in (await hall.table()).members] == ["", "seven"]
        lobby = await hall.panel()
        assert lobby.attachments, "an example of the board"
        await hall.people[0].click(lobby, label="Start")
        assert "press **Start**" not in text(hall.message(lobby.id))


@pytest.mark.usefixtures("all_pictures")
async def test_the_host_sets_how_all_see_the_board(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.lobby()
        ann, bob, *_ = hall.people
        opened = await ann.click(await hall.panel(), label="Options")
        await fill(ann, reply(opened), "Table and pictures", look=["dark"])
        await ann.click(await hall.panel(), label="Start")
        assert (await hall.table()).options.look.dark
        before = await (await hall.panel()).attachments[0].read()
        page = reply(await ann.slash(hall.channel, "game options"))
        await fill(ann, page, "Table and pictures", look=["dark", "large"])
        assert (await hall.table()).options.look.large
        assert await (await hall.panel()).attachments[0].read() != before
        await hall.services.games.act(1, ann.id, Play(Resign()), "gone")
        assert labels(reply(await ann.slash(hall.channel, "game options"))) == []
        page = reply(await bob.slash(hall.channel, "game options"))
        await fill(bob, page, "Table and pictures", look=["large"])
        assert not (await hall.table()).options.look.dark


async def test_a_knights_robber_move_can_be_undone_if_no_card_was_stolen(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin(target=14)
        game = await hall.advance(able(PlayKnight))
        person = await on_turn(hall, game)
        await by_components(hall, person, PlayKnight())
        move = next(iter((await hall.game()).options(game.to_act[0])[MoveRobber]))
        await by_components(hall, person, move)
        after = await hall.game()
        if after.can_undo(game.to_act[0]):
            await person.slash(hall.channel, "undo")
            assert (await hall.game()).state.robber == game.state.robber
