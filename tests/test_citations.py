"""Every citation has its target: rules of docs/rules.md, headings of docs/architecture.md, documents and their
anchors.

Rules are cited by their numbers: in parentheses, as a range, or in a sentence. A place on the board looks like a
rule, so in prose it stands in quotes or backticks. Titles of tests cite too: `test_D4_...`.
"""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path, PurePosixPath

import pytest

from docs import reliability
from engine.scenarios import SCENARIOS
from engine.variants import VARIANTS
from tests.house import FENCE, ROOT, anchors, page, titles, tracked

RULES, ARCHITECTURE = "docs/rules.md", "docs/architecture.md"

RULE = re.compile(r"(?<![\w.])([A-Z])(\d{1,2})(?![\w]|\.\d)")
RANGE = re.compile(r"(?<![\w.])([A-Z])(\d{1,2})(?:-|–| to )([A-Z])(\d{1,2})(?!\w)")
NAMED = re.compile(r"\b[Rr]ules? ([A-Z])(\d{1,2})\b")
SECTIONS = re.compile(r"\b[Ss]ections?\s+([A-Z](?:(?:, and |, | and | or |-)[A-Z])*)(?![\w'’])")
LIST = re.compile(r"(?<!\w)\(([^()]*)\)")
LETTERS = re.compile(r"\([A-Z](?:[,;]\s*[A-Z])*\)")
TITLE = re.compile(r"\bdef test((?:_(?:and_)?[A-Za-z]\d{1,2}(?![^_(]))+)")
DESIGN = re.compile(r"\bDESIGN(?:\.md)?\s+\d\w*")
HEADING = re.compile(r"\(architecture:\s+([^()]+)\)")
DOCUMENT = re.compile(r"(?<![\w/.-])((?:[\w.-]+/)*[\w.-]+\.md)(?:#([\w-]+))?(?![\w/])")
LINK = re.compile(r"\]\(([^)\s:]+)\)")
QUOTED = re.compile(r'`[^`\n]*`|"[^"\n]*"|“[^”\n]*”')
PLACES = re.compile(r"\b[A-Z]\d{1,2}, [a-z]\d{1,2}\b")
"""An intersection and an edge next to it."""
ANCHOR = re.compile(r'<a id="([a-z])(\d*)"></a>')


@dataclass
class Book:
    """What can be cited: the rule numbers of each section, and the headings of the architecture (None: no such
    page)."""

    rules: dict[str, list[int]] = field(default_factory=dict)
    headings: set[str] | None = None

    @classmethod
    def of(cls, rules: str, architecture: str | None = None) -> Book:
        book = cls(headings=None if architecture is None else {fold(title) for title in titles(architecture)})
        for section, number in ANCHOR.findall(rules):
            numbers = book.rules.setdefault(section.upper(), [])
            if number:
                numbers.append(int(number))
        return book


@dataclass
class Fault:
    """A citation without a target."""

    offset: int
    text: str


def fold(title: str) -> str:
    return " ".join(title.replace("`", "").casefold().split())


def blank(pattern: re.Pattern[str], text: str) -> str:
    """The text with spaces in place of each match, so that offsets stay the same."""
    return pattern.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def _cites(text: str) -> bool:
    """Whether there can be a citation in a text."""
    if ".md" in text or "architecture:" in text:
        return True
    return any(sign.search(text) for sign in (RULE, LETTERS, SECTIONS, DESIGN))


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    """All statements in a piece of a program: no others can be docstrings."""
    for name in ("body", "handlers", "orelse", "finalbody", "cases"):
        for one in getattr(node, name, ()) if not isinstance(node, ast.expr) else ():
            if isinstance(one, ast.stmt):
                yield one
            yield from _statements(one)


def prose(name: str, text: str) -> Iterator[tuple[int, str]]:
    """Lines and texts of what people read in a file: comments, docstrings, and Markdown without its blocks of code."""
    suffix = PurePosixPath(name).suffix
    if suffix == ".py":
        if _cites("\n".join(re.findall("#.*", text))):  # reading the tokens takes long
            for token in tokenize.generate_tokens(io.StringIO(text).readline):
                if token.type == tokenize.COMMENT:
                    yield token.start[0], token.string
        if _cites(text):
            for node in _statements(ast.parse(text)):
                if (
                    isinstance(node, ast.Expr)
                    and isinstance(node.value, ast.Constant)
                    and isinstance(node.value.value, str)
                ):
                    yield node.lineno, node.value.value
    elif suffix == ".md":
        yield 1, blank(FENCE, text)
    elif suffix not in {".lock", ".txt"}:
        sign = "--" if suffix == ".sql" else "#"
        for number, line in enumerate(text.splitlines(), 1):
            _, separator, comment = line.partition(sign)
            if separator:
                yield number, comment


