"""The list of trades with the bank."""

from __future__ import annotations

from bot.screens.controls import Button, Entry, Open, Option, Reply, Select
from bot.screens.viewer import Viewer
from bot.words.hands import rates
from bot.words.language import _
from bot.words.marks import RESOURCE_SIGNS, resource
from engine.actions import BankTrade
from engine.domains import BankTrades
from engine.errors import RefereeError
from engine.resources import NOTHING, single


def bank(viewer: Viewer, lead: str = "") -> Reply | None:
    """All trades with the bank in one list; None if there are none."""
    domain = viewer.options.get(BankTrade)
    if not isinstance(domain, BankTrades) or not len(domain):
        return None
    options = [
        Option(
            f"{give}.{get}",
            _(
                "{n} {give} for 1 {get}",
                n=domain.rates[give],
                give=resource(give, sign=False),
                get=resource(get, sign=False),
            ),
            _(
                "You have {n}, and {other} {get}",
                n=domain.hand[give],
                other=domain.hand[get],
                get=resource(get, sign=False),
            ),
            emoji=RESOURCE_SIGNS[get],
        )
        for give, get in sorted(domain.pairs(), key=lambda pair: (domain.rates[pair[0]], -domain.hand[pair[0]]))
    ]
    select = Select(_("Choose a trade"), Open("bank", bound=True), options)
    many = Button(_("More than one"), Open("form", ("bank",)), emoji="⌨️")
    text = "\n".join(filter(None, (lead, _("**Trade with the bank**"), rates(viewer.view))))
    return Reply(text, rows=[select, [many]], decision=viewer.decision)


def no_bank(viewer: Viewer) -> RefereeError:
    """The refusal that says why nothing can be traded with the bank."""
    viewer.check_playing()
    return viewer.why([BankTrade(NOTHING, NOTHING)], RefereeError("not-now/bank", rates=rates(viewer.view)))


BANK = Entry(r"[0-4]\.[0-4]")
"""What that list accepts: the resource given, a dot, the resource taken."""


def bank_trade(viewer: Viewer, value: str) -> BankTrade:
    """The chosen trade, at the person's present rate."""
    give, get = map(int, value.split("."))
    return BankTrade(single(give, viewer.view.players[viewer.my_seat].rates[give]), single(get))
