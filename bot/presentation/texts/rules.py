"""This game's rules in our words, a topic each; every number comes from the configuration's rule data."""

from __future__ import annotations

from collections.abc import Callable

from bot.presentation.texts.choices import answer_time, asks_knights, chosen
from bot.presentation.texts.hands import card_help, card_title, cost_list
from bot.presentation.texts.marks import cards, count
from bot.presentation.texts.ruledata import data_of
from engine.config import Config
from engine.data import Data
from engine.resources import DESERT, RESOURCES, TERRAINS, VICTORY_POINT
from engine.scenarios import SCENARIOS
from engine.variants import VARIANTS

Write = Callable[[Config, Data], list[str]]


def topics(config: Config) -> list[tuple[str, str]]:
    """(key, title) of the topics of this game, in the order of reading."""
    data = data_of(config)
    return [(key, title) for key, (title, wanted, _) in _TOPICS.items() if wanted(config, data)]


def topic(config: Config, key: str) -> str:
    """The text of a topic, within 2,000 characters; raises `KeyError` for a topic that isn't of this game."""
    title, wanted, write = _TOPICS[key]
    data = data_of(config)
    if not wanted(config, data):
        raise KeyError(key)
    return "\n".join([f"## {title}", *(f"- {text}" for text in write(config, data))])


def _goal(config: Config, data: Data) -> list[str]:
    hidden = "victory point card" + (" (hidden ones too)" if data.hidden_points else " once played")
    lines = [
        f"The first with **{data.target} points** in their own turn wins at once; nobody has to claim it.",
        f"A settlement is 1 point, a city 2, a {hidden} 1, the longest road 2, the largest army 2.",
        "Points reached in somebody else's turn count when your own turn begins.",
        "All may also agree to end the game; then most points win, and ties share.",
    ]
    if data.round_limit:
        lines.append(f"After {count(data.round_limit, 'round')} the game ends, and most points win.")
    return lines


def _setup(config: Config, data: Data) -> list[str]:
    lines = ["All roll two dice; the highest begins, and ties roll again."]
    if config.scenario == "beginner":
        yields = "each player picks which of the two" if data.choose_yield else "the marked one of the two"
        return [*lines, f"The first pieces stand already; {yields} yields a card for each hex beside it."]
    return [
        *lines,
        "In turn order everybody places a settlement and a road beside it; then once more in reverse order.",
        "The second settlement yields one card for each producing hex beside it, at once.",
        "Settlements never stand next to each other, not even your own: a free corner must lie between.",
    ]


def _turn(config: Config, data: Data) -> list[str]:
    before = "" if "cards-after-roll" in config.variants else " (one development card may come first)"
    lines = [
        f"**Roll** the dice{before}. **Trade and build** in any order, as often as you like. **End** the turn.",
        "Each hex with the rolled number gives everybody a card for each settlement beside it and two for "
        "each city; the hex under the robber gives nothing.",
        f"{', '.join(map(_yields, range(DESERT)))}.".capitalize(),
    ]
    short = "nobody gets any of it"
    if data.lone_claim_paid:
        short += ", unless only one player is due some: that one gets what is left"
    lines.append(f"If the bank can't pay all of a resource, {short}.")
    if "no-early-sevens" in config.variants:
        lines.append("In everybody's first two turns a 7 is rolled again.")
    return lines


def _yields(kind: int) -> str:
    verb = "give" if TERRAINS[kind].endswith("s") else "gives"
    return f"{TERRAINS[kind]} {verb} {RESOURCES[kind]}"


def _building(config: Config, data: Data) -> list[str]:
    lines = [f"**{text}**" for text in cost_list(data, SCENARIOS[config.scenario].bridges)]
    lines += [
        f"You have {data.roads} roads, {data.settlements} settlements and {data.cities} cities; a city gives "
        "its settlement back.",
        "A road continues your own roads or buildings, but not past an opponent's building.",
        "A settlement needs a road of yours, and a free corner between it and every other building. A city replaces a "
        "settlement of yours.",
    ]
    if SCENARIOS[config.scenario].bridges:
        lines += [
            "A bridge is a road over open water: it counts as a road and comes from the same supply.",
            "Settlements on two sides of open water are no neighbours.",
        ]
    if "keep-a-settlement" in config.variants:
        lines.append(VARIANTS["keep-a-settlement"].summary)
    return lines


