"""What people can do, one file each: its commands, buttons, lists and forms. One line here each."""

from __future__ import annotations

from bot.frontends.discord.features import building, cards, lobby, personal, robber, table, trade, turn
from bot.frontends.discord.talk import acting

_FEATURES = (
    lobby.FEATURE,
    table.FEATURE,
    turn.FEATURE,
    robber.FEATURE,
    building.FEATURE,
    trade.FEATURE,
    cards.FEATURE,
    personal.FEATURE,
)

FEATURES = (*_FEATURES, acting.feature(_FEATURES))
