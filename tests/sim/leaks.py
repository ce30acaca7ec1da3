"""Leaks to plant: someone learns what section M of the rules hides from them."""

from __future__ import annotations
