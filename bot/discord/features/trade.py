"""Trade with the other players and with the bank; and wishes, which players read about as requests: what they are
looking for during others' turns, so that others can offer it to them."""

from __future__ import annotations

from collections.abc import Iterable

import discord
from discord import app_commands

from bot.discord.talk.acting import submit
from bot.discord.talk.call import Call
from bot.discord.talk.commands import (
    Complete,
    Interaction,
    act,
    act_if_sure,
    answer_command,
    suggestions,
    table_here,
    typing,
    viewer_here,
)
from bot.discord.talk.commands import answer_command as answered
from bot.discord.talk.dispatch import refusal_text
from bot.discord.talk.door import Shape
from bot.discord.talk.feature import Feature, Verb
from bot.plaintext import TypedText
from bot.screens import drafts, suggested, trade, wishes
from bot.screens.controls import Entry, Reply, rows
from bot.screens.drafts import last_offer
from bot.screens.play import describe_result, private_answer, private_news
from bot.screens.trade import BankForm, OfferForm, find_offer
from bot.screens.viewer import Viewer
from bot.table.acts.wishes import PostWish, WithdrawWish
from bot.words.language import N_, _, sentences
from bot.words.marks import cards
from bot.words.refusals import known_code
from bot.words.typed import parse_number, parse_trade, parse_wish
from engine.actions import (
    AcceptOffer,
    Action,
    BankTrade,
    CloseOffer,
    DeclineOffer,
    EndTrade,
    MakeOffer,
    WithdrawOffer,
)
from engine.domains import Choices, Closings
from engine.errors import RefereeError
from engine.geometry import bits
from engine.resources import Hand

# --- buttons


async def _offers(call: Call) -> Reply:
    """All open offers and requests, with what the person can do about each."""
    viewer = await call.viewer()
    page = int(call.address.arg) if call.address.arg.isdecimal() else 0
    return drafts.menu_with_more(viewer, trade.offers_menu(viewer, page=page)) or await call.with_panel(
        _("There are no open offers.")
    )


async def _close(call: Call) -> Reply:
    """Ask with whom to close one's own offer."""
    viewer = await call.viewer()
    offer = find_offer(viewer, int(call.address.arg))
    if offer.seat != viewer.my_seat:
        raise RefereeError("not-yours/offer", name=viewer.names[offer.seat], offer=offer.id)
    if not offer.accepted:
        raise RefereeError("not-accepted/yet", offer=offer.id)
    question = _("**Who do you trade with (offer {n})?**", n=offer.id)
    terms = _("You give {give} and get {want}.", give=cards(offer.give), want=cards(offer.want))
    buttons = [trade.close_button(viewer, offer.id, seat) for seat in bits(offer.accepted)]
    return Reply(sentences([question, terms]), rows=rows(buttons), decision=viewer.decision)


async def _draft(call: Call) -> Reply:
    """Begin to draft an offer, or a counteroffer."""
    viewer = await call.viewer()
    try:
        draft = drafts.new_draft(viewer, int(call.address.arg or -1))
    except RefereeError as error:
        menu = (
            trade.offers_menu(viewer, f"⚠️ {await refusal_text(call, error)}")
            if error.code == "too-many-offers"
            else None
        )
        if menu is None:
            raise
        return menu  # where an offer can be withdrawn
    await call.drop(drafts.OFFER_DRAFT)  # one that was begun before
    return drafts.draft(viewer, draft)


async def _draft_changed(call: Call) -> Reply:
    side, *args = call.address.args
    message = call.interaction.message
    if message is None:
        return drafts.draft(await call.viewer(), drafts.Draft.read(args).changed(side, call.chosen))
    cache, key = call.app.drafts, (call.user.id, message.id)
    draft = (cache.get(key) or drafts.Draft.read(args)).changed(side, call.chosen)
    cache[key] = draft
    viewer = await call.viewer()
    return drafts.draft(viewer, cache.get(key) or draft)  # with what was chosen meanwhile


async def _offered(call: Call) -> Reply | None:
    """Make the drafted offer. If it is refused, the draft can be changed."""
    draft = drafts.Draft.read(call.address.args)
    try:
        played = await submit(call, draft.action)
    except RefereeError as error:
        call.app.metrics.refusals.labels(known_code(error)).inc()
        return drafts.draft(await call.viewer(), draft, f"⚠️ {await refusal_text(call, error)}")
    return private_answer(played, private_news(played))


async def _bank(call: Call) -> Reply:
    viewer = await call.viewer()
    reply = trade.bank_list(viewer)
    if reply is None:
        raise trade.no_bank_trade(viewer)
    return reply


