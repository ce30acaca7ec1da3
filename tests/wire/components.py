"""Discord's limits on the components of messages: what can be inside what, lengths, and what must be unique."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator
from typing import Any

from tests.wire.emoji import is_emoji
from tests.wire.limits import (
    BUTTON,
    CHECKBOX,
    CHECKBOXES,
    CONTAINER,
    FILE,
    GALLERY,
    INPUT,
    RADIOS,
    ROW,
    SECTION,
    SELECT,
    SELECTS,
    TEXT,
    THUMBNAIL,
    TOP_V2,
    UPLOAD,
    Faults,
    check_embeds,
    check_url,
)
from tests.wire.messages import V2, walk
from tests.wire.model import Json, Refused

LINK, PREMIUM = 5, 6  # styles of a button
ONLY = {LINK: {"url"}, PREMIUM: {"sku_id"}}
"""The field that only buttons of this style have."""
LABELLED = {"label", "emoji"}
OPTIONS = {SELECT: (1, 25), RADIOS: (2, 10), CHECKBOXES: (1, 10)}
"""The least and most options that a component can have."""


def check_message(
    content: str, embeds: list[Json], components: list[Json], flags: int, files: int, emoji: Container[str] = ()
) -> None:
    """Check what a message would be after this request, with all parts. `emoji`: ids of those that can be used.

    :raises Refused: with all faults.
    """
    faults = Faults()
    faults.length("content", content, 0, 2000)
    check_embeds(faults, embeds)
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
    check_unique(faults, components)
    check_emoji(faults, components, emoji)
    faults.done()
    if not (content or embeds or components or files):
        raise Refused(400, 50006, "Cannot send an empty message")


def places(components: list[Json], path: str = "components") -> Iterator[tuple[str, Json]]:
    """Every component with its path. Nested ones follow the one that holds them."""
    for i, component in enumerate(components):
        here = f"{path}.{i}"
        yield here, component
        yield from places(component.get("components", []), f"{here}.components")
        for key in ("accessory", "component"):
            if component.get(key):
                yield f"{here}.{key}", component[key]


def check_components(faults: Faults, components: list[Json], allowed: set[int], path: str = "components") -> None:
    """Check each component, and that it can be where it is."""
    for i, component in enumerate(components):
        check_component(faults, f"{path}.{i}", component, allowed)


def check_component(faults: Faults, here: str, component: Json, allowed: set[int]) -> None:
    """Check one component. Its type must be one of `allowed`."""
    if component.get("type") not in allowed:
        text = f"Value of field 'type' must be one of {tuple(sorted(allowed))}."
        faults.add(f"{here}.type", "UNION_TYPE_CHOICES", text)
        return
    _check_one(faults, here, component)


def check_unique(faults: Faults, components: list[Json]) -> None:
    """Check that no `custom_id` and no `id` occurs twice. An `id` of 0 counts as none."""
    for key, code in (("custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED"), ("id", "COMPONENT_ID_DUPLICATED")):
        seen = Counter[Any]()
        for here, component in places(components):
            if value := component.get(key):
                seen[value] += 1
                if seen[value] > 1:
                    faults.add(f"{here}.{key}", code, f"Component {key} cannot be duplicated: {value}")


def check_emoji(faults: Faults, components: list[Json], known: Container[str]) -> None:
    """Check that each emoji is one of Unicode's or has a known id."""
    for here, component in places(components):
        options = [(f"{here}.options.{i}", option) for i, option in enumerate(component.get("options") or [])]
        for path, part in [(here, component), *options]:
            emoji = part.get("emoji")
            if emoji and (str(emoji["id"]) not in known if emoji.get("id") else not is_emoji(emoji.get("name") or "")):
                faults.add(
                    f"{path}.emoji.{'id' if emoji.get('id') else 'name'}", "COMPONENT_INVALID_EMOJI", "Invalid emoji"
                )


def number(components: list[Json]) -> None:
    """Give ids to components that have none, as Discord does: free ones, in order."""
    taken = {c["id"] for c in walk(components) if c.get("id")}
    free = (n for n in range(1, 2**31) if n not in taken)
    for component in walk(components):
        component["id"] = component.get("id") or next(free)


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
        check_component(faults, f"{here}.accessory", c.get("accessory") or {}, {BUTTON, THUMBNAIL})
    elif kind == TEXT:
        faults.length(f"{here}.content", c.get("content"), 1, 4000)
    elif kind == GALLERY:
        faults.length(f"{here}.items", c.get("items"), 1, 10)
        for i, item in enumerate(c.get("items", [])):
            _check_media(faults, f"{here}.items.{i}", item)
    elif kind == THUMBNAIL:
        _check_media(faults, here, c)
    elif kind == FILE:
        check_url(faults, f"{here}.file.url", (c.get("file") or {}).get("url", ""), ("attachment",))
    elif kind == BUTTON:
        _check_button(faults, here, c)
    elif kind in SELECTS or kind in (INPUT, UPLOAD, RADIOS, CHECKBOXES, CHECKBOX):
        check_input(faults, here, c)


