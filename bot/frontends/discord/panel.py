"""The public panel of a turn: texts, the board, and the buttons that the phase allows; a function of View(None)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord
from discord import ui

from bot.frontends.discord.ids import Address
from bot.frontends.discord.parts import Picture, Press, Style, button
from bot.frontends.discord.play import encode
from bot.presentation.texts.end import final
from bot.presentation.texts.headline import acting, until
from bot.presentation.texts.panel import panel as write
from bot.presentation.texts.ruledata import data_of
from bot.presentation.viewer import Viewer
from engine.actions import (
    AcceptOffer,
    Action,
    BuyCard,
    CloseOffer,
    DeclineOffer,
    EndTurn,
    PassOn,
    Roll,
    WithdrawOffer,
)
from engine.geometry import bits
from engine.views import OfferView, View

INLINE_OFFERS = 2
"""Offers that get buttons of their own; more than that share one button."""

COLORS = {
    "red": 0xC0392B,
    "blue": 0x2E6FBF,
    "white": 0xE8E4DA,
    "orange": 0xE08A1E,
    "green": 0x3C8D40,
    "brown": 0x7A4E2D,
    "purple": 0x7D4BA3,
    "teal": 0x2A9D94,
}


class _Desk:
    """Makes the buttons of one panel."""

    def __init__(self, public: Viewer) -> None:
        self.view = public.view
        self.number = public.table.number
        self.names = public.names
        actor = _actor(self.view)
        self.decision = public.game.decision(actor) if actor is not None else ""

    def do(
        self,
        label: str,
        action: Action,
        style: Style = Style.secondary,
        emoji: str | None = None,
        *,
        bound: bool = True,
    ) -> Press:
        """A button that acts at once, for the player on turn (`bound`) or for anybody."""
        address = Address("do", self.number, self.decision if bound else "", encode(action))
        return button(label, address, style, emoji)

    def open(
        self, label: str, verb: str, *args: str, style: Style = Style.secondary, emoji: str | None = None
    ) -> Press:
        """A button that opens something private."""
        return button(label, Address(verb, self.number, "", args), style, emoji)


def _actor(view: View) -> int | None:
    """The one player for whom the bound buttons are; None where several, or nobody, may act."""
    if view.step.kind == "special_building":
        return next(bits(view.awaited), None)
    return view.on_turn if view.step.kind in ("pre_roll", "main") else None


def buttons(desk: _Desk) -> list[list[Press]]:
    """The buttons of the phase in rows, the most likely first; the same for all hands."""
    view, step = desk.view, desk.view.step.kind
    if step == "over":
        dice = desk.open("Dice so far", "dice", emoji="📊")
        return [[desk.open("Rematch", "rematch", style=Style.success, emoji="🔁"), dice]]
    undo = [desk.open("Undo", "undo", emoji="↩️")] if view.undo is not None else []
    more = [desk.open("My hand", "hand", emoji="🃏"), desk.open("More", "more", emoji="➕")]
    if step == "main":
        end = desk.do("End turn", EndTurn(), Style.primary, "⏭️")
        return [_building(desk), [*_trading(desk), *_asking(desk)], [end, *undo, *more]]
    if step == "special_building":
        return [_building(desk), [desk.do("Pass", PassOn(), Style.primary, "⏭️"), *undo, *more]]
    if step == "pre_roll":
        roll = desk.do("Roll", Roll(), Style.primary, "🎲")
        return [[roll, desk.open("Play a card", "cards", emoji="✨"), *_asking(desk), *more]]
    if step == "interrupt":
        return [[desk.open("Answer the robber", "answer", style=Style.primary, emoji="⚔️"), *more]]
    if step == "discard":
        return [[desk.open("Discard", "form", "discard", style=Style.danger, emoji="🗑️"), *more]]
    label, emoji = {
        "setup": (f"Place {getattr(view.step, 'piece', '')}", "📍"),
        "move_robber": ("Move the robber", "🥷"),
        "take_card": ("Take a card", "✋"),
        "road_building": ("Place the free road", "📍"),
        "choose_yield": ("Choose the yielding settlement", "📍"),
    }.get(step, ("Go on", "▶️"))
    return [[desk.open(label, "place", "owed", style=Style.primary, emoji=emoji), *undo, *more]]


def _building(desk: _Desk) -> list[Press]:
    bridge = [desk.open("Bridge", "place", "bridge", emoji="🌉")] if desk.view.board.bridges else []
    return [
        desk.open("Road", "place", "road", emoji="🛤️"),
        *bridge,
        desk.open("Settlement", "place", "settlement", emoji="🏠"),
        desk.open("City", "place", "city", emoji="🏛️"),
        desk.do("Buy a card", BuyCard(), emoji="🎴"),
    ]


def _trading(desk: _Desk) -> list[Press]:
    trade = [
        desk.open("Play a card", "cards", emoji="✨"),
        desk.open("Offer a trade", "form", "offer", emoji="🤝"),
        desk.open("Bank", "form", "bank", emoji="🏦"),
    ]
    if (n := len(desk.view.offers)) > INLINE_OFFERS:
        trade.append(desk.open(f"Offers ({n})", "offers", style=Style.primary, emoji="📨"))
    return trade


def _asking(desk: _Desk) -> list[Press]:
    """Where a special building phase follows the turn, everybody may ask for a part in it (J2)."""
    if not data_of(desk.view.config).special_building:
        return []
    return [desk.open("Ask to build", "ask", emoji="✋")]


def offer_rows(desk: _Desk, offers: Sequence[OfferView]) -> list[ui.ActionRow]:
    """A row for each open offer; who can't pay learns it after the click, privately."""
    if len(offers) > INLINE_OFFERS:
        return []
    out = []
    for offer in offers:
        n = offer.id
        row: list[Any] = [
            desk.do(f"Accept {n}", AcceptOffer(n), Style.success, bound=False),
            desk.do(f"Decline {n}", DeclineOffer(n), bound=False),
        ]
        if offer.seat == desk.view.on_turn:
            row.append(desk.open(f"Counter {n}", "form", "offer", str(n)))
            row += _closing(desk, offer)
        row.append(desk.do(f"Withdraw {n}", WithdrawOffer(n), bound=False))
        out.append(ui.ActionRow(*row))
    return out


