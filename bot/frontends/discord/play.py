"""Doing: one action from a person to the service, and what they are told of it."""

from __future__ import annotations

from bot.frontends.discord.call import Call
from bot.frontends.discord.ids import Address
from bot.presentation.texts.events import line
from bot.presentation.texts.story import story
from bot.presentation.viewer import Viewer
from bot.service import Played
from engine.actions import Action, PassOn, PlayKnight, action_from_json
from engine.errors import RefereeError

_WORDS = {"true": True, "false": False}

BUTTONS = "|".join(
    (
        *("roll", "end_turn", "buy_card", "pass", "undo", "resign", "leave_robber", "decline_card"),
        *("play_knight", "play_road_building", "play_victory_point", "agree_to_end:(true|false)"),
        *("(accept|decline|withdraw)_offer:[0-9]{1,6}", "close_offer:[0-9]{1,6}:[0-9]", "take_card:[0-9]"),
    )
)
"""Pattern of the actions that buttons offer, as they stand in an id."""
PLACES = r"(build_(road|bridge|settlement|city)|choose_yield|move_robber)\.[0-9]{1,3}"
"""Pattern of the actions that pickers offer, as they stand in a select's value."""


def encode(action: Action) -> tuple[str, ...]:
    """An action without cards as parts of a custom id."""
    return tuple(str(value).lower() for value in action.to_json())


def decode(parts: tuple[str, ...]) -> Action:
    """The action in parts that fit `BUTTONS` or `PLACES`."""
    return action_from_json([parts[0], *(_WORDS[p] if p in _WORDS else int(p) for p in parts[1:])])


def address(viewer: Viewer, action: Action, *, bound: bool = True) -> Address:
    """The id of a button that does this; `bound` to the seat's open decision, so that it works once."""
    return Address("do", viewer.table.number, viewer.decision if bound else "", encode(action))


async def do(call: Call, action: Action, decision: str | None = None, part: str = "") -> Played:
    """Play an action for the person and have everything shown anew; `part` tells several of one command apart."""
    number = call.address.game
    await call.app.services.people.rename(number, call.user.id, call.user.display_name)
    try:
        played = await call.app.services.games.submit_action(
            number, call.user.id, action, decision=decision or None, interaction=call.key + part
        )
    except RefereeError as refusal:
        if refusal.code == "stale" and (other := (await call.viewer()).why([action], "")).code == "wrong-turn":
            raise other from refusal  # the button is not old, it is somebody else's
        raise
    if played.events:  # a secret must not even set off what is being waited for after an outage
        call.app.note(number, played.game)
        call.app.screens.refresh(number, call.interaction if call.edits_panel else None)
    return played


def told(played: Played) -> str:
    """What the action did, as the player may see it."""
    viewer = Viewer(played.table, played.game, played.seat)
    lines = story(played.events, viewer.view, viewer.mentions)
    lines = lines or [text for e in played.events if (text := line(e, viewer.view, viewer.mentions))]
    return "\n".join(lines) or _noted(played)


def _noted(played: Played) -> str:
    """What to say of an action that nobody else may notice (L8)."""
    match played.game.records[played.revision - 1].action:
        case PlayKnight():
            return "Noted: you answer with a knight. Nobody sees it before the window closes."
        case PassOn():
            return "Noted: you let the robber be. Nobody sees it before the window closes."
    return "Done."


def news(played: Played) -> str:
    """What the player alone learns by the action; nothing where the panel tells all of it."""
    if not played.events:
        return told(played)
    mentions = Viewer(played.table, played.game, played.seat).mentions
    public = played.game.view(None)
    known = {line(event, public, mentions) for event in public.last}
    lines = (line(event, played.view, mentions) for event in played.events)
    return "\n".join(text for text in lines if text and text not in known)
