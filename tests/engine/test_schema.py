"""The engine's own validator says what the `jsonschema` library says."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from jsonschema.validators import extend

from cartulary.engine.schema import DIALECT, KEYWORDS, Fault, Schema, faults, parts, reference

STRICT = extend(
    Draft202012Validator,
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", lambda _, value: type(value) is int
    ),
)
"""JSON Schema with the one difference that the contract asks for: `1.0` is not an integer."""

DEFINITIONS: dict[str, Schema] = {
    "Name": {"type": "string", "enum": ["a", "b", "c"]},
    "Pair": {
        "type": "object",
        "required": ["a"],
        "properties": {"a": {"type": "integer"}, "b": reference("Name")},
        "additionalProperties": False,
    },
}

LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([0.5, -1.5, 2.5]),
    st.sampled_from(["", "a", "b", "c", "ab", "b1"]),
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
    ),
    max_leaves=6,
)
TYPES = st.sampled_from(["object", "array", "string", "integer", "boolean", "null"])


def keywords(inner: st.SearchStrategy[Schema]) -> st.SearchStrategy[Schema]:
    """Return any choice of keywords with schemas of `inner` inside them."""
    names = st.lists(st.sampled_from("abc"), max_size=2, unique=True)
    return st.fixed_dictionaries(
        {},
        optional={
            "type": st.one_of(TYPES, st.lists(TYPES, min_size=1, max_size=3, unique=True)),
            "const": VALUES,
            "enum": st.lists(VALUES, min_size=1, max_size=3),
            "minimum": st.integers(-3, 3),
            "maximum": st.integers(-3, 3),
            "pattern": st.sampled_from(["^a", "b$", "[0-9]", "^$"]),
            "required": names,
            "properties": st.dictionaries(st.sampled_from("abc"), inner, max_size=2),
            "additionalProperties": st.one_of(st.just(False), inner),
            "propertyNames": inner,
            "items": inner,
            "anyOf": st.lists(inner, min_size=1, max_size=2),
            "title": st.just("thing"),
            "description": st.just("A thing."),
        },
    )


SCHEMAS = st.recursive(
    st.one_of(
        keywords(st.just({"type": "integer"})), st.sampled_from([*map(reference, DEFINITIONS)])
    ),
    keywords,
    max_leaves=4,
)


def problems(schema: Schema, value: Any) -> list[Any]:
    document = {"$schema": DIALECT, **schema, "$defs": DEFINITIONS}
    return list(STRICT(document).iter_errors(value))


@given(SCHEMAS, VALUES)
@example({"enum": [0]}, False)
@example({"const": {"a": [1]}}, {"a": [True]})
@example({"minimum": 1}, True)
@example({"additionalProperties": {"type": "null"}, "properties": {"a": {}}}, {"a": 1, "b": 2})
@pytest.mark.slow
def test_a_value_conforms_if_and_only_if_jsonschema_says_so(schema: Schema, value: Any) -> None:
    assert bool(list(faults(schema, value, DEFINITIONS))) == bool(problems(schema, value))


@given(st.sampled_from([*DEFINITIONS.values()]), VALUES)
def test_each_fault_stands_where_jsonschema_finds_it(schema: Schema, value: Any) -> None:
    def place(fault: Fault) -> tuple[Any, ...]:
        named = fault.keyword in ("required", "additionalProperties")
        return fault.path[:-1] if named else fault.path

    ours = {(place(fault), fault.keyword) for fault in faults(schema, value, DEFINITIONS)}
    theirs = {(tuple(error.path), error.validator) for error in problems(schema, value)}
    assert ours == theirs


def test_an_integer_is_written_without_a_fraction() -> None:
    assert not list(faults({"type": "integer"}, 1))
    assert list(faults({"type": "integer"}, 1.0))
    assert list(faults({"enum": [1]}, 1.0))
    assert list(faults({"const": 1}, True))


def test_missing_keys_come_before_unknown_keys_and_those_before_wrong_values() -> None:
    found = list(faults(DEFINITIONS["Pair"], {"z": 1, "b": "d", "c": 2}, DEFINITIONS))
    assert [(fault.path, fault.keyword) for fault in found] == [
        (("a",), "required"),
        (("c",), "additionalProperties"),
        (("z",), "additionalProperties"),
        (("b",), "enum"),
    ]


@pytest.mark.parametrize("keyword", ["multipleOf", "oneOf", "format", "minItems"])
def test_a_keyword_that_nobody_checks_is_an_error(keyword: str) -> None:
    assert keyword not in KEYWORDS
    with pytest.raises(KeyError):
        list(faults({keyword: 1}, 1))


def test_the_parts_of_a_schema_are_all_schemas_inside_it() -> None:
    leaf = {"type": "null"}
    whole: Schema = {
        "properties": {"a": {"items": leaf}},
        "additionalProperties": {"anyOf": [leaf, leaf]},
        "propertyNames": leaf,
    }
    assert len(list(parts(whole))) == 7
    assert len(list(parts({"additionalProperties": False}))) == 1
