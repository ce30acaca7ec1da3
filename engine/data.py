"""The numbers and switches of a game's rules: frozen data that scenario, edition and alternate rules transform."""

from __future__ import annotations

from dataclasses import dataclass

from engine.resources import Hand

Deck = tuple[int, int, int, int, int]
"""Development cards by kind, in the order of `CARDS`."""

DECK_25: Deck = (14, 2, 2, 2, 5)
DECK_34: Deck = (20, 3, 3, 3, 5)


@dataclass(frozen=True, slots=True)
class Data:
    """Rule data, starting from the 2007 base game (A2); the sections that use it are named where it matters."""

    target: int = 10
    discard_limit: int = 7
    bank: int = 19
    """Cards of each resource."""
    deck: Deck = DECK_25
    road_cost: Hand = (1, 1, 0, 0, 0)
    bridge_cost: Hand = (1, 1, 1, 0, 0)
    settlement_cost: Hand = (1, 1, 1, 1, 0)
    city_cost: Hand = (0, 0, 0, 2, 3)
    card_cost: Hand = (0, 0, 1, 1, 1)
    roads: int = 15
    settlements: int = 5
    cities: int = 4
    road_award: int = 5
    """Least length of the longest road (I1)."""
    army_award: int = 3
    """Least number of knights of the largest army (I3)."""
    max_offers: int = 4
    """Open offers of the player on turn at a time; others have one."""
    equal_offers: bool = False
    """Whether somebody may have the same offer open twice (E2)."""
    equal_counters: bool = False
    """Whether they may at least where one is a counter-offer, or once somebody has left (E2)."""
    counters_outlive: bool = False
    """Whether a counter-offer stays open when the offer that it answers is closed (E3)."""
    army_stays_aside: bool = False
    """Whether a largest army that lies aside after a tie isn't counted anew when somebody leaves (I7)."""
    round_limit: int = 0
    lone_claim_paid: bool = True
    """A short bank pays what is left where only one player is due the resource (A2)."""
    same_resource_trades: bool = False
    """Whether a resource may stand on both sides of a player trade (A2)."""
    may_decline_card: bool = False
    """Whether taking a card with the robber may be declined (A2)."""
    choose_yield: bool = False
    """Whether players pick the starting settlement that yields (A2, `beginner`)."""
    special_building: bool = False
    """Whether a special building phase follows each turn (J1)."""
    late_requests: bool = False
    """Whether it opens with a window for late requests (J2)."""
    standing: int = 4
    """Cards from which a seat takes part in it without asking, until it sets another number (J2)."""
    separate_phases: bool = False
    """Whether trade and building are two phases of a turn (L11)."""
    cards_before_roll: bool = True
    """Whether a development card may be played before the roll (D3, L3)."""
    robber_interrupts: bool = False
    """Whether others may answer the robber's move with a knight (L8)."""
    hidden_points: bool = True
    """Whether victory point cards count from the hand (H7); with L1 only played ones do."""
    open_hands: bool = False
    """Whether resource cards are public (L2)."""
