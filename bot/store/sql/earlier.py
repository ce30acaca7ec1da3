"""Brings data that earlier versions wrote in another form into the present form."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from bot.store.sql.values import MALFORMED, json_text
from bot.table.motion import REPLACE
from bot.table.news import SEATED


def choices_now(text: str) -> str:
    """A table's choices in JSON, in their present form."""
    if not any(name in text for name in ('"left":', '"proposals":', '"replacing":')):
        return text
    with suppress(*MALFORMED):
        data = json.loads(text)
        _seats_in_news(data)
        _motions(data)
        return json_text(data)
    return text


def _motions(data: Any) -> None:
    """Make motions of what used to be separate: votes to replace a player, and proposals, whose fields had other
    names."""
    motions = list[Any]()
    for absent, by in data.pop("replacing", []):
        about = {"kind": REPLACE, "absent": absent}
        replacement = next((motion for motion in motions if motion["absent"] == absent), None)
        if replacement is None:
            motions.append(replacement := {**about, "ayes": []})
        replacement["ayes"].append(by)
    for proposal in data.pop("proposals", []):
        motions.append({_NAMES.get(name, name): value for name, value in proposal.items()})
    if motions:
        data["motions"] = motions


_NAMES = {"what": "kind", "agreed": "ayes", "against": "noes"}


def _seats_in_news(data: Any) -> None:
    """Move into the news what version 0.2.0 kept separately: who had left which seat, and how many records there were
    when someone last took a seat over."""
    if "left" not in data:
        return
    left, taken, news = data.pop("left"), dict(data.pop("taken", [])), data.setdefault("news", [])
    seated = [seating for seating in news if seating["what"] == SEATED]
    for place, user, name in reversed(left):
        if not seated:  # only the latest news was kept, and this isn't among it
            news.insert(0, {"what": SEATED, "made": 0, "turn": 0, "revision": 0, "name": name, "newcomer": "…"})
        seating = seated.pop() if seated else news[0]
        seating |= {"place": place, "about": user, "recorded": taken.pop(place, 0)}
