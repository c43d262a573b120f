"""Hostile input: what no honest client sends, for every operation that the description names."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from hypothesis import strategies as st

from tests.support.json_parts import parts_of

PREFIX = "/api/v1"

FILLING = {
    "round_number": "1",
    "table_number": "1",
    "game_id": "{running}",
    "player_id": "{ada}",
    "version": "1",
    "seat": "0",
    "puzzle_id": "carcassonne-small000",
}
"""What stands for a parameter of a path; `Scene.path` puts the ids in."""


class Operation(NamedTuple):
    """An operation of the description: method, path with places for ids, documented statuses.

    `body` is the first example of its body, None for an operation that takes no body.
    """

    method: str
    path: str
    statuses: frozenset[int]
    takes_body: bool
    body: Any = None


def list_operations(document: dict[str, Any]) -> Iterator[Operation]:
    """Yield every operation below `/api/v1`."""
    for path, methods in document["paths"].items():
        if not path.startswith(PREFIX):
            continue
        for method in methods.keys() & {"get", "post", "put", "patch", "delete"}:
            described = methods[method]
            yield Operation(
                method.upper(),
                path.removeprefix(PREFIX).format_map(_Filling()),
                frozenset(int(status) for status in described["responses"]),
                "requestBody" in described,
                _find_example(described),
            )


def _find_example(described: dict[str, Any]) -> Any:
    for content in described.get("requestBody", {}).get("content", {}).values():
        for example in content.get("examples", {}).values():
            return example["value"]
    return None


class _Filling(dict[str, str]):
    """Parameters of paths; a name that is missing here stands for itself, which finds nothing."""

    def __missing__(self, name: str) -> str:
        return FILLING.get(name, name)


# Text that is valid as a value of JSON and as nothing else.
HOSTILE_TEXT = [
    *("1" * 400, "1" * 20_000, "-" + "9" * 5_000, "1e400", "-1e400", "1e-400", "0.1e1", "1.0"),
    *("9223372036854775807", "9223372036854775808", "18446744073709551616", "-0", "-0.0"),
    *(
        "9007199254740993",
        "2147483648",
        "NaN",
        "Infinity",
        "-Infinity",
        "01",
        "+1",
        "0x10",
        "1_000",
    ),
    *('"\\ud800"', '"\\udc00\\ud800"', '"\\u0000"', '"\\u202e"', '"\\ufeff"', '"\x7f"', '"\x01"'),
    *('"' + "x" * 70_000 + '"', '"' + "\\u0041" * 10_000 + '"', '"' + "\U0010ffff" * 300 + '"'),
    *(
        '{"a":1,"a":2}',
        '{"":{"":{}}}',
        '{"__proto__":{}}',
        "{}",
        "[]",
        "[[]]",
        "null",
        "true",
        '""',
    ),
    *("[" * 33 + "]" * 33, "[" * 5_000 + "]" * 5_000, '{"a":' * 40 + "1" + "}" * 40),
    *("[" * 60_000, '{"":' * 20_000, "[" + "0," * 60_000 + "0]", "[" + "{}," * 50_000 + "{}]"),
    *("undefined", "'x'", "/**/1", "1 2", "1,", "\x00", "\u2028", "tru", '"\\x41"', '"a\nb"'),
]

VALUES = st.recursive(
    st.one_of(
        *(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20)),
        st.sampled_from([2**31, 2**53, 2**63, 2**64, -1, 0, 10**40]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)
"""Any value that Python writes as JSON: surrogates, NaN and great numbers among them."""


def paths_of(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every part of a value, the whole among them."""
    yield path
    for key, part in parts_of(value):
        yield from paths_of(part, (*path, key))


def write_with(value: Any, path: tuple[Any, ...], text: str) -> str:
    """Return JSON in which the part at a path is replaced by a text."""
    if not path:
        return text
    written = [
        (key, write_with(part, path[1:], text) if key == path[0] else json.dumps(part))
        for key, part in parts_of(value)
    ]
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(key)}:{part}" for key, part in written) + "}"
    return "[" + ",".join(part for _, part in written) + "]"


def hostile_bodies(valid: dict[str, Any]) -> st.SearchStrategy[bytes]:
    """Return bodies that resemble a valid body, and differ in one place."""
    text = json.dumps(valid)
    raw = text.encode()
    paths = st.sampled_from(list(paths_of(valid)))
    texts = st.one_of(st.sampled_from(HOSTILE_TEXT), VALUES.map(json.dumps))
    places = st.integers(0, len(raw))
    return st.one_of(
        st.builds(write_with, st.just(valid), paths, texts).map(_encode),
        st.builds(_more, st.just(text), st.text(max_size=12), texts).map(_encode),
        st.builds(lambda at, junk: raw[:at] + junk + raw[at:], places, st.binary(max_size=6)),
        st.builds(lambda at, end: raw[:at] + raw[end:], places, places),
        st.sampled_from(["utf-8-sig", "utf-16", "utf-16-le", "utf-32", "utf-7"]).map(text.encode),
        st.binary(max_size=40),
        texts.map(_encode),
    )


def _more(text: str, key: str, value: str) -> str:
    """Return an object with a key more, which may be there already."""
    return text[:-1] + ("," if len(text) > 2 else "") + f"{json.dumps(key)}:{value}" + "}"


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
