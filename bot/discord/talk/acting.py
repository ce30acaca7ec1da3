"""Acting in a game by buttons, pickers and forms, and asking for the decision that follows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, cast

from bot.discord.talk.call import Call
from bot.discord.talk.dispatch import refusal_text
from bot.discord.talk.door import Shape
from bot.discord.talk.feature import Feature, Verb
from bot.screens import drafts, steps, trade
from bot.screens.controls import Entries, Entry, Reply, rows
from bot.screens.panel import headline
from bot.screens.pickers import PICKERS, Picker, chosen, legal, places, value_pattern
from bot.screens.play import private_answer, private_news, question_before_end, sure_to_buy
from bot.screens.viewer import Viewer
from bot.service import Done
from bot.table.acts.play import Play
from bot.words.refusals import known_code
from engine.actions import Action, BuyCard, EndTrade, EndTurn, action_from_json
from engine.codec import fields_of
from engine.errors import RefereeError

DECIDING = Feature(
    forms=[presenter.form for presenter in steps.PRESENTERS.values() if presenter.form is not None],
    actions=[action for presenter in steps.PRESENTERS.values() for action in presenter.actions],
)
"""The forms and actions of the steps' presenters."""


async def submit(call: Call, action: Action, decision: str = "", part: str = "") -> Done:
    """Play an action for the person. `part` distinguishes several actions of one command."""
    number, services = call.address.game, call.app.services
    try:
        played = await services.games.act(number, call.user.id, Play(action, decision or None), call.key + part)
    except RefereeError as refusal:
        if refusal.code == "stale":  # perhaps the button isn't old, but another player's
            reason = (await call.viewer()).why([action], refusal)
            if reason.code == "wrong-turn":
                raise reason from refusal
        raise
    if played.events and not played.secret:  # a secret action must change nothing visible, not even a name
        await services.people.rename(number, call.user.id, call.user.display_name)
    if isinstance(action, (EndTurn, EndTrade)):
        await call.drop(drafts.OFFER_DRAFT)
    return played


async def picker_reply(call: Call, viewer: Viewer, picker: Picker) -> Reply:
    """A reply with a picker, and with its places on the board."""
    picture = None
    if picker.labels:
        picture = await call.app.pictures.board(viewer, picker.labels, await call.look())
    return Reply(picker.text, picture, picker.rows, decision=viewer.decision)


def owed_picker(viewer: Viewer, lead: str = "") -> Picker | None:
    """The picker for the decision that the person owes, if there is one."""
    view = viewer.view
    if viewer.seat is None or not view.awaited >> viewer.seat & 1:
        return None
    return steps.presenter_of(view).picker(viewer, view.step, lead)


async def reply_after(call: Call, played: Done, lead: str) -> Reply | None:
    """The reply after an action: the next decision that the player owes, or what only they learn. None: all see it."""
    viewer = Viewer(played.table, played.game, played.seat)
    picker = None if played.repeated else owed_picker(viewer, lead)
    return private_answer(played, lead) if picker is None else await picker_reply(call, viewer, picker)


async def _refreshed_picker(call: Call, error: RefereeError, group: str = "") -> Reply:
    """A current version of a private picker whose choice was refused, with the reason."""
    viewer = await call.viewer()
    lead = f"⚠️ {await refusal_text(call, error)}"
    picker = owed_picker(viewer, lead)
    if picker is None and group in PICKERS and legal(viewer, PICKERS[group]):
        picker = places(viewer, PICKERS[group], lead)
    if picker is None:
        raise error
    call.app.metrics.refusals.labels(known_code(error)).inc()
    return await picker_reply(call, viewer, picker)


async def confirmation_for(call: Call, action: Action) -> Reply | None:
    """The question before an action that could be a slip, if the person wants to be asked. None: just do it."""
    if not isinstance(action, (BuyCard, EndTurn, EndTrade)):
        return None
    choices = (await call.app.services.people.settings(call.user.id)).choices
    viewer = await call.viewer()
    if isinstance(action, BuyCard):
        return sure_to_buy(viewer) if choices.ask_to_buy else None
    if not choices.ask_to_end or viewer.seat is None or viewer.is_replaced or viewer.table.paused:
        return None
    return question_before_end(viewer, action) if call.address.decision in ("", viewer.decision) else None


# --- the verbs


async def _do(call: Call) -> Reply | None:
    """Carry out a button's action: roll, end, accept, steal from Bob."""
    action = _decode(call.address.args)
    if (question := await confirmation_for(call, action)) is not None:
        return question
    try:
        played = await submit(call, action, call.address.decision)
    except RefereeError as error:
        if call.on_private:
            return await _refreshed_picker(call, error)
        raise
    if call.on_private:
        if isinstance(action, trade.OFFER_ACTIONS) and (
            menu := trade.offers_menu(Viewer(played.table, played.game, played.seat))
        ):
            return menu
        return await reply_after(call, played, private_news(played))
    return private_answer(played, private_news(played))


async def _buy(call: Call) -> Reply | None:
    """Buy the card: the person is sure."""
    played = await submit(call, BuyCard(), call.address.decision)
    return private_answer(played, private_news(played))


