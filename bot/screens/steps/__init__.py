"""The kinds of decisions as people see them: a file for each, named like the kind (`engine.terms.StepKind`)."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from bot.screens.steps.step import About, Ping, Presenter
from engine.terms import UNSEEN, StepKind
from engine.views import View

__all__ = ["PRESENTERS", "About", "Ping", "presenter_of"]

PRESENTERS: dict[StepKind, Presenter[Any]] = {
    kind: import_module(f"{__name__}.{kind}").PRESENTER for kind in StepKind if kind not in UNSEEN
}


def presenter_of(view: View) -> Presenter[Any]:
    """The presenter of the present decision."""
    return PRESENTERS[view.step.kind]
