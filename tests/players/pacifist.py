"""The example of docs/players.md: a player of one's own."""

from __future__ import annotations

from engine.actions import AcceptOffer, Action, BuildCity, BuildSettlement, DeclineOffer, EndTurn, MoveRobber, Roll
from engine.domains import Options
from engine.views import OfferView, View
from players.player import Player, may_accept


class Pacifist(Player):
    """Builds where the most dots are, sends the robber where it does the least harm, and accepts what others offer."""

    def decide(self, view: View, options: Options) -> Action:
        for wanted in (BuildCity, BuildSettlement):
            if wanted in options:
                return max(options[wanted], key=lambda action: view.board.pips_at(action.at))  # type: ignore[attr-defined]
        if MoveRobber in options:
            return min(options[MoveRobber], key=lambda action: self.harm(view, action.at))  # type: ignore[attr-defined]
        for plain in (Roll(), EndTurn()):
            if options.allows(plain) and self.rng.random() < 0.5:
                return plain
        return options.sample(self.rng)

    def answer(self, view: View, options: Options, offer: OfferView) -> Action:
        return AcceptOffer(offer.id) if may_accept(options, offer) else DeclineOffer(offer.id)

    def harm(self, view: View, hex_: int) -> int:
        nodes = view.board.hex_node_mask[hex_]
        return sum((nodes & (player.settlements | player.cities)).bit_count() for player in view.players)
