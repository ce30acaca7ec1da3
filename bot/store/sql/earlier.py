"""What earlier versions have written otherwise, as it is written now."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from bot.store.sql.values import MALFORMED, json_text
from bot.table.motion import REPLACE
from bot.table.news import SEATED


def choices_now(text: str) -> str:
    """A table's choices in JSON."""
    if not any(name in text for name in ('"left":', '"proposals":', '"replacing":')):
        return text
    with suppress(*MALFORMED):
        data = json.loads(text)
        _seats_in_news(data)
        _motions(data)
        return json_text(data)
    return text


def _motions(data: Any) -> None:
    """Votes to replace somebody stood beside what was proposed, and that had other names."""
    motions = list[Any]()
    for absent, by in data.pop("replacing", []):
        about = {"kind": REPLACE, "absent": absent}
        known = next((motion for motion in motions if motion["absent"] == absent), None)
        if known is None:
            motions.append(known := {**about, "ayes": []})
        known["ayes"].append(by)
    for one in data.pop("proposals", []):
        motions.append({_NAMES.get(name, name): value for name, value in one.items()})
    if motions:
        data["motions"] = motions


_NAMES = {"what": "kind", "agreed": "ayes", "against": "noes"}


def _seats_in_news(data: Any) -> None:
    """Version 0.2.0 noted beside the news who had sat where until then, and how many records there were when somebody
    had last taken a seat over."""
    if "left" not in data:
        return
    left, taken, news = data.pop("left"), dict(data.pop("taken", [])), data.setdefault("news", [])
    seated = [one for one in news if one["what"] == SEATED]
    for place, user, name in reversed(left):
        if not seated:  # there had been more news than were kept
            news.insert(0, {"what": SEATED, "made": 0, "turn": 0, "revision": 0, "name": name, "newcomer": "…"})
        one = seated.pop() if seated else news[0]
        one |= {"place": place, "about": user, "recorded": taken.pop(place, 0)}
