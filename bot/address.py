"""Where all games are kept: a SQLite file, or a PostgreSQL database."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote, urlsplit

StoreAddress = Path | str
"""A file, or the address of a database, which can contain a password."""

_SERVER = re.compile(
    r"(?P<scheme>postgres(?:ql)?://)(?:(?P<user>[^:]*?)(?::(?P<password>.*))?@)?(?P<rest>[^@/?#]*/[^@/?#]+(?:\?.*)?)"
)
_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")


def address_in(text: StoreAddress) -> StoreAddress:
    """Read an address as a host writes it: postgresql://…, a file's path, or "sqlite:" and a path; raises `ValueError`.

    A password can contain any character. Characters that an address can't contain are encoded if they weren't already.
    """
    if isinstance(text, Path):
        return text
    scheme, colon, rest = text.partition(":")
    if scheme in ("postgresql", "postgres"):
        parts = _SERVER.fullmatch(text)
        if parts is None:
            raise ValueError("must look like postgresql://user:password@host/name")
        login = ":".join(_encoded(part) for part in (parts["user"], parts["password"]) if part is not None)
        address = parts["scheme"] + (f"{login}@" if login else "") + parts["rest"]
        try:
            urlsplit(address)
        except ValueError:  # for example, a bracket of an IPv6 address is missing
            raise ValueError("must look like postgresql://user:password@host/name") from None
        return address
    if scheme == "sqlite":
        if not rest.lstrip("/"):
            raise ValueError("must name a file")
        return Path(rest[2:] if rest.startswith("//") else rest)
    if colon and rest.startswith("//"):
        raise ValueError("must be a file, or an address that starts with postgresql://")
    return Path(text)


def _encoded(text: str) -> str:
    return quote(_PERCENT.sub("%25", text), safe="%")


def place_of(address: StoreAddress) -> str:
    """Name the place, to begin a sentence with; without user and password."""
    if isinstance(address, Path):
        return f"The database file {address}"
    parts = urlsplit(address)
    return f"The PostgreSQL database {parts.path.strip('/')} on {parts.hostname or 'this machine'}"
