"""Pings: an edit notifies nobody, so who must act gets a short message of their own, deleted when answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import discord

from bot.frontends.discord import channels
from bot.models import Projection
from bot.presentation.texts.marks import cards
from bot.presentation.viewer import Viewer
from engine.events import InterruptOpened, RobberMoved
from engine.geometry import bits
from engine.step import PlacingView
from engine.terms import StepKind
from engine.views import OfferView, View

if TYPE_CHECKING:
    from bot.frontends.discord.context import AppContext

PING = "ping:"


def wanted(view: View) -> dict[str, tuple[tuple[int, ...], str]]:
    """Whom the game waits for beyond the panel's own ping: (seats, what for), by a name that is the occasion's.

    A function of public facts.
    """
    found: dict[str, tuple[tuple[int, ...], str]] = {}
    awaited = tuple(bits(view.awaited))
    if view.step.kind == "discard":
        found[f"discard.{view.turn}"] = (awaited, "a seven: choose what to discard")
    elif isinstance(view.step, PlacingView) and view.step.kind is StepKind.SETUP:
        seat = awaited[0]
        placed = view.step.nth
        found[f"setup.{seat}.{placed}"] = (awaited, "place a settlement and a road")
    elif view.step.kind == "choose_yield":
        found["yield"] = (awaited, "choose the settlement that yields your first cards")
    elif view.step.kind == "special_building" and awaited:
        found[f"special.{view.turn}.{awaited[0]}"] = (awaited, "build, buy a card, or pass")
    elif view.step.kind == "interrupt":
        window = sum(isinstance(event, RobberMoved) for event in view.events)
        found[f"interrupt.{view.turn}.{window}"] = (awaited, "answer the robber with a knight, or pass")
    elif view.step.kind in ("move_robber", "take_card") and any(isinstance(e, InterruptOpened) for e in view.events):
        window = sum(isinstance(event, RobberMoved) for event in view.events)
        what = "move the robber" if view.step.kind == "move_robber" else "take a card with the robber"
        found[f"{view.step.kind}.{view.turn}.{window}"] = (awaited, what)
    for offer in view.offers:
        if seats := _asked_by_name(view, offer):
            what = f"answer an offer: {cards(offer.give)} for {cards(offer.want)}"
            found[f"offer.{offer.id}"] = (seats, what)
    return found


def _asked_by_name(view: View, offer: OfferView) -> tuple[int, ...]:
    """Seats that an offer names and that have not answered; nobody when it is open to all."""
    everyone = sum(1 << p.seat for p in view.players if p.seat != offer.seat and not p.resigned)
    if offer.to == everyone and everyone.bit_count() > 1 and offer.seat == view.on_turn:
        return ()
    return tuple(bits(offer.to & ~offer.accepted & ~offer.declined))


async def show(app: AppContext, public: Viewer, marks: Mapping[str, Projection], panel_pinged: bool) -> None:
    """Send what is new, take the answered off, delete what nobody is awaited for any more."""
    table, view = public.table, public.view
    due = {PING + name: entry for name, entry in wanted(view).items()}
    for mark in marks.values():
        if mark.what.startswith(PING) and mark.what not in due:
            if mark.message is not None:
                await channels.delete(app.client, mark.channel or table.channel, mark.message)
            app.screens.seen.pop((table.number, mark.what), None)
            await app.service.gone(table.number, mark.what)
    for name, (seats, what) in due.items():
        known = marks.get(name)
        if known is None and panel_pinged and set(seats) <= set(bits(view.awaited)):
            await app.service.shown(table.number, name, table.version, channel=table.channel)
        elif known is None or known.channel is None:
            since = table.version if known is None else known.shown
            if known is None:  # without a channel: it may have been sent, should the bot die in this moment
                await app.service.shown(table.number, name, since)
            message = await _send(app, public, name, since, seats, what)
            await app.service.shown(table.number, name, table.version, channel=table.channel, message=message)
        elif known.message is not None:
            await _take_off(app, public, known, _text(public, seats, what))


def _text(public: Viewer, seats: tuple[int, ...], what: str) -> str:
    return f"{' '.join(public.mentions[seat] for seat in seats)} · {what}."


async def _take_off(app: AppContext, public: Viewer, known: Projection, text: str) -> None:
    """Name only those who have still to answer; where that was shown already, nothing is sent."""
    key, digest = (public.table.number, known.what), hash(text)
    if app.screens.seen.get(key) == digest or known.message is None:
        return
    channel = channels.messages(app.client, known.channel or public.table.channel)
    try:
        await channel.get_partial_message(known.message).edit(content=text, allowed_mentions=channels.SILENT)
    except discord.HTTPException as error:
        if error.code not in (*channels.GONE, channels.OLD):
            raise
    app.screens.seen[key] = digest


async def _send(app: AppContext, public: Viewer, name: str, since: int, seats: tuple[int, ...], what: str) -> int:
    table = public.table
    channels.check(app.client, table.guild, table.channel)
    text = _text(public, seats, what)
    where = channels.messages(app.client, table.channel)
    sent = await channels.post(where, table, name, since, text=text, pings=[public.users[seat] for seat in seats])
    app.screens.seen[table.number, name] = hash(text)
    return sent.id
