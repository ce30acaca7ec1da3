"""The public panel of a turn as a message: texts, the board, and the buttons that the decision allows."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import discord
from discord import ui

from bot.discord.show.messages import controls, gallery_of
from bot.plaintext import length
from bot.screens import trade, wishes
from bot.screens.controls import Picture
from bot.screens.panel import PANEL_BUDGET, acting, final_panel, heading, panel
from bot.screens.play import panel_controls
from bot.screens.steps import presenter_of
from bot.screens.viewer import Viewer, named
from bot.screens.waiting import deadlines
from bot.words.language import _
from bot.words.narrator.table import turn_news
from bot.words.times import answers_close
from engine.terms import StepKind

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


def layout(
    public: Viewer,
    *pictures: Picture,
    live: bool = True,
    title: str = "",
    ratings: str = "",
    notified: Collection[int] = (),
) -> ui.LayoutView:
    """The panel, a function of `View(None)`; `live` False: an old turn, which keeps its text and loses its buttons.

    `ratings`: at the end, how the game changed them. `notified`: users whom this message notifies.
    """
    view, number, calling = public.view, public.table.number, public.calling(notified)
    over = view.step.kind is StepKind.OVER
    requests = wishes.wish_lines(public) if live else ""
    news = turn_news(public.table.news, view.turn)
    budget = PANEL_BUDGET - sum(map(length, (requests, ratings, news)))
    if live and over:
        texts = final_panel(view, calling, budget)
    else:
        texts = panel(view, public.marked, budget, public.computers, calling)
    box: ui.Container[Any] = ui.Container(accent_colour=_color(public))
    head = f"### {title or heading(view, number, public.names)}"
    if live:
        head += f"\n{texts.headline} {answers_close(public.closes)}".rstrip()
        head += f"\n{deadlines(public)}".rstrip()
    voided = ""
    if over and public.table.ended_by is not None:
        voided = _("Voided by {user}, who manages this channel.", user=named(public.table, public.table.ended_by))
    _say(box, head, texts.story, news, voided)
    for picture in pictures:  # one below the other: side by side they would be cropped
        box.add_item(gallery_of(picture))
    _say(box, texts.players, ratings)
    if live:
        presenter = presenter_of(view)
        actor = presenter.actor(view, view.step)
        decision = public.game.decision(actor) if actor is not None else ""
        lines, buttons = trade.panel_offers(public, texts.offers)
        _say(box, *lines)
        for row in controls(buttons, number, decision):
            box.add_item(row)
        _say(box, requests)
        for row in controls([wishes.panel_wish_buttons(public), *panel_controls(public)], number, decision):
            box.add_item(row)
    whole = ui.LayoutView(timeout=None)
    whole.add_item(box)
    return whole


def _color(public: Viewer) -> discord.Colour | None:
    """Color of the player to look at: the one winner, or the one whom the game waits for; otherwise the one on turn."""
    view = public.view
    pointed = sum(1 << seat for seat in view.outcome.winners) if view.outcome else acting(view)
    seat = pointed.bit_length() - 1 if pointed.bit_count() == 1 else view.on_turn
    return discord.Colour(COLORS[view.players[seat].color]) if seat is not None else None


def _say(box: ui.Container[Any], *parts: str) -> None:
    if text := "\n".join(part for part in parts if part):
        box.add_item(ui.TextDisplay(text))
