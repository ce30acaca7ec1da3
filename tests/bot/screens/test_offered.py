"""Whatever has happened at a table, all that its controls offer can be done, and all that can be done is offered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain

import pytest

from bot.screens import seats, waiting
from bot.screens.controls import Do, Open, Reply, Row, Select
from bot.screens.motions import resume_button
from bot.screens.play import change_menu, more_menu, own_controls
from bot.screens.viewer import Viewer
from bot.table.act import Act, By
from bot.table.acts.motions import Agree, AskForSeat, Object, Propose
from bot.table.acts.places import Resume
from bot.table.acts.play import Play
from bot.table.acts.seats import DeclineSeat, OfferSeat, Replace, ReturnToSeat, TakeSeat
from bot.table.acts.wishes import PostWish, WithdrawWish
from bot.table.options import DECIDE
from bot.table.parts import PACE, PAUSE, RESUME
from bot.table.rules import play
from bot.table.table import ARCHIVED, RUNNING
from engine.actions import AgreeToCallOff, AgreeToEnd, Resign
from engine.errors import RefereeError
from engine.resources import single
from tests.bot.table.anything import go_on
from tests.bot.table.desk import EVE, FAY, NAMES, Desk
from tests.seeds import few_of

WISH = PostWish(single(0))
PACES = (120, 3600)
ONLY_WHEN = ("too-soon", "handover/turned away", "handover/another asks", "pace/another")
"""Refusals of what can be done later: from a certain time on, or after someone's answer."""


def acts_of(desk: Desk, target: Open | Do) -> Iterator[Act]:
    """The acts that a button carries out or leads to."""
    match target:
        case Open("propose", (what,)):
            yield Propose(what)
        case Open("pace"):
            yield Propose(PACE, _other_pace(desk), DECIDE)
        case Open("resume"):
            yield Resume()
        case Open("consent", (what, made)):
            yield Agree(what, int(made))
        case Open("object", (what, made)):
            yield Object(what, int(made))
        case Open("return"):
            yield ReturnToSeat()
        case Open("replaced", (seat,)):
            yield Replace(desk.table.user_at(desk.played, int(seat)))
        case Open("seat", (place,)):
            yield TakeSeat("Newcomer", int(place))
        case Open("noseat", ()):
            yield DeclineSeat("Newcomer")
        case Open("noseat", (place,)):
            yield DeclineSeat("Newcomer", int(place))
        case Open("handover", ("yes",)):
            yield OfferSeat(0)
        case Open("substitute", (place,)):
            yield AskForSeat("Newcomer", int(place))
        case Open("form", ("wish",)):
            yield WISH
        case Open("unwish"):
            yield WithdrawWish()
        case Open("resign"):
            yield Play(Resign())
        case Open("agree", (kind,)):
            yield Play(AgreeToEnd() if kind == "count" else AgreeToCallOff())
        case Do(AgreeToEnd() | AgreeToCallOff() as action):
            yield Play(action)


def _other_pace(desk: Desk) -> int:
    return next(pace for pace in PACES if pace != desk.table.options.pace)


def targets(reply: Reply | list[Row]) -> Iterator[Open | Do]:
    """The targets of a page's controls; a list has one for each option."""
    for row in reply.rows if isinstance(reply, Reply) else reply:
        if isinstance(row, Select):
            yield from (Open(row.target.verb, (option.value,)) for option in row.options)
        elif isinstance(row, Sequence):
            yield from (button.target for button in row if isinstance(button.target, Open | Do))


def offered(desk: Desk, user: int, *, called: bool) -> Iterator[Act]:
    """The acts that a user is offered on their own pages and by pings: if `called`, only by pings for them or for
    anyone, otherwise by all, since all can press their buttons."""
    viewer = Viewer.of(desk.table, desk.played, user)
    pages = [*targets(own_controls(viewer)), *targets(more_menu(viewer, manages=False))]
    following: Mapping[str, Callable[[Viewer], Reply]] = {
        "change": partial(change_menu, manages=False),
        "replace": seats.question,
        "handover": seats.sure_to_hand_over,
        "substitute": seats.free_seats,
    }
    for verb, page in following.items():
        if Open(verb) in pages:
            pages += targets(page(viewer))
    if desk.table.status == ARCHIVED and user in desk.table.people and not viewer.has_left:
        pages += targets([[resume_button()]])
    if desk.table.status == RUNNING:
        public = Viewer(desk.table, desk.played)
        for ping in waiting.all_pings(public):
            anybody = not (ping.seats or ping.users) and user not in desk.table.users
            if not called or anybody or viewer.seat in ping.seats or user in dict(ping.users):
                pages += targets([ping.buttons])
    yield from chain.from_iterable(acts_of(desk, target) for target in pages)


def possible(desk: Desk, user: int) -> Iterator[Act]:
    """Acts that a user could perhaps do."""
    table, places = desk.table, range(len(desk.table.members))
    yield from (Propose(PAUSE), Propose(RESUME), Propose(PACE, _other_pace(desk), DECIDE))
    yield from (statement(m.kind, m.made) for m in table.motions if not m.absent for statement in (Agree, Object))
    yield from (Replace(other) for other in table.users)
    yield from map(Play, (Resign(), *(vote(yes) for vote in (AgreeToEnd, AgreeToCallOff) for yes in (True, False))))
    yield from (ReturnToSeat(), Resume(), DeclineSeat("Newcomer"), WISH, WithdrawWish())
    if all(table.users[seat.place] != user for seat in table.handovers):  # a command offers it to someone else
        yield OfferSeat(0)
    for place in places:
        yield from (TakeSeat("Newcomer", place), AskForSeat("Newcomer", place), DeclineSeat("Newcomer", place))


def refusal(desk: Desk, user: int, act: Act) -> str | None:
    """The key of the refusal if a user can't do an act now, "" if the act would change nothing, None if they can."""
    try:
        played = play(desk.table, desk.played, desk.played.copy(), act, By(user, desk.now, desk.people))
    except RefereeError as refused:
        return refused.key
    return None if played.due else ""


def look(desk: Desk) -> None:
    if desk.table.status not in (RUNNING, ARCHIVED):
        return
    for user in (*desk.table.people, EVE, FAY):
        for act in offered(desk, user, called=True):
            reason = refusal(desk, user, act)
            assert not reason or reason.startswith(ONLY_WHEN), f"{NAMES[user]} is offered {act}: {reason}"
        acts = list(offered(desk, user, called=False))
        for act in possible(desk, user):
            assert act in acts or refusal(desk, user, act) is not None, (
                f"{NAMES[user]} could {act}, and isn't offered it"
            )


@pytest.mark.parametrize("seed", few_of(range(5)))
def test_every_offered_act_can_be_done_and_every_possible_act_is_offered(seed: int) -> None:
    go_on(seed, look=look)


@pytest.mark.soak
def test_offered_and_possible_acts_match_in_a_thousand_games() -> None:
    for seed in range(1000, 2000):
        go_on(seed, look=look)