async def _banked(call: Call) -> Reply | None:
    """Trade with the bank, then show what else can be traded."""
    action = trade.bank_trade(await call.viewer(), call.chosen[0])
    try:
        played = await submit(call, action, call.address.decision)
    except RefereeError as error:
        call.app.metrics.refusals.labels(known_code(error)).inc()
        menu = trade.bank_list(await call.viewer(), f"⚠️ {await refusal_text(call, error)}")
        if menu is None:
            raise
        return menu
    reply = private_answer(played, describe_result(played))
    menu = trade.bank_list(Viewer(played.table, played.game, played.seat), reply.text if reply else "")
    if menu is None:
        return private_answer(played)
    if reply is not None:
        menu.rows = [*menu.rows, *reply.rows]
    return menu


# --- commands

TRADE = app_commands.Group(name="trade", description=N_("Trade with players or with the bank"), guild_only=True)
OFFER_NUMBER = N_("The number of the offer")
GIVE, GET = N_("What you give, like “2 wool”"), N_("What you get, like “1 ore”")


def _suggested(cls: type[Action]) -> Complete:
    """An autocomplete of the offers that the player can accept, decline, withdraw, …"""

    def find(viewer: Viewer) -> Iterable[tuple[str, str]]:
        domain = viewer.options.get(cls)
        ids: set[int] = set()
        if isinstance(domain, Choices):
            ids = set(domain.values)
        elif isinstance(domain, Closings):
            ids = {offer for offer, _ in domain.pairs}
        elif cls is MakeOffer and domain is not None:
            ids = {o.id for o in viewer.view.offers if o.to >> viewer.my_seat & 1}
        for offer in viewer.view.offers:
            if offer.id in ids:
                values = {"name": viewer.names[offer.seat], "give": cards(offer.give), "want": cards(offer.want)}
                yield _("{n}: {name} gives {give} for {want}", n=offer.id, **values), str(offer.id)

    return suggestions(find)


def _partners(viewer: Viewer) -> Iterable[tuple[str, str]]:
    domain = viewer.options.get(CloseOffer)
    seats = sorted({seat for _, seat in domain.pairs}) if isinstance(domain, Closings) else []
    return suggested.player_choices(viewer, seats)


def _offer_number(text: str) -> int:
    number = parse_number(text)
    if number is None:
        raise RefereeError("unreadable/offer", typed=TypedText(text))
    return number


@TRADE.command(name="offer", description=N_("Offer a trade; empty: your last one again"))
@app_commands.describe(give=GIVE, get=GET, to=N_("To whom (default: everyone)"), also=N_("Also to"))
@app_commands.autocomplete(
    give=typing(suggested.offer_give, "get"),
    get=typing(suggested.offer_want, "give"),
    to=suggestions(suggested.other_players),
    also=suggestions(suggested.other_players),
)
async def offer(
    interaction: Interaction,
    give: str | None = None,
    get: str | None = None,
    to: str | None = None,
    also: str | None = None,
) -> None:
    def decide(viewer: Viewer) -> MakeOffer:
        if not (give or get or to or also):
            return last_offer(viewer)
        seats = {suggested.seat_named(viewer, name) for name in (to, also) if name}
        return MakeOffer(*parse_trade(give or "", get), tuple(sorted(seats)))

    await act(interaction, decide)


@app_commands.context_menu(name=N_("Offer a trade"))
@app_commands.guild_only()
async def offer_to(interaction: Interaction, user: discord.User) -> None:
    async def run(call: Call) -> Reply:
        viewer = await viewer_here(call)
        seat = suggested.seat_of(viewer, user.id, user.display_name)
        return drafts.draft(viewer, drafts.offer_to(viewer, seat))

    await answered(interaction, run)


@TRADE.command(name="bank", description=N_("Trade with the bank"))
@app_commands.describe(give=GIVE, get=GET)
@app_commands.autocomplete(give=typing(suggested.bank_give, "get"), get=typing(suggested.bank_get, "give"))
async def bank_(interaction: Interaction, give: str, get: str | None = None) -> None:
    await act(interaction, lambda viewer: BankTrade(*parse_trade(give, get)))


@TRADE.command(name="accept", description=N_("Accept an offer"))
@app_commands.describe(offer=OFFER_NUMBER)
@app_commands.autocomplete(offer=_suggested(AcceptOffer))
async def accept(interaction: Interaction, offer: str) -> None:
    await act(interaction, lambda viewer: AcceptOffer(_offer_number(offer)))


@TRADE.command(name="decline", description=N_("Decline an offer"))
@app_commands.describe(offer=OFFER_NUMBER)
@app_commands.autocomplete(offer=_suggested(DeclineOffer))
async def decline(interaction: Interaction, offer: str) -> None:
    await act(interaction, lambda viewer: DeclineOffer(_offer_number(offer)))


