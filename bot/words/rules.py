"""This game's rules in our words, a topic each; every number comes from the configuration's rule data."""

from __future__ import annotations

from collections.abc import Callable

from bot.words import options, times
from bot.words.hands import card_help, card_title, cost_list
from bot.words.language import N_, P_, _, n_, sentences
from bot.words.marks import cards, city_count, road_count, settlement_count
from engine.config import Config
from engine.data import Data
from engine.resources import VICTORY_POINT
from engine.rules import data_of
from engine.scenarios import SCENARIOS
from engine.variants import VARIANTS

Write = Callable[[Config, Data], list[str]]


def topics(config: Config) -> list[tuple[str, str]]:
    """(key, title) of the topics of this game, in the order of reading."""
    data = data_of(config)
    return [(key, _(title)) for key, (title, wanted, write) in _TOPICS.items() if wanted(config, data)]


def topic(config: Config, key: str) -> str:
    """The text of a topic, at most 2,000 characters; raises `KeyError` for a topic that this game doesn't have."""
    title, wanted, write = _TOPICS[key]
    data = data_of(config)
    if not wanted(config, data):
        raise KeyError(key)
    lines = write(config, data)
    rules = (VARIANTS[name] for name in config.variants)
    lines += [_(rule.summary) for rule in rules if rule.topic == key]
    if key == "robber" and data.robber_interrupts:
        lines.append(_answers(config))
    return "\n".join([f"## {_(title)}", *(f"- {text}" for text in lines)])


def _goal(config: Config, data: Data) -> list[str]:
    lines = [
        n_(
            "First to **{n} point** in their own turn wins, automatically.",
            "First to **{n} points** in their own turn wins, automatically.",
            data.target,
        ),
        _("Points: settlement 1, city 2, Victory Point card 1 (even hidden), Longest Road 2, Largest Army 2.")
        if data.hidden_points
        else _("Points: settlement 1, city 2, Victory Point card 1 once played, Longest Road 2, Largest Army 2."),
        _("Points you reach in someone else's turn count when your own turn begins."),
        _("If everyone agrees, the game ends now: most points wins, and a tie is shared."),
        _("If everyone agrees, the game is void: no winner."),
    ]
    if data.round_limit:
        lines.append(
            n_(
                "After {n} round the game ends: most points wins.",
                "After {n} rounds the game ends: most points wins.",
                data.round_limit,
            )
        )
    return lines


def _setup(config: Config, data: Data) -> list[str]:
    lines = [_("Everyone rolls two dice. The highest begins, and ties roll again.")]
    if not SCENARIOS[config.scenario].start:
        return [
            *lines,
            _(
                "In turn order, everyone places a settlement with a road next to it. Then a second time in "
                "reverse order."
            ),
            _("You start with one card for each resource hex next to your second settlement."),
            _("Settlements are never next to each other, not even your own: leave a free corner between them."),
        ]
    if data.choose_yield:
        text = _(
            "The first pieces are already placed. You choose which of your two settlements gives your first "
            "cards, one for each hex next to it."
        )
    else:
        text = _(
            "The first pieces are already placed. The marked settlement gives your first cards, one for "
            "each hex next to it."
        )
    return [*lines, text]


def _turn(config: Config, data: Data) -> list[str]:
    if data.cards_before_roll:
        roll = _("**Roll** the dice (you can play a development card first).")
    else:
        roll = _("**Roll** the dice.")
    if data.separate_phases:
        rest = _("Then **trade**, and after that **build**, as often as you like. **End** your turn.")
    else:
        rest = _("**Trade and build** in any order, as often as you like. **End** your turn.")
    order = sentences((roll, rest))
    if data.lone_claim_paid:
        short = _(
            "If the bank runs short of a resource, no one gets any of it. If only one player should get some, "
            "they get what is left."
        )
    else:
        short = _("If the bank runs short of a resource, no one gets any of it.")
    return [
        order,
        _(
            "Each hex with the rolled number gives a card for each settlement next to it and two for each city. "
            "The robber's hex gives nothing."
        ),
        _("Hills give brick, forest gives lumber, pasture gives wool, fields give grain, mountains give ore."),
        short,
    ]


def _building(config: Config, data: Data) -> list[str]:
    bridges = SCENARIOS[config.scenario].bridges
    lines = [f"**{text}**" for text in cost_list(data, bridges)]
    lines += [
        _(
            "You have {roads}, {settlements} and {cities}. Building a city gives you its settlement back.",
            roads=road_count(data.roads),
            settlements=settlement_count(data.settlements),
            cities=city_count(data.cities),
        ),
        _("A road continues your own roads or buildings, but not past an opponent's building."),
        _(
            "A settlement needs one of your roads, and a free corner between it and every other building. A "
            "city replaces one of your settlements."
        ),
    ]
    if bridges:
        lines += [
            _("A bridge is a road over open water. It counts as a road and uses one of your road pieces."),
            _("Settlements on two sides of open water aren't adjacent."),
        ]
    return lines


