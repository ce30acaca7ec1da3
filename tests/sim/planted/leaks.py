"""Leaks to plant: someone learns what section M of the rules hides from them."""

from __future__ import annotations

import dataclasses
from typing import Any

from tests.sim.planted import other_leaks, silent  # noqa: F401 (they declare more)
from tests.sim.planted.planting import planted
from tests.sim.secrets.canaries import CALLED, TO_ITS_OWNER
from tests.sim.secrets.marks import everywhere, put
from tests.sim.secrets.twins import SAME

# --- what all see of a hand


@planted("the alternative text of the board has the hand of the player on turn", TO_ITS_OWNER, SAME)
def hand_in_alt_text() -> None:
    from bot.discord.show.pictures import Pictures
    from bot.words import pictures

    board = Pictures.board

    async def told(self: Any, viewer: Any, *rest: Any) -> Any:
        found, seat = await board(self, viewer, *rest), viewer.view.on_turn
        if seat is None or viewer.view.outcome is not None:
            return found
        return dataclasses.replace(found, alt=f"{found.alt} {pictures.hand_alt(viewer.game.view(seat))}")

    put(Pictures, board=told)


@planted("everyone sees points with the hidden ones", SAME)
def hidden_points() -> None:
    from engine.state import State

    points = State.points

    def all_points(self: Any, seat: int) -> Any:
        return points(self, seat) + self.development_cards[seat][4]

    put(State, points=all_points, all_points=all_points)


@planted("a button of the game message is missing if the player on turn can't use it", SAME)
def missing_button() -> None:
    from bot.screens import play
    from bot.screens.viewer import Viewer

    controls = play.panel_controls

    def usable(public: Any) -> Any:
        rows, seat = controls(public), public.view.on_turn
        if seat is None or public.view.outcome is not None:
            return rows
        mine = Viewer(public.table, public.game, seat)
        return [[b for b in row if getattr(b.target, "verb", "") != "bank" or play._leads_on(mine, b)] for row in rows]

    everywhere(controls, usable)


@planted("the order of the game message's buttons depends on a hand", SAME)
def order_of_buttons() -> None:
    from bot.screens import play

    controls = play.panel_controls

    def sorted_(public: Any) -> Any:
        rows, seat = controls(public), public.view.on_turn
        rich = seat is not None and public.game.state.hands[seat][4] >= 2
        return [[*reversed(row)] if rich and len(row) > 2 else row for row in rows]

    everywhere(controls, sorted_)


@planted("only players who can pay for an offer are called about it", SAME)
def call_by_hand() -> None:
    from bot.screens import waiting
    from engine.resources import covers, hand

    pings = waiting.all_pings

    def able(public: Any) -> Any:
        wanted = [offer.want for offer in public.view.offers]
        hands = [hand(cards) for cards in public.game.state.hands]
        return [
            ping
            for ping in pings(public)
            if not wanted or any(covers(hands[seat], want) for seat in ping.seats for want in wanted)
        ]

    everywhere(pings, able)


@planted("the board's file is named after the hand of the player on turn", SAME)
def name_of_a_file() -> None:
    from bot.discord.show.pictures import Pictures
    from bot.screens.controls import hand_code
    from engine.resources import hand

    board = Pictures.board

    async def named(self: Any, viewer: Any, *rest: Any) -> Any:
        found, seat = await board(self, viewer, *rest), viewer.view.on_turn
        if seat is None:
            return found
        return dataclasses.replace(found, name=f"board-{hand_code(hand(viewer.game.state.hands[seat]))}.png")

    put(Pictures, board=named)


@planted("the nonce of a turn's message is made of a hand", TO_ITS_OWNER)
def nonce_of_a_hand() -> None:
    from bot.discord.show.display import Display

    post = Display.post
    hands = dict[int, Any]()

    async def posted(self: Any, channel: int, table: Any, name: str, since: int, content: Any, **how: Any) -> Any:
        game = self.services.repository._cache.game(table.number)
        if game is not None and game.outcome is None:
            hands[table.number] = game.view(game.to_act[0]).players[game.to_act[0]].hand
        return await post(self, channel, table, f"{name}", since, content, **how)

    put(Display, post=posted)
    import discord.abc
    from discord.http import handle_message_parameters as _  # noqa: F401

    send = discord.abc.Messageable.send

    async def sent(self: Any, *values: Any, nonce: Any = None, **how: Any) -> Any:
        if nonce is not None and hands:
            nonce = f"{next(reversed(hands.values()))}"[:25]
        return await send(self, *values, nonce=nonce, **how)

    put(discord.abc.Messageable, send=sent)