async def _finish(call: Call) -> Reply | None:
    """End the turn or the trade phase: the person is sure."""
    played = await submit(call, EndTrade() if call.address.arg else EndTurn(), call.address.decision)
    return private_answer(played, private_news(played))


async def _dismiss(call: Call) -> None:
    """Remove the question."""
    await call.close()


async def _place(call: Call) -> Reply:
    """Open a button's picker; "owed" stands for that of the decision that the person owes."""
    viewer = await call.viewer()
    group = call.address.arg
    picker = owed_picker(viewer) if group == "owed" else places(viewer, PICKERS[group])
    if picker is None:
        my_turn = viewer.view.awaited >> viewer.my_seat & 1 or viewer.view.on_turn == viewer.my_seat
        if not my_turn:
            raise RefereeError("wrong-turn/elsewhere")
        return await call.with_panel(headline(viewer.view, viewer.marked, viewer.computers))
    return await picker_reply(call, viewer, picker)


async def _put(call: Call) -> Reply | None:
    """Carry out the action for the chosen place."""
    group = call.address.arg
    try:
        played = await submit(call, chosen(call.chosen[0]), call.address.decision)
    except RefereeError as error:
        return await _refreshed_picker(call, error, group)
    return await reply_after(call, played, private_news(played))


async def _answer(call: Call) -> Reply:
    """The step's private question, for any player who wants to see whether it is for them."""
    viewer = await call.viewer()
    viewer.check_playing()
    question = steps.presenter_of(viewer.view).question(viewer, viewer.view.step)
    if question is None:
        raise RefereeError("wrong-phase/no answer")
    return await picker_reply(call, viewer, question)


def _place_entries(args: tuple[str, ...]) -> Entries:
    return {"": Entry(value_pattern(PICKERS[args[0]]))}


def _form_verbs(features: Sequence[Feature]) -> tuple[Verb, Verb, Verb]:
    """The verbs that open a form, open it again as it was filled in, and read it when it is sent."""
    forms = {form.name: form for feature in features for form in feature.forms}
    openers = {name: opener for feature in features for name, opener in feature.openers.items()}
    patterns = [f"{name}{feature.opener_details}" for feature in features for name in feature.openers]
    sendable = "|".join(f"{form.name}{form.args and f'(:{form.args})?'}" for form in forms.values())

    async def open_(call: Call) -> None:
        name, *args = call.address.args
        if name in openers:
            return await openers[name](call)
        viewer = await call.viewer()
        form = forms[name].build(viewer, tuple(args))
        form.decision = viewer.decision
        await call.ask(form, "sent", name, *args)

    async def reopen(call: Call) -> None:
        call.again = call.app.refused.get((call.user.id, call.address.game, call.address.args))
        await open_(call)

    async def sent(call: Call) -> Reply | None:
        name, *args = call.address.args
        try:
            action = forms[name].read(await call.viewer(), tuple(args), call.values)
            played = await submit(call, action, call.address.decision)
        except RefereeError as error:
            call.app.metrics.refusals.labels(known_code(error)).inc()
            again = call.try_again(*call.address.args)
            return Reply(f"⚠️ {await refusal_text(call, error)}", rows=rows([again]))
        return private_answer(played, private_news(played))

    def entries(args: tuple[str, ...]) -> Entries:
        return forms[args[0]].entries(args[1:])

    openable = "|".join([sendable, *patterns])
    return (
        Verb(open_, Shape(openable), modal=True),
        Verb(reopen, Shape(openable), modal=True),
        Verb(sent, Shape(sendable, entries)),
    )


# --- actions in ids

_WORDS = {"true": True, "false": False}
_PATTERNS = {int: "[0-9]{1,6}", bool: "(true|false)"}


def _decode(parts: tuple[str, ...]) -> Action:
    """The action in the parts of an id, which fit `_pattern`."""
    return action_from_json([parts[0], *(_WORDS[p] if p in _WORDS else int(p) for p in parts[1:])])


def _pattern(action: type[Action]) -> str:
    """The pattern of an action in an id (`bot.discord.show.messages.encode`)."""
    return ":".join([re.escape(action.name), *(_PATTERNS[kind] for _name, kind in fields_of(cast(Any, action)))])


def feature(features: Iterable[Feature]) -> Feature:
    """The verbs for the actions, places and forms of all features."""
    everything = [DECIDING, *features]
    actions = "|".join(sorted({_pattern(action) for feature in everything for action in feature.actions}))
    groups = "|".join(PICKERS)
    form, retry, sent = _form_verbs(everything)
    return Feature(
        buttons={
            "buy": Verb(_buy),
            "finish": Verb(_finish, shape=Shape("(trade)?")),
            "dismiss": Verb(_dismiss),
            "do": Verb(_do, Shape(actions)),
            "place": Verb(_place, shape=Shape(f"owed|{groups}")),
            "form": form,
            "retry": retry,
            "answer": Verb(_answer),
        },
        selects={"put": Verb(_put, shape=Shape(f"({groups}):[0-9]{{1,2}}", _place_entries))},
        modals={"sent": sent},
    )
