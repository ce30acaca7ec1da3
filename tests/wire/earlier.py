"""How to run an earlier version of the program next to this one."""

from __future__ import annotations

STEPS = "bot/store/sql/migrations"
ELSEWHERE = "import os, sys; os.chdir(sys.argv[1]); os.execv(sys.executable, [sys.executable, *sys.argv[2:]])"
"""Program that becomes Python in another folder."""
