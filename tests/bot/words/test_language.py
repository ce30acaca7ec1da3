"""The seam for other languages: no text bypasses it, plurals follow the language, and messages can be collected."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from dataclasses import replace
from string import Formatter
from typing import Any

import pytest
from babel.messages.extract import extract_from_dir

from bot.screens import panel
from bot.table.promptness import Promptness
from bot.words import hands, lobby, options, pictures, places, promptness, proof, rules
from bot.words.language import N_, NN_, P_, _, n_, p_, quoted, speaking
from bot.words.marks import card_count, development_card_count
from bot.words.narrator import history, line, story
from bot.words.narrator.telling import Reader
from bot.words.typed import parse_hand, typed
from engine import errors
from engine import events as ev
from engine.config import EDITIONS
from engine.events import TradeEnded
from engine.game import Game, events_of
from engine.log.chronicle import Story, story_of
from engine.log.recount import recount
from engine.outcome import Outcome
from engine.resources import ORE, hand_of, single
from engine.rules import data_of
from engine.scenarios import SCENARIOS
from engine.terms import Award, EndReason, Piece
from engine.variants import VARIANTS
from engine.views import OfferView, View
from render import changes
from tests.bot.screens.played import move, new_game
from tests.bot.screens.tables import NAMES, config, step, view, with_player
from tests.bot.words.marked import in_source, marked, messages
from tests.bot.words.pseudo import Pseudo, untranslated
from tests.house import ROOT
from tests.seeds import few_of
from tools.texts import KEYWORDS

ORES, SHEEP = hand_of(ore=1), hand_of(wool=2)
EVENTS: list[ev.Event] = [
    *(ev.Built(0, piece, 20, free) for piece in Piece for free in (True, False)),
    *(ev.CardBought(0, card) for card in (None, 0, 1, 2, 3, 4)),
    *(ev.CardTaken(0, 1, card) for card in (None, ORE)),
    *(ev.CardPlayed(0, card) for card in range(5)),
    *(ev.RobberMoved(0, *moved) for moved in ((-1, -1), (3, 3), (3, 8))),
    *(ev.Monopolised(0, ORE, taken) for taken in ((), ((1, 2), (2, 1)))),
    *(ev.Produced(0, ORES, setup) for setup in (True, False)),
    *(ev.Rolled(0, *rolled) for rolled in (((3, 4), True), ((3, 4), False), ((1, 1), True))),
    *(ev.AwardMoved(award, old, new, 6) for award in Award for old in (None, 1) for new in (None, 0)),
    *(ev.GameEnded(reason, winners) for reason in EndReason for winners in ((0,), (0, 1)) if reason != "called_off"),
    *(ev.EndAgreed(0, agree) for agree in (True, False)),
    *(ev.CallOffAgreed(0, agree) for agree in (True, False)),
    *(ev.OfferAnswered(1, 3, accepted) for accepted in (True, False)),
    *(ev.OfferMade(0, 5, ORES, SHEEP, to, answers) for to in ((), (1,)) for answers in (-1, 3)),
    ev.GameEnded(EndReason.CALLED_OFF, ()),
    TradeEnded(0),
    ev.NothingTaken(0),
    ev.PlentyTaken(0, SHEEP),
    ev.OfferWithdrawn(0, 3),
    ev.FirstRolls(((0, 1, 2), (1, 1, 2))),
    ev.FirstPlayer(1),
    ev.SeatsTaken((0, 1, 2, 3)),
    ev.TurnBegan(0, 3),
    ev.Shortage(ORE, (0, 1)),
    ev.DiscardsDue(((0, 1), (1, 4))),
    ev.DiscardChosen(0),
    ev.DiscardTakenBack(0),
    ev.Discarded(0, ORES),
    ev.BankTraded(0, SHEEP, ORES),
    ev.Traded(0, 1, SHEEP, ORES),
    ev.TurnEnded(0),
    ev.BuildersCalled((0, 1)),
    ev.Passed(0),
    ev.InterruptOpened(0),
    ev.RequestsOpened(0),
    ev.DecidedFor(0),
    ev.InterruptPassed(0),
    ev.Undone(0),
    ev.Resigned(0),
]
"""All events, in every form that has its own words."""


def written(view_: View, seat: int | None) -> Iterator[str | None]:
    """All texts that are made from a view."""
    grid = view_.board.grid
    yield pictures.board_alt(view_, NAMES)
    yield pictures.dice_line(view_)
    yield from story(view_.events, view_, NAMES)
    yield from (line(event, view_, NAMES) for event in view_.last)
    yield from (places.describe_intersection(view_, node) for node in range(len(grid.nodes)))
    yield from (places.describe_edge(view_, edge) for edge in range(len(grid.edges)))
    yield from (places.describe_hex(view_, hex_, NAMES) for hex_ in range(len(grid.hexes)))
    for names in (grid.node_names, grid.edge_names, grid.hex_names):
        yield from (title for title, _ids in places.regions(names, range(len(names))))
    if seat is not None:
        yield hands.own_hand(view_, NAMES)
        yield pictures.hand_alt(view_)
        for words in pictures.hand_words(view_):
            yield from words


def finished(view_: View, story: Story, reason: EndReason, winners: tuple[int, ...]) -> Iterator[str]:
    """The texts about the end of a game."""
    points = (8,) * view_.config.players
    over = replace(view_, step=step("over"), on_turn=None, outcome=Outcome(reason, winners, points))
    final = panel.final_panel(over, NAMES)
    yield from (final.story, final.players, pictures.board_alt(over, NAMES), *in_figures(over, story))


def in_figures(view_: View, story: Story) -> Iterator[str]:
    """The words in the picture of a game's stats, and its alternative text."""
    yield pictures.figures_alt(view_, story, NAMES)
    *words, ways = pictures.figure_words(view_, NAMES)
    yield from (*words, *ways.values())


