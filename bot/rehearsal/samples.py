"""Messages as games send them, made by the same code: the message of a simulated game, and every kind of control."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from discord import ui

import render
from bot.discord.features import FEATURES
from bot.discord.show.messages import ACCENT, gallery_of, layout_of
from bot.discord.show.messages import controls as rows_of
from bot.discord.show.panel import layout
from bot.discord.talk.tree import Tree
from bot.rehearsal.bodies import NAMES, PROMPT
from bot.screens.controls import (
    CHANNEL,
    FORUM,
    ROLE,
    Button,
    Download,
    Link,
    ListOption,
    Open,
    Pick,
    Picture,
    Reply,
    Section,
    Select,
    Style,
)
from bot.screens.steps.step import INLINE_OFFERS
from bot.screens.viewer import Viewer
from bot.table.act import By
from bot.table.acts.lobby import Join, Start, config_of, new_lobby
from engine.actions import BankTrade, BuildRoad, MakeOffer
from engine.chance import SEED_BYTES, SeededChance
from engine.config import Config
from engine.game import Game
from engine.resources import single

Json = dict[str, Any]
MOVES = 400
"""Most random moves that the simulated game goes on for."""
CHOICE = "Ore"
"""What a person is asked to choose in the list of `controls`."""
CONTENT = b"The story of a game, turn by turn.\n"


def game_message() -> tuple[ui.LayoutView, Picture]:
    """The longest message of a simulated game, and its picture: with offers that have buttons of their own."""
    public = _longest()
    view = public.view
    picture = Picture(render.board(view, names=public.names), "A board in the middle of a game.")
    return layout(public, picture), picture


def _longest() -> Viewer:
    """The position of a simulated game whose message has most parts, and of those the one with most words."""
    table = new_lobby(None, 1, Config(()), Join(NAMES[0]), By(1, 0.0))
    for user, name in enumerate(NAMES[1:], 2):
        table = Join(name).on(table, None, By(user, 0.0))
    game = Game.new(config_of(table), SeededChance(bytes(SEED_BYTES), "", ()))
    table = Start("0").on(table, game, By(1, 0.0))
    rng, best, most = random.Random(0), Viewer(table, game.copy()), (0, 0)
    for _ in range(MOVES):
        if game.outcome is not None:
            break
        seat = game.to_act[0]
        game.play(seat, game.options(seat).sample(rng))
        if MakeOffer in game.options(seat):
            trial = Viewer(table, _busy(game.copy(), seat, rng))
            found = [*layout(trial).walk_children()]
            words = sum(len(part.content) for part in found if isinstance(part, ui.TextDisplay))
            if (len(found), words) > most:
                best, most = trial, (len(found), words)
    return best


def _busy(game: Game, on_turn: int, rng: random.Random) -> Game:
    """The game after the player on turn has made an offer, another one has made one, too, and the player has done
    something that can be undone."""
    for seat in (on_turn, *(other for other in range(game.config.players) if other != on_turn)):
        hand = game.view(seat).players[seat].hand or ()
        give = next((kind for kind, n in enumerate(hand) if n), None)
        if give is not None and len(game.view(None).offers) < INLINE_OFFERS:
            offer = MakeOffer(single(give), single((give + 1) % 5))
            if game.options(seat).allows(offer):
                game.play(seat, offer)
    for action in (BuildRoad, BankTrade):
        if action in game.options(on_turn) and game.view(None).undo is None:
            game.play(on_turn, game.options(on_turn)[action].sample(rng))
    return game


def controls(channel: int, roles: Sequence[int]) -> Reply:
    """Each kind of control once, with a picture and a file. In Discord's own lists a channel and a role are chosen."""
    listed = [
        ListOption("ore", CHOICE, "From mountains", emoji="🪨"),
        ListOption("wool", "Wool", "From pastures", default=True, emoji="🐑"),
        ListOption("cards", "Two cards", emoji="🎴"),
        ListOption("nothing", "Nothing"),
    ]
    styles = [Button(style.value.title(), Open("try"), style, "🎲") for style in Style]
    return Reply(
        "### Every kind of control\nA try by `harbormaster rehearse`.",
        Picture(next(iter(render.signs().values())), "A sign.", "sign.png"),
        [
            Section("A text with a button", Button("Join", Open("try"), Style.SUCCESS)),
            Section("Another one", Button("Look", Open("try"))),
            Section("A third one", Button("Agree", Open("try"), Style.PRIMARY, "🪑")),
            [*styles, Button("A link", Link("https://discord.com"))],
            [Button(style.value.title(), Open("try"), style) for style in Style],
            Select(f"Choose {CHOICE}", Open("try"), listed, most=2),
            Pick("A role", Open("try"), ROLE, roles[:1], least=0),
            Pick("Channels", Open("try"), CHANNEL, [channel], least=0, most=3),
            Pick("A forum", Open("try"), FORUM, least=0),
        ],
        Download(CONTENT, "game-7.txt"),
    )


def boxed(reply: Reply) -> ui.LayoutView:
    """A reply's controls and picture in a box, as in game messages."""
    view, box = ui.LayoutView(timeout=None), ui.Container[Any](accent_colour=ACCENT)
    box.add_item(ui.TextDisplay(reply.text))
    for row in rows_of(reply.rows, 0, ""):
        box.add_item(row)
    if reply.picture is not None:
        box.add_item(gallery_of(reply.picture))
    view.add_item(box)
    return view


def unboxed(reply: Reply) -> ui.LayoutView:
    """A reply as only one person sees it."""
    return layout_of(reply, 0)


def parts(view: ui.LayoutView) -> list[Json]:
    """A layout's components. Their custom ids are the rehearsal's, so that nothing else takes a press for its own."""
    components: list[Json] = view.to_components()  # type: ignore[no-untyped-call]
    _rename(components)
    return components


def _rename(components: Sequence[Json], above: str = "") -> None:
    for number, part in enumerate(components):
        if "custom_id" in part:
            part["custom_id"] = f"{PROMPT}{part.get('label', 'list').split()[0].casefold()}:{above}{number}"
        inner = [*part.get("components", []), *([part["accessory"]] if part.get("accessory") else [])]
        _rename(inner, f"{above}{number}.")


async def commands(client: Any) -> list[Json]:
    """All commands as Harbormaster registers them."""
    tree = Tree(client)
    for feature in FEATURES:
        for command in feature.commands:
            tree.add_command(command)
    return await tree.payload()
