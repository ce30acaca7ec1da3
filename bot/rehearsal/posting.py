"""Steps with messages that need no person: posting, posting twice, editing, deleting. Some messages are as games send
them, made by the same code: the message of a simulated game, and every kind of control."""

from __future__ import annotations

import asyncio
import random
import secrets
from base64 import b64encode
from collections.abc import Sequence
from typing import Any

from discord import ui

import render
from bot.discord.features import FEATURES
from bot.discord.interaction import Json
from bot.discord.show.channels import make_ready
from bot.discord.show.messages import ACCENT, SIGNS, gallery_of, layout_of
from bot.discord.show.messages import controls as rows_of
from bot.discord.show.panel import panel_layout
from bot.discord.talk.tree import Tree
from bot.rehearsal.findings import DEFAULT_WAIT, Answer, Seen
from bot.rehearsal.stage import (
    BUTTON,
    MARK,
    MESSAGE,
    NAMES,
    PROMPT,
    WORDS,
    Stage,
    buttons_body,
    edited_body,
    gallery_body,
    list_body,
    media_of,
    message_body,
    required,
    text_body,
    text_of,
    walk,
)
from bot.screens.controls import (
    CHANNEL,
    FORUM,
    ROLE,
    USER,
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
from render import signs

MOVES = 400
"""Most random moves that the simulated game goes on for."""
CHOICE = "Ore"
"""What a person is asked to choose in the list of `sample_controls`."""
CONTENT = b"The story of a game, turn by turn.\n"


def game_message() -> tuple[ui.LayoutView, Picture]:
    """The longest message of a simulated game, and its picture: with offers that have buttons of their own."""
    public = _longest()
    view = public.view
    picture = Picture(render.board(view, names=public.names), "A board in the middle of a game.")
    return panel_layout(public, picture), picture


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
            found = [*panel_layout(trial).walk_children()]
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


def sample_controls(channel: int, roles: Sequence[int]) -> Reply:
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
            Pick("People", Open("try"), USER, least=0, most=7),
        ],
        [Download(CONTENT, "game-7.txt")],
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


def message_parts(view: ui.LayoutView) -> list[Json]:
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


async def sample_commands(client: Any) -> list[Json]:
    """All commands as Harbormaster registers them."""
    tree = Tree(client)
    for feature in FEATURES:
        for command in feature.commands:
            tree.add_command(command)
    return await tree.payload()


AS_SENT = "as it was sent"
NEW_WORDS = "### Game 7 · Ben’s turn\nOnly the words are new."
UNKNOWN_MESSAGE = 10008
EMOJIS = "/applications/{application_id}/emojis"


def compared(sent: str, back: str) -> str:
    """`AS_SENT` if a text came back unchanged; otherwise where and how it changed."""
    if sent == back:
        return AS_SENT
    at = next(
        (n for n, (one, other) in enumerate(zip(sent, back, strict=False)) if one != other), min(len(sent), len(back))
    )
    return f"changed from character {at} on, {sent[at : at + 12]!r} into {back[at : at + 12]!r}"


def look(seen: Seen, message: Json, picture: Picture) -> Json:
    """Note what a message says about its one picture. Returns the picture's data."""
    items = media_of(message)
    seen["pictures"] = len(items)
    media = items[0] if items else {}
    seen["content type"] = media.get("content_type")
    seen["size"] = f"{media.get('width')}x{media.get('height')}"
    seen["file name kept"] = f"/{picture.name}" in media.get("url", "")
    seen["id given"] = bool(media.get("attachment_id"))
    return media


def nonce() -> str:
    return secrets.token_hex(12)


def with_picture(stage: Stage, words: str, number: int = 0) -> Json:
    picture = stage.pictures[number]
    return message_body(text_body(words), gallery_body(picture), files=list_body(picture))


async def post(stage: Stage, seen: Seen) -> None:
    """Post a message with a text and an uploaded picture."""
    picture, sent = stage.pictures[0], WORDS
    body = {**with_picture(stage, sent), "nonce": nonce(), "enforce_nonce": True}
    answer = await stage.post(body, picture)
    message = required(answer)
    stage.message, stage.body = message, body
    seen["status"] = answer.status
    seen["text"] = compared(sent, text_of(message))
    seen["number of the first part kept"] = message["components"][0].get("id") == MARK
    look(seen, message, picture)
    seen["seconds"] = answer.seconds
    seen["limit"] = answer.limits or DEFAULT_WAIT


async def once(stage: Stage, seen: Seen) -> None:
    """Post the very same message again, as after a lost answer."""
    answer = await stage.post(stage.body, stage.pictures[0])
    again = required(answer)
    seen["status"] = answer.status
    seen["messages"] = 1 if again["id"] == stage.message["id"] else 2