def _robber(config: Config, data: Data) -> list[str]:
    if data.open_hands:
        taken = _("Then they steal a random card from an opponent with a building there. Everyone sees which.")
    else:
        taken = _("Then they steal a random card from an opponent with a building there. Only the two see which.")
    lines = [
        n_(
            "When a 7 is rolled, everyone with more than {n} card discards half of them, rounded down, their choice.",
            "When a 7 is rolled, everyone with more than {n} cards discards half of them, rounded down, their choice.",
            data.discard_limit,
        ),
        _(
            "Then the player who rolled moves the robber to another hex. That hex gives nothing while the robber "
            "is there."
        ),
        taken,
    ]
    if data.may_decline_card:
        lines.append(_("They don't have to steal."))
    return lines


def _answers(config: Config) -> str:
    return _(
        "Everyone else with a development card is asked, knight or not, and has {time} to answer. Answers stay "
        "hidden. If several answer, only the first clockwise plays their knight.",
        time=times.span(config.answer_time),
    )


def _trade(config: Config, data: Data) -> list[str]:
    if data.same_resource_trades:
        sides = _(
            "Each side gives at least one card. The numbers can differ, and the same resource can be on both sides."
        )
    else:
        sides = _(
            "Each side gives at least one card. The numbers can differ, but the same resource can't be on both sides."
        )
    return [
        _("After you roll, you can trade with anyone. In other turns, you can only trade with that turn's player."),
        sides,
        n_(
            "You can have {n} open offer in your turn, and anyone can make you one. Offers end with the turn, "
            "and when a knight or Monopoly is played.",
            "You can have {n} open offers in your turn, and anyone can make you one. Offers end with the turn, "
            "and when a knight or Monopoly is played.",
            data.max_offers,
        ),
        _(
            "**Bank:** 4 of a resource for 1 of another, 3 for 1 with a 3:1 harbor, 2 for 1 of a harbor's own "
            "resource. You get your best rate."
        ),
    ]


def _development(config: Config, data: Data) -> list[str]:
    lines = [
        n_(
            "The deck has {n} card. One costs {cost}.",
            "The deck has {n} cards. One costs {cost}.",
            sum(data.deck),
            cost=cards(data.card_cost),
        ),
        *(
            _("**{card}** ×{n}: {effect}.", card=card_title(kind), n=n, effect=card_help(kind, data))
            for kind, n in enumerate(data.deck)
            if n
        ),
    ]
    if data.hidden_points:
        return [*lines, _("Play one per turn, not on the turn you buy it (points count by themselves).")]
    return [*lines, _("Play one per turn, not on the turn you buy it.")]


def _awards(config: Config, data: Data) -> list[str]:
    return [
        n_(
            "**Longest Road**, 2 points: the first continuous road of {n} segment, until someone has a longer "
            "one. Branches don't add up, and an opponent's building cuts a road.",
            "**Longest Road**, 2 points: the first continuous road of {n} segments, until someone has a longer "
            "one. Branches don't add up, and an opponent's building cuts a road.",
            data.road_award,
        ),
        _(
            "If a road is cut, the player with the longest road gets it. On a tie the holder keeps it, else no "
            "one has it."
        ),
        n_(
            "**Largest Army**, 2 points: the first with {n} played knight, until someone has more.",
            "**Largest Army**, 2 points: the first with {n} played knights, until someone has more.",
            data.army_award,
        ),
    ]


def _special(config: Config, data: Data) -> list[str]:
    return [
        _(
            "After each turn, clockwise, the others can build and buy cards: no dice, no trades, no development "
            "cards played, no win."
        ),
        _(
            "Press **Ask to build** during someone's turn, or let `/settings` ask you once you hold enough "
            "cards. Your request stays hidden until then, and you can always pass."
        ),
    ]


def _limits(config: Config, data: Data) -> list[str]:
    return [
        n_(
            "The bank starts with {n} card of each resource.",
            "The bank starts with {n} cards of each resource.",
            data.bank,
        ),
        n_(
            "The deck has {n} card, {points} of them Victory Points.",
            "The deck has {n} cards, {points} of them Victory Points.",
            sum(data.deck),
            points=data.deck[VICTORY_POINT],
        ),
        n_(
            "With more than {n} card you discard on a 7.",
            "With more than {n} cards you discard on a 7.",
            data.discard_limit,
        ),
    ]


def _secrets(config: Config, data: Data) -> list[str]:
    if data.open_hands:
        return [_("Everyone sees all resource cards. Only you see your development cards.")]
    return [
        _("Only you see your cards. Everyone sees how many you hold."),
        _("Rolls, trades, discards and the bank are public."),
    ]


def _always(config: Config, data: Data) -> bool:
    return True


_TOPICS: dict[str, tuple[str, Callable[[Config, Data], bool], Write]] = {
    "goal": (N_("Goal and points"), _always, _goal),
    "game": (N_("This game's options"), _always, lambda config, data: options.rules(config)),
    "setup": (N_("How it begins"), _always, _setup),
    "turn": (N_("A turn"), _always, _turn),
    "building": (N_("Building and costs"), _always, _building),
    "robber": (N_("Sevens and the robber"), _always, _robber),
    "trade": (P_("a topic", "Trade"), _always, _trade),
    "cards": (N_("Development cards"), _always, _development),
    "awards": (N_("Longest Road and Largest Army"), _always, _awards),
    "special": (N_("Building between turns"), lambda config, data: data.special_building, _special),
    "limits": (N_("Bank and limits"), _always, _limits),
    "secrets": (N_("What others see"), _always, _secrets),
}
"""By key: the title, whether a game has the topic, and its lines."""
