"""The special building phase (J1, J2): players ask unnoticed, are called in order with a ping, and build or pass."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from bot.service.orders import DELAY
from bot.table.acts.play import Play
from engine.actions import Action, AskToBuild, BuyCard, EndTurn, PassOn, Roll, SetStanding
from engine.game import Game
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_commands, by_components
from tests.bot.discord.hall import Hall, answer, fill, labels, reply, text
from tests.bot.discord.moments import at
from tests.bot.discord.tables import begin_extension


def requests(hall: Hall) -> list[tuple[str, str]]:
    """The bot's requests except answers to interactions."""
    private = ("/interactions/", "/webhooks/")
    return [(r.method, r.path) for r in hall.env.http_requests if not any(p in r.path for p in private)]


async def test_a_request_to_build_is_invisible_to_others(open_hall: Opened) -> None:
    async with open_hall(6) as hall:
        game = await begin_extension(hall)
        table, panel = await hall.table(), await hall.panel()
        turn = game.to_act[0]
        ann, bob = [await hall.person((turn + n) % 6) for n in (1, 2)]
        before, messages, panel_text = requests(hall), len(hall.channel.history()), text(panel)
        asked = await ann.click(panel, label="Ask to build")
        assert reply(asked).ephemeral
        assert "you can build when this turn ends" in answer(asked)
        typed = await bob.slash(hall.channel, "build ask")
        assert "you can build when this turn ends" in answer(typed)
        assert "you can build when this turn ends" in answer(await ann.click(panel, label="Ask to build"))
        gone = await bob.click(reply(typed), label="Cancel request")
        assert "won't build" in answer(gone)
        await hall.standing(bob, 5)
        assert requests(hall) == before
        assert (len(hall.channel.history()), text(await hall.panel())) == (messages, panel_text)
        assert (await hall.table()).version == table.version
        kinds = [type(r.action) for r in (await hall.game()).records[game.revision :]]
        assert kinds == [AskToBuild, AskToBuild, AskToBuild, SetStanding]
        person = await hall.person(turn)
        assert "your own turn" in answer(await person.click(panel, label="Ask to build"))
        for other in (ann, person):
            status = answer(await other.slash(hall.channel, "board"))
            assert "ask" not in status.lower()


@pytest.mark.parametrize("asks", [False, True])
async def test_a_new_name_does_not_reveal_that_a_player_asked_to_build(open_hall: Opened, asks: bool) -> None:
    """A new name is taken over only when the player does something that all see."""
    async with open_hall(6) as hall:
        turn = (await begin_extension(hall)).to_act[0]
        bob, other = await hall.person((turn + 1) % 6), await hall.person((turn + 2) % 6)
        hall.env.backend.guilds[hall.guild.id].members[bob.id].nick = "Captain B"
        if asks:
            await bob.slash(hall.channel, "build ask")
        assert "Captain B" not in str(reply(await other.slash(hall.channel, "board")).attachments[0].description)
        seat = (await hall.table()).seat_of(await hall.game(), bob.id)
        await hall.advance(lambda game: game.view(None).step.kind == "pre_roll" and game.to_act == (seat,))
        await bob.slash(hall.channel, "roll")
        assert "Captain B" in str(reply(await other.slash(hall.channel, "board")).attachments[0].description)


async def test_the_panels_buttons_still_work_after_a_player_sets_a_standing_number(open_hall: Opened) -> None:
    async with open_hall(6) as hall:
        game = await begin_extension(hall)
        person = await hall.person(game.to_act[0])
        panel = await hall.panel()
        await hall.standing(person, 7)
        await person.click(panel, label="End turn")
        assert isinstance((await hall.game()).records[-1].action, EndTurn)


