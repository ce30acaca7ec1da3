"""The panel: one message per turn, edited in place. A new turn is a new message, and the old one loses its buttons.
After the end, the seed and a film of the whole game follow."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from bot.discord.show import archive, directs, lobby, panel
from bot.discord.show.display import Display
from bot.discord.show.messages import layout_of, plain
from bot.discord.show.wanted import Content, GameMessage, Say
from bot.projections import FILM, PANEL, SEED, Kind, Name, Projections
from bot.screens.controls import Reply
from bot.screens.ratings import changed
from bot.screens.viewer import Viewer
from bot.words.language import _
from bot.words.proof import revealed
from engine.geometry import bits
from engine.terms import StepKind


def key(public: Viewer) -> Name:
    """Name of the message that shows the present turn."""
    return Name(Kind.TURN, "end" if public.view.step.kind is StepKind.OVER else str(public.view.turn))


def late(public: Viewer) -> Name:
    """Name of the message that calls the players whom the message of the present turn couldn't notify yet."""
    return Name(Kind.PING, f"{key(public)}.late")


def topic(public: Viewer) -> str:
    """What the message of the present turn calls players about."""
    return f"{key(public)}.{public.table.channel}"


def wanted(display: Display, public: Viewer, projections: Projections) -> list[GameMessage]:
    """The panel, and the panels of earlier turns for the last time. A new one calls the players whom the game waits
    for, except those whom a direct message with their hand calls."""
    table, name = public.table, key(public)
    present = GameMessage(
        name=name,
        draw=partial(_present, display, public),
        # what no one can see raises only the version
        due=projections[PANEL].due if PANEL in projections else table.version,
        users=tuple(public.users_to_call(bits(public.view.awaited))),
        wants=lambda settings: not directs.calls(table, settings),
        topic=topic(public),  # an undone and repeated end of turn calls no one twice
        owes=late(public),
    )
    return [
        present,
        *(old for what in projections if what != name and (old := _old(display, public, what)) is not None),
    ]


async def _present(display: Display, public: Viewer) -> Say:
    pictures, ratings = [await display.pictures.board(public)], ""
    if public.view.outcome is not None:
        ratings = changed((await display.services.ratings.changes(public.table)).values())
        if (figures := await display.pictures.figures(public)) is not None:
            pictures.insert(0, figures)
    return lambda called: Content(panel.layout(public, *pictures, ratings=ratings, notified=called), parts=pictures)


def _old(display: Display, public: Viewer, what: Name) -> GameMessage | None:
    """The message of an earlier turn, of the lobby, or of the archived game, as it stays. While the end of the turn can
    be undone, the message isn't forgotten: if that happens, it becomes the panel again. None: `what` is another kind of
    message, or the start of that turn was undone."""
    if what == lobby.NAME:
        return lobby.last(public.table)
    if what == archive.NAME:
        return archive.last(public.table)
    stage = what.key
    if what.kind is not Kind.TURN or (stage.isdigit() and int(stage) > public.view.turn):
        return None
    returns = stage.isdigit() and int(stage) == public.view.turn - 1 and public.view.undo is not None
    return GameMessage(name=what, draw=partial(_ended, display, public, stage), final=True, returns=returns)


async def _ended(display: Display, public: Viewer, stage: str) -> Say | None:
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
    return lambda named: Content(panel.layout(shown, picture, live=False, title=title), parts=[picture])


def at_the_end(display: Display, public: Viewer, projections: Projections) -> list[GameMessage]:
    """The published seed, and the film, if films are made."""
    film = GameMessage(
        name=FILM,
        draw=partial(_film, display, public),
        once=True,
        then=partial(_sent, display, public),
    )
    seed = GameMessage(name=SEED, draw=partial(_seed, display, public), once=True)
    messages = [seed, film if display.films else replace(film, final=True)]
    return [message for message in messages if message.name in projections and projections[message.name].pending]


async def _film(display: Display, public: Viewer) -> Say:
    number = public.table.number
    if (picture := display.drawn.get(number)) is None:  # else an earlier try could not send it
        picture = await display.pictures.film(public)
        display.drawn[number] = picture
    title = _("🎬 **Game {number}: the replay**", number=number)
    return lambda named: Content(layout_of(Reply(title, picture), number), parts=[picture])


async def _sent(display: Display, public: Viewer) -> None:
    display.drawn.pop(public.table.number, None)


async def _seed(display: Display, public: Viewer) -> Say:
    table = public.table
    text = revealed(table.commitment, (await display.services.games.export(table.number))["seal"])
    return lambda named: Content(plain(text))
