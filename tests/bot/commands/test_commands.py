"""All commands: help that a newcomer understands, documented exit statuses, and the ways to start them."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

import bot
from bot.cli import main
from bot.commands import COMMANDS, load
from bot.program import version
from tests.bot.old_files import earlier


@pytest.mark.parametrize("name", COMMANDS)
def test_each_commands_help_explains_it_and_its_exit_status(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0
    output = capsys.readouterr().out
    assert f"harbormaster {name}" in output
    assert COMMANDS[name][1] in " ".join(output.split())
    assert load(name).DETAILS in output
    assert "exit status" in output
    assert all(len(line) <= 120 for line in load(name).DETAILS.splitlines())


def test_all_commands_are_listed_in_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    output = capsys.readouterr().out
    assert all(f"    {name} " in output for name in COMMANDS)


@pytest.mark.parametrize(
    "argv",
    [
        [],
        ["sail"],
        ["backup"],
        ["restore"],
        ["run", "--fast"],
        ["arena", "--seats", "easy", "easy", "--games", "0"],
        ["arena", "--seats", "easy", "easy", "--processes", "-1"],
        ["simulate", "--players", "none"],
    ],
)
def test_an_invalid_command_line_exits_with_status_2(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(argv)
    assert ended.value.code == 2
    assert "usage: harbormaster" in capsys.readouterr().err


def test_a_folder_that_cant_be_entered_is_refused_with_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As for another user than the service's; root may do anything."""

    def refused(path: Path) -> bool:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr(Path, "is_dir", refused)
    assert main(["log", "--database", str(tmp_path / "games.db")]) == 2
    assert capsys.readouterr().err == f"harbormaster: {tmp_path / 'games.db'} can't be used: Permission denied.\n"


def test_who_reads_only_the_beginning_ends_a_command_quietly(tmp_path: Path) -> None:
    modules = Path(bot.__file__).parent.parent
    earlier(tmp_path / "games.db")
    command = f"{sys.executable} -u -m bot log --database {tmp_path / 'games.db'} | true"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        env={**os.environ, "PYTHONPATH": str(modules)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (141, "")


def test_only_commands_that_need_discord_load_it() -> None:
    """Nor do others load Pillow, or the driver of PostgreSQL, before they run."""
    program = (
        "import sys; from bot.commands import COMMANDS, load\n"
        "for name in COMMANDS.keys() - {'doctor', 'rehearse'}: load(name)\n"
        "sys.exit(', '.join({'discord', 'PIL', 'asyncpg'} & sys.modules.keys()))"
    )
    modules = Path(bot.__file__).parent.parent
    done = subprocess.run([sys.executable, "-c", program], cwd=modules, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr.strip()) == ("", "")


def test_python_m_bot_is_the_same_command(tmp_path: Path) -> None:
    def asked(*argv: str) -> tuple[int, str, str]:
        modules = Path(bot.__file__).parent.parent  # this folder's, or the compiled ones
        env = {**os.environ, "PYTHONPATH": str(modules)}
        command = [sys.executable, "-m", "bot", *argv]
        done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    assert asked("--version")[:2] == (0, version() + "\n")
    status, output, complaint = asked("run")
    assert (status, output) == (2, "")
    assert complaint.startswith("harbormaster: DISCORD_TOKEN is not set: put it into the environment or into .env, or ")
    assert complaint.endswith("harbormaster play` for an offline table.\n")


def test_without_the_offline_table_one_sentence_says_how_to_install_it(tmp_path: Path) -> None:
    """As if the wheel was installed without its `play` extra, which a bot on Discord doesn't need."""
    env = {k: v for k, v in os.environ.items() if k not in ("DISCORD_TOKEN", "DATABASE_URL")}
    program = "import sys; sys.modules['simcord'] = None; from bot.cli import main; sys.exit(main(['play']))"
    modules = Path(bot.__file__).parent.parent
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**env, "PYTHONPATH": str(modules)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "harbormaster: The offline table is not installed: pip install '.[play]' in a clone of Harbormaster's "
        "repository. To play on Discord, set DISCORD_TOKEN.\n"
    )
    assert list(tmp_path.iterdir()) == []
