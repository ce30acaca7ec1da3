"""A database's password can contain any character, in `.env` and in an address. No error message repeats it."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from bot.cli import main
from tests.postgres import NewDatabase

ROLE = "harbor"
PASSWORDS = ["plain", "#", "a#b", "12/ab", "a?b", "a@b", "a@b/c#d?e", "a%b", "%", "a:b", "a[b", "[b]", "a+b&c=d", "ü"]


@pytest.fixture(scope="module")
def place(postgres_server: NewDatabase) -> str:
    """A database on a server that asks for no password."""
    return postgres_server(ready=True)


@pytest.fixture(scope="module")
def address(place: str) -> Iterator[str]:
    """Its address with the word PASSWORD where the password goes, now that the server asks for one."""
    name, query = place.split("/", 3)[3].split("?")
    path = Path(asyncio.run(asked(place, "SHOW hba_file")))
    before = path.read_text()
    path.write_text(f"local all {ROLE} scram-sha-256\nhost all {ROLE} all scram-sha-256\n{before}")
    with contextlib.suppress(asyncpg.DuplicateObjectError):
        asyncio.run(asked(place, f"CREATE ROLE {ROLE} LOGIN SUPERUSER"))
    asyncio.run(asked(place, f"ALTER ROLE {ROLE} PASSWORD 'none'; SELECT pg_reload_conf()"))
    yield f"postgresql://{ROLE}:PASSWORD@/{name}?{query}"
    path.write_text(before)
    asyncio.run(asked(place, "SELECT pg_reload_conf()"))


async def asked(place: str, sql: str) -> str:
    connection = await asyncpg.connect(place)
    try:
        return str(await (connection.fetchval(sql) if sql.startswith("SHOW") else connection.execute(sql)))
    finally:
        await connection.close()


@pytest.mark.parametrize("password", PASSWORDS)
def test_any_password_is_accepted(
    address: str,
    place: str,
    empty_house: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    password: str,
) -> None:
    asyncio.run(asked(place, f"ALTER ROLE {ROLE} PASSWORD '{password}'"))
    mine = address.replace("PASSWORD", password)
    (empty_house / ".env").write_text(f"DATABASE_URL={mine}\n", "utf-8")
    assert main(["log"]) == 0, capsys.readouterr().err
    (empty_house / ".env").unlink()
    assert main(["log", "--database", mine]) == 0
    monkeypatch.setenv("PGPASSWORD", password)
    assert main(["log", "--database", address.replace(":PASSWORD", "")]) == 0
    monkeypatch.delenv("PGPASSWORD")
    assert capsys.readouterr().out == "No game has been played yet.\n" * 3


def test_a_percent_encoded_password_is_accepted_too(address: str, place: str) -> None:
    asyncio.run(asked(place, f"ALTER ROLE {ROLE} PASSWORD 'a#b%@/'"))
    assert main(["log", "--database", address.replace("PASSWORD", "a%23b%25%40%2f")]) == 0


@pytest.mark.parametrize("password", PASSWORDS)
def test_a_wrong_password_is_not_repeated_in_the_error(
    address: str, capsys: pytest.CaptureFixture[str], password: str
) -> None:
    assert main(["log", "--database", address.replace("PASSWORD", f"sea{password}sea")]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("harbormaster: The PostgreSQL database games"), output.err
    assert "password authentication failed" in output.err
    assert "sea" not in output.err


@pytest.mark.parametrize(
    "place",
    ["postgresql:secret", "postgresql://secret", "postgresql://ann:secret@host", "postgresql://ann:secret@host/a#b"],
)
def test_an_invalid_address_is_refused_with_one_sentence(
    place: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(os.environ, "DATABASE_URL", place)
    assert main(["log"]) == 2
    assert capsys.readouterr().err == (
        "harbormaster: DATABASE_URL: must look like postgresql://user:password@host/name.\n"
    )