@TRADE.command(name="counter", description=N_("Answer an offer with a counteroffer"))
@app_commands.describe(offer=OFFER_NUMBER, give=GIVE, get=GET)
@app_commands.autocomplete(
    offer=_suggested(MakeOffer),
    give=typing(suggested.counter, "get", "offer"),
    get=typing(suggested.offer_want, "give"),
)
async def counter(interaction: Interaction, offer: str, give: str, get: str | None = None) -> None:
    await act(interaction, lambda viewer: MakeOffer(*parse_trade(give, get), (), _offer_number(offer)))


@TRADE.command(name="confirm", description=N_("Trade with a player who accepted your offer"))
@app_commands.describe(offer=OFFER_NUMBER, player=N_("Who you trade with"))
@app_commands.autocomplete(offer=_suggested(CloseOffer), player=suggestions(_partners))
async def confirm(interaction: Interaction, offer: str, player: str) -> None:
    await act(interaction, lambda viewer: CloseOffer(_offer_number(offer), suggested.seat_named(viewer, player)))


@TRADE.command(name="cancel", description=N_("Cancel an offer of yours"))
@app_commands.describe(offer=OFFER_NUMBER)
@app_commands.autocomplete(offer=_suggested(WithdrawOffer))
async def cancel(interaction: Interaction, offer: str) -> None:
    await act(interaction, lambda viewer: WithdrawOffer(_offer_number(offer)))


@TRADE.command(name="done", description=N_("End the trade phase and go on to build"))
async def done(interaction: Interaction) -> None:
    await act_if_sure(interaction, EndTrade())


async def _post_wish(call: Call, want: Hand, give: Hand) -> Reply:
    """Tell everyone what the player is looking for."""
    await call.act(PostWish(want, give))
    return Reply(wishes.noted(want, give), rows=rows([wishes.stop_looking_button()]))


async def _withdraw_wish(call: Call) -> Reply:
    await call.act(WithdrawWish())
    return Reply(_("Canceled: you're no longer looking for anything."))


async def _grant_wish(call: Call) -> Reply:
    """A draft of an offer to a player, filled in with what they are looking for."""
    viewer, seat = await call.viewer(), int(call.address.arg)
    draft = drafts.draft_for_wish(viewer, seat)
    await call.drop(drafts.OFFER_DRAFT)  # one that was begun before
    return drafts.draft(viewer, draft)


async def _ask_for_wish(call: Call) -> None:
    """Open the form."""
    await call.ask(wishes.wish_form(await call.viewer()), "wished")


async def _wished(call: Call) -> Reply:
    viewer = await call.viewer()
    try:
        return await _post_wish(call, *wishes.entered_wish(viewer, call.address.shown, call.values))
    except RefereeError as error:
        call.app.metrics.refusals.labels(known_code(error)).inc()
        return Reply(f"⚠️ {await refusal_text(call, error)}", rows=rows([call.try_again("wish")]))


@TRADE.command(name="want", description=N_("Post what you're looking for"))
@app_commands.describe(
    get=N_("What you're looking for, like “brick”"),
    give=N_("What you'd give for it (optional)"),
    cancel=N_("Stop looking"),
)
@app_commands.autocomplete(get=typing(suggested.wish_want, "give"), give=typing(suggested.wish_give, "get"))
async def want(interaction: Interaction, get: str = "", give: str = "", cancel: bool = False) -> None:
    async def run(call: Call) -> Reply:
        await table_here(call)
        if cancel and (get or give):
            raise RefereeError("wish/both")
        return await (_withdraw_wish(call) if cancel else _post_wish(call, *parse_wish(get, give)))

    await answer_command(interaction, run)


_RESOURCE = "[0-4]"


FEATURE = Feature(
    commands=[TRADE, offer_to],
    buttons={
        "offers": Verb(_offers, shape=Shape("(wishes|[0-9])?")),
        "close": Verb(_close, shape=Shape("[0-9]{1,6}")),
        "draft": Verb(_draft, shape=Shape("([0-9]{1,6})?")),
        "offer": Verb(_offered, shape=Shape(drafts.DRAFT)),
        "bank": Verb(_bank),
        "grant": Verb(_grant_wish, shape=Shape("[0-7]")),
        "unwish": Verb(_withdraw_wish),
    },
    selects={
        "draft": Verb(_draft_changed, shape=Shape(f"(give|want|to):{drafts.DRAFT}", drafts.side_entries)),
        "bank": Verb(_banked, shape=Shape("", {"": trade.BANK_ENTRY})),
    },
    modals={
        "wished": Verb(
            _wished, Shape("", {"want": Entry(_RESOURCE, most=5), "give": Entry(_RESOURCE, least=0, most=5)})
        )
    },
    forms=[OfferForm(), BankForm()],
    openers={"wish": _ask_for_wish},
    actions=[*trade.OFFER_ACTIONS],
)
