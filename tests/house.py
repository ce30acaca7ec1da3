"""The repository's files: those under version control, and the Markdown pages among them."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

FENCE = re.compile(r"^ *```.*?^ *```", re.DOTALL | re.MULTILINE)


def tracked() -> list[Path]:
    """Files under version control that exist in the working tree."""
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True)
    return [path for name in listing.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def titles(page: str) -> list[str]:
    """The headings of a Markdown page."""
    return re.findall(r"^#+ +(.+?) *$", FENCE.sub("", page), re.MULTILINE)


def anchors(page: str) -> set[str]:
    """What a link into a Markdown page can name: anchors in the text, and headings as the code host spells them."""
    found = set(re.findall(r'<a id="([^"]+)"></a>', page))
    seen = Counter[str]()
    for title in titles(page):
        slug = re.sub(r"[^\w -]", "", title.casefold()).replace(" ", "-")
        found.add(f"{slug}-{seen[slug]}" if seen[slug] else slug)
        seen[slug] += 1
    return found


@cache
def page(path: Path) -> str:
    """The text of a file."""
    return path.read_text("utf-8")
