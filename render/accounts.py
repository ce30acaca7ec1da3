"""Two tables: how players got and lost resource cards, and how many each stole from whom with the robber."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from engine.log.chronicle import OUTGOING, Story
from engine.terms import Piece
from engine.views import PlayerView
from render.fonts import text
from render.ink import Ink
from render.palette import Look
from render.panels import FIGURE, LABEL, Box, size_for, title, title_height, write
from render.pieces import building
from render.words import FigureWords

_ROW, _HEAD = 50, 66
"""Height of a row, and of the row of players at the top, in pixels."""
_SIGN = 27
"""Width of the sign (plus, minus, equals) before each row, in pixels."""
_CORNER = 27
"""Font size of the words in the corner of the robberies table: those for the thieves, and for their victims."""
_SQUARE = 58
"""Height of a row of the robberies table, in pixels."""
_HOUSE = 90
_GROUPS = (("made", "plenty"), ("robbed", "lost"), ("won", "ceded"), ("got", "gave"), ("bought", "paid"),
           ("discarded", "spent", "returned"))  # fmt: skip
"""The rows, in groups that stand together."""
_ALWAYS = ("made", "robbed", "lost", "discarded", "spent")
"""Rows that are shown even if all their figures are 0."""


def rows_of(story: Story) -> list[tuple[str, ...]]:
    """The rows that a game has, in groups; the last group is the cards that players hold now."""
    groups = (
        tuple(way for way in group if way in _ALWAYS or any(getattr(a, way) for a in story.accounts))
        for group in _GROUPS
    )
    return [*filter(None, groups), ("held",)]


def accounts_height(story: Story, look: Look) -> int:
    """Height of the table of cards, in pixels."""
    return title_height(look) + look.scaled(_HEAD) + sum(map(len, rows_of(story))) * look.scaled(_ROW)


def accounts(
    image: Image.Image, box: Box, story: Story, ranked: Sequence[PlayerView], words: FigureWords, look: Look
) -> None:
    """Draw the table of cards: a column for each player, a row for each way that cards came or went."""
    top = box.top + title(image, box, words.cards, look)
    groups, label = rows_of(story), look.scaled(LABEL)
    sign, tall = look.scaled(_SIGN), look.scaled(_ROW)
    widest = max(
        text(words.ways[way], label, look.theme.grey, way == "held").width for group in groups for way in group
    )
    first = min(sign + widest + 8, box.width // 2)
    step = (box.width - first) / len(ranked)
    middles = [round(box.left + first + (k + 0.5) * step) for k in range(len(ranked))]
    figures = [getattr(story.accounts[player.seat], way) for player in ranked for group in groups for way in group]
    size = size_for(figures, look.scaled(FIGURE), step - 12)
    _houses(image, top + look.scaled(_HEAD) // 2, middles, ranked, look)
    top += look.scaled(_HEAD)
    for group in groups:
        image.paste(look.theme.line, (box.left, top - 1, box.left + box.width, top + 1))
        for way in group:
            middle, last = top + tall // 2, way == "held"
            symbol = "=" if last else "−" if way in OUTGOING else "+"
            write(image, symbol, (box.left + sign // 3, middle), label, look.theme.grey, align="middle")
            write(
                image, words.ways[way], (box.left + sign, middle), label, look.theme.ink if last else look.theme.grey,
                bold=last, width=first - sign - 6,
            )  # fmt: skip
            for player, x in zip(ranked, middles, strict=True):
                count = getattr(story.accounts[player.seat], way)
                color = look.theme.ink if count else look.theme.grey
                write(image, str(count), (x, middle), size, color, align="middle")
            top += tall


def robberies_height(players: int, look: Look) -> int:
    """Height of the robberies table, in pixels."""
    return title_height(look) + look.scaled(_HEAD) + players * look.scaled(_SQUARE)


def robberies(
    image: Image.Image, box: Box, story: Story, ranked: Sequence[PlayerView], words: FigureWords, look: Look
) -> None:
    """Draw the robberies table: a row for each player as thief, a column for each as victim."""
    top = box.top + title(image, box, words.robberies, look)
    tall, head, label = look.scaled(_SQUARE), look.scaled(_HEAD), look.scaled(_CORNER)
    room = box.width // 5
    first = 12 + sum(min(text(word, label, look.theme.grey, False).width, room) for word in (words.thief, words.source))
    step = min((box.width - first) / len(ranked), look.scaled(110))
    middles = [round(box.left + first + (k + 0.5) * step) for k in range(len(ranked))]
    taken = [n for row in story.robberies for n in row]
    size = size_for(taken, look.scaled(FIGURE), step - 6)
    corner = Ink(first, head, origin=(0, 0))
    corner.line([(4, 4), (first - 4, head - 4)], 2, look.theme.line)
    line = corner.image()
    image.paste(line, (box.left, top), line)
    write(image, words.thief, (box.left, top + head * 3 // 4), label, look.theme.grey, bold=False, width=room)
    source = (box.left + first - 4, top + head // 4)
    write(image, words.source, source, label, look.theme.grey, bold=False, align="right", width=room)
    _houses(image, top + head // 2, middles, ranked, look)
    top += head
    for thief in ranked:
        image.paste(look.theme.line, (box.left, top - 1, round(box.left + first + step * len(ranked)), top + 1))
        _houses(image, top + tall // 2, [box.left + first // 2 - 4], [thief], look)
        for victim, x in zip(ranked, middles, strict=True):
            if victim is thief:
                plate = _nothing(round(step) - 12, tall - 12, look)
                image.paste(plate, (x - plate.width // 2, top + 6), plate)
                continue
            count = story.robberies[thief.seat][victim.seat]
            color = look.theme.ink if count else look.theme.grey
            write(image, str(count), (x, top + tall // 2), size, color, align="middle")
        top += tall


def _houses(image: Image.Image, y: int, middles: Sequence[int], players: Sequence[PlayerView], look: Look) -> None:
    """Draw a city for each player, no wider than the distance between two columns allows."""
    room = middles[1] - middles[0] if len(middles) > 1 else look.scaled(_HOUSE)
    for player, x in zip(players, middles, strict=True):
        house = building(Piece.CITY, player.color, min(look.scaled(_HOUSE), round(1.5 * room)), look.palette)
        image.paste(house, (x - house.width // 2, y - house.height // 2), house)


def _nothing(width: int, height: int, look: Look) -> Image.Image:
    """The plate in a cell where thief and victim are the same player."""
    ink = Ink(width, height, origin=(0, 0))
    ink.box(0, 0, width, height, look.theme.line, 10)
    return ink.image()