def missed_by(game: Game, seat: int) -> Iterator[str]:
    """The texts about all that has happened since the game began, and the words in the picture of it."""
    recounted, now = recount(game.config, game.records, seat, 1), game.view(seat)
    events, then = [event for turn in recounted.turns for _, event in turn.events], recounted.then
    reader = Reader(now, NAMES)
    yield from history.all_have_done(then, events, reader)
    yield from history.own_cards(events, reader)
    yield from history.own_standing(then, events, seat, reader)
    yield from history.standing(then, reader)
    made = [OfferView(1, 1, ORES, SHEEP, 1, 0, 0)]
    yield from history.offers_to_reader(made * 4, 2, NAMES)
    yield from (*pictures.then_and_now_titles(then, now, own=True), *pictures.then_and_now_titles(then, now, own=False))
    yield pictures.then_and_now_alt(then, now, changes(then, now), NAMES)


@pytest.mark.parametrize("edition", few_of(EDITIONS))
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_no_text_about_a_game_bypasses_translation(scenario: str, edition: str) -> None:
    game, rng = new_game(scenario, 3, edition), random.Random(edition + scenario)
    with speaking(Pseudo()):
        for number in range(400):
            if game.outcome is None:
                move(game, rng)
            if number % 80 == 0:
                for words_in in in_figures(game.view(None), story_of(game.config, game.records)):
                    assert untranslated(words_in, NAMES) == []
            for seat in (None, 0, 1) if number % 80 == 0 else ():
                for text in written(game.view(seat), seat):
                    assert untranslated(text or "", NAMES) == []
        all_events, story = events_of(game.config, game.records), story_of(game.config, game.records)
        records = [[event.redact(None, over=True) for event in events] for events in all_events]
        turns = recount(game.config, game.records, None).turns
        paragraphs = [paragraph.text for paragraph in history.paragraphs(turns, game.view(None), NAMES)]
        for text in (*history.full_log(records, game.view(None), NAMES), *paragraphs, *missed_by(game, 0)):
            assert untranslated(text, NAMES) == []
        for reason in EndReason:
            for winners in ((), (0,), (0, 1)):
                for text in finished(game.view(0), story, reason, winners):
                    assert untranslated(text, NAMES) == []