def rule_faults(text: str, book: Book) -> Iterator[Fault]:
    """Citations of rules and sections that don't exist."""
    text = blank(PLACES, blank(QUOTED, text))
    cited: dict[int, tuple[str, int]] = {}
    for match in RULE.finditer(text):
        if match[1] in book.rules:
            cited[match.start()] = (match[1], int(match[2]))
    for match in NAMED.finditer(text):
        cited[match.start(1)] = (match[1], int(match[2]))
    sections = [(m.start(1) + s.start(), s[0]) for m in SECTIONS.finditer(text) for s in re.finditer("[A-Z]", m[1])]
    for group in LIST.finditer(text):
        items = [(group.start(1) + item.start(1), item[1]) for item in re.finditer(r"(?:^|[,;])\s*([^,;]*)", group[1])]
        numbered = {at: item for at, item in items if re.fullmatch(r"[A-Z]\d{1,2}", item)}
        cited |= {at: (item[0], int(item[1:])) for at, item in numbered.items()}
        letters = [(at, item) for at, item in items if re.fullmatch(r"[A-Z]", item)]
        if numbered or len(letters) == len(items):
            sections += letters
    for at, (section, number) in cited.items():
        if number not in book.rules.get(section, ()):
            yield Fault(at, f"no rule {section}{number} in {RULES}; a place on the board stands in quotes or backticks")
    for at, section in sections:
        if section not in book.rules:
            yield Fault(at, f"no section {section} in {RULES}")
    for match in RANGE.finditer(text):
        first, last = (match[1], int(match[2])), (match[3], int(match[4]))
        if first[0] in book.rules and (first[0] != last[0] or first >= last):
            yield Fault(match.start(), f"{match[0]} is no range of rules")


def document_faults(name: str, text: str, book: Book) -> Iterator[Fault]:
    """Citations of documents and headings that don't exist. As long as the architecture is no page, citations of it
    pass."""
    links = [(m.start(1), *m[1].partition("#")[::2], True) for m in LINK.finditer(text)] if name.endswith(".md") else []
    named = [(m.start(1), m[1], m[2] or "", False) for m in DOCUMENT.finditer(blank(LINK, text))]
    for at, path, anchor, link in links + named:
        places = [ROOT / PurePosixPath(name).parent / path] if link else [ROOT / path, ROOT / "docs" / path]
        places = [ROOT / name] if not path else places
        target = next((place for place in places if place.exists()), None)
        if target is None:
            if book.headings is not None or PurePosixPath(path).name != PurePosixPath(ARCHITECTURE).name:
                yield Fault(at, f"no document {path}")
        elif anchor and target.suffix == ".md" and anchor not in anchors(page(target)):
            yield Fault(at, f"no anchor #{anchor} in {target.relative_to(ROOT)}")
    if book.headings is not None:
        for match in DESIGN.finditer(text):
            yield Fault(match.start(), f"cite a heading of {ARCHITECTURE} instead, as in (architecture: Chance)")
        for match in HEADING.finditer(text):
            for title in match[1].split(";"):
                if fold(title) not in book.headings:
                    yield Fault(match.start(), f"no heading {title.strip()!r} in {ARCHITECTURE}")


def faults(name: str, text: str, book: Book) -> Iterator[str]:
    """Citations in a file that have no target, each as "file:line: reason"."""
    for first, part in prose(name, text):
        ends = [found.start() for found in re.finditer("\n", part)]
        for fault in (*rule_faults(part, book), *document_faults(name, part, book)):
            yield f"{name}:{first + bisect(ends, fault.offset - 1)}: {fault.text}"
    if name.endswith(".py"):
        for title in TITLE.finditer(text):
            line = text.count("\n", 0, title.start()) + 1
            for section, number in re.findall(r"_([A-Z])(\d+)", title[1].upper()):
                if section in book.rules and int(number) not in book.rules[section]:
                    yield f"{name}:{line}: no rule {section}{number} in {RULES}"


