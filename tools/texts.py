"""Collects all messages of the source in `bot/locale/harbormaster.pot`, and brings each language's file up to date with
it: `python tools/texts.py [NEW]` (`make texts`). NEW: the code of a language to begin, such as nl or pt_BR.

What has changed in English is marked as fuzzy: English is shown until someone has looked at it again.
"""

from __future__ import annotations

import contextlib
import re
import sys
from io import StringIO
from pathlib import Path
from typing import Any

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parent.parent
LOCALE = ROOT / "bot" / "locale"
TEMPLATE = LOCALE / "harbormaster.pot"
ROOMS = ("bot", "engine")
KEYWORDS: dict[str, Any] = {
    **dict.fromkeys(("_", "N_"), (1,)),
    **dict.fromkeys(("n_", "NN_"), (1, 2)),
    **dict.fromkeys(("p_", "P_"), ((1, "c"), 2)),
    "refusal": {None: (2,), 3: (2, 3), 4: (2, 3)},
    "config_refusal": (2,),
}
"""Which arguments of which functions are messages ("c": what a message is about). A trailing comma counts as an
argument."""
COMMENT = "Translators:"
"""Begins a comment in the source that is for translators."""
HEADER = "# The messages of Harbormaster.\n# How to translate them: docs/translating.md\n"


def collected() -> Catalog:
    """All messages of the source."""
    catalog = _empty()
    with contextlib.redirect_stderr(StringIO()):  # Babel warns of f-strings among the values of a message
        for room in ROOMS:
            for file, _line, message, comments, context in extract_from_dir(
                ROOT / room, [("**.py", "python")], keywords=KEYWORDS, comment_tags=[COMMENT], strip_comment_tags=True
            ):
                catalog.add(message, None, [(f"{room}/{file}", 0)], auto_comments=comments, context=context)
    return catalog


def _empty(language: str | None = None) -> Catalog:
    """A catalog without messages; Babel's own header has lines to fill in by hand."""
    catalog = Catalog(language, project="Harbormaster", version=" ", fuzzy=False, header_comment=HEADER)
    catalog.msgid_bugs_address = catalog.last_translator = catalog.language_team = ""
    return catalog


def read(path: Path) -> Catalog:
    """A file of messages; its language is in its name."""
    with path.open("rb") as file:
        catalog = read_po(file, locale=path.stem if path != TEMPLATE else None)
    for message in catalog:  # Babel takes what was said before for a comment
        message.user_comments = [line for line in message.user_comments if not line.startswith("|")]
    return catalog


def write(path: Path, catalog: Catalog) -> None:
    """Write a file of messages. Lines of the source aren't named: they change with every edit."""
    for message in catalog:
        message.locations = list(dict.fromkeys((file, 0) for file, _line in message.locations))
    with path.open("wb") as file:
        write_po(file, catalog, sort_by_file=True, include_lineno=False)


def main(new: list[str]) -> None:
    """Write the template and all languages."""
    template = collected()
    if not TEMPLATE.exists() or content(read(TEMPLATE)) != content(template):
        write(TEMPLATE, template)
    for path in {*LOCALE.glob("*.po"), *(LOCALE / f"{code}.po" for code in new)}:
        catalog = read(path) if path.exists() else _empty(path.stem)
        catalog.update(template, update_header_comment=True, update_creation_date=False)
        write(path, catalog)


def content(catalog: Catalog) -> list[object]:
    """What a catalog says of each message, apart from its translation."""
    said = [(m.id, m.context, sorted({file for file, _line in m.locations}), m.auto_comments) for m in catalog if m.id]
    return sorted(said, key=repr)


if __name__ == "__main__":
    if any(not re.fullmatch(r"[a-z]{2,3}(_[A-Za-z]+)*", code) for code in sys.argv[1:]):
        raise SystemExit(f"usage: {Path(sys.argv[0]).name} [NEW], such as nl or pt_BR")
    main(sys.argv[1:])
