"""The group /trade: with the other players and with the bank."""

from __future__ import annotations

from collections.abc import Iterable

import discord
from discord import app_commands

from bot.frontends.discord import people
from bot.frontends.discord.commands.common import Complete, Interaction, act, suggestions
from bot.presentation.texts.marks import cards, quoted
from bot.presentation.texts.typed import parse_hand, parse_number
from bot.presentation.viewer import Viewer
from engine.actions import (
    AcceptOffer,
    Action,
    BankTrade,
    CloseOffer,
    DeclineOffer,
    MakeOffer,
    WithdrawOffer,
)
from engine.domains import BankTrades, Choices, Closings
from engine.errors import MalformedInput
from engine.resources import RESOURCES

OFFER = "The number of the offer, as the panel shows it"


def _offers(cls: type[Action]) -> Complete:
    """Suggests the offers that one may accept, decline, withdraw, …"""

    def find(viewer: Viewer) -> Iterable[tuple[str, str]]:
        domain = viewer.options.get(cls)
        ids: set[int] = set()
        if isinstance(domain, Choices):
            ids = set(domain.values)
        elif isinstance(domain, Closings):
            ids = {offer for offer, _ in domain.pairs}
        elif cls is MakeOffer and domain is not None:
            ids = {o.id for o in viewer.view.offers if o.seat == viewer.view.on_turn != viewer.seat}
        for offer in viewer.view.offers:
            if offer.id in ids:
                terms = f"{viewer.names[offer.seat]} gives {cards(offer.give)} for {cards(offer.want)}"
                yield f"{offer.id}: {terms}", str(offer.id)

    return suggestions(find)


def _partners(viewer: Viewer) -> Iterable[tuple[str, str]]:
    domain = viewer.options.get(CloseOffer)
    seats = sorted({seat for _, seat in domain.pairs}) if isinstance(domain, Closings) else []
    return people.suggested(viewer, seats)


def _held(viewer: Viewer) -> Iterable[tuple[str, str]]:
    """Cards of one kind out of the own hand, while an offer can be made."""
    hand = viewer.view.players[viewer.player].hand if MakeOffer in viewer.options else None
    for kind, held in enumerate(hand or ()):
        yield from ((f"{n} {RESOURCES[kind]}", f"{n} {RESOURCES[kind]}") for n in range(1, held + 1))


def _wished(viewer: Viewer) -> Iterable[tuple[str, str]]:
    """A card of each kind: nobody's hand shows in what is suggested."""
    names = RESOURCES if MakeOffer in viewer.options else ()
    return [(f"1 {name}", f"1 {name}") for name in names]


def _gives(viewer: Viewer) -> Iterable[tuple[str, str]]:
    domain = viewer.options.get(BankTrade)
    if isinstance(domain, BankTrades):
        for kind in dict.fromkeys(kind for kind, _ in domain.pairs()):
            rate = domain.rates[kind]
            for n in range(1, domain.hand[kind] // rate + 1):
                lot = f"{n * rate} {RESOURCES[kind]}"
                yield f"{lot} for {n} card{'s' if n > 1 else ''}", lot


def _gets(viewer: Viewer) -> Iterable[tuple[str, str]]:
    return [(f"1 {RESOURCES[k]}", f"1 {RESOURCES[k]}") for k, n in enumerate(viewer.view.bank) if n]


def _number(text: str) -> int:
    number = parse_number(text.partition(":")[0].strip().removeprefix("#"))
    if number is None:
        raise MalformedInput(f"{quoted(text)} is not the number of an offer; the panel shows it, like 3.")
    return number


def make() -> app_commands.Group:
    """The group."""
    group = app_commands.Group(name="trade", description="Trade with the others or with the bank", guild_only=True)

    @group.command(name="offer", description="Offer a trade to everybody, or to somebody")
    @app_commands.describe(
        give='What you give, like "2 wool"',
        want='What you want, like "1 ore"',
        to="To whom; leave it out to ask everybody",
        to_too="Also to",
    )
    @app_commands.rename(to_too="and")
    @app_commands.autocomplete(give=suggestions(_held), want=suggestions(_wished))
    async def offer(
        interaction: Interaction,
        give: str,
        want: str,
        to: discord.User | None = None,
        to_too: discord.User | None = None,
    ) -> None:
        def decide(viewer: Viewer) -> MakeOffer:
            seats = {people.seat_of(viewer, user) for user in (to, to_too) if user is not None}
            return MakeOffer(parse_hand(give), parse_hand(want), tuple(sorted(seats)))

        await act(interaction, decide)

    @group.command(name="bank", description="Trade with the bank at your best rate: 4, 3 or 2 for 1")
    @app_commands.describe(give='What you give, like "4 wool"', get='What you get, like "1 ore"')
    @app_commands.autocomplete(give=suggestions(_gives), get=suggestions(_gets))
    async def bank(interaction: Interaction, give: str, get: str) -> None:
        await act(interaction, lambda viewer: BankTrade(parse_hand(give), parse_hand(get)))

    @group.command(name="accept", description="Accept an offer")
    @app_commands.describe(offer=OFFER)
    @app_commands.autocomplete(offer=_offers(AcceptOffer))
    async def accept(interaction: Interaction, offer: str) -> None:
        await act(interaction, lambda viewer: AcceptOffer(_number(offer)))

    @group.command(name="decline", description="Decline an offer")
    @app_commands.describe(offer=OFFER)
    @app_commands.autocomplete(offer=_offers(DeclineOffer))
    async def decline(interaction: Interaction, offer: str) -> None:
        await act(interaction, lambda viewer: DeclineOffer(_number(offer)))

    @group.command(name="counter", description="Answer an offer with another one")
    @app_commands.describe(offer=OFFER, give='What you give, like "1 ore"', want='What you want, like "3 wool"')
    @app_commands.autocomplete(offer=_offers(MakeOffer))
    async def counter(interaction: Interaction, offer: str, give: str, want: str) -> None:
        await act(
            interaction,
            lambda viewer: MakeOffer(parse_hand(give), parse_hand(want), (), _number(offer)),
        )

    @group.command(name="close", description="Close your offer with somebody who has accepted it")
    @app_commands.describe(offer=OFFER, partner="With whom")
    @app_commands.rename(partner="with")
    @app_commands.autocomplete(offer=_offers(CloseOffer), partner=suggestions(_partners))
    async def close(interaction: Interaction, offer: str, partner: str) -> None:
        await act(interaction, lambda viewer: CloseOffer(_number(offer), people.seat_named(viewer, partner)))

    @group.command(name="withdraw", description="Take your offer back")
    @app_commands.describe(offer=OFFER)
    @app_commands.autocomplete(offer=_offers(WithdrawOffer))
    async def withdraw(interaction: Interaction, offer: str) -> None:
        await act(interaction, lambda viewer: WithdrawOffer(_number(offer)))

    return group
