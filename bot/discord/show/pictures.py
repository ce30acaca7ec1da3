"""Pictures on demand: drawn from views by a worker, so the event loop never waits."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import render
from bot.metrics import Metrics
from bot.page import page
from bot.screens.controls import Download, Picture
from bot.screens.history import caption, frames
from bot.screens.viewer import Viewer
from bot.table.preferences import Look
from bot.tasks import Once, Worker
from bot.words import pictures
from bot.words.hands import cost_list
from bot.words.language import Catalogue, _, current, speaking
from engine.chance import SEED_BYTES, SeededChance
from engine.config import Config
from engine.errors import ConfigError
from engine.game import Game
from engine.geometry import mask_of
from engine.log.chronicle import Story, story_of
from engine.record import Record
from engine.rules import data_of
from engine.scenarios import SCENARIOS
from engine.terms import PlaceKind
from engine.views import View

FIGURES = 50
"""How many pictures of stats are kept: drawing one takes longer than other pictures, as it tells the whole game."""
PAGES = 8
"""How many pages of games are kept: one has some 300 KB, and is asked for after the end."""
LABELS = {PlaceKind.INTERSECTION: "nodes", PlaceKind.EDGE: "edges", PlaceKind.HEX: "hexes"}
"""Their names in `render.Labels`."""
NONE: Mapping[PlaceKind, Sequence[int]] = MappingProxyType({})


class Pictures:
    """Draws boards and hands; people who see the same get the same picture."""

    def __init__(self, metrics: Metrics, worker: Worker) -> None:
        self._metrics, self._worker = metrics, worker
        self._lookups = (0, 0)
        self._once, self._pages = Once(FIGURES), Once(PAGES)
        metrics.boards_looked_up(lambda: self._lookups)

    async def warm(self) -> None:
        """Draw a board of each scenario, so that no click has to wait for the first board of its kind."""
        for scenario in SCENARIOS.values():
            players = max(scenario.players)
            config = Config(scenario.colors_for(players)[:players], scenario=scenario.id)
            game = Game.new(config, SeededChance(bytes(SEED_BYTES), "", ()))
            await self._worker.run(_board, game.view(None), (), None)

    async def board(
        self, viewer: Viewer, labels: Mapping[PlaceKind, Sequence[int]] = NONE, look: Look | None = None
    ) -> Picture:
        """The board of a view. `labels`: ids of places to label, by kind. `look`: instead of the table's."""
        view, names = viewer.view, pictures.names_beside_marks(viewer.view, viewer.names)
        marks = render.Labels(**{LABELS[kind]: mask_of(ids) for kind, ids in labels.items()}) if labels else None
        with self._metrics.drawing.labels("board").time():
            data, self._lookups = await self._worker.run(
                _board, view, names, marks, _look(look or viewer.table.options.look)
            )
        return Picture(data, pictures.board_alt(view, viewer.names))

    async def then_and_now(self, viewer: Viewer, then: View, look: Look, *, own: bool) -> Picture:
        """The board as it was and as it is now; `own`: it was so after the viewer's own last action."""
        now, names = viewer.view, viewer.names
        with self._metrics.drawing.labels("then_and_now").time():
            data = await self._worker.run(
                render.then_and_now,
                then,
                now,
                pictures.then_and_now_titles(then, now, own),
                pictures.names_beside_marks(now, names),
                _look(look),
            )
        return Picture(data, pictures.then_and_now_alt(then, now, render.changes(then, now), names), "then-and-now.png")

    async def hand(self, viewer: Viewer, look: Look) -> Picture:
        """The viewer's cards."""
        with self._metrics.drawing.labels("hand").time():
            data = await self._worker.run(render.hand, viewer.view, pictures.hand_words(viewer.view), _look(look))
        return Picture(data, pictures.hand_alt(viewer.view), "hand.png")

    async def figures(self, viewer: Viewer, look: Look | None = None) -> Picture | None:
        """A game's stats, as all can see them; None before the first roll. `look`: instead of the table's."""
        game, names, view = viewer.game, viewer.names, viewer.game.view(None)
        if not any(view.rolls):
            return None
        chosen = look or viewer.table.options.look

        async def draw() -> Picture:
            with self._metrics.drawing.labels("figures").time():
                words, shown = pictures.figure_words(view, names), pictures.names_beside_marks(view, names)
                data, story = await self._worker.run(_figures, view, game.records, shown, words, _look(chosen))
            return Picture(data, pictures.figures_alt(view, story, names), "figures.png")

        key = (*Viewer(viewer.table, game).known, chosen, current())
        return await self._once.of(key, draw)

    async def sample(self, config: Config) -> Picture | None:
        """An example of the board with this configuration; None while the configuration can't be played."""
        with self._metrics.drawing.labels("board").time():
            data = await self._worker.run(_sample, config)
        if data is None:
            return None
        about = _("Example board: {scenario}.", scenario=_(SCENARIOS[config.scenario].title))
        return Picture(data, about, "example.png")

    @property
    def outdated(self) -> bool:
        """Whether a restart is needed before a film can be drawn."""
        return self._worker.outdated

    async def film(self, public: Viewer) -> Picture:
        """The whole game, one frame per turn. Raises `Outdated`."""
        game, view = public.game, public.game.view(None)
        names, said = pictures.names_beside_marks(view, public.names), pictures.drawn_names(view, public.names)
        captions = await asyncio.to_thread(lambda: [caption(view, said) for view in frames(game.config, game.records)])
        with self._metrics.drawing.labels("film").time():
            data = await self._worker.run_in_own_worker(
                _film, game.config, game.records, captions, names, _look(public.table.options.look)
            )
        number = public.table.number
        return Picture(data, _("Game {number} as a film, turn by turn.", number=number), f"game-{number}.webp")

    async def page(self, viewer: Viewer, export: Callable[[int], Awaitable[Mapping[str, Any]]]) -> Download:
        """A finished game's page, in the present language; `export`: gives the exported game, by its number. Raises
        like that."""
        number = viewer.table.number

        async def make() -> Download:
            file = await export(number)
            with self._metrics.drawing.labels("page").time():
                data = await self._worker.run(_page, file, current())
            return Download(data, f"game-{number}.html")

        return await self._pages.of((number, viewer.names, current()), make)

    async def costs(self, config: Config, look: Look) -> Picture:
        """What everything costs in a game with this configuration."""
        data, bridges = data_of(config), SCENARIOS[config.scenario].bridges
        with self._metrics.drawing.labels("costs").time():
            card = await self._worker.run(_costs, config, bridges, pictures.cost_words(data, bridges), _look(look))
        return Picture(card, "\n".join(cost_list(data, bridges)), "costs.png")


