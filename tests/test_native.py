"""mypyc accepts the modules that a bot on Discord runs as native code. This is tested without a C compiler, which
isn't needed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROGRAM = """
import gc, os, sys
gc.disable()  # it takes as long as all the rest to look for garbage and to take the trees down
from mypyc.build import mypycify
from setup import native
assert len(mypycify(native(), target_dir=sys.argv[1])) > 50
os._exit(0)
"""


def test_mypyc_accepts_all_native_modules(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PROGRAM, str(tmp_path)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
