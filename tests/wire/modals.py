"""Discord's limits on modals."""

from __future__ import annotations

from collections.abc import Container

from tests.wire.components import check_component, check_emoji, check_unique
from tests.wire.limits import CHECKBOX, CHOICE_INPUTS, INPUT, LABEL, ROW, TEXT, Faults
from tests.wire.model import Json


def check_modal(data: Json, emoji: Container[str] = ()) -> None:
    """Check a modal: its title, and one to five rows, labels or texts. A row or label has one input.

    :raises Refused: with all faults.
    """
    faults, components = Faults(), data.get("components") or []
    faults.length("title", data.get("title"), 1, 45)
    faults.length("custom_id", data.get("custom_id"), 1, 100)
    faults.length("components", components, 1, 5)
    for i, top in enumerate(components):
        here = f"components.{i}"
        if top.get("type") == ROW:
            faults.length(f"{here}.components", top.get("components"), 1, 1)
            for text_input in top.get("components", []):
                check_component(faults, f"{here}.components.0", text_input, {INPUT})
                faults.length(f"{here}.components.0.label", text_input.get("label"), 1, 45)
        elif top.get("type") == LABEL:
            faults.length(f"{here}.label", top.get("label"), 1, 45)
            faults.length(f"{here}.description", top.get("description"), 0, 100)
            check_component(faults, f"{here}.component", top.get("component") or {}, CHOICE_INPUTS)
            _check_choice(faults, f"{here}.component", top.get("component") or {})
        else:
            check_component(faults, here, top, {ROW, TEXT, LABEL})
    check_unique(faults, components)
    check_emoji(faults, components, emoji)
    faults.done()


def _check_choice(faults: Faults, here: str, c: Json) -> None:
    """Check what applies to an input in a modal, but not to one in a message."""
    if c.get("disabled"):
        faults.add(f"{here}.disabled", "COMPONENT_DISABLED_IN_MODAL", "Components of a modal can't be disabled.")
    if c.get("min_values") == 0 and c.get("required") in (None, True) and c.get("type") != CHECKBOX:
        text = "min_values must be at least 1 where the component is required."
        faults.add(f"{here}.min_values", "BASE_TYPE_BAD_RANGE", text)
