"""What a reader sees of a game's page at each position, and what they must see: worked out from the engine's facts and
the board's geometry, in English."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from math import degrees

from bot.words.language import _
from bot.words.marks import CARD_TITLES, hex_text, resource
from bot.words.page import corner
from bot.words.pictures import WAYS
from engine.config import Config
from engine.game import Game
from engine.record import Record
from engine.resources import GENERIC, RESOURCES
from engine.state import State
from render.layout import layout
from render.palette import MARKS
from render.pen import ANGLES, Point
from render.sizes import PICTURE
from tests.bot.page.facts import Facts, facts_by_moment
from tests.browser.pages import NAMES, Data, Shown

Drawn = tuple[str, str, str, float, float]
"""A piece or mark on the board: layer, symbol, color of the owner (or ""), and the place of the symbol's middle."""
ON_BOARD = ("node.", "edge.")
"""How the names of the facts about pieces begin."""
_WALK = """back => {
    const visible = (element) => element.checkVisibility({ visibilityProperty: true });
    const all = (selector, within = document) => [...within.querySelectorAll(selector)];
    const texts = (...where) => all(...where).filter(visible).map((element) => element.textContent);
    const rows = (id) => all(`#${id} tr`).map((row) => texts("th, td", row));
    function drawn(rect) {
        const pattern = document.getElementById(rect.getAttribute("fill").slice(5, -1)), box = pattern.viewBox.baseVal;
        const use = pattern.firstElementChild, symbol = use.getAttribute("href").slice(1);
        if (!document.getElementById(symbol)) throw Error(symbol);
        const middle = (at, size) => rect[at].baseVal.value - box[at] * rect[size].baseVal.value / box[size];
        const place = [middle("x", "width"), middle("y", "height")].map((n) => Math.round(10 * n) / 10);
        return [rect.parentElement.id, symbol, use.getAttribute("class"), ...place];
    }
    function card(item) {
        const title = [...item.firstElementChild.childNodes].filter((node) => node instanceof Text || visible(node));
        return [title.map((node) => node.textContent), texts(".hand > *", item), texts("p:not(.hand)", item)];
    }
    const seen = () => ({
        facts: harbormaster.position(),
        turn: texts("#told")[0].split(". ")[0],
        board: all("#board rect:not(.gone)").filter(visible).map(drawn),
        cards: all("#players li").map(card),
        dice: [texts("#rolls"), ...rows("dice")],
        ways: rows("ways"),
        words: texts("#words li"),
        colors: all("#players .chip, #ways .chip").map((chip) => chip.className),
    });
    const details = document.querySelector("details");
    details.open = true;
    details.dispatchEvent(new Event("toggle"));  // the browser's own comes later
    const numbers = [...Array(harbormaster.last + 1).keys()];
    if (back) numbers.reverse();
    const found = numbers.map((number) => {
        harbormaster.go(number);
        return seen();
    });
    if (all("#board .gone").some(visible)) throw Error("what is gone can be seen");
    return JSON.stringify(back ? found.reverse() : found);
}"""


def check_positions(
    shown: Shown, config: Config, records: Sequence[Record], *, opened: bool = True, names: Sequence[str] = NAMES
) -> int:
    """At every position, reached forward and back, the page has the engine's facts and shows them. Returns how many
    positions there are. `opened`: the game is over; `names`: in order of joining."""
    facts = facts_by_moment(config, records, opened=opened)
    table = Table(Game.replay(config, records).state, names)
    due = [table.seen(before, now) for before, now in zip([None, *facts], facts, strict=False)]
    for back in (False, True):
        found = json.loads(shown.page.evaluate(_WALK, back))
        for number, (seen, expected) in enumerate(zip(found, due, strict=True)):
            seen["board"].sort()
            wrong = {part: (seen[part], expected[part]) for part in expected if seen[part] != expected[part]}
            assert not wrong, f"position {number}, {back=}, seen and expected: {wrong}"
    assert shown.errors == []
    return len(facts)


