"""The end of a game: the final panel, with everything revealed."""

from __future__ import annotations

from collections.abc import Sequence

from bot.plaintext import length
from bot.screens.panel import BUDGET, Panel, headline
from bot.words.language import N_, _, enumeration, n_
from bot.words.marks import (
    award_title,
    city_count,
    development_cards,
    point_count,
    resource_counts,
    settlement_count,
    sign,
)
from engine.resources import NOTHING, VICTORY_POINT
from engine.terms import Award, EndReason
from engine.views import PlayerView, View

_HOW = {
    EndReason.TARGET: N_("First to {target}"),
    EndReason.LAST: N_("Everyone else left"),
    EndReason.AGREEMENT: N_("Ended by vote: most points wins"),
    EndReason.ROUNDS: N_("Last round over: most points wins"),
    EndReason.CALLED_OFF: N_("Voided: no winner, nothing counts"),
}


def final(view: View, names: Sequence[str], budget: int = BUDGET) -> Panel:
    """The panel of a finished game: who won and how, then all players, best first, with the cards they held."""
    head, why = headline(view, names), _why(view)
    ranked = sorted(view.players, key=lambda p: (-_total(view, p), p.seat))
    table = ""
    for write in (_full, _short):
        table = "\n".join(write(view, p, names) for p in ranked)
        if length(head) + length(why) + length(table) <= budget:
            break
    return Panel(head, why, table, ())


def _why(view: View) -> str:
    """How the game ended, and when."""
    if view.outcome is None:
        return ""
    how = _(_HOW[view.outcome.reason], target=view.config.target)
    if not view.turn:
        return f"{how}."
    return _("{how} · turn {turn}, round {round}", how=how, turn=view.turn, round=view.round)


def _total(view: View, player: PlayerView) -> int:
    if view.outcome is not None:
        return view.outcome.points[player.seat]
    return player.all_points if player.all_points is not None else player.points


def _short(view: View, player: PlayerView, names: Sequence[str]) -> str:
    crown = "🏆 " if view.outcome and player.seat in view.outcome.winners else ""
    text = f"{crown}{sign(player.color)} **{names[player.seat]}** · **{point_count(_total(view, player))}**"
    return " · ".join([text, _("left the game")]) if player.resigned else text


def _full(view: View, player: PlayerView, names: Sequence[str]) -> str:
    """The lines of a player, with where the points come from and the cards they held."""
    parts = []
    if player.settlements:
        parts.append(settlement_count(player.settlements.bit_count()))
    if player.cities:
        parts.append(city_count(player.cities.bit_count()))
    awards = {Award.LONGEST_ROAD: view.longest_road, Award.LARGEST_ARMY: view.largest_army}
    parts += [f"{award_title(name)} +2" for name, seat in awards.items() if seat == player.seat]
    hidden = player.development_cards[VICTORY_POINT] if player.development_cards else 0
    shown = hidden + player.played[VICTORY_POINT]
    if shown:
        parts.append(n_("{n} Victory Point card", "{n} Victory Point cards", shown))
    held = resource_counts(player.hand or NOTHING)
    if player.development_cards is not None:
        others = [n if kind != VICTORY_POINT else 0 for kind, n in enumerate(player.development_cards)]
        held += development_cards(others)
    text = " · ".join([_short(view, player, names), enumeration(parts) or _("no buildings")])
    return "\n-# ".join([text, _("held {things}", things=enumeration(held))]) if held else text