def _look(look: Look) -> render.Look:
    return render.Look("colorblind" if look.colorblind else "standard", look.dark, look.large)


def _costs(config: Config, bridges: bool, words: Sequence[render.CostWords], look: render.Look) -> bytes:
    return render.costs(data_of(config), bridges, words, look)


def _figures(
    view: View, records: Sequence[Record], names: Sequence[str], words: render.FigureWords, look: render.Look
) -> tuple[bytes, Story]:
    """The picture, and the story that it shows."""
    story = story_of(view.config, records)
    return render.figures(view, story, names, words, look), story


def _film(
    config: Config, records: Sequence[Record], captions: Sequence[str], names: Sequence[str], look: render.Look
) -> bytes:
    return render.film(frames(config, records), captions, names, look)


def _page(file: Mapping[str, Any], language: Catalogue) -> bytes:
    with speaking(language):
        return page(file)


def _sample(config: Config) -> bytes | None:
    """An empty board, always the same for the same configuration."""
    scenario = SCENARIOS[config.scenario]
    players = min(scenario.players, key=lambda n: abs(n - config.players))
    whole = replace(config, colors=scenario.colors_for(players)[:players])
    try:
        game = Game.new(whole, SeededChance(bytes(SEED_BYTES), "", ()))
    except ConfigError:
        return None
    return render.board(game.view(None), strip=False)


def _board(
    view: View, names: Sequence[str], labels: render.Labels | None, look: render.Look = render.USUAL
) -> tuple[bytes, tuple[int, int]]:
    """A board, and how often rows of boards were found in memory, and drawn, so far in the process that draws
    (`board_lookups`)."""
    return render.board(view, names=names, labels=labels, look=look), render.board_lookups()
