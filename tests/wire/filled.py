"""How a client submits what a person has filled in: the inputs of a modal, and the values of selects."""

from __future__ import annotations

from typing import Any

from tests.wire.commands import resolve_user
from tests.wire.components import bounds
from tests.wire.limits import CHECKBOX, CHECKBOXES, INPUT, LABEL, RADIOS, ROW, SELECT, TEXT
from tests.wire.messages import walk
from tests.wire.model import Json, User

CHOICES = (SELECT, RADIOS, CHECKBOXES)


def check_values(component: Json, values: list[Any]) -> None:
    """:raises ValueError: if a client doesn't let people choose these values."""
    least, most = bounds(component)
    if not least <= len(values) <= most:
        raise ValueError(f"{component['custom_id']} takes {least} to {most} values, not {len(values)}")
    if component["type"] in CHOICES:
        offered = [o["value"] for o in component["options"]]
        if strange := [v for v in values if v not in offered]:
            raise ValueError(f"{component['custom_id']} has no {strange}; there are {offered}")


def row(top: Json, fields: dict[str, Any], resolved: Json) -> Json:
    """One top-level component of a submitted modal. Removes its value from `fields`.

    :raises ValueError: if a client wouldn't send it.
    """
    head = {"type": top["type"], "id": top.get("id", 0)}
    if top["type"] == TEXT:
        return head
    inputs = [c for c in walk([top]) if "custom_id" in c]
    done = [_input(c, top.get("label") or c.get("label", ""), fields, resolved) for c in inputs]
    if top["type"] == LABEL:
        return {**head, "component": done[0]}
    assert top["type"] == ROW
    return {**head, "components": done}


def _input(component: Json, label: str, fields: dict[str, Any], resolved: Json) -> Json:
    kind, custom_id = component["type"], component["custom_id"]
    head = {"type": kind, "id": component.get("id", 0), "custom_id": custom_id}
    given = fields.pop(custom_id) if custom_id in fields else fields.pop(label, None)
    required = component.get("required") is not False
    if kind == INPUT:
        text = component.get("value") or "" if given is None else given
        low, high = component.get("min_length") or (1 if required else 0), component.get("max_length") or 4000
        if (text or required) and not low <= len(text) <= high:
            raise ValueError(f"{label}: {text!r} must have {low} to {high} characters")
        return {**head, "value": text}
    if kind == CHECKBOX:
        if given not in (None, True, False):
            raise ValueError(f"{label}: {given!r} is neither checked nor not")
        return {**head, "value": bool(component.get("default")) if given is None else given}
    chosen = [o["value"] for o in component.get("options") or [] if o.get("default")]
    if given is not None:
        chosen = [given] if kind == RADIOS else given
    if chosen or required:
        check_values(component, chosen)
    if kind == RADIOS:
        return {**head, "value": chosen[0] if chosen else None}
    for user in (v for v in chosen if isinstance(v, User)):
        resolve_user(user, resolved)
    return {**head, "values": [str(v.id) if isinstance(v, User) else v for v in chosen]}
