"""Plain words: no text of the project uses the phrases that CONTRIBUTING.md replaces.

Neither do the names of tests. The documents and headings that modules cite exist.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeGuard

import pytest

from tests.project.source_tree import list_statements

ROOT = Path(__file__).parents[2]

NO_DATA = r"(?<![\w\"'`.:/{-])"
"""What stands before a word of a sentence; other signs make it part of a name or of an address."""

BANNED = {
    r"is none": ("none", "does not exist, is missing, is invalid"),
    r"are none": ("none", "do not exist, are missing, are invalid"),
    r"none of ours": ("none", "name the thing"),
    r"(?i:(?:is|are|was|were|be|been) told)": ("told", "name what gets the information"),
    r"(?i:whoever)": ("whoever", "name the person or the process"),
    r"(?i:at hand)": ("hand", "available, cached"),
    r"(?i:anew)": ("anew", "again"),
    r"(?i:has gone)": ("gone", "has ended, is closed"),
}
"""Patterns of phrases: a word that each match has, in small letters, and what to write instead.

Some patterns have small letters only, because `is None` is Python. Most texts lack the word: to
look for it first takes a tenth of the time.
"""

BANNED_IN_PROSE = {
    r"(?:Nobody|Somebody|Anybody)(?![\w\"'`])": (
        "body",
        "name the person, the player, the process",
    ),
    rf"{NO_DATA}(?:nobody|somebody|anybody)(?![\w\"'`|:;\]]|\.\w)": (
        "body",
        "name the person, the player",
    ),
    r"Beside(?= \w)": ("Beside", "next to, with, as well as, besides"),
    rf"{NO_DATA}beside(?=\s+(?:(?:#|//|\*|--)\s+)?[a-z`])": (
        "beside",
        "next to, with, as well as, besides",
    ),
}
"""Words that may still be data: a key, an id, the name of a class or of a file."""

Banned = Mapping[str, tuple[str, str]]

STABLE = (
    "Nobody may ask for this takeback",
    "nobody may ask for a takeback",
    "there is nobody to ask",
    "is offered to somebody else",
    "a bot has moved while nobody was at the table",
)
"""Texts of refusals and of audits: clients know them, so they stay."""

FOR_PLAYERS = ("locales/**/*.json", "web/built/*", "tests/browser/table/test_carcassonne.py")
"""Texts that players read, and a test that reads them: "nobody stands there" is what they need."""

WRITTEN = [
    *("*.md", "bench/*.md", "docs/**/*.md", "web/**/*.md", "web/**/*.js", "web/**/*.html"),
    *("locales/**/*.json",),
    *("openapi.yaml", "pyproject.toml", "Procfile", ".pre-commit-config.yaml"),
    *(".ci/*", "examples/**/*", "script/*", "**/*.py", "**/*.lua"),
]
PARTICIPLES = {
    *("answered", "asked", "broken", "built", "counted", "done", "drawn", "found", "given", "gone"),
    *(
        "heard",
        "held",
        "kept",
        "known",
        "left",
        "lost",
        "made",
        "moved",
        "noted",
        "opened",
        "packed",
    ),
    *("placed", "played", "read_back", "refused", "seen", "sent", "shown", "spoken", "stored"),
    *("taken", "thrown", "told", "used", "won", "written"),
}
"""Names that say what has happened; the name of a function says what it does. Attributes may."""

ROOMS = sorted(
    path.parent.name for path in ROOT.glob("*/__init__.py") if path.parent.name != "tests"
)

NOT_READ = (".venv", "build", "dist", "node_modules", "__pycache__", "cases", "data")
"""Folders that hold nothing written for the project; the cases come from elsewhere."""


def texts() -> Iterator[Path]:
    """Yield the files that people read: documents, modules, messages, scripts."""
    for pattern in WRITTEN:
        for file in ROOT.glob(pattern):
            inside = file.relative_to(ROOT).parts
            if file.is_file() and file != Path(__file__) and not set(inside) & set(NOT_READ):
                yield file


def banned_phrases(text: str, banned: Banned = BANNED) -> list[str]:
    """Return each banned phrase with its line; a phrase may go on in the next line."""
    found = []
    small = text.lower()
    for phrase, (word, instead) in banned.items():
        if word not in (small if phrase.startswith("(?i:") else text):
            continue
        spaced = phrase.replace(" ", r"(?:\s+(?:(?:#|//|\*|--)\s+)?)")
        for match in re.finditer(rf"\b{spaced}\b", text):
            line = text.count("\n", 0, match.start()) + 1
            found.append(f"line {line}: {match[0]!r}; write: {instead}")
    return found


@cache
def read_texts() -> dict[Path, str]:
    """Return the texts by their path from the root."""
    found = {file.relative_to(ROOT): file.read_text(encoding="utf-8") for file in set(texts())}
    assert {Path("README.md"), Path("engine/core.py")} <= found.keys()
    return found


def find_banned(files: Mapping[Path, str], banned: Banned) -> dict[str, list[str]]:
    """Return the banned phrases of the files that have some."""
    found = {str(file): banned_phrases(text, banned) for file, text in sorted(files.items())}
    return {file: phrases for file, phrases in found.items() if phrases}


@pytest.mark.slow
def test_no_text_uses_a_banned_phrase() -> None:
    assert find_banned(read_texts(), BANNED) == {}


@pytest.mark.slow
def test_prose_names_who_acts_and_what_stands_where() -> None:
    shown = {file.relative_to(ROOT) for pattern in FOR_PLAYERS for file in ROOT.glob(pattern)}
    files = {
        file: re.sub("|".join(STABLE).replace(" ", r"\s+"), "", text)
        for file, text in read_texts().items()
        if file not in shown
    }
    assert find_banned(files, BANNED_IN_PROSE) == {}


@pytest.mark.slow
def test_no_name_of_a_test_has_a_banned_phrase() -> None:
    names = {
        f"{file}: {name}": banned_phrases(name.replace("_", " "))
        for file, text in read_texts().items()
        if file.parts[0] == "tests"
        for name in re.findall(r"^ *(?:async )?def (test_\w+)", text, re.MULTILINE)
    }
    assert len(names) > 5000
    assert {name: phrases for name, phrases in names.items() if phrases} == {}


CITED = re.compile(r'`((?:[\w.-]+/)*[\w-]+\.md)`(?:[,:]?\s+((?:(?:,\s+|\s+and\s+)?"[^"`]+")+))?')
"""A document in a docstring or a comment, and the headings after it: `docs/living.md`, "Clocks"."""


def find_stale_citations(text: str) -> list[str]:
    """Return the cited documents and headings that do not exist; paths begin at the root."""
    found = []
    for document, headings in CITED.findall(text):
        if not (ROOT / document).is_file():
            found.append(document)
            continue
        known = re.findall(r"^#+ (.+)$", (ROOT / document).read_text("utf-8"), re.MULTILINE)
        cited = [" ".join(heading.split()) for heading in re.findall(r'"([^"]+)"', headings)]
        found += [f"{document}: {heading}" for heading in cited if heading not in known]
    return found


@pytest.mark.slow
def test_modules_cite_documents_and_headings_that_exist() -> None:
    stale = {
        str(file): find_stale_citations(text)
        for file, text in read_texts().items()
        if file.suffix == ".py" and ".md`" in text
    }
    assert {file: faults for file, faults in stale.items() if faults} == {}


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ('(`docs/living.md`, "Clocks")', []),
        ('in `docs/living.md`: "What is\nfree", "Ranks" and "Rank".', ["docs/living.md: Rank"]),
        ("the contract is `living.md`", ["living.md"]),
    ],
)
def test_the_test_itself_finds_stale_citations(text: str, faults: list[str]) -> None:
    assert find_stale_citations(text) == faults


DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


class Named(NamedTuple):
    """What is wrong with the names of the functions and with the docstrings of a module."""

    participles: list[str]
    wordless: list[str]


@cache
def find_misnamed(room: str) -> Named:
    """Return the faults of a room, each with its place; to parse a room is most of the time."""
    found = Named([], [])
    for file in sorted((ROOT / room).rglob("*.py")):
        module, place = ast.parse(file.read_text(encoding="utf-8")), file.relative_to(ROOT)
        for node in (module, *list_statements(module)):
            if is_function(node) and node.name.strip("_") in PARTICIPLES:
                found.participles.append(f"{place}:{node.lineno}: {node.name}")
            if isinstance(node, DOCUMENTED) and has_wordless_docstring(node):
                found.wordless.append(str(place))
    return found


def is_function(node: ast.AST) -> TypeGuard[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Return whether a node is a function that is no attribute."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    decorators = {ast.unparse(decorator) for decorator in node.decorator_list}
    return not decorators & {"property", "cached_property", "functools.cached_property"}


def has_wordless_docstring(
    node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef,
) -> bool:
    """Return whether the docstring of a node, if it has one, has no letters."""
    text = ast.get_docstring(node, clean=False)
    return text is not None and not any(map(str.isalpha, text))


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.slow
def test_the_name_of_a_function_is_no_participle(room: str) -> None:
    assert find_misnamed(room).participles == []


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.slow
def test_every_docstring_has_words(room: str) -> None:
    assert find_misnamed(room).wordless == []


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("an address that is none", 1),
        ("Whoever asks is told.", 2),
        ("a process that\n    # has gone", 1),
        ("the tile at hand, made anew", 2),
        ("if table is None:", 0),
        ("the tile is nonexistent, and the manuscript is renewed", 0),
    ],
)
def test_the_test_itself_finds_the_phrases(text: str, count: int) -> None:
    assert len(banned_phrases(text)) == count


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ('"""Nobody knows.', 1),
        ("a text for nobody.", 1),
        ("the seat beside\n    # another", 1),
        ("It stands beside `result`.", 1),
        ('row["beside"], row.beside, t("ui.nobody"), {beside|city}, of-nobody', 0),
        ("beside = 2; read(row, beside=beside); /nobody.sock", 0),
        ('"nobody", "somebody else", besides', 0),
    ],
)
def test_the_test_itself_tells_prose_from_data(text: str, count: int) -> None:
    assert len(banned_phrases(text, BANNED_IN_PROSE)) == count