def _closing(desk: _Desk, offer: OfferView) -> list[Press]:
    """The deal with whoever has accepted; among several the player on turn chooses in private."""
    n, partners = offer.id, list(bits(offer.accepted))
    if len(partners) > 1:
        return [desk.open(f"Close deal {n}", "close", str(n), style=Style.primary)]
    return [desk.do(f"Close {n} with {desk.names[seat]}", CloseOffer(n, seat), Style.primary) for seat in partners]


def layout(public: Viewer, picture: Picture | None, *, live: bool = True, title: str = "") -> ui.LayoutView:
    """The panel; `live` False: an old turn, which keeps its text and loses its buttons."""
    view: View = public.view
    texts = (final if live and view.step.kind == "over" else write)(view, public.mentions)
    pointed = sum(1 << seat for seat in view.outcome.winners) if view.outcome else acting(view)
    seat = pointed.bit_length() - 1 if pointed.bit_count() == 1 else view.on_turn
    color = view.players[seat].color if seat is not None else None
    box: ui.Container = ui.Container(accent_colour=discord.Colour(COLORS[color]) if color in COLORS else None)
    head = f"### {title or heading(public)}"
    if live:
        head += f"\n{texts.headline} {until(public.closes)}".rstrip()
    ended = public.table.ended_by if view.step.kind == "over" else None
    _say(box, head, texts.story, f"<@{ended}>, who manages this channel, has called it off." if ended else "")
    if picture is not None:
        box.add_item(picture.gallery())
    _say(box, texts.players, texts.footer)
    desk = _Desk(public)
    if live and texts.offers:
        box.add_item(ui.TextDisplay(texts.offers))
        for row in offer_rows(desk, view.offers):
            box.add_item(row)
    if live:
        for line in buttons(desk):
            box.add_item(ui.ActionRow(*line))
    layout_: ui.LayoutView = ui.LayoutView(timeout=None)
    layout_.add_item(box)
    return layout_


def heading(public: Viewer) -> str:
    """The panel's title."""
    view = public.view
    number = public.table.number
    if view.step.kind == "setup" or (view.turn == 0 and view.step.kind != "over"):
        return f"Game {number} · setup"
    if view.step.kind == "over":
        return f"Game {number} · the end"
    name = public.names[view.on_turn] if view.on_turn is not None else ""
    return f"Game {number} · turn {view.turn}" + (f" · {name}" if name else "")


def _say(box: ui.Container, *parts: str) -> None:
    text = "\n".join(part for part in parts if part)
    if text:
        box.add_item(ui.TextDisplay(text))
