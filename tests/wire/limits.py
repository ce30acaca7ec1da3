"""Discord's limits on messages, components, modals and choices: 50035 with the path of each fault."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.wire.messages import V2, walk
from tests.wire.model import Json, Refused

ROW, BUTTON, SELECT, INPUT, SECTION, TEXT, THUMBNAIL, GALLERY, FILE, SEPARATOR = (
    1,
    2,
    3,
    4,
    9,
    10,
    11,
    12,
    13,
    14,
)
CONTAINER, LABEL = 17, 18
SELECTS = {3, 5, 6, 7, 8}
CHOICE_INPUTS = {*SELECTS, INPUT, 19, 21, 22, 23}  # what a label of a modal may hold
TOP_V2 = {ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR, CONTAINER}
MAX_FILE, MAX_FILES = 10 * 2**20, 10


class Faults:
    """Collects faults by path; `done` refuses when there are any."""

    def __init__(self) -> None:
        self.tree: Json = {}

    def add(self, path: str, code: str, message: str) -> None:
        """Note a fault at a dotted path."""
        node = self.tree
        for part in path.split("."):
            node = node.setdefault(part, {})
        node.setdefault("_errors", []).append({"code": code, "message": message})

    def length(self, path: str, value: Any, low: int, high: int) -> None:
        """A string (or list) has between `low` and `high` characters (or elements)."""
        size = len(value) if value is not None else 0
        if not low <= size <= high:
            self.add(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length.")

    def done(self) -> None:
        """:raises Refused: when a fault was noted."""
        if self.tree:
            raise Refused(400, 50035, "Invalid Form Body", self.tree)


def check_files(files: list[tuple[str, bytes]]) -> None:
    """At most ten files of ten megabytes."""
    if len(files) > MAX_FILES:
        raise Refused(400, 30015, "Maximum number of attachments in a message reached (10)")
    if any(len(data) > MAX_FILE for _, data in files):
        raise Refused(413, 40005, "Request entity too large")


def check_message(content: str, embeds: list[Json], components: list[Json], flags: int, files: int) -> None:
    """What a message would be after this request, all parts together."""
    faults = Faults()
    faults.length("content", content, 0, 2000)
    faults.length("embeds", embeds, 0, 10)
    for i, embed in enumerate(embeds):
        faults.length(f"embeds.{i}.title", embed.get("title"), 0, 256)
        faults.length(f"embeds.{i}.description", embed.get("description"), 0, 4096)
        faults.length(f"embeds.{i}.fields", embed.get("fields"), 0, 25)
    if flags & V2:
        for key, value in (("content", content), ("embeds", embeds)):
            if value:
                text = "The 'content' and 'embeds' fields cannot be used with MessageFlags.IS_COMPONENTS_V2."
                faults.add(key, "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", text)
        if len(list(walk(components))) > 40:
            faults.add("components", "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", "At most 40 components in total.")
        if sum(len(c["content"]) for c in walk(components) if c["type"] == TEXT) > 4000:
            faults.add("components", "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", "At most 4000 characters of text.")
    else:
        faults.length("components", components, 0, 5)
    check_components(faults, components, TOP_V2 if flags & V2 else {ROW})
    faults.done()
    if not (content or embeds or components or files):
        raise Refused(400, 50006, "Cannot send an empty message")


def check_components(faults: Faults, components: list[Json], allowed: set[int], path: str = "components") -> None:
    """Each component by itself, and that no custom_id occurs twice."""
    for i, component in enumerate(components):
        here, kind = f"{path}.{i}", component.get("type")
        if kind not in allowed:
            text = f"Value of field 'type' must be one of {tuple(sorted(allowed))}."
            faults.add(f"{here}.type", "UNION_TYPE_CHOICES", text)
            continue
        _check_one(faults, here, component)
    if path == "components":
        seen = Counter(c["custom_id"] for c in walk(components) if c.get("custom_id"))
        for custom_id, times in seen.items():
            if times > 1:
                text = f"Component custom id cannot be duplicated: {custom_id}"
                faults.add("components", "COMPONENT_CUSTOM_ID_DUPLICATED", text)


def _check_one(faults: Faults, here: str, c: Json) -> None:
    kind, inner = c["type"], c.get("components", [])
    if kind == ROW:
        kinds = {x.get("type") for x in inner}
        faults.length(f"{here}.components", inner, 1, 5)
        if len(inner) > 1 and kinds != {BUTTON}:
            faults.add(f"{here}.components", "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "A select fills its row.")
        check_components(faults, inner, {BUTTON, *SELECTS}, f"{here}.components")
    elif kind == CONTAINER:
        faults.length(f"{here}.components", inner, 1, 40)
        check_components(faults, inner, TOP_V2 - {CONTAINER}, f"{here}.components")
    elif kind == SECTION:
        faults.length(f"{here}.components", inner, 1, 3)
        check_components(faults, inner, {TEXT}, f"{here}.components")
        check_components(faults, [c.get("accessory") or {}], {BUTTON, THUMBNAIL}, f"{here}.accessory")
    elif kind == TEXT:
        faults.length(f"{here}.content", c.get("content"), 1, 4000)
    elif kind == GALLERY:
        faults.length(f"{here}.items", c.get("items"), 1, 10)
        for i, item in enumerate(c.get("items", [])):
            faults.length(f"{here}.items.{i}.description", item.get("description"), 0, 1024)
    elif kind == BUTTON:
        faults.length(f"{here}.label", c.get("label"), 0, 80)
        if not (c.get("label") or c.get("emoji")):
            faults.add(here, "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED", "A button needs a label or an emoji.")
        if c.get("style") == 5:
            faults.length(f"{here}.url", c.get("url"), 1, 512)
        else:
            faults.length(f"{here}.custom_id", c.get("custom_id"), 1, 100)
    elif kind in SELECTS or kind == INPUT or kind > LABEL:
        _check_input(faults, here, c)


def _check_input(faults: Faults, here: str, c: Json) -> None:
    faults.length(f"{here}.custom_id", c.get("custom_id"), 1, 100)
    if c["type"] == INPUT:
        faults.length(f"{here}.placeholder", c.get("placeholder"), 0, 100)
        faults.length(f"{here}.value", c.get("value"), 0, min(4000, c.get("max_length") or 4000))
        return
    faults.length(f"{here}.placeholder", c.get("placeholder"), 0, 150)
    if c["type"] != SELECT:
        return
    options = c.get("options", [])
    faults.length(f"{here}.options", options, 1, 25)
    for i, option in enumerate(options):
        for key, low in (("label", 1), ("value", 1), ("description", 0)):
            faults.length(f"{here}.options.{i}.{key}", option.get(key), low, 100)
    if len({o.get("value") for o in options}) < len(options):
        faults.add(f"{here}.options", "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", "The option's value is used twice.")
    least, most = c.get("min_values", 1), c.get("max_values", 1)
    if not 0 <= least <= most <= max(len(options), 1):
        faults.add(f"{here}.max_values", "BASE_TYPE_BAD_RANGE", "0 <= min_values <= max_values <= options.")
    if sum(bool(o.get("default")) for o in options) > most:
        faults.add(f"{here}.options", "SELECT_COMPONENT_TOO_MANY_DEFAULTS", "More defaults than max_values.")


def check_modal(data: Json) -> None:
    """A modal: title, one to five rows, labels or texts, each label with one input."""
    faults = Faults()
    faults.length("title", data.get("title"), 1, 45)
    faults.length("custom_id", data.get("custom_id"), 1, 100)
    faults.length("components", data.get("components"), 1, 5)
    for i, top in enumerate(data.get("components", [])):
        here = f"components.{i}"
        if top.get("type") == ROW:
            check_components(faults, top.get("components", []), {INPUT}, f"{here}.components")
            for text_input in top.get("components", []):
                faults.length(f"{here}.components.0.label", text_input.get("label"), 1, 45)
        elif top.get("type") == LABEL:
            faults.length(f"{here}.label", top.get("label"), 1, 45)
            faults.length(f"{here}.description", top.get("description"), 0, 100)
            check_components(faults, [top.get("component") or {}], CHOICE_INPUTS, f"{here}.component")
        elif top.get("type") != TEXT:
            faults.add(f"{here}.type", "UNION_TYPE_CHOICES", "Value of field 'type' must be one of (1, 10, 18).")
    seen = Counter(c["custom_id"] for c in walk(data.get("components", [])) if c.get("custom_id"))
    if any(times > 1 for times in seen.values()):
        faults.add("components", "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated")
    faults.done()


def check_choices(choices: list[Json]) -> None:
    """Answers to an autocomplete: at most 25, names and values of 1 to 100 characters."""
    faults = Faults()
    faults.length("data.choices", choices, 0, 25)
    for i, choice in enumerate(choices):
        faults.length(f"data.choices.{i}.name", choice.get("name"), 1, 100)
        if isinstance(choice.get("value"), str):
            faults.length(f"data.choices.{i}.value", choice["value"], 1, 100)
    faults.done()
