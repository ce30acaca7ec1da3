"""Private answers to a panel's buttons that are no places: hand, cards, offers, more, rules."""

from __future__ import annotations

from discord import ui

from bot.frontends.discord import control, hands, play
from bot.frontends.discord.call import Call
from bot.frontends.discord.ids import Address
from bot.frontends.discord.parts import Option, Press, Reply, Style, button, rows, select
from bot.presentation.texts import rules as rulebook
from bot.presentation.texts import stats
from bot.presentation.texts.hands import card_help, card_title
from bot.presentation.texts.headline import headline
from bot.presentation.texts.marks import cards as card_words
from bot.presentation.texts.panel import footer, offer_line, player_line
from bot.presentation.texts.ruledata import data_of
from bot.presentation.texts.story import story
from bot.presentation.viewer import Viewer
from engine.actions import (
    AcceptOffer,
    Action,
    AgreeToEnd,
    AskToBuild,
    CloseOffer,
    DeclineOffer,
    MakeOffer,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayVictoryPoint,
    PlayYearOfPlenty,
    Resign,
    Undo,
    WithdrawOffer,
)
from engine.config import Config
from engine.domains import Choices, Closings
from engine.errors import RefereeError
from engine.geometry import bits
from engine.resources import (
    KNIGHT,
    MONOPOLY,
    NOTHING,
    ROAD_BUILDING,
    VICTORY_POINT,
    YEAR_OF_PLENTY,
)

PLAYABLE: tuple[tuple[type[Action], int, str], ...] = (
    (PlayKnight, KNIGHT, "⚔️"),
    (PlayRoadBuilding, ROAD_BUILDING, "🛤️"),
    (PlayYearOfPlenty, YEAR_OF_PLENTY, "🎁"),
    (PlayMonopoly, MONOPOLY, "💰"),
    (PlayVictoryPoint, VICTORY_POINT, "🏆"),
)
FORM = {PlayYearOfPlenty: "plenty", PlayMonopoly: "monopoly"}


async def hand(call: Call) -> Reply:
    """The hand of the one who asks."""
    viewer = await call.viewer()
    viewer.player  # noqa: B018 (raises for onlookers)
    return await hands.reply(call.app, viewer)


async def board(call: Call) -> Reply:
    """The board as it stands, with a line for each player."""
    viewer = await call.viewer()
    view = viewer.game.view(None)
    lines = [headline(view, viewer.mentions), *(player_line(view, p, viewer.mentions) for p in view.players)]
    return Reply("\n".join([*lines, footer(view)]), await call.app.pictures.board(Viewer(viewer.table, viewer.game)))


async def dice(call: Call) -> Reply:
    """The dice so far."""
    viewer = await call.viewer()
    return Reply(stats.dice(viewer.view), await call.app.pictures.dice(viewer))


async def cards(call: Call) -> Reply:
    """The development cards that can be played now, a button each."""
    viewer = await call.viewer()
    held = viewer.view.players[viewer.player].development_cards or NOTHING
    data = data_of(viewer.view.config)
    lines, buttons = [], []
    for cls, kind, sign in PLAYABLE:
        if held[kind]:
            lines.append(f"{sign} **{card_title(kind)}** ×{held[kind]}: {card_help(kind, data)}.")
        if cls in viewer.options:
            buttons.append(_card_button(viewer, cls, kind, sign))
    if not buttons:
        lines.append(_why_no_card(viewer, held).message)
    return Reply("\n".join(lines), rows=rows(buttons))


def _card_button(viewer: Viewer, cls: type[Action], kind: int, sign: str) -> Press:
    if cls in FORM:
        address = Address("form", viewer.table.number, viewer.decision, (FORM[cls],))
    else:
        address = play.address(viewer, cls())
    return button(f"Play {card_title(kind).lower()}", address, Style.primary, sign)


def _why_no_card(viewer: Viewer, held: tuple[int, ...]) -> RefereeError:
    """Why no card can be played now."""
    if not any(held):
        return RefereeError("no-such-card", "You hold no development card; you can buy one in your turn.")
    trials: dict[int, Action] = {
        KNIGHT: PlayKnight(),
        ROAD_BUILDING: PlayRoadBuilding(),
        YEAR_OF_PLENTY: PlayYearOfPlenty(NOTHING),
        MONOPOLY: PlayMonopoly(0),
    }
    actions = [action for kind, action in trials.items() if held[kind]]
    return viewer.why(actions, "None of your cards can be played now.")


def _offer_buttons(viewer: Viewer, offer_id: int) -> list[Press]:
    """What the seat may do about an offer."""
    number, out = viewer.table.number, []
    pairs: list[tuple[type[Action], str, Style]] = [
        (AcceptOffer, "Accept", Style.success),
        (DeclineOffer, "Decline", Style.secondary),
        (WithdrawOffer, "Withdraw", Style.secondary),
    ]
    for cls, label, style in pairs:
        domain = viewer.options.get(cls)
        if isinstance(domain, Choices) and offer_id in domain.values:
            address = Address("do", number, "", play.encode(cls(offer_id)))  # type: ignore[call-arg]
            out.append(button(f"{label} {offer_id}", address, style))
    closings = viewer.options.get(CloseOffer)
    if isinstance(closings, Closings):
        for offer, seat in closings.pairs:
            if offer == offer_id:
                address = play.address(viewer, CloseOffer(offer, seat))
                out.append(button(f"Close with {viewer.names[seat]}", address, Style.primary))
    offer_view = next(o for o in viewer.view.offers if o.id == offer_id)
    if MakeOffer in viewer.options and offer_view.seat == viewer.view.on_turn != viewer.seat:
        address = Address("form", number, "", ("offer", str(offer_id)))
        out.append(button(f"Counter {offer_id}", address))
    return out


