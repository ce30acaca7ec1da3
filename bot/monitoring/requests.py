"""The log of a web server, in which a request that can't be read is no error: anyone can send anything."""

from __future__ import annotations

import logging
from typing import Any

from aiohttp.http_exceptions import HttpProcessingError


class RequestLog(logging.LoggerAdapter[logging.Logger]):
    """Takes what aiohttp's server logs. Of a request that can't be read it says so, in a line without its content."""

    def __init__(self) -> None:
        super().__init__(logging.getLogger("aiohttp.server"), {})

    def exception(self, msg: object, *args: object, exc_info: Any = True, **more: Any) -> None:
        """Log an error. `exc_info`: the exception."""
        if isinstance(exc_info, HttpProcessingError):
            self.info("A request that can't be read is answered with %d", exc_info.code)
        else:
            super().exception(msg, *args, exc_info=exc_info, **more)
