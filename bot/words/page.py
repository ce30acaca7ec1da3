"""The words of a game's page: its labels, and the sentences that its scripts complete with names and numbers."""

from __future__ import annotations

import re

from bot.words.language import DECIMAL, N_, P_, _, n_
from bot.words.marks import AWARD_TITLES, CARD_TITLES, resource
from bot.words.places import surroundings
from engine.board import Board
from engine.resources import RESOURCES
from engine.terms import Award

_PLACEHOLDER = re.compile(r"\{(\w+)\}")

LABELS = {
    "title": N_("Game {number}"),
    "no_script": N_("This page needs JavaScript."),
    "board": N_("Board"),
    "replay": N_("Replay"),
    "position": N_("Point in the game"),
    "first": N_("To the beginning"),
    "last": N_("To the end"),
    "turn_back": N_("One turn back"),
    "turn_on": N_("One turn on"),
    "back": N_("One action back"),
    "on": N_("One action on"),
    "play": N_("Play"),
    "pause": N_("Pause"),
    "speed": N_("Speed"),
    "slow": N_("slow"),
    "normal": N_("normal"),
    "fast": N_("fast"),
    "jump": N_("Go to the turn where …"),
    "choose": N_("choose"),
    "keys": N_("Keys: ← → an action, PageUp PageDown a turn, Home End, space plays. On a phone: swipe the board."),
    "players": N_("Players"),
    "points_by_action": N_("Points, action by action"),
    "story": N_("This turn"),
    "words": N_("The board in words"),
    "dice": N_("Dice"),
    "sum": N_("Sum"),
    "rolled": N_("Rolled"),
    "expected": N_("Expected"),
    "resource_cards": N_("Resource cards so far"),
    "way": N_("Way"),
    "colors": N_("Colors that are easier to tell apart"),
    "names_shown": N_("Names of places"),
    # what the player's script completes
    "setup": N_("Setup"),
    "turn": N_("Turn {turn}, round {round}"),
    "whose": N_("Turn {turn}, round {round}: {name}"),
    "moment": N_("{turn}. {told}"),
    "points": N_("Points: {n}"),
    "hidden": N_("Hidden points: {n}"),
    "hand": N_("Cards: {cards}"),
    "cards": N_("Dev cards: {cards}"),
    "played": N_("Played: {cards}"),
    "times": N_("{what} ({n})"),
    "none": N_("none"),
    "listed": N_("{before}, {next}"),
    "length": N_("Longest road: {n}"),
    "left": N_("{name} (left)"),
    "on_turn": N_("It is their turn."),
    "bank": N_("Bank"),
    "deck": N_("Dev cards left: {n}"),
    "stands": N_("{name}: {places}."),
    "robber": N_("Robber: {place}."),
    "robber_off": N_("The robber is off the board."),
    "settlement": N_("settlement {place}"),
    "city": N_("city {place}"),
    "road": N_("road {place}"),
    "bridge": N_("bridge {place}"),
    "rolls": N_("Rolls so far: {n}"),
    "decimal": DECIMAL,
}
"""By the names that the page's files have for them."""
FOLLOWING = {
    "live": N_("Live: this page follows the game."),
    "lost": N_("Connection lost. Trying again …"),
    "news": N_("New actions: {n}"),
    "latest": N_("To the latest action"),
}
"""The same for what follows a running game."""
PROOF = {
    "proof": N_("Check the dice and cards"),
    "about": N_(
        "This page calculates every die and every card from the seed. "
        "The seed was fixed by its fingerprint before the start. "
        "It uses no network."
    ),
    "checking": N_("Checking …"),
    "compare": N_(
        "Compare the fingerprint with the message that was posted before the start. "
        "Compare the seal with the one at the end. The page itself can't know them."
    ),
    "limits": N_(
        "The check is about the game's file, which is in this page. "
        "It doesn't show that every action followed the rules: /game verify replays the file for that. "
        "Nothing can show that the host didn't look at the seed during the game."
    ),
    "fingerprint": N_("Fingerprint"),
    "seal": N_("Seal"),
    "seed": N_("Seed"),
    "mixed": N_("Mixed in by the players"),
    "pick": N_("Look at any draw"),
    "kind": N_("Kind"),
    "number": N_("Number"),
    "record": N_("Record"),
    "message": N_("Message (hexadecimal)"),
    "digest": N_("HMAC-SHA-256 (hexadecimal)"),
    "value": N_("Its first 8 bytes as a number"),
    "outcome": N_("Outcome"),
    "outcome_of": N_("{x} mod {n} = {result}"),
    "logged": N_("In the game's log"),
    "wrong": N_("Something is wrong: {what}"),
    "wrong_shape": N_("the page's copy of the game's file is damaged."),
    "wrong_commitment": N_("the fingerprint isn't that of the seed, which is {due}."),
    "wrong_record": N_("a record is missing before record {record}."),
    "wrong_kind": N_("record {record} has a draw of an unknown kind."),
    "wrong_order": N_("a draw is missing or out of order in record {record}: {kind} {number}."),
    "wrong_draw": N_("draw {number} of {kind}, record {record}, says {result} of {n}. The seed gives {due}."),
    "wrong_players": N_("the players aren't those of the game's options."),
    "wrong_seal": N_("the seal isn't that of the game, which is {due}."),
}
"""The same for the proof."""
_KINDS = {
    "seats": P_("a kind of draws", "seats"),
    "board": P_("a kind of draws", "board"),
    "first": P_("a kind of draws", "rolling for first"),
    "dice": P_("a kind of draws", "dice"),
    "deck": P_("a kind of draws", "dev cards"),
    "steal": P_("a kind of draws", "stolen cards"),
    "discard": P_("a kind of draws", "discards"),
}
SEVENS, BUILDINGS, AWARDS, TRADES, CARDS, STOLEN = (
    N_("a 7 was rolled"),
    N_("someone built a settlement or a city"),
    N_("an award moved"),
    N_("players traded"),
    N_("a dev card was played"),
    N_("a card was stolen"),
)
"""How "Go to the turn where …" goes on."""


