"""Shortcuts for messages and modals that a bot sends."""

from __future__ import annotations

from typing import Any

from tests.wire.messages import V2
from tests.wire.model import Json


def layout(*components: Json) -> Json:
    """A V2 message."""
    return {"flags": V2, "components": list(components)}


def modal(kind: int, **more: Any) -> Json:
    """A modal with one input. `options`: their names."""
    options = [{"label": name, "value": name} for name in more.pop("options", ())]
    inner = {"type": kind, "custom_id": "x", **({"options": options} if options else {}), **more}
    return {"title": "Title", "custom_id": "m", "components": [{"type": 18, "label": "Label", "component": inner}]}
