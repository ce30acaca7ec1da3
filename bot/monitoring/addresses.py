"""The three addresses of the HTTP port: /healthz, /readyz and /metrics."""

from __future__ import annotations

from collections.abc import Callable

from aiohttp import web
from prometheus_client.aiohttp import make_aiohttp_handler

from bot.metrics import Metrics
from bot.monitoring.health import Health


def application(metrics: Metrics, health: Health, silence: Callable[[], float]) -> web.Application:
    """The web application. It answers in plain text, with status 503 if something is wrong.

    `silence` returns for how many seconds Harbormaster's event loop has been stuck; 0.0: it isn't.
    """

    def loop() -> str:
        return f"the event loop has been stuck for {silence():.0f} s" if silence() else ""

    async def alive(_: web.Request) -> web.Response:
        return _response({"loop": loop()})

    async def ready(_: web.Request) -> web.Response:
        return _response({"loop": loop(), **health.problems})

    app = web.Application()
    app.router.add_get("/healthz", alive)
    app.router.add_get("/readyz", ready)
    app.router.add_get("/metrics", make_aiohttp_handler(metrics.registry))
    return app


def _response(problems: dict[str, str]) -> web.Response:
    """The answer: a line for each check."""
    text = "".join(f"{name}: {problem or 'ok'}\n" for name, problem in problems.items())
    return web.Response(text=text, status=503 if any(problems.values()) else 200)
