"""What `harbormaster doctor` says about the addresses in the settings: those to listen on, and those to reach."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

from bot.commands.server import OK, WRONG, Found
from bot.settings import Listen, Settings

PATIENCE = 3.0
"""Seconds to wait for a connection."""


def network(settings: Settings) -> Iterator[Found]:
    """Findings about ports and servers."""
    if settings.http is not None:
        yield _port("HARBORMASTER_HTTP", settings.http)
    if settings.discord_token is None:  # then `harbormaster play` opens the offline table
        yield _port("HARBORMASTER_PREVIEW_PORT", Listen("127.0.0.1", settings.preview_port))
    for name, address in (("HARBORMASTER_PROXY", settings.proxy), ("HARBORMASTER_REST_BASE", settings.rest_base)):
        if address:
            yield _server(name, address)


def _port(name: str, listen: Listen) -> Found:
    """Whether a port is free, or Harbormaster itself answers there."""
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(
            listen.host, listen.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with closing(socket.socket(family, kind, protocol)) as door:
            door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as Harbormaster does
            door.bind(place)
            door.listen()
    except OSError as error:
        if _answers(listen):
            return "port", OK, f"{name}: Harbormaster answers at {listen}.", ""
        reason = f"{name}: {listen} can't be listened on: {error.strerror or error}."
        return "port", WRONG, reason, "Stop what uses it, or choose another."
    return "port", OK, f"{name}: {listen} is free.", ""


def _answers(listen: Listen) -> bool:
    """Whether Harbormaster's own page is there."""
    here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(listen.host, listen.host)
    try:
        with closing(HTTPConnection(here, listen.port, timeout=PATIENCE)) as page:
            page.request("GET", "/healthz")
            return page.getresponse().read(100).startswith(b"loop: ")
    except (OSError, HTTPException):
        return False


def _server(name: str, address: str) -> Found:
    parts = urlsplit(address)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        socket.create_connection((parts.hostname or "", port), PATIENCE).close()
    except OSError as error:
        reason = f"{name}: {parts.hostname}:{port} can't be reached: {error.strerror or error}."
        return "server", WRONG, reason, "Start what should answer there, or correct the address."
    return "server", OK, f"{name}: {parts.hostname}:{port} answers.", ""