class Table:
    """What never changes in a game: its board, and who has which seat. `state`: of any moment."""

    def __init__(self, state: State, names: Sequence[str]) -> None:
        self.board = state.board
        self.layout = layout(state.board, PICTURE)
        self.colors = [state.color(seat) for seat in range(state.players)]
        self.names = [names[player] for player in state.order]

    def seen(self, before: Facts | None, now: Facts) -> Data:
        """What must be seen of a position; `before`: the facts of the one before."""
        total, seats = sum(now["rolls"]), range(len(self.names))
        tenths = [(20 * total * (6 - abs(7 - n)) + 36) // 72 for n in range(2, 13)]
        whose = f": {self.names[now['seat']]}" if "seat" in now else ""
        heads = [MARKS[color] + name for color, name in zip(self.colors, self.names, strict=True)]
        ways = {way: _(title) for way, title in WAYS.items() if way != "held"}
        return {
            "facts": now,
            "turn": f"Turn {now['turn']}, round {now['round']}{whose}" if now["turn"] else "Setup",
            "board": sorted(map(list, [*self._pieces(now), *self._marks(before or now, now)])),
            "cards": [
                *([self._title(now, seat), *_cards(now, seat)] for seat in seats),
                [["Bank"], _hand(now["bank"]), [f"Dev cards left: {now['deck']}"]],
            ],
            "dice": [
                [f"Rolls so far: {total}"],
                ["Sum", "Rolled", "Expected", ""],
                *([str(n), str(now["rolls"][n]), f"{x // 10}.{x % 10}", ""] for n, x in enumerate(tenths, 2)),
            ],
            "ways": [
                ["Way", *heads],
                *([title, *(str(now.get(f"{way}.{seat}", 0)) for seat in seats)] for way, title in ways.items()),
            ],
            "words": [*(self._words(now, seat) for seat in seats), self._robber(now["robber"])],
            "colors": [f"chip {color}" for color in self.colors * 2],
        }

    def _named(self, now: Facts, seat: int) -> str:
        return f"{self.names[seat]} (left)" if f"left.{seat}" in now else self.names[seat]

    def _title(self, now: Facts, seat: int) -> list[str]:
        turn = ["It is their turn."] if now.get("seat") == seat else []
        return [MARKS[self.colors[seat]], self._named(now, seat), f"Points: {now[f'points.{seat}']}", *turn]

    def _words(self, now: Facts, seat: int) -> str:
        """A player's pieces in words."""
        found = []
        for name, fact in now.items():
            if name.startswith(ON_BOARD) and fact[0] == seat:
                kind, _dot, at = name.partition(".")
                place = corner(self.board, int(at)) if kind == "node" else self.board.grid.edge_names[int(at)]
                found.append(f"{fact[1]} {place}")
        return f"{self._named(now, seat)}: {', '.join(sorted(found)) or 'none'}."

    def _robber(self, at: int) -> str:
        return f"Robber: {hex_text(self.board, at)}." if at >= 0 else "The robber is off the board."

    def _pieces(self, now: Facts) -> Iterator[Drawn]:
        for name, fact in now.items():
            if name.startswith(ON_BOARD):
                layer, angle, x, y = self._place(name)
                yield layer, fact[1] + angle, self.colors[fact[0]], x, y
        if now["robber"] >= 0:
            yield "hexes", f"robber-{self._middle(now['robber'])}", "", *self._hex(now["robber"])

    def _marks(self, before: Facts, now: Facts) -> Iterator[Drawn]:
        """The marks of what is new, of where the robber was, and of the hexes that have just given cards."""
        for name, fact in now.items():
            if name.startswith(ON_BOARD) and fact != before.get(name):
                layer, angle, x, y = self._place(name)
                yield "marks", "new-building" if layer == "nodes" else f"new-road{angle}", "", x, y
        if now["robber"] != before["robber"]:
            for mark, at in (("old-robber", before["robber"]), ("new-robber", now["robber"])):
                if at >= 0:
                    yield "marks", f"{mark}-{self._middle(at)}", "", *self._hex(at)
        for at, number in enumerate(self.board.tokens):
            if now["rolls"][number] != before["rolls"][number] and at != now["robber"]:
                yield "marks", f"golden-{number}", "", *self._hex(at)

    def _place(self, name: str) -> tuple[str, str, float, float]:
        """The layer, the angle and the middle of a piece, by the name of its fact."""
        kind, _dot, at = name.partition(".")
        if kind == "node":
            return "nodes", "", *_rounded(self.layout.node(int(at)))
        return "edges", f"{degrees(ANGLES[self.layout.slant(int(at))]):.0f}", *_rounded(self.layout.edge(int(at)))

    def _hex(self, at: int) -> Point:
        return _rounded(self.layout.hex(at))

    def _middle(self, at: int) -> str:
        """What is in the middle of a hex: a number, a harbor, or nothing."""
        for harbor in self.board.harbors:
            if harbor.hex == at:
                return "any" if harbor.kind == GENERIC else RESOURCES[harbor.kind]
        return str(self.board.tokens[at] or "none")


def _rounded(place: Point) -> Point:
    return round(place[0], 1), round(place[1], 1)


def _hand(cards: Sequence[int]) -> list[str]:
    return [f"{n} {resource(kind)}" for kind, n in enumerate(cards)]


def _cards(now: Facts, seat: int) -> list[list[str]]:
    """A player's hand by resource, and the lines below: the number of cards if no more is known, development cards, and
    what else there is."""
    hand, hidden, played = now[f"hand.{seat}"], now.get(f"hidden.{seat}"), now[f"played.{seat}"]
    more = [
        f"Hidden points: {hidden}" if hidden else "",
        f"Played: {_developments(played)}" if sum(played) else "",
        f"Longest road: {now[f'length.{seat}']}",
        "🏆 Longest Road" if now.get("road") == seat else "",
        "🏆 Largest Army" if now.get("army") == seat else "",
    ]
    lines = [f"Dev cards: {_developments(now[f'cards.{seat}'])}", " · ".join(filter(None, more))]
    return [_hand(hand), lines] if isinstance(hand, list) else [[], [f"Cards: {hand}", *lines]]


def _developments(cards: Sequence[int] | int) -> str:
    """Development cards in words; only their number if no more is known."""
    if isinstance(cards, int):
        return str(cards)
    return ", ".join(f"{CARD_TITLES[kind]} ({n})" for kind, n in enumerate(cards) if n) or "none"
