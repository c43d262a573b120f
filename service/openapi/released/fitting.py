"""Whether all values that one schema allows fit another.

A client of the last release sends what the old closed description allows to a service that reads by
the new one, and gets what the new open description allows while it reads by the old one. Both are
one question with another *sender* and another *reader*, for `SchemaFitting`. It knows the parts
of JSON Schema that the descriptions use.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from cartulary.service.openapi.forms.schema_walk import PREFIX, members_of

Json = dict[str, Any]

_AT_LEAST = ("minimum", "minLength", "minItems")
_AT_MOST = ("maximum", "maxLength", "maxItems")
_NULL: Json = {"type": "null"}


class SchemaMisfit(NamedTuple):
    """What of the sender the reader does not take: where, and why in words for the sender."""

    place: str
    reason: str


@dataclass(slots=True)
class SchemaFitting:
    """Compares schemas of two descriptions; each pair of components once.

    `sender` and `reader` are the components of the two, by name.
    """

    sender: Json
    reader: Json
    _seen: set[tuple[str, str]] = field(default_factory=set)

    def find_misfits(self, sent: Json, read: Json, place: str) -> Iterator[SchemaMisfit]:
        """Yield why values of the schema `sent` do not fit the schema `read`."""
        names = _name(sent), _name(read)
        if all(names):
            if names in self._seen:
                return
            self._seen.add(names)
            place = names[0]
        sent, read = self._resolve(sent, self.sender), self._resolve(read, self.reader)
        if members_of(sent) or members_of(read):
            yield from self._compare_unions(sent, read, place)
        else:
            yield from self._compare_plain(sent, read, place)

    def _resolve(self, schema: Json, components: Json) -> Json:
        while (name := _name(schema)) != "":
            schema = components[name]
        return schema

    # -- unions

    def _compare_unions(self, sent: Json, read: Json, place: str) -> Iterator[SchemaMisfit]:
        readers = self._flatten(read, self.reader)
        for one in self._flatten(sent, self.sender):
            namesake = next((r for r in readers if _name(one) and _name(one) == _name(r)), None)
            if namesake is not None:
                yield from self.find_misfits(one, namesake, place)
            elif not any(self._fits(one, reader) for reader in readers):
                yield SchemaMisfit(place, f"{_say(one)} does not fit")

    def _flatten(self, schema: Json, components: Json) -> list[Json]:
        """Return the members of a union, those of a union in it included."""
        members = members_of(self._resolve(schema, components))
        if members:
            return [one for member in members for one in self._flatten(member, components)]
        kinds = schema.get("type")
        if isinstance(kinds, list) and "null" in kinds:
            rest = [kind for kind in kinds if kind != "null"]
            plain = {**schema, "type": rest[0] if len(rest) == 1 else rest}
            if "enum" in plain:
                plain["enum"] = [value for value in plain["enum"] if value is not None]
            return [plain, _NULL]
        return [schema]

    def _fits(self, sent: Json, read: Json) -> bool:
        attempt = SchemaFitting(self.sender, self.reader, set(self._seen))
        return not any(True for _ in attempt.find_misfits(sent, read, ""))

    # -- everything else

    def _compare_plain(self, sent: Json, read: Json, place: str) -> Iterator[SchemaMisfit]:
        more = sorted(_kinds(sent) - _kinds(read)) if _kinds(read) else []
        if more or (_kinds(read) and not _kinds(sent)):
            yield SchemaMisfit(place, f"{' and '.join(more) or 'any type'} does not fit")
            return
        yield from _compare_values(sent, read, place)
        yield from _compare_bounds(sent, read, place)
        if isinstance(sent.get("items"), dict) and isinstance(read.get("items"), dict):
            yield from self.find_misfits(sent["items"], read["items"], f"{place}[]")
        yield from self._compare_objects(sent, read, place)

    def _compare_objects(self, sent: Json, read: Json, place: str) -> Iterator[SchemaMisfit]:
        given, known = sent.get("properties", {}), read.get("properties", {})
        for name in read.get("required", ()):
            if name not in sent.get("required", ()):
                yield SchemaMisfit(f"{place}.{name}", "may be missing, but is needed")
        for name, schema in given.items():
            if name in known:
                yield from self.find_misfits(schema, known[name], f"{place}.{name}")
            elif read.get("additionalProperties") is False:
                yield SchemaMisfit(f"{place}.{name}", "is unknown")
        rest, taken = sent.get("additionalProperties"), read.get("additionalProperties")
        if isinstance(rest, dict) and isinstance(taken, dict):
            yield from self.find_misfits(rest, taken, f"{place}.*")


def _name(schema: Json) -> str:
    """Return the name of the component that a schema refers to, "" without one."""
    name: str = schema.get("$ref", "").removeprefix(PREFIX)
    return name


def _kinds(schema: Json) -> set[str]:
    """Return the types of a schema; none: any type. An integer is a number."""
    kinds = schema.get("type", [])
    found = {kinds} if isinstance(kinds, str) else set(kinds)
    return found | {"integer"} if "number" in found else found


def _compare_values(sent: Json, read: Json, place: str) -> Iterator[SchemaMisfit]:
    given, taken = _values(sent), _values(read)
    if taken is not None:
        if given is None:
            yield SchemaMisfit(place, f"any value, but only {_list(taken)} fits")
        elif more := [value for value in given if value not in taken]:
            yield SchemaMisfit(place, f"{_list(more)} does not fit")
    refused = _values(read.get("not", {})) or []
    if clash := [value for value in given or [] if value in refused]:
        yield SchemaMisfit(place, f"{_list(clash)} does not fit")


def _values(schema: Json) -> list[Any] | None:
    """Return the only values that a schema allows, None: it does not list them."""
    if "const" in schema:
        return [schema["const"]]
    return schema.get("enum")


def _compare_bounds(sent: Json, read: Json, place: str) -> Iterator[SchemaMisfit]:
    for bound, wider in [(b, min) for b in _AT_LEAST] + [(b, max) for b in _AT_MOST]:
        if bound in read and (bound not in sent or wider(sent[bound], read[bound]) != read[bound]):
            yield SchemaMisfit(place, f"beyond `{bound}: {read[bound]}` does not fit")
    for same in ("pattern", "format"):
        if same in read and sent.get(same) != read[same]:
            yield SchemaMisfit(place, f"not every value fits the {same} `{read[same]}`")


def _list(values: list[Any]) -> str:
    return ", ".join(f"`{value}`" for value in values)


def _say(schema: Json) -> str:
    return _name(schema) or " or ".join(sorted(_kinds(schema))) or "a value"
