"""What earlier versions have written otherwise, as it is written now."""

from __future__ import annotations

import json
from contextlib import suppress

from bot.store.sql.values import MALFORMED, json_text
from bot.table.proposals import SEATED


def seats_in_news(text: str) -> str:
    """A table's choices in JSON; version 0.2.0 noted beside the news who had sat where until then, and how many records
    there were when somebody had last taken a seat over."""
    if '"left":' not in text:
        return text
    with suppress(*MALFORMED):
        data = json.loads(text)
        left, taken, news = data.pop("left"), dict(data.pop("taken", [])), data.setdefault("news", [])
        seated = [one for one in news if one["what"] == SEATED]
        for place, user, name in reversed(left):
            if not seated:  # there had been more news than were kept
                news.insert(0, {"what": SEATED, "made": 0, "turn": 0, "revision": 0, "name": name, "newcomer": "…"})
            one = seated.pop() if seated else news[0]
            one |= {"place": place, "about": user, "recorded": taken.pop(place, 0)}
        return json_text(data)
    return text
