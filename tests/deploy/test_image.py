"""The steps of the Dockerfile, done in an empty folder. The result runs, stops, and changes nothing but its data.

No container is made. The Python of these tests stands for the base image's, and users and mounts are those of this
machine.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.dockerfile import Image
from tests.house import ROOT
from tests.wire.process import BotProcess
from tests.wire.server import WireServer

pytestmark = pytest.mark.soak


def python() -> tuple[str, bool]:
    """A Python that stands for the base image's, and whether this process can run it as another user."""
    common = shutil.which("python3", path=os.defpath)
    if os.geteuid() == 0 and common and shutil.which("setpriv"):
        tried = [common, "-c", "import ensurepip, sys; sys.exit(sys.version_info < (3, 11))"]
        if subprocess.run(tried, check=False).returncode == 0:
            return common, True
    return sys.executable, False


@pytest.fixture(scope="module")
def image() -> Iterator[Image]:
    """The built image, in a folder that everyone can look into."""
    root = Path(tempfile.mkdtemp(prefix="harbormaster-image-"))
    root.chmod(0o755)
    built = Image(root, ROOT, python()[0])
    try:
        built.build()
        yield built
    finally:
        shutil.rmtree(root)


def as_user(image: Image) -> list[str]:
    """The beginning of a command that runs as the image's user without privileges; empty if that isn't possible."""
    drop = ["setpriv", f"--reuid={image.user}", f"--regid={image.user}", "--clear-groups", "--no-new-privs"]
    return [*drop, "--bounding-set=-all", "--inh-caps=-all"] if python()[1] else []


def inside(image: Image, *argv: str) -> subprocess.CompletedProcess[str]:
    """Run a command as in the container: with its environment, user and folder."""
    command = [*as_user(image), *argv]
    return subprocess.run(command, cwd=image.at("/data"), env=image.env, capture_output=True, text=True, check=False)


def files(image: Image) -> set[tuple[Path, int]]:
    """All files outside of the data on a container's file system, with the times when they were last written."""
    data = image.at("/data")
    paths = [path for path in image.root.rglob("*") if path != data and data not in path.parents]
    return {(path, path.lstat().st_mtime_ns) for path in paths}


def test_the_image_has_what_harbormaster_needs_and_no_tools(image: Image) -> None:
    def imports(module: str) -> bool:
        return inside(image, "python", "-c", f"import {module}").returncode == 0

    done = inside(image, *image.entrypoint, "--version")
    assert (done.returncode, done.stdout) == (0, "harbormaster 0.3.0 (compiled)\n")
    assert all(map(imports, ("sentry_sdk", "prometheus_client", "asyncpg")))
    assert not any(map(imports, ("pip", "setuptools", "mypy", "mypyc", "pytest", "simcord")))


def test_without_settings_it_says_what_is_missing_and_is_not_restarted(image: Image) -> None:
    command, settings = [*as_user(image), *image.entrypoint, *image.command], {**image.env, "HARBORMASTER_HTTP": "9"}
    with subprocess.Popen(command, cwd=image.at("/data"), env=settings, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            assert process.stderr.readline().startswith("harbormaster: DISCORD_TOKEN is not set")
            assert "isn't tried again" in process.stderr.readline()
            assert subprocess.run([*as_user(image), *image.check], env=settings, check=False).returncode != 0
        finally:
            process.terminate()
    assert process.returncode == 2


def test_harbormaster_runs_writes_only_its_data_and_stops(image: Image, tmp_path: Path) -> None:
    async def serve() -> int:
        async with WireServer() as server:
            argv = [*as_user(image), *image.entrypoint, *image.command]
            bot = BotProcess(server, argv, tmp_path / "log")
            bot.env = {**image.env, "DISCORD_TOKEN": server.token}
            await bot.start()
            for asked in (image.check, [*image.entrypoint, "backup", str(image.at("/data/copy.db"))]):
                done = await asyncio.to_thread(inside, image, *asked)
                assert done.returncode == 0, done.stderr
            return await bot.stop(15.0)

    before = files(image)
    assert asyncio.run(serve()) == 0
    assert files(image) == before
    for database in (Path(image.env["HARBORMASTER_DATABASE"]), image.at("/data/copy.db")):
        assert database.stat().st_mode & 0o077 == 0
        assert database.stat().st_uid == (image.user if as_user(image) else os.geteuid())
