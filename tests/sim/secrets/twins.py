"""Two worlds that differ in what some players hide: all others must be shown the same in both (section M)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from inspect import signature
from typing import Any

from bot import languages
from bot.discord.features.play import _victims
from bot.discord.show import panel as messages
from bot.discord.show import private
from bot.discord.show.pictures import Pictures
from bot.discord.talk import acting
from bot.export import Player as Named
from bot.metrics import Metrics
from bot.page import Unfolding
from bot.screens import panel as screen
from bot.screens import play, servers, suggested, trade, waiting
from bot.screens.viewer import Viewer
from bot.table.table import RUNNING, Table
from bot.tasks import Worker
from bot.words import hands, pictures
from bot.words.language import speaking
from bot.words.narrator.history import full_log, paragraphs
from bot.words.refusals import refusal_sentence
from engine.actions import (
    AcceptOffer,
    AskToBuild,
    BankTrade,
    BuyCard,
    DeclineOffer,
    EndTurn,
    MakeOffer,
    PassOn,
    PlayKnight,
    PlayMonopoly,
    PlayYearOfPlenty,
    Roll,
    TakeBackDiscard,
    Undo,
)
from engine.errors import RefereeError
from engine.game import Game
from engine.geometry import bits
from engine.log.recount import recount
from engine.record import Record
from engine.resources import single
from tests.sim.secrets.twin import Twin, other_cards, other_draws
from tests.sim.town import Game as Place
from tests.sim.town import Town
from tests.wire.stored_game import StoredGame

SAME = "others see the same in two worlds"
SHARE = 0.5
"""The share of the worlds that have twins."""
EVERY = 2
"""One of so many changes is compared."""
LOOKS = 12
"""How many changes are compared at most."""
DEAR = 4
"""One of so many looks is at what takes long, too: the story, and other draws."""
MOST = 2
"""How many of the other players look."""
SUGGESTED = [
    function
    for function in vars(suggested).values()
    if callable(function) and getattr(function, "__module__", "") == suggested.__name__
    if [*signature(function).parameters][:2] == ["viewer", "text"] and not function.__name__.startswith(("_", "seat"))
]
TRIED = (
    *(Roll(), EndTurn(), BuyCard(), PlayKnight(), PlayMonopoly(0), PlayYearOfPlenty(single(0, 2)), PassOn(), Undo()),
    *(TakeBackDiscard(), AskToBuild(True), MakeOffer(single(0), single(1)), BankTrade(single(0, 4), single(1))),
)
"""What people try whose business it isn't."""
Shows = Iterator[tuple[str, Callable[[], Any]]]
"""What is shown, by name."""


class _First:
    """What is only tried draws the first of all."""

    def draw(self, kind: str, ordinal: int, n: int) -> int:
        return 0


class Twins:
    """Looks at both worlds."""

    def __init__(self, town: Town) -> None:
        self.town = town
        self.rng = town.universe.chance("twins")
        self._pictures = Pictures(Metrics(), Worker())
        self._changes = self._looks = 0
        self._left = LOOKS if self.rng.random() < SHARE else 0
        self._seen = dict[int, tuple[int, int]]()

    async def look(self, place: Place, stored: StoredGame) -> None:
        """Compare a running game with its twins, if it has changed."""
        table = stored.table
        state = (stored.revision, table.version)
        if not self._left or table.status != RUNNING or self._seen.get(table.number) == state:
            return
        self._seen[table.number] = state
        self._changes += 1
        if self._changes % EVERY or stored.game().outcome is not None:
            return
        self._left, self._looks = self._left - 1, self._looks + 1
        game, dear = stored.game().copy(), self._looks % DEAR == 0
        game.chance = _First()
        twins = [*other_cards(game, self.rng)]
        if dear:
            records = [Record.from_json(record) for record in stored.records]
            twins += other_draws(game.config, records, self.rng)
        with speaking(languages.resolve(table.options.language)):
            for twin in twins:
                twin.game.chance = game.chance
                await self._compare(table, game, twin, twin is twins[-1] and twin.game.records != game.records)

    async def _compare(self, table: Table, here: Game, twin: Twin, dear: bool) -> None:
        others = [seat for seat in range(here.config.players) if seat not in twin.hiding]
        viewers = [None, *self.rng.sample(others, min(len(others), MOST))]
        for seat in viewers:
            for name, one, other in zip(
                *zip(*self._shown(table, here, seat, dear), strict=True),
                [show for _, show in self._shown(table, twin.game, seat, dear)],
                strict=True,
            ):
                mine, theirs = _of(one), _of(other)
                if mine != theirs:
                    self._wrong(table, seat, name, twin, mine, theirs)
        pair = [await self._pictures.board(Viewer(table, game)) for game in (here, twin.game)]
        if pair[0] != pair[1]:
            self._wrong(table, None, "the board", twin, pair[0], pair[1])

    def _wrong(self, table: Table, seat: int | None, name: str, twin: Twin, here: Any, there: Any) -> None:
        who = "everyone" if seat is None else f"seat {seat}"
        one, other = repr(here), repr(there)
        at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
        apart = f"{one[max(at - 80, 0) : at + 120]} / {other[max(at - 80, 0) : at + 120]}"
        self.town.universe.wrong(SAME, f"game {table.number}: {who} sees in {name} that {twin.why}: {apart}")

    def _shown(self, table: Table, game: Game, seat: int | None, dear: bool) -> Shows:
        viewer = Viewer(table, game, seat)
        yield from _public(table, game) if seat is None else _own(viewer)
        yield from _asked(viewer)
        if dear:
            yield from _told(viewer)