async def test_players_who_asked_are_called_in_order_with_a_ping(open_hall: Opened) -> None:
    async with open_hall(6) as hall:
        game = await begin_extension(hall)
        turn = game.to_act[0]
        first, second = (turn + 2) % 6, (turn + 4) % 6
        for seat in (second, first):  # they are not called in the order in which they asked
            await by_components(hall, await hall.person(seat), AskToBuild())
        await by_components(hall, await hall.person(turn), EndTurn())
        for way, seat in ((by_components, first), (by_commands, second)):
            game = await hall.game()
            assert (game.view(None).step.kind, game.to_act) == ("special_building", (seat,))
            person = await hall.person(seat)
            await hall.env.advance_time(DELAY[1] + 1)
            [ping] = [
                text(m)
                for m in hall.channel.history()
                if "build, buy a card, or pass" in text(m) and text(m).startswith("<@")
            ]
            assert ping.startswith(f"<@{person.id}>")
            panel = await hall.panel()
            assert {"Build", "Pass", "My hand"} <= set(labels(panel))
            assert not {"Roll", "Bank", "Offer a trade", "Play card", "End turn"} & set(labels(panel))
            assert "Building between turns" in text(panel)
            other = await hall.person(turn)
            assert answer(await other.click(panel, label="Pass"))
            assert (await hall.game()).revision == game.revision
            await way(hall, person, PassOn())
        game = await hall.game()
        assert (game.view(None).step.kind, game.to_act) == ("pre_roll", ((turn + 1) % 6,))
        assert not [m for m in hall.channel.history() if "build, buy a card, or pass" in m.content]


async def test_a_request_can_be_canceled_only_before_its_player_is_called(open_hall: Opened) -> None:
    async with open_hall(6) as hall:
        turn = (await begin_extension(hall)).to_act[0]
        person = await hall.person((turn + 2) % 6)

        async def canceled() -> str:
            return answer(await person.slash(hall.channel, "build ask", cancel=True))

        assert "You have not asked" in await canceled()
        await person.click(await hall.panel(), label="Ask to build")
        assert "won't build" in await canceled()
        assert "won't build" in await canceled(), "a double press is no mistake"
        asked = reply(await person.click(await hall.panel(), label="Ask to build"))
        await by_components(hall, await hall.person(turn), EndTurn())
        assert "Between turns you can only build" in answer(await person.click(asked, label="Cancel request"))
        await by_components(hall, person, PassOn())
        assert "You have not asked" in await canceled()


