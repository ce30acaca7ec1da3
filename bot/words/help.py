"""What somebody can do now, in five lines at most."""

from __future__ import annotations

from bot.words.language import N_, _
from bot.words.marks import listing
from bot.words.purchases import can_buy
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
    Roll: N_("roll the dice"),
    Discard: N_("choose what to discard"),
    TakeBackDiscard: N_("take your discard back"),
    MoveRobber: N_("move the robber"),
    LeaveRobber: N_("leave the robber"),
    TakeCard: N_("take a card"),
    DeclineCard: N_("take nothing"),
    ChooseYield: N_("choose the settlement that yields your first cards"),
    BuildSettlement: N_("build a settlement"),
    BuildCity: N_("build a city"),
    BuildRoad: N_("build a road"),
    BuildBridge: N_("build a bridge"),
    BuyCard: N_("buy a development card"),
    PlayKnight: N_("play a knight"),
    PlayRoadBuilding: N_("play road building"),
    PlayYearOfPlenty: N_("play year of plenty"),
    PlayMonopoly: N_("play monopoly"),
    PlayVictoryPoint: N_("play a victory point"),
    AcceptOffer: N_("accept an offer"),
    CloseOffer: N_("close a deal"),
    MakeOffer: N_("offer a trade"),
    BankTrade: N_("trade with the bank"),
    EndTrade: N_("go on to build"),
    PassOn: N_("pass"),
    EndTurn: N_("end your turn"),
}
"""What an action is, in the order in which it is told; what isn't here is no help."""


def playing(view: View, options: Options, headline: str) -> str:
    """For somebody who plays: what the game waits for, what they can do, what they lack."""
    can = [_(text) for action, text in _CAN.items() if action in options]
    lines = [
        headline,
        _("**You can** {things}.", things=listing(can, "or")) if can else _("There is nothing for you to do now."),
        can_buy(view) if view.turn else "",
        _("Press the panel's buttons or **My hand**, or type `/` to see all commands."),
        _(
            "`/catchup` tells what you missed, `/games` what waits for you; `/auto` plans ahead, and `/trade want` "
            "says what you look for."
        ),
    ]
    return "\n".join(line for line in lines if line)


def watching(headline: str, *, left: bool) -> str:
    """For an onlooker; `left`: they have played."""
    if left:
        return "\n".join([headline, _("You have left this game. `/board` and `/game log` show how it goes on.")])
    return "\n".join(
        [headline, _("You aren't playing in this game. **More** in the panel shows the board and the rules.")]
    )


def replaced(headline: str) -> str:
    """For somebody for whom a computer plays."""
    told = _(
        "🤖 A computer is playing for you. Press **Play myself again** or type `/seat back` to take your seat back."
    )
    return "\n".join([headline, told])


def lobby(number: int, joined: bool) -> str:
    """At an open table."""
    if joined:
        return _("Table {number} is waiting for players. When all are there, press **Start**.", number=number)
    return _("Table {number} is waiting for players: press **Join**, or type `/game join`.", number=number)


def nothing() -> str:
    """Where no game is going on."""
    return "\n".join(
        [
            _("**I run the island game** in this channel, over minutes or weeks, for 2 to 8 players."),
            _("1. Somebody types `/game new`; the others press **Join**."),
            _("2. **Options** has scenarios and alternate rules; **Start** deals the board."),
            _("3. The panel says whose turn it is, and has a button for everything. **My hand** shows your cards."),
            _("`/game rules` explains the rules, `/settings` is about you alone."),
        ]
    )