def _check_media(faults: Faults, here: str, item: Json) -> None:
    faults.length(f"{here}.description", item.get("description"), 0, 1024)
    check_url(faults, f"{here}.media.url", (item.get("media") or {}).get("url", ""), ("http", "https", "attachment"))


def _check_button(faults: Faults, here: str, c: Json) -> None:
    style, has = c.get("style"), {key for key in ("custom_id", "url", "sku_id", *LABELLED) if c.get(key)}
    own = ONLY.get(style or 0, {"custom_id"})
    faults.length(f"{here}.label", c.get("label"), 0, 80)
    if style not in range(1, PREMIUM + 1):
        faults.add(f"{here}.style", "BASE_TYPE_CHOICES", "Value must be one of (1, 2, 3, 4, 5, 6).")
    if {"custom_id", "url"} <= has:
        text = "A custom id and url cannot both be specified"
        faults.add(f"{here}.custom_id", "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", text)
    for key in own - has:
        faults.add(f"{here}.{key}", "BASE_TYPE_REQUIRED", "This field is required")
    for key in has - own - (set() if style == PREMIUM else LABELLED):
        faults.add(f"{here}.{key}", "BUTTON_COMPONENT_FIELD_NOT_ALLOWED", f"A button of style {style} has no {key}.")
    if style != PREMIUM and not has & LABELLED:
        faults.add(here, "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED", "A button needs a label or an emoji.")
    faults.length(f"{here}.custom_id", c.get("custom_id"), 0, 100)
    if c.get("url"):
        faults.length(f"{here}.url", c["url"], 1, 512)
        check_url(faults, f"{here}.url", c["url"], ("http", "https", "discord"))


def check_input(faults: Faults, here: str, c: Json) -> None:
    """Check a component in which people enter or choose something, in a message or in a modal."""
    faults.length(f"{here}.custom_id", c.get("custom_id"), 1, 100)
    if c["type"] == INPUT:
        least, most = c.get("min_length") or 0, c.get("max_length") or 4000
        faults.length(f"{here}.placeholder", c.get("placeholder"), 0, 100)
        faults.length(f"{here}.value", c.get("value"), 0, min(4000, most))
        if not 0 <= least <= most <= 4000:
            faults.add(f"{here}.max_length", "BASE_TYPE_BAD_RANGE", "0 <= min_length <= max_length <= 4000.")
        return
    faults.length(f"{here}.placeholder", c.get("placeholder"), 0, 150)
    options = c.get("options") or []
    if c["type"] in OPTIONS:
        faults.length(f"{here}.options", options, *OPTIONS[c["type"]])
    for i, option in enumerate(options):
        for key, low in (("label", 1), ("value", 1), ("description", 0)):
            faults.length(f"{here}.options.{i}.{key}", option.get(key), low, 100)
    if len({o.get("value") for o in options}) < len(options):
        faults.add(f"{here}.options", "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", "The option's value is used twice.")
    least, most = bounds(c)
    if c["type"] != CHECKBOX and not 0 <= least <= most <= _most(c):
        faults.add(f"{here}.max_values", "BASE_TYPE_BAD_RANGE", "0 <= min_values <= max_values <= options.")
    if sum(bool(o.get("default")) for o in options) > most or len(c.get("default_values") or []) > most:
        faults.add(f"{here}.options", "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES", "More defaults than max_values.")


def bounds(c: Json) -> tuple[int, int]:
    """The least and most values to choose in a select, radio group, checkbox group or upload."""
    default = len(c.get("options") or []) if c["type"] == CHECKBOXES else 1
    least, most = c.get("min_values"), c.get("max_values")
    return (1 if least is None else least), (default if most is None else most)


def _most(c: Json) -> int:
    """The highest possible `max_values`."""
    return max(len(c.get("options") or []), 1) if c["type"] in OPTIONS else 10 if c["type"] == UPLOAD else 25
