"""What Discord answers, as told to what counts it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import yarl

from bot.discord.traffic import Traffic

BASE = "https://discord.com/api/v10"


async def answered(traffic: Traffic, answer: int | Exception, url: str = f"{BASE}/users/@me") -> None:
    """Tell `traffic` the status of an answer to a request, or the error that it met."""
    params: Any = SimpleNamespace(method="GET", url=yarl.URL(url))
    if isinstance(answer, Exception):
        params.exception = answer
        await traffic._failed(None, SimpleNamespace(), params)
    else:
        params.response = SimpleNamespace(status=answer, headers={})
        await traffic._answered(None, SimpleNamespace(), params)