def _of(show: Callable[[], Any]) -> Any:
    """What is shown, or what is said instead."""
    try:
        found = show()
        return repr([*found] if isinstance(found, Iterator) else found)
    except RefereeError as error:
        return error.key, repr(error.params)


def _public(table: Table, game: Game) -> Shows:
    """What everyone sees."""
    public = Viewer(table, game)
    yield "the game message", lambda: _layout(public, live=True)
    yield "the old game message", lambda: _layout(public, live=False)
    yield "the board in words", lambda: pictures.board_alt(public.view, public.names)
    yield "the pings", lambda: waiting.all_pings(public)
    yield "the deadlines", lambda: waiting.deadlines(public)
    yield "the server's list", lambda: servers.list_lines([servers.ListedGame(table, public)])
    yield "how all stand", lambda: screen.standing(public.view, public.marked)
    yield "whom the game waits for", lambda: (public.view.awaited, public.users_to_call(bits(public.view.awaited)))
    yield "the decisions", lambda: [game.decision(seat) for seat in range(game.config.players)]


def _layout(public: Viewer, live: bool) -> Any:
    layout: Any = messages.panel_layout(public, live=live)
    return layout.to_components()


def _own(viewer: Viewer) -> Shows:
    """What a player sees of their own."""
    view, seat = viewer.view, viewer.my_seat
    yield "their hand", lambda: hands.own_hand(view, viewer.names)
    yield "their picture", lambda: (pictures.hand_alt(view), pictures.hand_words(view))
    yield "their controls", lambda: play.own_controls(viewer)
    yield "what they can build", lambda: play.what_to_build(viewer)
    yield "their question", lambda: acting.owed_picker(viewer)
    yield "their other requests", lambda: waiting.other_request(viewer.table, viewer.game, viewer.users[seat])
    yield "what calls them", lambda: (private.occasion(view, seat), private.times_robbed(view, seat))


def _asked(viewer: Viewer) -> Shows:
    """What a person gets who asks, or tries what isn't their business."""
    yield "the headline", lambda: screen.headline(viewer.view, viewer.marked, viewer.computers)
    yield "the offers", lambda: trade.offers_menu(viewer)
    yield "more", lambda: play.more_menu(viewer, manages=False)
    if viewer.seat is None:
        return
    yield "the players suggested", lambda: (suggested.other_players(viewer), [*_victims(viewer)])
    for suggest in SUGGESTED:
        yield f"the suggestions of {suggest.__name__}", partial(suggest, viewer, "")
    closes = viewer.view.on_turn == viewer.seat  # then an answer closes the trade, and may say that the other can't pay
    kinds = (DeclineOffer,) if closes else (AcceptOffer, DeclineOffer)
    answers = [kind(offer.id) for offer in viewer.view.offers for kind in kinds]
    for action in (*TRIED, *answers):
        yield f"the answer to {action}", partial(_tried, viewer, action)


def _tried(viewer: Viewer, action: Any) -> str:
    trial = viewer.game.copy()
    try:
        trial.play(viewer.my_seat, action)
    except RefereeError as error:
        return refusal_sentence(error, viewer.view, viewer.names)
    return "done"


def _told(viewer: Viewer) -> Shows:
    """What a person is told of the past."""

    def story() -> Any:
        found = recount(viewer.game.config, viewer.game.records, viewer.seat)
        told = paragraphs(found.turns, viewer.view, viewer.names, news=viewer.table.news)
        return told, full_log(found.log, viewer.view, viewer.names, viewer.table.news)

    def page() -> bytes:
        table, game = viewer.table, viewer.game
        players = [Named(member.name, member.color) for member in table.members]
        return Unfolding(str(table.number), game.config, game.records, players).running().data

    yield "the story", story
    if viewer.seat is None:
        yield "the page", page