@planted("the robber's theft is told to all with its card", TO_ITS_OWNER, SAME)
def stolen_card() -> None:
    from engine.codec import Secret

    put(Secret, for_seat=lambda self, seat: self.value)


@planted("a player's late answer or request is seen by all at once", SAME)
def early_answer() -> None:
    from bot.screens import panel

    headline = panel.headline

    def with_requests(view: Any, names: Any, *rest: Any) -> str:
        asked = "✋" if view.asked_to_build else ""
        return headline(view, names, *rest) + asked

    everywhere(headline, with_requests)
    from engine import views

    build = views.build_view

    def built(state: Any, seat: Any, *rest: Any) -> Any:
        found = build(state, seat, *rest)
        object.__setattr__(found, "asked_to_build", bool(state.asked))
        return found

    everywhere(build, built)


# --- what others learn by asking


@planted("who acts out of turn is told the hand of the player on turn", TO_ITS_OWNER)
def refusal_with_a_hand() -> None:
    from bot.discord.talk import dispatch
    from bot.words.hands import own_hand

    text = dispatch.refusal_text

    async def told(call: Any, refusal: Any) -> str:
        found = await text(call, refusal)
        if refusal.code == "wrong-turn":
            viewer = await call.viewer()
            seat = viewer.view.on_turn
            return f"{found} {own_hand(viewer.game.view(seat), viewer.names)}" if seat is not None else found
        return found

    everywhere(text, told)


@planted("a refusal depends on the cards of the player on turn", SAME)
def refusal_by_a_hand() -> None:
    from engine.game import Game

    refusal = Game._refusal

    def refused(self: Any, seat: int, action: Any) -> Any:
        found, on_turn = refusal(self, seat, action), self.state.on_turn
        if on_turn >= 0 and seat != on_turn and self.state.hands[on_turn][0]:
            found.key = "not-now/victim"
        return found

    put(Game, _refusal=refused)


@planted("first suggested is what the player on turn holds", SAME)
def suggestion() -> None:
    from bot.screens import suggested

    needed = suggested.needed_resources

    def held(viewer: Any) -> list[int]:
        on_turn = viewer.view.on_turn
        kinds = needed(viewer)
        return kinds if on_turn is None else sorted(kinds, key=lambda kind: -viewer.game.state.hands[on_turn][kind])

    everywhere(needed, held)


@planted("players are suggested in the order of all their points", SAME)
def order_of_players() -> None:
    from bot.screens import suggested

    def by_cards(viewer: Any, seats: Any) -> Any:
        cards = viewer.game.state.development_cards
        ranked = sorted(seats, key=lambda seat: (-cards[seat][0], seat))
        return [(suggested.player_label(viewer, seat), suggested.player_value(viewer, seat)) for seat in ranked]

    everywhere(suggested.player_choices, by_cards)


@planted("a player's picture shows the hand of the next one", TO_ITS_OWNER)
def picture_of_another() -> None:
    from bot.discord.show.pictures import Pictures

    hand = Pictures.hand

    async def next_one(self: Any, viewer: Any, look: Any) -> Any:
        other = (viewer.my_seat + 1) % viewer.game.config.players
        return await hand(self, dataclasses.replace(viewer, seat=other), look)

    put(Pictures, hand=next_one)


@planted("the story that a player reads is that of the seat before", TO_ITS_OWNER, SAME)
def story_of_another() -> None:
    from bot.screens import history

    recount: Any = vars(history)["recount"]

    def of_another(config: Any, records: Any, seat: int | None) -> Any:
        return recount(config, records, 0 if seat is None else (seat - 1) % config.players)

    everywhere(recount, of_another)


# --- private answers and messages


@planted("private answers with a picture are posted for everyone", TO_ITS_OWNER)
def public_answers() -> None:
    import discord

    respond = discord.InteractionResponse.send_message

    async def to_all(self: Any, *values: Any, ephemeral: bool = False, **how: Any) -> Any:
        return await respond(self, *values, ephemeral=ephemeral and not how.get("files"), **how)

    put(discord.InteractionResponse, send_message=to_all)


@planted("a hand is sent to another player", TO_ITS_OWNER)
def wrong_person() -> None:
    from bot.discord.show import private

    channel = private._dm_channel

    async def of_another(display: Any, user: int) -> Any:
        others = [one for one in display.client.seen_users if one != user]
        display.client.seen_users[user] = None
        return await channel(display, others[-1] if others else user)

    import bot.discord.client as client

    put(client.Harbormaster, seen_users={})
    private._dm_channel = of_another


@planted("mentions call whoever a text names", CALLED)
def open_mentions() -> None:
    import discord

    from bot.discord.show import channels

    everywhere(channels.SILENT, discord.AllowedMentions.all())