@cache
def book() -> Book:
    architecture = ROOT / ARCHITECTURE
    return Book.of(page(ROOT / RULES), page(architecture) if architecture.exists() else None)


def texts() -> Iterator[tuple[str, str]]:
    """Names and texts of the files that can contain citations."""
    for path in tracked():
        if "api" in path.parts:
            continue  # Discord's own description of its API
        try:
            yield path.relative_to(ROOT).as_posix(), path.read_text("utf-8")
        except UnicodeDecodeError:
            continue  # a picture or a font


def test_every_citation_has_its_target() -> None:
    here = Path(__file__).relative_to(ROOT).as_posix()
    wrong = [fault for name, text in texts() if name != here for fault in faults(name, text, book())]
    assert not wrong, "\n".join(wrong)


def test_every_test_file_that_the_page_about_the_stand_in_names_exists() -> None:
    named = re.findall(r"`(tests/[\w./]+)`", page(ROOT / "docs/stand-in.md"))
    assert len(set(named)) > 25
    assert not [name for name in named if not (ROOT / name).exists()]


def test_the_reliability_page_is_what_its_figures_make() -> None:
    assert reliability.PAGE.read_text("utf-8") == reliability.page(json.loads(reliability.FIGURES.read_text("utf-8")))


def test_a_campaign_with_a_test_that_failed_is_shown_as_failed(tmp_path: Path) -> None:
    cases = [
        f'<testcase classname="tests.wire.test_kill" name="test_kills[{n}]"><properties>'
        f'<property name="kills" value="50"/></properties>{end}</testcase>'
        for n, end in enumerate(("", "<failure/>"))
    ]
    report = tmp_path / "report.xml"
    report.write_text(f"<testsuite>{''.join(cases)}</testsuite>")
    figures = reliability.merged({}, [report])
    assert figures["campaigns"] == {"tests/wire/test_kill.py::test_kills": {"tried": {"kills": 100.0}, "failed": 1}}


def test_a_campaign_that_failed_before_it_could_say_what_it_tried_is_shown_as_failed(tmp_path: Path) -> None:
    """Other tests of the report are no campaigns."""
    cases = [f'<testcase classname="tests.wire.test_kill" name="{name}"><failure/></testcase>' for name in "ab"]
    report = tmp_path / "report.xml"
    report.write_text(f"<testsuite>{''.join(cases)}</testsuite>")
    before = {"tests/wire/test_kill.py::a": {"tried": {"kills": 50.0}, "failed": 0}}
    figures = reliability.merged({"campaigns": before}, [report])
    assert figures["campaigns"] == {"tests/wire/test_kill.py::a": {"tried": {}, "failed": 1}}


def test_citations_are_found_at_all() -> None:
    """With an empty book every citation is at fault."""
    empty = Book(rules={section: [] for section in book().rules})
    engine = [(name, text) for name, text in texts() if name.startswith("engine/")]
    assert sum(1 for name, text in engine for _ in faults(name, text, empty)) > 150
    assert {name.partition("/")[0] for name, _text in texts()} >= {"engine", "bot", "tests", "docs"}


def test_the_rules_are_numbered_without_gaps_and_each_has_its_anchor() -> None:
    text = page(ROOT / RULES)
    for section, numbers in book().rules.items():
        assert f'<a id="{section.lower()}"></a>\n## {section}. ' in text
        first = min(numbers, default=0)
        assert numbers == list(range(first, first + len(numbers))), section
        for number in numbers:
            assert re.search(rf'<a id="{section.lower()}{number}"></a>\n?\*\*{section}{number}\b', text), number


def test_the_rules_list_every_scenario_and_alternate_rule() -> None:
    """A listed rule that isn't in the program says so. An alternate rule's file opens with its number."""
    text = page(ROOT / RULES)
    rules = re.findall(r"^\*\*(L\d+) `([\w-]+)`\*\*((?:.+\n)+)", text, re.MULTILINE)
    listed = {name: number for number, name, _ in rules}
    coming = {name for _, name, words in rules if "not in the program yet" in words.casefold()}
    assert listed.keys() - coming == VARIANTS.keys()
    for name in VARIANTS:
        source = page(ROOT / "engine" / "variants" / f"{name.replace('-', '_')}.py")
        assert source.startswith(f'"""{listed[name]}: '), name
    assert set(re.findall(r"^\| `([\w-]+)` \| [\d-]+ \|", text, re.MULTILINE)) == SCENARIOS.keys()