async def offers(call: Call) -> Reply:
    """All open offers, with what the one who asks may do about each."""
    viewer = await call.viewer()
    if not viewer.view.offers:
        return await call.with_panel("No offer is open now.")
    lines = [offer_line(viewer.view, offer, viewer.mentions) for offer in viewer.view.offers]
    controls: list[ui.ActionRow] = []
    for offer in viewer.view.offers:
        controls += rows(_offer_buttons(viewer, offer.id)) if viewer.seat is not None else []
    return Reply("\n".join(lines), rows=controls[:6])


async def close(call: Call) -> Reply:
    """With whom to close an offer of one's own."""
    viewer = await call.viewer()
    wanted = int(call.address.arg)
    offer = next((o for o in viewer.view.offers if o.id == wanted), None)
    if offer is None:
        raise RefereeError("no-such-offer", f"Offer {wanted} is no longer open.")
    if offer.seat != viewer.player:
        raise RefereeError("not-yours", f"Only {viewer.names[offer.seat]} can close offer {wanted}.")
    if not offer.accepted:
        raise RefereeError("not-accepted", f"Nobody has accepted offer {wanted} yet.")
    buttons = [
        button(f"Close with {viewer.names[seat]}", play.address(viewer, CloseOffer(wanted, seat)), Style.primary)
        for seat in bits(offer.accepted)
    ]
    terms = f"You give {card_words(offer.give)} and get {card_words(offer.want)}."
    return Reply(f"**With whom do you close offer {wanted}?** {terms}", rows=rows(buttons))


async def undo(call: Call) -> Reply:
    """What would be taken back, with a button that does it."""
    viewer = await call.viewer()
    if not viewer.game.can_undo(viewer.player):
        sentence = "There is nothing to take back: only your own last action, before dice or cards were drawn."
        raise viewer.why([Undo()], sentence)
    what = "\n".join(story(viewer.view.last, viewer.view, viewer.mentions))
    confirm = button("Take it back", play.address(viewer, Undo()), Style.primary, "↩️")
    return Reply(f"Your last action: {what}", rows=rows([confirm]))


async def ask(call: Call) -> Reply:
    """Ask for a part in the special building phase after this turn; with a button that takes the request back."""
    return await ask_to_build(call, call.address.arg != "no")


async def ask_to_build(call: Call, wanted: bool) -> Reply:
    """Ask, or take the request back; the same twice is no mistake, and nobody else notices any of it (J2)."""
    viewer = await call.viewer()
    viewer.player  # noqa: B018 (raises for onlookers)
    if viewer.view.asked_to_build != wanted or viewer.view.on_turn == viewer.seat:
        await play.do(call, AskToBuild(wanted))
    if not wanted:
        return Reply("Noted: you haven't asked to build after this turn.")
    back = button("Take the request back", Address("ask", call.address.game, "", ("no",)))
    return Reply("Noted: you will be called to build when this turn ends. Nobody is told before.", rows=rows([back]))


async def more(call: Call) -> Reply:
    """Everything that isn't done in every turn."""
    viewer = await call.viewer()
    number = viewer.table.number
    buttons = [
        button("Board", Address("board", number), emoji="🗺️"),
        button("Dice so far", Address("dice", number), emoji="📊"),
        button("Offers", Address("offers", number), emoji="📨"),
        button("Rules", Address("rules", number), emoji="📖"),
    ]
    if viewer.seat is not None and viewer.game.outcome is None:
        agreed = bool(viewer.view.end_votes >> viewer.seat & 1)
        label = "No longer agree to end" if agreed else "Agree to end the game"
        buttons.append(button(label, play.address(viewer, AgreeToEnd(not agreed), bound=False), emoji="🏁"))
        buttons.append(button("Resign", Address("resign", number), Style.danger, "🏳️"))
    if viewer.game.outcome is None and control.may_manage(call):
        buttons.append(button("Call the game off", Address("ask_call_off", number), Style.danger, "🛑"))
    return Reply("What else?", rows=rows(buttons))


async def resign(call: Call) -> Reply:
    """Ask once more before somebody leaves for good."""
    viewer = await call.viewer()
    viewer.player  # noqa: B018 (raises for onlookers)
    leave = button("Yes, leave the game for good", play.address(viewer, Resign(), bound=False), Style.danger, "🏳️")
    return Reply(
        "Your pieces stay and block, your cards go to the bank, and you can't come back. Really resign?",
        rows=rows([leave]),
    )


def rules_reply(config: Config, number: int, key: str = "goal") -> Reply:
    """A topic of a game's rules, with a select of all topics."""
    topics = rulebook.topics(config)
    if key not in dict(topics):
        raise RefereeError("topic", "This game has no such topic; choose one from the list.")
    options = [Option(k, title, default=k == key) for k, title in topics]
    return Reply(rulebook.topic(config, key), rows=[select("Topic", Address("topic", number), options)])


async def rules(call: Call) -> Reply:
    """The rules of this game."""
    table = await call.app.services.repository.table(call.address.game)
    return rules_reply(table.config, table.number)


async def topic(call: Call) -> Reply:
    """Another topic was chosen."""
    table = await call.app.services.repository.table(call.address.game)
    return rules_reply(table.config, table.number, call.chosen[0])
