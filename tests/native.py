"""What can't be tested of native modules, which `make test-compiled` runs with."""

from __future__ import annotations

import pytest

from bot import program

interpreted = pytest.mark.skipif("compiled" in program.version(), reason="native code can't be looked into")
