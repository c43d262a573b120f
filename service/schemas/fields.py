"""The fields of marshmallow; each takes a `description` for `openapi.yaml`."""

from __future__ import annotations

from typing import Any, TypeVar

from marshmallow import fields

T = TypeVar("T")


class DescribedField(fields.Field[T]):
    """Any field with a description; `metadata` is what else the description shows of it."""

    def __init__(
        self,
        *arguments: Any,
        description: str = "",
        metadata: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        described = {"description": description} if description else {}
        initialise: Any = super().__init__  # the arguments differ from class to class
        initialise(*arguments, metadata={**described, **(metadata or {})}, **options)


class Boolean(DescribedField[bool], fields.Boolean):
    """`true` or `false`."""


class Dict(DescribedField[Any], fields.Dict):
    """An object with any names."""


class Float(DescribedField[float], fields.Float):
    """A number."""


class Integer(DescribedField[int], fields.Integer):
    """A whole number."""


class List(DescribedField[Any], fields.List[Any]):
    """A list of values of one field."""


class Nested(DescribedField[Any], fields.Nested):
    """An object of a schema."""


class Raw(DescribedField[Any], fields.Raw):
    """Any value."""


class String(DescribedField[str], fields.String):
    """A text."""
