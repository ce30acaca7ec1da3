"""What the steps post: a text with all signs that the bot uses, pictures, buttons, a form, a film."""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterator
from typing import Any

import render
from bot.discord.show.channels import FIRST_PART_ID
from bot.screens.controls import Picture
from bot.screens.history import caption, frames
from engine.chance import SEED_BYTES, SeededChance
from engine.config import Config
from engine.game import Game
from engine.scenarios import SCENARIOS

Json = dict[str, Any]
TEXT, ROW, BUTTON, SELECT, INPUT, GALLERY, LABEL, RADIOS, CHECKBOXES = 10, 1, 2, 3, 4, 12, 18, 21, 22
V2, EPHEMERAL, SILENT = 1 << 15, 1 << 6, 1 << 12
SIGNS = (
    "\u2060±·×–—“”…→↩⇒−⌛⌨⏭⏮⏰⏳⏸▁▂▃▄▅▆▇█▫▶◀⚔⚙⚠⚪⚀⚁⚂⚃⚄⚅✅✉✋✏✖✨❌➔➕➜➡➤⟶⬅️🃏🌉🌙🌾🎁🎓🎨🎬🎯🎲🎴🏁🏅🏆🏖🏗🏛🏠🏦🏳🐑👁👉👋👍👎"
    "💡💰📈📊📋📍📖📜📣📦📨🔀🔁🔍🔎🔑🔒🔔🔕🔴🔵🗑🗞🗺🙋🚪🛑🛠🛤🟠🟢🟣🟤🤖🤝🥇🥈🥉🥷🧭🧮🧵🧱🩵🪑🪨🪵"
)
"""All characters beyond ASCII in the bot's texts."""
WORDS = (
    "### Game 7 · Ann’s turn\n**Ann** rolled 4 + 3 = **7**, `a1` ~~b2~~ *c3* ||d4||, 2 × 3 = 6, <t:1700000000:R>\n"
    "-# A try by `harbormaster rehearse`; it goes away by itself.\n\n> quoted\n1. one\n- two\n" + SIGNS
)
"""A text with all kinds of markup; it must come back as it was sent."""
MARK = FIRST_PART_ID + 4711
"""The number of a message's first part, by which the bot recognizes its own messages."""
NAMES = ("Ann", "Ben", "Cleo", "Dan")
NAME = "rehearse"
"""Name of the one command."""
PROMPT = "rehearse:"
"""Prefix of the custom ids of all buttons and of the form; the form's fields have none."""


def text(content: str) -> Json:
    return {"type": TEXT, "content": content}


def gallery(picture: Picture) -> Json:
    """The component that shows a file of the same message."""
    return {"type": GALLERY, "items": [{"media": {"url": f"attachment://{picture.name}"}, "description": picture.alt}]}


def buttons(*labels: str) -> Json:
    """A row of buttons. Each one's id has its label's first word and its number."""
    ids = (f"{PROMPT}{label.split()[0].casefold()}:{number}" for number, label in enumerate(labels))
    row = [{"type": BUTTON, "style": 1, "label": label, "custom_id": id} for label, id in zip(labels, ids, strict=True)]
    return {"type": ROW, "components": row}


def listed(*pictures: Picture, kept: Json | None = None) -> list[Json]:
    """The files that a message should have: one that it has already (`kept`, by id and name), and new ones."""
    attachments = [kept] if kept else []
    return attachments + [
        {"id": n, "filename": picture.name, "description": picture.alt} for n, picture in enumerate(pictures)
    ]


def message(
    *parts: Json, mentions: list[str] | None = None, files: list[Json] | None = None, loud: bool = False
) -> Json:
    """A V2 message. It notifies no one, unless it is `loud`: then it notifies those whom it mentions."""
    first = {**parts[0], "id": MARK}
    body: Json = {"flags": V2 if loud else V2 | SILENT, "components": [first, *parts[1:]]}
    body["allowed_mentions"] = {"parse": [], "users": mentions or []}
    return body if files is None else {**body, "attachments": files}


def call(words: str, user: str, *labels: str) -> Json:
    """A text that calls someone, with buttons below, as games call the players for whom they wait."""
    return {
        "content": words,
        "components": [buttons(*labels)],
        "allowed_mentions": {"parse": [], "users": [user]},
        "nonce": secrets.token_hex(12),
        "enforce_nonce": True,
    }


def edited(body: Json) -> Json:
    """A message's body for an edit, which can't be silent."""
    return {**body, "flags": V2}


FIELD, CHOICE, SIDE, BOXES = "words", "level", "side", "cards"
LEVELS, SIDES, CARDS = ("Easy", "Strong"), ("Sea", "Land"), ("Wool", "Ore")


def form() -> Json:
    """A form with a text, a list, radio buttons, and checkboxes, all in labels. One box is already ticked, and one
    option chosen."""
    sides = [{"label": side, "value": side.casefold()} for side in SIDES]
    cards = [{"label": card, "value": card.casefold(), "default": card == CARDS[0]} for card in CARDS]
    radios = {"type": RADIOS, "custom_id": SIDE, "options": sides, "required": True}
    boxes = {"type": CHECKBOXES, "custom_id": BOXES, "options": cards, "required": False, "min_values": 0}
    about: list[Json] = [
        {"label": level, "value": level.casefold(), "description": "How bots play"} for level in LEVELS
    ]
    options = [{**about[0], "default": True}, *about[1:]]
    words = {"type": INPUT, "custom_id": FIELD, "style": 1, "required": True, "max_length": 100}
    levels = {"type": SELECT, "custom_id": CHOICE, "options": options, "required": True, "max_values": len(LEVELS)}
    return {
        "title": "Rehearsal",
        "custom_id": f"{PROMPT}form",
        "components": [
            {"type": LABEL, "label": "Type some words", "component": words},
            {"type": LABEL, "label": "Choose one", "component": levels},
            {"type": LABEL, "label": "And here", "component": radios},
            {"type": LABEL, "label": "Leave this as it is", "component": {**boxes, "max_values": len(CARDS)}},
        ],
    }


def command() -> Json:
    """The one command that is registered, in one server."""
    option = {"type": 3, "name": "place", "description": "Type a letter, choose a place", "required": True}
    return {
        "name": NAME,
        "description": "Tries out commands; goes away by itself",
        "type": 1,
        "options": [{**option, "autocomplete": True}],
    }


def pictures() -> Iterator[Picture]:
    """Two boards."""
    for number, id in enumerate(list(SCENARIOS)[:2]):
        scenario = SCENARIOS[id]
        colors = scenario.colors_for(max(scenario.players))[: max(scenario.players)]
        game = Game.new(Config(colors, scenario=id), SeededChance(bytes(SEED_BYTES), "", ()))
        yield Picture(render.board(game.view(None)), f"Board {number}", f"board-{number}.png")


def film(turns: int) -> Picture:
    """A film of that many turns of random moves, drawn like that of a real game. It takes some 50 ms per turn."""
    game = Game.new(Config(("red", "blue", "white", "orange")), SeededChance(bytes(SEED_BYTES), "", ()))
    rng = random.Random(0)
    while game.outcome is None and game.view(None).turn <= turns:
        seat = game.to_act[0]
        game.play(seat, game.options(seat).sample(rng))
    views = frames(game.config, game.records)[-turns:]
    data = render.film(views, [caption(view, NAMES) for view in views], NAMES)
    return Picture(data, "A game, turn by turn.", "game-7.webp")
