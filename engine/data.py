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
    """Rule data. The defaults are those of the 2007 base game (A2)."""

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
    """Minimum length for the longest road (I1)."""
    army_award: int = 3
    """Minimum number of knights for the largest army (I3)."""
    max_offers: int = 4
    """How many offers the player on turn can have open at a time; other players can have one."""
    equal_offers: bool = False
    """Whether a player can have the same offer open twice (E2)."""
    equal_counters: bool = False
    """Whether the same offer can be open twice if one is a counter-offer, or once a player has resigned (E2)."""
    counters_outlive: bool = False
    """Whether a counter-offer stays open when the offer that it answers is closed (E3)."""
    army_stays_aside: bool = False
    """Whether a largest army that no one holds isn't counted again when a player resigns (I7)."""
    leaver_ends_turn: bool = False
    """Whether the turn of a player who resigns ends before the rest of it, such as a seven, is settled (I7)."""
    window_asks_all: bool = False
    """Whether the window for late requests also waits for players who are called only when they ask, and whether those
    who pass in it are still called by their standing number (J2)."""
    round_limit: int = 0
    lone_claim_paid: bool = True
    """Whether a short bank pays what is left if only one player is due the resource (A2)."""
    same_resource_trades: bool = False
    """Whether a resource can be on both sides of a trade between players (A2)."""
    may_decline_card: bool = False
    """Whether taking a card with the robber can be declined (A2)."""
    choose_yield: bool = False
    """Whether players pick the starting settlement that yields (A2, `beginner`)."""
    special_building: bool = False
    """Whether a special building phase follows each turn (J1)."""
    late_requests: bool = False
    """Whether that phase opens with a window for late requests (J2)."""
    standing: int = 4
    """Standing number until a seat sets another: with at least so many cards it takes part without asking (J2)."""
    separate_phases: bool = False
    """Whether trade and building are two phases of a turn (L11)."""
    cards_before_roll: bool = True
    """Whether a development card can be played before the roll (D3, L3)."""
    robber_interrupts: bool = False
    """Whether others can answer the robber's move with a knight (L8)."""
    hidden_points: bool = True
    """Whether victory point cards count while in hand (H7); with L1 only played ones do."""
    open_hands: bool = False
    """Whether resource cards are public (L2)."""
