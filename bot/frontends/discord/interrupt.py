"""The answer to the robber (L8): the same private question to everyone who is asked, whatever they hold."""

from __future__ import annotations

from bot.frontends.discord import play
from bot.frontends.discord.call import Call
from bot.frontends.discord.parts import Reply, Style, button, rows
from bot.presentation.texts.headline import until
from bot.presentation.texts.marks import count, hex_text
from bot.presentation.viewer import Viewer
from engine.actions import PassOn, PlayKnight
from engine.errors import RefereeError
from engine.events import RobberMoved
from engine.resources import KNIGHT


async def open_(call: Call) -> Reply:
    """The panel's button: knight or pass, for their eyes only."""
    return ask(await call.viewer())


def ask(viewer: Viewer) -> Reply:
    """The question, or why it isn't this person's to answer."""
    view, player = viewer.view, viewer.player
    me = view.players[player]
    moves = [event for event in view.events if isinstance(event, RobberMoved)]
    if view.step.kind != "interrupt" or not moves:
        raise RefereeError("wrong-phase", "The robber awaits no answer now.")
    closes = until(viewer.closes)
    if PassOn not in viewer.options:
        if moves[-1].seat == player:
            text = "You have moved the robber; the others are asked whether they answer with a knight."
        elif not me.development_count:
            text = "Only who holds a development card is asked, and you hold none."
        else:
            text = "Your answer is noted; nobody else sees it while the others are asked."
        return Reply(f"{text} {closes}".strip())
    cards, fresh = me.development_cards, me.fresh_cards
    knights = cards[KNIGHT] - fresh[KNIGHT] if cards and fresh else 0
    mover = viewer.mentions[moves[-1].seat]
    lines = [
        f"**{mover} has moved the robber to {hex_text(view.board, view.robber)}. Do you answer with a knight?**",
        "If you do, and nobody before you does, you move the robber anew, and may take a card. If somebody "
        "before you does, you keep your knight.",
        f"You can play {count(knights, 'knight')}." if knights else "You have no knight to play now.",
        closes,
    ]
    controls = [
        button("Play a knight", play.address(viewer, PlayKnight()), Style.danger, "⚔️"),
        button("Pass", play.address(viewer, PassOn()), emoji="⏭️"),
    ]
    return Reply("\n".join(filter(None, lines)), rows=rows(controls))
