"""This game's rules in our words, a topic each; every number comes from the configuration's rule data."""

from __future__ import annotations

from collections.abc import Callable

from bot.words import options, times
from bot.words.hands import card_help, card_title
from bot.words.language import N_, _, n_
from bot.words.marks import cards, city_count, road_count, settlement_count
from bot.words.purchases import cost_list
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
    """The text of a topic, within 2,000 characters; raises `KeyError` for a topic that isn't of this game."""
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
            "The first with **{n} point** in their own turn wins at once; nobody has to claim it.",
            "The first with **{n} points** in their own turn wins at once; nobody has to claim it.",
            data.target,
        ),
        _(
            "A settlement is 1 point, a city 2, a victory point card (hidden ones too) 1, the longest road 2, "
            "the largest army 2."
        )
        if data.hidden_points
        else _(
            "A settlement is 1 point, a city 2, a victory point card once played 1, the longest road 2, "
            "the largest army 2."
        ),
        _("Points reached in somebody else's turn count when your own turn begins."),
        _("All can agree to count the points. Then the most points win, and ties share."),
        _("All can agree to call the game off. Then nobody wins."),
    ]
    if data.round_limit:
        lines.append(
            n_(
                "After {n} round the game ends, and most points win.",
                "After {n} rounds the game ends, and most points win.",
                data.round_limit,
            )
        )
    return lines


def _setup(config: Config, data: Data) -> list[str]:
    lines = [_("All roll two dice; the highest begins, and ties roll again.")]
    if not SCENARIOS[config.scenario].start:
        return [
            *lines,
            _("In turn order everybody places a settlement and a road beside it; then once more in reverse order."),
            _("The second settlement yields one card for each producing hex beside it, at once."),
            _("Settlements never stand next to each other, not even your own: a free corner must lie between."),
        ]
    if data.choose_yield:
        text = _(
            "The first pieces stand already; each player picks which of the two yields a card for each hex beside it."
        )
    else:
        text = _("The first pieces stand already; the marked one of the two yields a card for each hex beside it.")
    return [*lines, text]


def _turn(config: Config, data: Data) -> list[str]:
    if data.cards_before_roll:
        roll = _("**Roll** the dice (one development card may come first).")
    else:
        roll = _("**Roll** the dice.")
    if data.separate_phases:
        rest = _("Then **trade**, and after that **build**, as often as you like. **End** the turn.")
    else:
        rest = _("**Trade and build** in any order, as often as you like. **End** the turn.")
    order = f"{roll} {rest}"
    if data.lone_claim_paid:
        short = _(
            "If the bank can't pay all of a resource, nobody gets any of it, unless only one player is due some: "
            "that one gets what is left."
        )
    else:
        short = _("If the bank can't pay all of a resource, nobody gets any of it.")
    return [
        order,
        _(
            "Each hex with the rolled number gives everybody a card for each settlement beside it and two for "
            "each city; the hex under the robber gives nothing."
        ),
        _("Hills give brick, forest gives lumber, pasture gives wool, fields give grain, mountains give ore."),
        short,
    ]


def _building(config: Config, data: Data) -> list[str]:
    bridges = SCENARIOS[config.scenario].bridges
    lines = [f"**{text}**" for text in cost_list(data, bridges)]
    lines += [
        _(
            "You have {roads}, {settlements} and {cities}; a city gives its settlement back.",
            roads=road_count(data.roads),
            settlements=settlement_count(data.settlements),
            cities=city_count(data.cities),
        ),
        _("A road continues your own roads or buildings, but not past an opponent's building."),
        _(
            "A settlement needs a road of yours, and a free corner between it and every other building. A city "
            "replaces a settlement of yours."
        ),
    ]
    if bridges:
        lines += [
            _("A bridge is a road over open water: it counts as a road and comes from the same supply."),
            _("Settlements on two sides of open water are no neighbours."),
        ]
    return lines