def labels(number: str) -> dict[str, str]:
    """The labels of a game's page. What a script completes keeps its {placeholders}."""
    translated = {key: _open(text) for key, text in LABELS.items()}
    return translated | {"title": _(LABELS["title"], number=number), "name": "{name}"}


def following_labels() -> dict[str, str]:
    """The labels of a running game's page about how it follows."""
    return {key: _open(text) for key, text in FOLLOWING.items()}


def proof_labels(draws: int) -> dict[str, str]:
    """The labels of the proof of so many draws; the kinds of draws by "kind_dice"."""
    right = n_("The {n} draw is as the seed says.", "All {n} draws are as the seed says.", draws)
    kinds = {f"kind_{kind}": _(name) for kind, name in _KINDS.items()}
    return {key: _open(text) for key, text in PROOF.items()} | {"right": right} | kinds


def cards_in_words() -> dict[str, list[str]]:
    """Resources with their signs, development cards, and awards, in the engine's order."""
    return {
        "resources": [resource(kind) for kind in range(len(RESOURCES))],
        "developments": [_(title) for title in CARD_TITLES],
        "awards": [_(AWARD_TITLES[award]) for award in (Award.LONGEST_ROAD, Award.LARGEST_ARMY)],
    }


def corner(board: Board, node: int) -> str:
    """A corner by its name and what it gives: "C4 (grain 9, ore 8)"."""
    return _("{place} ({around})", place=board.grid.node_names[node], around=surroundings(board, node))


def _open(text: str) -> str:
    """A text with its placeholders as they are."""
    return _(text, **{name: f"{{{name}}}" for name in _PLACEHOLDER.findall(text)})


def not_found() -> str:
    """What a browser gets for everything that isn't there, or isn't its business."""
    return _("There is nothing here: no game of this number can be seen on the web.")


def too_many() -> str:
    """What a browser gets that asks too often."""
    return _("Too many requests: try again in a moment.")


def not_now() -> str:
    """What a browser gets while no page can be made."""
    return _("Games can't be shown right now: try again in a moment.")
