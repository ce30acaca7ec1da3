"""Where all games are kept: a SQLite file, or a PostgreSQL database."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote, urlsplit

StoreAddress = Path | str
"""A file, or the address of a database, which may hold a password."""

_SERVER = re.compile(
    r"(?P<scheme>postgres(?:ql)?://)(?:(?P<user>[^:]*?)(?::(?P<password>.*))?@)?(?P<rest>[^@/?#]*/[^@/?#]+(?:\?.*)?)"
)
_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")


def address_in(text: StoreAddress) -> StoreAddress:
    """An address as a host writes it: postgresql://…, a file's path, or that after "sqlite:"; raises `ValueError`.

    A password may hold anything; what an address can't hold is encoded, if it wasn't written like that.
    """
    if isinstance(text, Path):
        return text
    scheme, colon, rest = text.partition(":")
    if scheme in ("postgresql", "postgres"):
        parts = _SERVER.fullmatch(text)
        if parts is None:
            raise ValueError("must look like postgresql://user:password@host/name")
        who = ":".join(_encoded(part) for part in (parts["user"], parts["password"]) if part is not None)
        return parts["scheme"] + (f"{who}@" if who else "") + parts["rest"]
    if scheme == "sqlite" and rest:
        return Path(rest[2:] if rest.startswith("//") else rest)
    if colon and rest.startswith("//"):
        raise ValueError("must be a file, or an address that starts with postgresql://")
    return Path(text)


def _encoded(text: str) -> str:
    return quote(_PERCENT.sub("%25", text), safe="%")


def place_of(address: StoreAddress) -> str:
    """The place as a sentence begins with it, without user and password."""
    if isinstance(address, Path):
        return f"The database file {address}"
    parts = urlsplit(address)
    return f"The PostgreSQL database {parts.path.strip('/')} on {parts.hostname or 'this machine'}"
