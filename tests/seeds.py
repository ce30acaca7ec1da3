"""Values of a parametrized test of which the usual run takes only some."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def few_of(values: Iterable[Any], few: int = 1) -> list[Any]:
    """The first `few` values always, the others in the long run (`make soak`): they only repeat."""
    return [pytest.param(value, marks=[pytest.mark.soak] * (n >= few)) for n, value in enumerate(values)]
