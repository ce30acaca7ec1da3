"""The kinds of decisions as people meet them: one file each, named as its kind (`engine.terms.StepKind`)."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from bot.screens.steps.step import Ping, Presenter
from engine.terms import UNSEEN, StepKind
from engine.views import View

__all__ = ["PRESENTERS", "Ping", "presenter_of"]

PRESENTERS: dict[StepKind, Presenter[Any]] = {
    kind: import_module(f"{__name__}.{kind}").PRESENTER for kind in StepKind if kind not in UNSEEN
}


def presenter_of(view: View) -> Presenter[Any]:
    """How the present decision is shown."""
    return PRESENTERS[view.step.kind]