BOOK = Book.of(
    '<a id="d"></a> <a id="d1"></a> <a id="d2"></a> <a id="d3"></a> <a id="k"></a> <a id="k1"></a> <a id="m"></a>',
    "# The house\n\n## The `View`\n\n```\n# no heading\n```\n",
)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", '"""Discards (D4)."""'),
        ("a.py", '"""Discards (D1, D4)."""'),
        ("a.py", '"""Discards (D4 only)."""'),
        ("a.py", '"""D1 and D4: discards."""'),
        ("a.py", "x = 1  # as in D4, but not here"),
        ("a.py", '"""A turn (D1-D4)."""'),
        ("a.py", '"""D1 to D4: a turn."""'),
        ("a.py", '"""A turn (D3-D1)."""'),
        ("a.py", '"""A turn (D3-K1)."""'),
        ("a.py", '"""Nothing there (N3)."""'),
        ("a.py", '"""As rule N3 has it."""'),
        ("a.py", '"""What others see (section N)."""'),
        ("a.py", '"""Sections D, K and N."""'),
        ("a.py", '"""Discards (D3, N)."""'),
        ("a.py", '"""Refused (D, N)."""'),
        ("a.py", "def test_D4_a_seven() -> None: ..."),
        ("a.py", "async def test_d4_a_seven() -> None: ..."),
        ("a.py", "def test_D1_and_K2_meet() -> None: ..."),
        ("a.py", '"""See docs/nowhere.md."""'),
        ("a.py", '"""See docs/extending.md#nowhere."""'),
        ("a.py", '"""Names of draws (DESIGN 4)."""'),
        ("a.py", '"""Names of draws (architecture: Chance)."""'),
        ("a.sql", "-- Until when (D4)."),
        ("a.yml", "a: 1  # by D4"),
        ("a.md", "Half of the cards (D4)."),
        ("a.md", "[Half](docs/rules.md#d44) of the cards."),
        ("a.md", "[Half](docs/nowhere.py) of the cards."),
        ("docs/rules.md", "[Half](#d44) of the cards."),
    ],
)
def test_a_wrong_citation_is_found(name: str, text: str) -> None:
    assert len(list(faults(name, text, BOOK))) == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", '"""A turn (D1-D3, K1), D2 to D3; what M says, and section M, sections D and K (D1, M)."""'),
        ("a.py", '"""A place: `D9`, "D9" or “D9”, "from D9 to D10"."""'),
        ("a.py", "StartPiece(35, 37)  # D9, f5"),
        ("a.py", 'node("D9")'),
        ("a.py", 'x = """A text for players (D9)."""'),
        ("a.py", "def test_v2_messages() -> None: ..."),
        ("a.py", "def test_D1_k1_and_d2_on_D9() -> None: ..."),
        ("a.py", '"""Components V2, hex 3.2, p99, UTF-8, D65nm, xD9, K1.5 and O(N)."""'),
        ("a.py", '"""The view (architecture: The View) of docs/rules.md."""'),
        ("a.toml", 'select = ["D9"]'),
        ("a.sql", "SELECT D9;"),
        ("a.md", "```\nA 5  (D9)\n```\nIn `D9`, [here](docs/rules.md#d4), [there](https://example.org/x.md#y)."),
    ],
)
def test_text_that_is_no_citation_is_left_alone(name: str, text: str) -> None:
    assert list(faults(name, text, BOOK)) == []


def test_a_fault_names_its_line() -> None:
    text = '"""A module.\n\nIt discards (D4).\n"""\n\nx = 1  # D9 too\n'
    assert [fault.partition(": ")[0] for fault in faults("a.py", text, BOOK)] == ["a.py:6", "a.py:3"]


def test_citations_of_the_architecture_pass_until_its_page_exists() -> None:
    text = '"""The view (architecture: Anything, DESIGN 4) of docs/architecture.md."""'
    assert not list(faults("a.py", text, Book(rules=BOOK.rules)))
