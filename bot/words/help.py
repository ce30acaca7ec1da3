"""What a person can do now."""

from __future__ import annotations

from bot.words.hands import can_buy
from bot.words.language import P_, _
from bot.words.marks import listing
from engine.actions import (
    AcceptOffer,
    Action,
    BankTrade,
    BuildBridge,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    BuyCard,
    ChooseYield,
    CloseOffer,
    DeclineCard,
    Discard,
    EndTrade,
    EndTurn,
    LeaveRobber,
    MakeOffer,
    MoveRobber,
    PassOn,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayVictoryPoint,
    PlayYearOfPlenty,
    Roll,
    TakeBackDiscard,
    TakeCard,
)
from engine.domains import Options
from engine.views import View

_CAN: dict[type[Action], str] = {
    Roll: P_("you can", "roll the dice"),
    Discard: P_("you can", "choose what to discard"),
    TakeBackDiscard: P_("you can", "undo your discard"),
    MoveRobber: P_("you can", "move the robber"),
    LeaveRobber: P_("you can", "leave the robber"),
    TakeCard: P_("you can", "steal a card"),
    DeclineCard: P_("you can", "steal nothing"),
    ChooseYield: P_("you can", "pick the settlement that gives your first cards"),
    BuildSettlement: P_("you can", "build a settlement"),
    BuildCity: P_("you can", "build a city"),
    BuildRoad: P_("you can", "build a road"),
    BuildBridge: P_("you can", "build a bridge"),
    BuyCard: P_("you can", "buy a development card"),
    PlayKnight: P_("you can", "play a knight"),
    PlayRoadBuilding: P_("you can", "play Road Building"),
    PlayYearOfPlenty: P_("you can", "play Year of Plenty"),
    PlayMonopoly: P_("you can", "play Monopoly"),
    PlayVictoryPoint: P_("you can", "play a Victory Point"),
    AcceptOffer: P_("you can", "accept an offer"),
    CloseOffer: P_("you can", "confirm a trade"),
    MakeOffer: P_("you can", "offer a trade"),
    BankTrade: P_("you can", "trade with the bank"),
    EndTrade: P_("you can", "go on to build"),
    PassOn: P_("you can", "pass"),
    EndTurn: P_("you can", "end your turn"),
}
"""Actions in words, in the order in which they are listed; actions that aren't here are no help."""


def playing(view: View, options: Options, headline: str) -> str:
    """For a player: what the game waits for, what they can do, what they lack."""
    can = [_(text) for action, text in _CAN.items() if action in options]
    lines = [
        headline,
        _("**You can** {things}.", things=listing(can, "or")) if can else _("Nothing to do right now."),
        can_buy(view) if view.turn and view.outcome is None else "",
        _("Use the buttons of the game message or **My hand**, or type `/` to see all commands."),
        _(
            "- `/catchup`: what you missed\n- `/games`: what waits for you\n- `/auto`: your autopilot\n"
            "- `/trade want`: post what you're looking for"
        ),
    ]
    return "\n".join(line for line in lines if line)


def watching(headline: str, *, left: bool) -> str:
    """For an onlooker; `left`: they were a player before."""
    if left:
        return "\n".join([headline, _("You left this game. `/board` and `/game log` show how it goes on.")])
    return "\n".join([headline, _("You aren't playing in this game. **More** shows the board and the rules.")])


def replaced(headline: str) -> str:
    """For a player whose seat a bot plays."""
    text = _("🤖 A bot is playing for you. Press **Take my seat back**, or use `/seat back`.")
    return "\n".join([headline, text])


def lobby(number: int, joined: bool) -> str:
    """For an open table; `joined`: the reader is at it."""
    if joined:
        return _("Table {number} is waiting for players. When everyone is here, press **Start**.", number=number)
    return _("Table {number} is waiting for players: press **Join**, or use `/game join`.", number=number)


def nothing(*, direct: bool, computers: bool) -> str:
    """For a channel without a game, or a direct message; `computers`: whether bots can play on the server."""
    lines = [
        _("**I run a hex-island trading game**: settle, trade, build. For 2 to 8 players, in an hour or over weeks."),
        _("Games are played on servers. In a channel there:") if direct else "",
        _("1. Someone types `/game new`. The others press **Join**."),
        _("2. **Options** has scenarios and rules. **Start** deals the board."),
        _("3. The game message says whose turn it is and has all the buttons. **My hand** shows your cards."),
        _("Alone, or new to it? `/game learn` is a first game against three bots, with tips.") if computers else "",
    ]
    return "\n".join(line for line in lines if line)
