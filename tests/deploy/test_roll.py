"""`deploy/roll.sh`: bots get a new image one by one. It stops at the first that doesn't become ready."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.house import ROOT

DOCKER = """
import json, sys
place = __file__.removesuffix("docker") + "state.json"
state = json.load(open(place))
words = sys.argv[1:]
if words[:3] == ["compose", "-f", "compose.many.yaml"]:
    words = words[3:]
    if words == ["build", "bot"]:
        state["image"] += 1
    elif words == ["ps", "--all", "--quiet", "bot"]:
        print(*state["bots"], sep="\\n")
    elif words == ["up", "--detach", "--no-deps", "--no-recreate", "bot"]:
        while len(state["bots"]) < state["replicas"]:
            state["made"] += 1
            state["bots"][f"{state['made']:012x}"] = [state["image"], "running", 0]
    else:
        sys.exit(f"what is {words}?")
elif words[0] == "stop":
    state["bots"][words[1]][1] = "stopped"
elif words[0] == "rm":
    assert state["bots"].pop(words[1])[1] == "stopped"
elif words[0] == "exec" and words[2:] == ["python", "/healthcheck.py", "/readyz"]:
    bot = state["bots"][words[1]]
    bot[2] += 1
    if bot[2] < state["ready after"]:
        json.dump(state, open(place, "w"))
        sys.exit(1)
else:
    sys.exit(f"what is {words}?")
running = [bot for bot in state["bots"].values() if bot[1] == "running"]
ready = [bot for bot in running if bot[0] == 1 or bot[2] >= state["ready after"]]
state["fewest ready"] = min(state["fewest ready"], len(ready))
json.dump(state, open(place, "w"))
"""
"""Answers all that the script asks of Docker. A bot has an image, a state, and how often it was asked "ready?"."""


TRIES = "tries=60"


def rolled(folder: Path, ready_after: int) -> tuple[int, dict[str, Any]]:
    """Exit status of the script, and the state after it. Before, three bots with an older image ran. The script asks
    only five times whether a new one is ready."""
    (folder / "deploy").mkdir()
    program = (ROOT / "deploy/roll.sh").read_text()
    assert TRIES in program
    (folder / "deploy/roll.sh").write_text(program.replace(TRIES, "tries=5"))
    for name, program in (("docker", f"#!{sys.executable} -IS\n{DOCKER}"), ("sleep", "#!/bin/sh\n")):
        (folder / name).write_text(program)
        (folder / name).chmod(0o755)
    bots = {f"{number:012x}": [1, "running", 0] for number in range(1, 4)}
    state = {"bots": bots, "replicas": 3, "made": 3, "image": 1, "ready after": ready_after, "fewest ready": 3}
    (folder / "state.json").write_text(json.dumps(state))
    env = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["sh", folder / "deploy/roll.sh"], env=env, cwd=folder, capture_output=True, text=True, check=False
    )
    assert ("A new process isn't ready" in done.stderr) == (done.returncode != 0), done.stderr
    return done.returncode, json.loads((folder / "state.json").read_text())


@pytest.mark.parametrize("ready_after", [1, 3])
def test_processes_are_replaced_one_by_one(tmp_path: Path, ready_after: int) -> None:
    status, state = rolled(tmp_path, ready_after)
    assert status == 0
    assert [bot[0] for bot in state["bots"].values()] == [2, 2, 2]
    assert state["fewest ready"] == 2


def test_rolling_stops_at_a_process_that_doesnt_become_ready(tmp_path: Path) -> None:
    status, state = rolled(tmp_path, 1000)
    assert status == 1
    assert sorted(bot[0] for bot in state["bots"].values()) == [1, 1, 2]