def _robber(config: Config, data: Data) -> list[str]:
    if data.open_hands:
        taken = _("The mover takes one card at random from an opponent with a building there; all see which.")
    else:
        taken = _(
            "The mover takes one card at random from an opponent with a building there; only the two learn which."
        )
    lines = [
        n_(
            "When a 7 is rolled, everybody with more than {n} card discards half of them, rounded down, of their own "
            "choice.",
            "When a 7 is rolled, everybody with more than {n} cards discards half of them, rounded down, of their own "
            "choice.",
            data.discard_limit,
        ),
        _("Then whoever rolled moves the robber to another hex. That hex gives nothing while it stands there."),
        taken,
    ]
    if data.may_decline_card:
        lines.append(_("Taking a card may be declined."))
    return lines


def _answers(config: Config) -> str:
    return _(
        "Everybody else who holds a development card is asked, knight or not, and has {time} to answer; nobody sees "
        "who has. Of several knights the first clockwise is played, the others are kept.",
        time=times.span(config.answer_time),
    )


def _trade(config: Config, data: Data) -> list[str]:
    if data.same_resource_trades:
        sides = _(
            "Each side gives at least one card; the numbers need not match, and the same resource may stand on both "
            "sides."
        )
    else:
        sides = _(
            "Each side gives at least one card; the numbers need not match, and the same resource may not stand on "
            "both sides."
        )
    return [
        _("The player on turn trades with the others after the roll; the others never among themselves."),
        sides,
        n_(
            "You may have {n} offer open at a time in your turn; anybody may propose one to you. Offers end with the "
            "turn, and when a knight or a monopoly is played.",
            "You may have {n} offers open at a time in your turn; anybody may propose one to you. Offers end with the "
            "turn, and when a knight or a monopoly is played.",
            data.max_offers,
        ),
        _(
            "**Bank:** 4 of a resource for 1 of another; 3 for 1 with a 3:1 harbor; 2 for 1 for a harbor's own "
            "resource. Your best rate is taken."
        ),
    ]


def _development(config: Config, data: Data) -> list[str]:
    lines = [
        n_(
            "The deck has {n} card; one costs {cost}.",
            "The deck has {n} cards; one costs {cost}.",
            sum(data.deck),
            cost=cards(data.card_cost),
        ),
        *(f"**{card_title(kind)}** (×{n}): {card_help(kind, data)}." for kind, n in enumerate(data.deck) if n),
    ]
    if data.hidden_points:
        return [*lines, _("One card a turn, and none in the turn it was bought, victory points apart.")]
    return [*lines, _("One card a turn, and none in the turn it was bought.")]


def _awards(config: Config, data: Data) -> list[str]:
    return [
        n_(
            "**Longest road**, 2 points: the first continuous road of {n} segment; it passes to whoever has a "
            "strictly longer one. Branches don't add up, and an opponent's building cuts a road.",
            "**Longest road**, 2 points: the first continuous road of {n} segments; it passes to whoever has a "
            "strictly longer one. Branches don't add up, and an opponent's building cuts a road.",
            data.road_award,
        ),
        _(
            "If a road is cut, the single longest takes the award; on a tie nobody has it, unless the holder is among "
            "the longest."
        ),
        n_(
            "**Largest army**, 2 points: the first with {n} played knight; it passes to whoever has more.",
            "**Largest army**, 2 points: the first with {n} played knights; it passes to whoever has more.",
            data.army_award,
        ),
    ]


def _special(config: Config, data: Data) -> list[str]:
    return [
        _(
            "After each turn, clockwise, the others may build and buy cards from their hands: no dice, no trade, no "
            "development card, no win."
        ),
        _(
            "Ask for it during the turn, and you are called when it ends. Your request stays hidden until then. You "
            "may pass. To be called without asking, with some number of cards, use `/settings`."
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
            "The deck has {n} card, {points} of them victory points.",
            "The deck has {n} cards, {points} of them victory points.",
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
        return [_("Resource cards are open to all; development cards are seen only by their owner.")]
    return [
        _("Your cards are seen by nobody else; how many you hold is seen by all."),
        _("Production, trades, discards and the bank are public."),
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
    "trade": (N_("Trade"), _always, _trade),
    "cards": (N_("Development cards"), _always, _development),
    "awards": (N_("Longest road and largest army"), _always, _awards),
    "special": (N_("Special building"), lambda config, data: data.special_building, _special),
    "limits": (N_("Bank and limits"), _always, _limits),
    "secrets": (N_("What others see"), _always, _secrets),
}
"""Title, whether it is a topic of this game, and its lines, by key."""
