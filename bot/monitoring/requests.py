"""How Harbormaster's web servers take requests: anyone can send anything."""

from __future__ import annotations

import asyncio
import errno
import logging
from typing import Any

from aiohttp import ClientConnectionResetError, web
from aiohttp.http_exceptions import HttpProcessingError

from bot.settings import Listen, NotNow, SettingsError
from bot.tasks import in_own_context


async def serving(app: web.Application, listen: Listen, setting: str, **how: Any) -> web.AppRunner:
    """Serve an application where a setting says; raises `SettingsError` if the port can't be used.

    No request needs a body, and after the answer none is waited for: aiohttp would unpack it for ten seconds, and a
    megabyte can stand for a gigabyte.
    """
    runner = web.AppRunner(app, access_log=None, logger=RequestLog(), handle_signals=False, lingering_time=0.0, **how)
    await runner.setup()
    try:
        await in_own_context(asyncio.create_task, web.TCPSite(runner, listen.host, listen.port).start())
    except OSError as error:
        await runner.cleanup()
        reason = error.strerror or str(error)
        kind = NotNow if error.errno in (errno.EADDRINUSE, errno.EADDRNOTAVAIL) else SettingsError
        raise kind(f"{setting}: {listen} can't be listened on: {reason}.") from None
    return runner


class NotTaken(ConnectionResetError):
    """A reader doesn't take an answer."""


class RequestLog(logging.LoggerAdapter[logging.Logger]):
    """Takes what aiohttp's server logs. A request that can't be read is a line without its content, and so is an answer
    that isn't taken."""

    def __init__(self) -> None:
        super().__init__(logging.getLogger("aiohttp.server"), {})

    def exception(self, msg: object, *args: object, exc_info: Any = True, **more: Any) -> None:
        """Log an error. `exc_info`: the exception."""
        if isinstance(exc_info, HttpProcessingError):
            self.info("A request that can't be read is answered with %d", exc_info.code)
        elif isinstance(exc_info, (ClientConnectionResetError, NotTaken)):
            self.info("A connection is given up: %s", exc_info)
        else:
            super().exception(msg, *args, exc_info=exc_info, **more)