def test_no_event_text_bypasses_translation() -> None:
    assert {event.name for event in EVENTS} == {cls.name for cls in ev.Event.__subclasses__()}
    table = view()
    with speaking(Pseudo()):
        for first in EVENTS:
            assert untranslated(line(first, table, NAMES) or "", NAMES) == []
            for second in EVENTS:
                for text in story((first, second, ev.FirstPlayer(0), ev.CardPlayed(0, 0), second), table, NAMES):
                    assert untranslated(text, NAMES) == []


@pytest.mark.parametrize("number", range(8))
def test_no_text_about_a_hand_bypasses_translation(number: int) -> None:
    rng = random.Random(number)
    many = tuple(rng.randint(0, 4) for kind in range(5))
    table = view(
        config("islands", variants=("vp-cards-played",) if number % 2 else ()),
        seat=0,
        step=step("main"),
        card_played=number % 3 == 0,
        deck=number % 4,
    )
    table = with_player(
        table, 0, hand_size=9, hand=many, development_cards=many, fresh_cards=(1, 0, 2, 0, 1), points=3,
        all_points=3 + number % 2, played=many, settlements=number, cities=number << 9, roads=0b1011,
        pieces_left=(number % 3, number % 2, number % 2), rates=(4, 3, 2, 4, 4) if number % 2 else (4,) * 5,
    )  # fmt: skip
    with speaking(Pseudo()):
        data = data_of(table.config)
        texts = [hands.own_hand(table, NAMES), pictures.hand_alt(table), hands.blocked_harbors(table)]
        texts += hands.cost_list(data, bridges=True)
        for card in range(5):
            texts += [hands.card_title(card), hands.card_help(card, data)]
        assert [untranslated(text) for text in texts] == [[]] * len(texts)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_no_rules_or_lobby_text_bypasses_translation(scenario: str, edition: str) -> None:
    definition = SCENARIOS[scenario]
    with speaking(Pseudo()):
        for layout in definition.layouts or ("spiral",):
            for variants in ((), tuple(VARIANTS)):
                plain: dict[str, Any] = {"edition": edition, "layout": layout, "variants": variants}
                for more in ({}, {"round_limit": 3, "answer_time": 420, "shuffle_seats": False}):
                    chosen = config(scenario, max(definition.players), **plain, **more)
                    topics = rules.topics(chosen)
                    texts = [*(rules.topic(chosen, key) for key, _title in topics), *(title for _key, title in topics)]
                    assert [untranslated(text) for text in texts] == [[]] * len(texts)
        chosen = config(scenario, max(definition.players))
        texts = [of("ab" * 32) for of in (proof.promise, proof.promised)]
        texts += [lobby.lesson_text("7", 10, NAMES[:4]), proof.revealed("ab" * 32, "cd" * 32)]
        for here in range(9):
            for starts in (True, False):
                about: dict[str, Any] = {"players": definition.players, "host": "Ann", "anyone_starts": starts}
                texts.append(
                    lobby.lobby_text(chosen.colors, NAMES[:here], **about, number="7", options="", phrases=here)
                )
        about |= {"promptness": [*Promptness], "number": "7", "options": ""}
        texts.append(lobby.lobby_text(chosen.colors, NAMES[: len(Promptness)], **about))
        texts += [promptness.own_line(Promptness.DAY), promptness.said_of("Ann", Promptness.LATE)]
        texts += options.rules(replace(chosen, answer_time=60))
        assert [untranslated(text, NAMES) for text in texts] == [[]] * len(texts)


def test_no_short_text_bypasses_translation() -> None:
    grid = view().board.grid
    with speaking(Pseudo()):
        texts = [quoted("1"), *map(development_card_count, (1, 2))]
        texts += [title for title, _ids in places.regions(grid.node_names, [1])]
        texts += [pictures.board_alt(view(last=(ev.Built(0, piece, 20),)), NAMES) for piece in Piece]
        assert [untranslated(text, NAMES) for text in texts] == [[]] * len(texts)


