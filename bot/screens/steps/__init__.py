"""The kinds of decisions as people see them, in a file for each subject: its `PRESENTERS`, by kind."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from bot.screens.steps.step import About, Ping, Presenter
from engine.terms import UNSEEN, StepKind
from engine.views import View

__all__ = ["PRESENTERS", "About", "Ping", "presenter_of"]

_FILES = [import_module(f"{__name__}.{file.name}") for file in iter_modules(__path__)]
_FOUND: dict[StepKind, Presenter[Any]] = {
    kind: presenter for file in _FILES for kind, presenter in getattr(file, "PRESENTERS", {}).items()
}
PRESENTERS = {kind: _FOUND[kind] for kind in StepKind if kind not in UNSEEN}


def presenter_of(view: View) -> Presenter[Any]:
    """The presenter of the present decision."""
    return PRESENTERS[view.step.kind]
