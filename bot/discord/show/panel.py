"""The game message (panel): one message per turn, edited in place. A new turn is a new message, and the old one loses
its buttons. After the end, the game's page follows, with what proves the dice. When a game is archived, a message stays
with which any player can resume it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import partial
from typing import Any

import discord
from discord import ui

from bot.discord.show import lobby, private
from bot.discord.show.display import Display
from bot.discord.show.messages import controls, gallery_of, layout, layout_of, plain
from bot.discord.show.wanted import Content, GameMessage, Say, always
from bot.plaintext import length
from bot.projections import FILM, PANEL, SEED, Kind, Name, Projections, of_kind
from bot.screens import trade, wishes
from bot.screens.controls import Picture, Reply
from bot.screens.history import page_buttons, page_hint
from bot.screens.motions import resume_button
from bot.screens.panel import PANEL_BUDGET, acting, final_panel, heading, panel
from bot.screens.play import panel_controls
from bot.screens.ratings import changed
from bot.screens.steps import presenter_of
from bot.screens.steps.step import answers_close, catch_up
from bot.screens.viewer import Viewer, named
from bot.screens.waiting import deadlines
from bot.service import patience_of
from bot.table.options import DAY
from bot.table.table import Table
from bot.words.language import _, n_
from bot.words.narrator.table import turn_news
from bot.words.proof import revealed
from engine.geometry import bits
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


def panel_layout(
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
    wished = wishes.wish_lines(public) if live else ""
    news = turn_news(public.table.news, view.turn)
    budget = PANEL_BUDGET - sum(map(length, (wished, ratings, news)))
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
        _say(box, wished)
        for row in controls([wishes.panel_wish_buttons(public), *panel_controls(public)], number, decision):
            box.add_item(row)
    whole = layout()
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


ARCHIVED_NAME = Name(Kind.TURN, "archived")


def archive_messages(display: Display, public: Viewer, projections: Projections) -> list[GameMessage]:
    """The message with the button to resume the game, and the panel without its buttons."""
    olds = [one.name for one in of_kind(projections, Kind.TURN) if one.name != ARCHIVED_NAME]
    put_away = [GameMessage(name=what, draw=partial(_draw_put_away, display, public), final=True) for what in olds]
    return [*put_away, GameMessage(name=ARCHIVED_NAME, draw=always(Content(_archive_layout(public.table))), once=True)]


async def _draw_put_away(display: Display, public: Viewer) -> Say:
    picture = await display.pictures.board(public)
    return lambda named: Content(panel_layout(public, picture, live=False), parts=[picture])


def last_archive_message(table: Table) -> GameMessage:
    """The message of a game that was archived, once it was resumed or voided: without its button."""
    said = n_(
        "Game {number} was archived after {n} day without a move.",
        "Game {number} was archived after {n} days without a move.",
        _days_without_move(table),
        number=table.number,
    )
    return GameMessage(name=ARCHIVED_NAME, draw=always(Content(plain(said))), final=True)


def _days_without_move(table: Table) -> int:
    """The days after which a game is archived."""
    patience = patience_of(table)
    return round((patience.warning + patience.grace) / DAY)


def _archive_layout(table: Table) -> ui.LayoutView:
    """The message of an archived game."""
    title = _("Game {number} · archived", number=table.number)
    lines = [
        f"### {title}",
        n_(
            "No moves for {n} day: the game is archived and the channel is free.",
            "No moves for {n} days: the game is archived and the channel is free.",
            _days_without_move(table),
        ),
        _("Any player can resume it, here or with `/game resume`."),
    ]
    return plain("\n".join(lines), [[resume_button(), catch_up()]], table.number)


async def restore_resume_button(display: Display, table: Table, projections: Projections) -> None:
    """Put the button back on the message. A restored backup can be older than a resumption that took the button off."""
    projection = projections.get(ARCHIVED_NAME)
    if projection is not None and (place := projection.posted) is not None:
        await display.edit(place.channel, place.message, Content(_archive_layout(table)))


def turn_name(public: Viewer) -> Name:
    """Name of the message that shows the present turn."""
    return Name(Kind.TURN, "end" if public.view.step.kind is StepKind.OVER else str(public.view.turn))


def late_call_name(public: Viewer) -> Name:
    """Name of the message that calls the players whom the message of the present turn couldn't notify yet."""
    return Name(Kind.PING, f"{turn_name(public)}.late")