def _robber(config: Config, data: Data) -> list[str]:
    known = "all see which" if data.open_hands else "only the two learn which"
    lines = [
        f"When a 7 is rolled, everybody with more than {data.discard_limit} cards discards half of them, "
        "rounded down, of their own choice.",
        "Then whoever rolled moves the robber to another hex. That hex gives nothing while it stands there.",
        f"The mover takes one card at random from an opponent with a building there; {known}.",
    ]
    if data.may_decline_card:
        lines.append("Taking a card may be declined.")
    names = ("optional-robber", "knight-interrupt", "pirate", "friendly-robber")
    lines += [VARIANTS[name].summary for name in names if name in config.variants]
    if asks_knights(config):
        lines.append(
            f"Everybody else who holds a development card is asked, knight or not, and has {answer_time(config)} "
            "to answer; nobody sees who has. Of several knights the first clockwise is played, the others are kept."
        )
    return lines


def _trade(config: Config, data: Data) -> list[str]:
    same = "may" if data.same_resource_trades else "may not"
    lines = [
        "The player on turn trades with the others after the roll; the others never among themselves.",
        "Each side gives at least one card; the numbers need not match, and the same resource "
        f"{same} stand on both sides.",
        f"You may have {count(data.max_offers, 'offer')} open at a time in your turn; anybody may propose "
        "one to you. Offers end with the turn, and when a knight or a monopoly is played.",
        "**Bank:** 4 of a resource for 1 of another; 3 for 1 with a 3:1 harbor; 2 for 1 for a harbor's own "
        "resource. Your best rate is taken.",
    ]
    if "build-ends-trade" in config.variants:
        lines.append(VARIANTS["build-ends-trade"].summary)
    return lines


def _development(config: Config, data: Data) -> list[str]:
    lines = [f"The deck has {sum(data.deck)} cards; one costs {cards(data.card_cost)}."]
    lines += [f"**{card_title(kind)}** (×{n}): {card_help(kind, data)}." for kind, n in enumerate(data.deck) if n]
    apart = ", victory points apart" if data.hidden_points else ""
    lines.append(f"One card a turn, and none in the turn it was bought{apart}.")
    if "cards-after-roll" in config.variants:
        lines.append(VARIANTS["cards-after-roll"].summary)
    return lines


def _awards(config: Config, data: Data) -> list[str]:
    return [
        f"**Longest road**, 2 points: the first continuous road of {data.road_award} segments; it passes to "
        "whoever has a strictly longer one. Branches don't add up, and an opponent's building cuts a road.",
        "If a road is cut, the single longest takes the award; on a tie nobody has it, unless the holder is "
        "among the longest.",
        f"**Largest army**, 2 points: the first with {data.army_award} played knights; it passes to whoever has more.",
    ]


def _special(config: Config, data: Data) -> list[str]:
    return [
        "After each turn, clockwise, the others may build and buy cards from their hands: no dice, no trade, "
        "no development card, no win.",
        "Ask for it during the turn, or hold as many cards as your standing number (`/settings`); who is "
        "called may pass. Nobody sees who has asked before the turn ends.",
    ]


def _limits(config: Config, data: Data) -> list[str]:
    return [
        f"The bank starts with {data.bank} cards of each resource.",
        f"The deck has {sum(data.deck)} cards, {data.deck[VICTORY_POINT]} of them victory points.",
        f"With more than {data.discard_limit} cards you discard on a 7.",
    ]


def _secrets(config: Config, data: Data) -> list[str]:
    if data.open_hands:
        return ["Resource cards are open to all; development cards are seen only by their owner."]
    return [
        "Your cards are seen by nobody else; how many you hold is seen by all.",
        "Production, trades, discards and the bank are public.",
    ]


def _always(config: Config, data: Data) -> bool:
    return True


_TOPICS: dict[str, tuple[str, Callable[[Config, Data], bool], Write]] = {
    "goal": ("Goal and points", _always, _goal),
    "game": ("This game's options", _always, lambda config, data: chosen(config)),
    "setup": ("How it begins", _always, _setup),
    "turn": ("A turn", _always, _turn),
    "building": ("Building and costs", _always, _building),
    "robber": ("Sevens and the robber", _always, _robber),
    "trade": ("Trade", _always, _trade),
    "cards": ("Development cards", _always, _development),
    "awards": ("Longest road and largest army", _always, _awards),
    "special": ("Special building", lambda config, data: data.special_building, _special),
    "limits": ("Bank and limits", _always, _limits),
    "secrets": ("What others see", _always, _secrets),
}
"""Title, whether it is a topic of this game, and its lines, by key."""