def test_every_alternate_rule_is_explained_in_the_topic_it_names() -> None:
    for rule in VARIANTS.values():
        assert f"- {rule.summary}" in rules.topic(config(variants=(rule.id,)), rule.topic)


def test_cards_can_be_typed_in_english_and_in_the_current_language() -> None:
    cards = hand_of(wool=2, ore=1)
    with speaking(Pseudo()):
        assert typed(cards) == "2 ｗｏｏｌ, 1 ｏｒｅ"
        for text in (typed(cards), "2 wool, 1 ore", "2 ＳＨＥＥＰ ａｎｄ 1 rock", "ｗｗｏ", "wwo"):
            assert parse_hand(text) == cards
        assert parse_hand("Ｏｒｅ") == single(ORE)
    assert parse_hand(typed(cards)) == cards


class Polish:
    """A language with one form for one, one for two to four, and one for all other numbers."""

    code = "pl"

    def gettext(self, message: str, /) -> str:
        return message

    def pgettext(self, context: str, message: str, /) -> str:
        return f"{message} ({context})"

    def ngettext(self, one: str, many: str, n: int, /) -> str:
        assert (one, many) == ("{n} card", "{n} cards")
        return "{n} karta" if n == 1 else "{n} karty" if 2 <= n % 10 <= 4 and n // 10 % 10 != 1 else "{n} kart"


def test_a_language_has_as_many_plural_forms_as_it_needs() -> None:
    with speaking(Polish()):
        assert [card_count(n) for n in (1, 3, 5, 12, 22)] == ["1 karta", "3 karty", "5 kart", "12 kart", "22 karty"]
    assert [card_count(n) for n in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]


def test_a_word_can_be_translated_differently_in_different_contexts() -> None:
    word = P_("you can", "pass")
    assert (p_("a button", "Undo"), _(word)) == ("Undo", "pass")
    with speaking(Polish()):
        assert (p_("a button", "Undo"), _(word)) == ("Undo (a button)", "pass (you can)")


def test_braces_in_inserted_values_are_plain_text() -> None:
    assert _("{name} begins.", name="{x} {") == "{x} { begins."
    assert n_("{n} card", "{n} cards", 2, n="{many}") == "{many} cards"
    assert (N_("{name} begins."), NN_("{n} card", "{n} cards")) == ("{name} begins.", ("{n} card", "{n} cards"))


def test_messages_are_never_built_from_parts() -> None:
    for place, texts in marked():
        for text in texts:
            assert not isinstance(text, ast.JoinedStr | ast.BinOp | ast.Call), place


def test_no_message_is_inside_an_f_string() -> None:
    assert [place for place, texts in marked(in_f_string=True) if isinstance(texts[0], ast.Constant)] == []


def test_no_message_has_two_different_plurals() -> None:
    all_messages = in_source()
    assert len({forms[0] for forms in all_messages}) == len(all_messages)


def test_singular_and_plural_of_a_message_have_the_same_placeholders() -> None:
    for singular, *many in messages():
        for plural in many:
            fields = [
                {name for _text, name, _spec, _conv in Formatter().parse(text) if name} for text in (singular, plural)
            ]
            assert fields[0] == fields[1], singular


def test_messages_can_be_collected() -> None:
    """Those of the template are what Babel finds in the source (`test_catalogues.py`)."""
    collected = {*messages()}
    example = ROOT / "tests" / "engine" / "variants"  # an alternate rule has messages, too
    for _file, _line, message, *_more in extract_from_dir(example, keywords=KEYWORDS):
        collected.add((message,) if isinstance(message, str) else tuple(message))
    assert in_source() <= collected
    assert {("{name} begins.",), ("{n} card", "{n} cards"), ("2:1 ore harbor",), ("This game is over.",)} <= collected
    lost = {
        key
        for key, (one, many) in errors.SENTENCES.items()
        if ((one,) if one == many else (one, many)) not in collected
    }
    assert not lost
