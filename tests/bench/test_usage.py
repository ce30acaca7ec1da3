"""What the measurements read of processes that can end at any moment."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bench.scale.usage import children_of, family_cpu, family_memory


@pytest.mark.parametrize("error", [FileNotFoundError, ProcessLookupError])
def test_a_process_that_ends_while_it_is_read_counts_as_nothing(
    monkeypatch: pytest.MonkeyPatch, error: type[OSError]
) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        me, read = Path("/proc/self").resolve().name, Path.read_text

        def gone(path: Path, *values: Any) -> str:
            if f"/proc/{child.pid}/" in str(path):
                raise error
            return read(path, *values)

        assert child.pid in children_of(int(me))
        monkeypatch.setattr(Path, "read_text", gone)
        assert family_cpu(int(me)) > 0
        assert family_memory(int(me)) > 0
        assert children_of(child.pid) == []
        child.communicate(b"\n")