async def edit_words(stage: Stage, seen: Seen) -> None:
    """Edit the words. The picture is kept by its id, and not uploaded again."""
    picture, before = stage.pictures[0], media_of(stage.message)[0]
    attachment = {"id": before.get("attachment_id"), "filename": picture.name}
    body = message_body(text_body(NEW_WORDS), gallery_body(picture), files=list_body(kept=attachment))
    answer = await stage.edit(stage.message, edited_body(body))
    message = required(answer)
    seen["status"] = answer.status
    seen["text"] = compared(NEW_WORDS, text_of(message))
    media = look(seen, message, picture)
    seen["same attachment"] = media.get("attachment_id") == before.get("attachment_id")
    seen["limit"] = answer.limits or DEFAULT_WAIT


async def edit_picture(stage: Stage, seen: Seen) -> None:
    """Edit the message with another picture, which is uploaded."""
    picture, before = stage.pictures[1], media_of(stage.message)[0]
    answer = await stage.edit(stage.message, edited_body(with_picture(stage, NEW_WORDS, 1)), picture)
    message = required(answer)
    seen["status"] = answer.status
    media = look(seen, message, picture)
    seen["new attachment"] = media.get("attachment_id") != before.get("attachment_id")
    ids = {"channel_id": message["channel_id"], "message_id": message["id"]}
    seen["still there afterwards"] = len(media_of((await stage.asker.ask("GET", MESSAGE, **ids)).data)) == 1


async def emoji(stage: Stage, seen: Seen) -> None:
    """Upload an emoji of the application's own, and show it in a text and on a button."""
    there = await stage.asker.attempt("GET", EMOJIS, application_id=stage.application)
    seen["there already"] = len(there.data["items"]) if there.status < 400 else there.said
    image = "data:image/png;base64," + b64encode(signs()["grain"]).decode()
    body = {"name": f"rehearse_{secrets.token_hex(4)}", "image": image}
    answer = await stage.asker.attempt("POST", EMOJIS, body, application_id=stage.application)
    own = required(answer)
    stage.emoji = int(own["id"])
    stage.client.signs.use(dict.fromkeys(SIGNS, stage.emoji))
    words, row = f"An emoji of the bot's own: <:{own['name']}:{own['id']}>", buttons_body("Nothing")
    row["components"][0]["emoji"] = {"id": own["id"], "name": own["name"]}
    message = required(await stage.post(message_body(text_body(words), row)))
    seen["status"] = answer.status
    seen["text"] = compared(words, text_of(message))
    [button] = [part for part in walk(message["components"]) if part["type"] == BUTTON]
    seen["on the button"] = (button.get("emoji") or {}).get("id") == own["id"]
    seen["limit"] = answer.limits or DEFAULT_WAIT


async def game(stage: Stage, seen: Seen) -> None:
    """Post the message of a simulated game, then one with each kind of control, with the own emoji if there is one."""
    view, picture = await asyncio.to_thread(game_message)
    parts, answer = await _posted(stage, view, picture)
    message = required(answer)
    seen["status"], seen["parts"] = answer.status, len(walk(parts))
    seen["text"] = compared(text_of({"components": parts}), text_of(message))
    seen["parts as they were sent"] = outline(message["components"]) == outline(parts)
    look(seen, message, picture)
    controls = sample_controls(stage.channel, stage.roles)
    assert controls.picture is not None
    parts, answer = await _posted(stage, boxed(controls), controls.picture)
    seen["every control"] = outline(required(answer)["components"]) == outline(parts)


async def _posted(stage: Stage, view: ui.LayoutView, picture: Picture) -> tuple[list[Json], Answer]:
    """Post a layout as games do. Returns its components as they were sent, and the answer."""
    make_ready(stage.client, view)
    parts = message_parts(view)
    body = message_body(*parts, files=list_body(picture))
    answer = await stage.post({**body, "components": parts, "nonce": nonce(), "enforce_nonce": True}, picture)
    return parts, answer


def outline(components: list[Json]) -> list[tuple[object, ...]]:
    """What must come back of components as it was sent: type, id, label, style, emoji, and how many options."""
    plain = ("type", "custom_id", "label", "style")
    return [
        (*map(part.get, plain), (part.get("emoji") or {}).get("id"), len(part.get("options") or ()))
        for part in walk(components)
    ]


async def delete(stage: Stage, seen: Seen) -> None:
    """Delete a message, then edit it, then post it again under its nonce."""
    body = {**message_body(text_body("Gone in a moment.")), "nonce": nonce(), "enforce_nonce": True}
    message = required(await stage.post(body))
    ids = {"channel_id": message["channel_id"], "message_id": message["id"]}
    answer = await stage.asker.attempt("DELETE", MESSAGE, **ids)
    seen["status"] = answer.said
    if answer.status < 400:
        stage.posts.remove((stage.channel, int(message["id"])))
    seen["limit"] = answer.limits or DEFAULT_WAIT
    edit = await stage.edit(message, edited_body(message_body(text_body("Too late."))))
    seen["an edit afterwards"] = edit.code or edit.status
    again = await stage.post(body)
    seen["the same posted again"] = again.code or again.status
