"""Where all games are kept: a SQLite file, or a PostgreSQL database."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

Address = Path | str
"""A file, or the address of a database, which may hold a password."""


def address_in(text: Address) -> Address:
    """An address as a host writes it: postgresql://…, a file's path, or that after "sqlite:"; raises `ValueError`."""
    if isinstance(text, Path):
        return text
    scheme, colon, rest = text.partition(":")
    if scheme in ("postgresql", "postgres"):
        if not rest.startswith("//") or not urlsplit(text).path.strip("/"):
            raise ValueError("must look like postgresql://user:password@host/name")
        return text
    if scheme == "sqlite" and rest:
        return Path(rest[2:] if rest.startswith("//") else rest)
    if colon and rest.startswith("//"):
        raise ValueError("must be a file, or an address that starts with postgresql://")
    return Path(text)


def place_of(address: Address) -> str:
    """The place as a sentence begins with it, without user and password."""
    if isinstance(address, Path):
        return f"The database file {address}"
    parts = urlsplit(address)
    return f"The PostgreSQL database {parts.path.strip('/')} on {parts.hostname or 'this machine'}"