async def test_without_the_phase_no_request_is_called_canceled(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        await hall.begin()
        person = await hall.person((await hall.game()).to_act[0])
        canceled = await person.slash(hall.channel, "build ask", cancel=True)
        assert "There is no building between turns" in answer(canceled)


async def test_a_standing_number_calls_a_player_without_asking(open_hall: Opened) -> None:
    async with open_hall(6) as hall:
        game = await begin_extension(hall, standing=None)
        assert game.state.standing == [0] * 6
        turn = game.to_act[0]
        rich = max((s for s in range(6) if s != turn), key=lambda s: game.view(None).players[s].hand_size)
        cards = game.view(None).players[rich].hand_size
        assert cards
        for seat in range(6):
            threshold = cards if seat == rich else 0
            await hall.standing(await hall.person(seat), threshold)
        await by_components(hall, await hall.person(turn), EndTurn())
        assert (await hall.game()).to_act == (rich,)


async def test_a_players_standing_number_applies_in_a_new_game(open_hall: Opened) -> None:
    async with open_hall(6) as hall:
        await hall.standing(hall.people[2], 9)
        game = await begin_extension(hall, standing=None)
        seat = (await hall.table()).seat_of(game, hall.people[2].id)
        assert game.state.standing == [9 if s == seat else 0 for s in range(6)]


@pytest.mark.parametrize("way", ["form", "button"])
async def test_a_player_can_choose_once_to_be_called_without_asking(open_hall: Opened, way: str) -> None:
    """In the form of the settings, or by a button of the first call. From then on, they are called with four cards."""
    async with open_hall(6) as hall:
        game = await begin_extension(hall, standing=None)
        turn = game.to_act[0]
        seat = (turn + 1) % 6
        person = await hall.person(seat)
        page = reply(await person.slash(hall.channel, "settings"))
        assert "Building between turns: **only if you asked**" in text(page)
        if way == "form":
            await fill(person, page, "Building between turns", calls="always")
        else:
            await by_components(hall, person, AskToBuild())
            await by_components(hall, await hall.person(turn), EndTurn())
            await hall.env.advance_time(DELAY[1] + 1)
            [call] = [m for m in hall.channel.history() if text(m).startswith(f"<@{person.id}> · build, buy")]
            await person.click(call, label="Always")
        assert (await hall.game()).state.standing == [4 if s == seat else 0 for s in range(6)]
        content = answer(await person.slash(hall.channel, "settings"))
        assert "Building between turns: **always**, with 4 cards or more" in content
        assert (await hall.services.people.settings(person.id)).called_from == 4


async def test_the_choice_when_to_be_asked_is_a_question_of_its_own_and_asked_once(open_hall: Opened) -> None:
    async with open_hall(6) as hall:
        game = await begin_extension(hall, standing=None)
        seat = (game.to_act[0] + 1) % 6
        person = await hall.person(seat)
        for time in range(2):
            game = await hall.advance(lambda g: at("main")(g) and g.to_act[0] != seat, seed=time)
            await by_components(hall, person, AskToBuild())
            await by_components(hall, await hall.person(game.to_act[0]), EndTurn())
            await hall.env.advance_time(DELAY[1] + 1)
            [call] = [m for m in hall.channel.history() if text(m).startswith(f"<@{person.id}> · build, buy")]
            question = "**From now on, when should I ask you to build between turns?** `/settings` changes it."
            assert text(call).splitlines()[1:] == [question] * (not time)
            assert ("Always" in labels(call)) == (not time)
            await by_components(hall, person, PassOn())


async def stops(hall: Hall, asks: bool = False, **chosen: int) -> tuple[int, list[int]]:
    """Play 17 turns of a game of six. Returns how often they stop for a player to build, and the dice of the game.

    `chosen`: `standing`, a number of cards that everyone sets. `asks`: seat 0 asks to build in each turn of seat 1.
    """
    host, *others = hall.people
    await host.slash(hall.channel, "game new")
    await hall.options(scenario="extension", target=20)
    for person in others:
        await person.click(await hall.panel(), label="Join")
    for person in hall.people:
        if "standing" in chosen:
            await hall.standing(person, chosen["standing"])
    await host.click(await hall.panel(), label="Start")
    table, count = await hall.table(), 0

    async def play(seat: int, action: Action) -> None:
        user, id = table.user_at(game, seat), f"past-{game.revision}-{seat}"
        await hall.services.games.act(table.number, user, Play(action), id)

    while (game := await hall.game()).turn < 18:
        seat = game.to_act[0]
        count += game.view(None).step.kind == "special_building"
        options = game.options(seat)
        plain = next((kind for kind in (PassOn, Roll, EndTurn) if kind in options), None)
        if plain is EndTurn and asks and seat == 1 and not game.view(0).asked_to_build:
            await play(0, AskToBuild())
            continue
        action = plain() if plain else options.sample(random.Random(f"{game.turn}.{seat}"))
        await play(seat, action)
    return count, [result for record in game.records for kind, _, _, result in record.draws if kind == "dice"]


async def test_the_game_stops_only_for_players_who_asked_to_build(open_hall: Opened) -> None:
    """The same 17 turns stop over forty times when all are called for the number of their cards."""
    games = []
    for world, (asks, chosen) in enumerate(((False, {"standing": 4}), (False, {}), (True, {}))):
        async with open_hall(6, world) as hall:
            games.append(await stops(hall, asks, **chosen))
    (before, dice), (after, same), (asked, again) = games
    assert dice == same == again
    assert before > 40
    assert (after, asked) == (0, 3)


async def test_the_called_player_builds_and_passes_by_buttons(open_hall: Opened) -> None:
    def can_buy(game: Game) -> Any:
        view = game.view(None)
        if view.step.kind != "special_building":
            return False
        return BuyCard in game.options(game.to_act[0])

    async with open_hall(6) as hall:
        await begin_extension(hall, standing=3)
        game = await hall.advance(can_buy)
        seat = game.to_act[0]
        person = await hall.person(seat)
        await by_components(hall, person, BuyCard())
        assert isinstance((await hall.game()).records[-1].action, BuyCard)
        refused = await person.slash(hall.channel, "trade bank", give="4 wool", get="1 ore")
        assert "Between turns you can only build" in answer(refused)
        domain = (await hall.game()).options(seat)
        for kind in domain:
            if kind.__name__.startswith("Build"):
                await by_components(hall, person, domain[kind].sample(random.Random(1)))
                break
        await by_components(hall, person, PassOn())
        assert (await hall.game()).to_act != (seat,)


SOON = 16
"""The seed of moves that soon lead to a call of a player who can pay, and of one who can't."""


def called(able: bool) -> Callable[[Game], bool]:
    """A condition: the end of the turn calls a player who can (or can't) pay for a development card."""

    def reached(game: Game) -> bool:
        if game.view(None).step.kind != "main" or game.turn < 4:
            return False
        trial = game.copy()
        if EndTurn not in trial.options(trial.to_act[0]):
            return False
        trial.play(trial.to_act[0], EndTurn())
        if trial.view(None).step.kind != "special_building":
            return False
        return (BuyCard in trial.options(trial.to_act[0])) == able

    return reached


@pytest.mark.parametrize("able", [False, True])
@pytest.mark.parametrize("order", ["", "settings", "game"])
async def test_calls_to_build_reveal_nothing_about_autopilots_and_hands(
    open_hall: Opened, order: str, able: bool
) -> None:
    """No one is called before an autopilot would have acted. Then all calls are alike."""
    async with open_hall(6) as hall:
        await begin_extension(hall, standing=3)
        for person in hall.people:
            if order == "game":
                page = reply(await person.slash(hall.channel, "auto"))
                await fill(person, page, "What to do for me", building=["development card"])
            elif order:
                await hall.services.people.change_settings(person.id, choices={"building": ("development card",)})
        game = await hall.advance(called(able), SOON)
        await by_components(hall, await hall.person(game.to_act[0]), EndTurn())
        seat = (await hall.game()).to_act[0]
        person = await hall.person(seat)
        calls = f"<@{person.id}> · build, buy a card, or pass"

        def sent() -> list[Any]:
            here = [r for r in hall.env.http_requests if r.method == "POST" and str(hall.channel.id) in r.path]
            return [r.json["allowed_mentions"] for r in here if calls in str(r.json)]  # type: ignore[index]

        await hall.env.advance_time(DELAY[0] - 1)
        assert sent() == []
        assert (await hall.game()).to_act == (seat,)
        await hall.env.advance_time(DELAY[1] - DELAY[0] + 2)
        if order and not able:
            since = (await hall.game()).records[game.revision :]
            assert [record.action for record in since if record.actor == seat][:1] == [PassOn()]
            assert sent() == []
        else:
            assert sent() == [{"users": [person.id], "parse": []}] or sent() == [
                {"users": [str(person.id)], "parse": []}
            ]


async def test_a_delayed_call_survives_a_restart(open_hall: Opened) -> None:
    async with open_hall(6) as hall:
        await begin_extension(hall, standing=3)
        game = await hall.advance(called(True), SOON)
        await by_components(hall, await hall.person(game.to_act[0]), EndTurn())
        person = await hall.person((await hall.game()).to_act[0])
        await hall.restart()
        await hall.env.advance_time(DELAY[1] + 1)
        [call] = [m for m in hall.channel.history() if text(m).startswith(f"<@{person.id}> · build, buy")]
        assert [user.id for user in call.mentions] == [person.id]