def turn_topic(public: Viewer) -> str:
    """What the message of the present turn calls players about."""
    return f"{turn_name(public)}.{public.table.channel}"


def turn_messages(display: Display, public: Viewer, projections: Projections) -> list[GameMessage]:
    """The panel, and the panels of earlier turns for the last time. A new one calls the players whom the game waits
    for, except those whom a direct message with their hand calls."""
    table, name = public.table, turn_name(public)
    present = GameMessage(
        name=name,
        draw=partial(_draw_present, display, public),
        # what no one can see raises only the version
        due=projections[PANEL].due if PANEL in projections else table.version,
        users=tuple(public.users_to_call(bits(public.view.awaited))),
        wants=lambda settings: not private.called_by_dm(table, settings),
        topic=turn_topic(public),  # an undone and repeated end of turn calls no one twice
        owes=late_call_name(public),
    )
    return [
        present,
        *(old for what in projections if what != name and (old := _old_message(display, public, what)) is not None),
    ]


async def _draw_present(display: Display, public: Viewer) -> Say:
    pictures, ratings = [await display.pictures.board(public)], ""
    if public.view.outcome is not None:
        ratings = changed((await display.services.ratings.changes(public.table)).values())
        if (figures := await display.pictures.figures(public)) is not None:
            pictures.insert(0, figures)
    return lambda called: Content(panel_layout(public, *pictures, ratings=ratings, notified=called), parts=pictures)


def _old_message(display: Display, public: Viewer, what: Name) -> GameMessage | None:
    """The message of an earlier turn, of the lobby, or of the archived game, as it stays. While the end of the turn can
    be undone, the message isn't forgotten: if that happens, it becomes the panel again. None: `what` is another kind of
    message, or the start of that turn was undone."""
    if what == lobby.LOBBY_NAME:
        return lobby.last_lobby_message(public.table)
    if what == ARCHIVED_NAME:
        return last_archive_message(public.table)
    stage = what.key
    if what.kind is not Kind.TURN or (stage.isdigit() and int(stage) > public.view.turn):
        return None
    returns = stage.isdigit() and int(stage) == public.view.turn - 1 and public.view.undo is not None
    return GameMessage(name=what, draw=partial(_draw_ended, display, public, stage), final=True, returns=returns)


async def _draw_ended(display: Display, public: Viewer, stage: str) -> Say | None:
    """The panel as the turn ended; None: the end is unknown."""
    same = stage == str(public.view.turn)  # the turn that ended the game
    if not stage.isdigit() or (shown := public if same else await display.turns.end_of(public, int(stage))) is None:
        return None
    title = ""
    if same and stage == "0":
        title = _("Game {number} · setup", number=public.table.number)
    elif same:
        title = _("Game {number} · turn {turn}", number=public.table.number, turn=stage)
    picture = await display.pictures.board(shown)
    return lambda named: Content(panel_layout(shown, picture, live=False, title=title), parts=[picture])


def end_messages(display: Display, public: Viewer, projections: Projections) -> list[GameMessage]:
    """The game's page with what proves the dice; and the film of a game that ended before there were pages."""
    film = GameMessage(
        name=FILM,
        draw=partial(_draw_film, display, public),
        once=True,
        then=partial(_film_sent, display, public),
    )
    seed = GameMessage(name=SEED, draw=partial(_draw_seed, display, public), once=True)
    messages = [seed, film if display.films else replace(film, final=True)]
    return [message for message in messages if message.name in projections and projections[message.name].pending]


async def _draw_film(display: Display, public: Viewer) -> Say:
    number = public.table.number
    if (picture := display.drawn.get(number)) is None:  # else an earlier try could not send it
        picture = await display.pictures.film(public)
        display.drawn[number] = picture
    title = _("🎬 **Game {number} as a film**", number=number)
    return lambda named: Content(layout_of(Reply(title, picture), number), parts=[picture])


async def _film_sent(display: Display, public: Viewer) -> None:
    display.drawn.pop(public.table.number, None)


async def _draw_seed(display: Display, public: Viewer) -> Say:
    table, export = public.table, display.services.games.export
    page = await display.pictures.page(public, export)
    title = _("📄 **Game {number}: the replay**", number=table.number)
    text = f"{title}\n{page_hint()}\n{revealed(table.commitment, (await export(table.number))['seal'])}"
    rows = page_buttons(await display.services.web.link(table), film=display.films)
    return lambda named: Content(layout_of(Reply(text, rows=rows, downloads=[page]), table.number), parts=[page])
