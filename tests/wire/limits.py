"""Discord's limits on embeds, files and choices, and how it reports faults: 50035 with the path of each."""

from __future__ import annotations

from typing import Any

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
CONTAINER, LABEL, UPLOAD, RADIOS, CHECKBOXES, CHECKBOX = 17, 18, 19, 21, 22, 23
SELECTS = {3, 5, 6, 7, 8}
CHOICE_INPUTS = {*SELECTS, INPUT, UPLOAD, RADIOS, CHECKBOXES, CHECKBOX}  # what a label of a modal can hold
TOP_V2 = {ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR, CONTAINER}
MAX_FILE, MAX_FILES, MAX_REQUEST = 10 * 2**20, 10, 25 * 2**20


class Faults:
    """Collects faults by path. `done` refuses if there are any."""

    def __init__(self) -> None:
        self.tree: Json = {}

    def add(self, path: str, code: str, message: str) -> None:
        """Note a fault at a dotted path."""
        node = self.tree
        for part in path.split("."):
            node = node.setdefault(part, {})
        node.setdefault("_errors", []).append({"code": code, "message": message})

    def length(self, path: str, value: Any, low: int, high: int) -> None:
        """Check that a string (or list) has between `low` and `high` characters (or elements)."""
        size = len(value) if value is not None else 0
        if not low <= size <= high:
            self.add(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length.")

    def done(self) -> None:
        """:raises Refused: if there is a fault."""
        if self.tree:
            raise Refused(400, 50035, "Invalid Form Body", self.tree)


def check_files(files: list[tuple[str, bytes]], kept: int = 0, each: int = MAX_FILE) -> None:
    """Check the sizes of new files: at most ten, including the `kept` ones, of `each` bytes, and 25 MB in one request.

    :raises Refused: if there are more.
    """
    if len(files) + kept > MAX_FILES:
        raise Refused(400, 30015, "Maximum number of attachments in a message reached (10)")
    sizes = [len(data) for _, data in files]
    if any(size > each for size in sizes) or sum(sizes) > MAX_REQUEST:
        raise Refused(413, 40005, "Request entity too large")


def check_url(faults: Faults, path: str, url: str, schemes: tuple[str, ...]) -> None:
    """Check that a link has one of these schemes."""
    if (scheme := url.partition(":")[0].lower()) not in schemes:
        text = f'Scheme "{scheme}" is not supported. Scheme must be one of {schemes}.'
        faults.add(path, "URL_TYPE_INVALID_SCHEME", text)


def check_embeds(faults: Faults, embeds: list[Json]) -> None:
    """Check embeds: at most ten, with 6000 characters in all."""
    faults.length("embeds", embeds, 0, 10)
    size = 0
    for i, embed in enumerate(embeds):
        here, fields = f"embeds.{i}", embed.get("fields") or []
        faults.length(f"{here}.title", embed.get("title"), 0, 256)
        faults.length(f"{here}.description", embed.get("description"), 0, 4096)
        faults.length(f"{here}.fields", fields, 0, 25)
        for n, field in enumerate(fields):
            faults.length(f"{here}.fields.{n}.name", field.get("name"), 1, 256)
            faults.length(f"{here}.fields.{n}.value", field.get("value"), 1, 1024)
        if embed.get("url"):
            check_url(faults, f"{here}.url", embed["url"], ("http", "https"))
        parts = [embed.get("title"), embed.get("description"), *(f.get(k) for f in fields for k in ("name", "value"))]
        size += sum(len(part) for part in parts if part)
    if size > 6000:
        faults.add("embeds", "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of 6000")


def check_choices(choices: list[Json]) -> None:
    """Check the answer to an autocomplete: at most 25 choices, with names and values of 1 to 100 characters."""
    faults = Faults()
    faults.length("choices", choices, 0, 25)
    for i, choice in enumerate(choices):
        faults.length(f"choices.{i}.name", choice.get("name"), 1, 100)
        if isinstance(choice.get("value"), str):
            faults.length(f"choices.{i}.value", choice["value"], 1, 100)
    faults.done()
