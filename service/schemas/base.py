"""The building blocks: strict schemas, whole numbers, flags, objects as they are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from marshmallow import EXCLUDE, INCLUDE, RAISE, Schema, ValidationError, pre_load, validate

from cartulary.service.schemas import fields

VERSION_MAX = 2**31 - 1
_WHOLE_TEXT = re.compile(r"-?[0-9]{1,18}(\.0{1,18})?", re.ASCII)
_NUMBER_TEXT = re.compile(r"-?[0-9]{1,18}(\.[0-9]{1,18})?([Ee][+-]?[0-9]{1,2})?", re.ASCII)
_MOMENT = re.compile(
    r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)", re.ASCII
)


class Unknown(Schema.Meta):
    """What a schema does with fields that it does not know."""


class Refusing(Unknown):
    """Options of a schema: an unknown field is an error."""

    unknown = RAISE


class Dropping(Unknown):
    """Options of a schema: unknown fields are left out."""

    unknown = EXCLUDE


class Keeping(Unknown):
    """Options of a schema: unknown fields are kept."""

    unknown = INCLUDE


class Request(Schema):
    """A body or a query: an unknown field is an error, so that no typing mistake is ignored.

    Null in a field that may be missing means that it is missing: many generated clients send every
    field. A field for which null means something of its own has `allow_none`.
    """

    Meta: type[Schema.Meta] = Refusing

    @pre_load
    def leave_out_nulls(self, data: Any, **_: Any) -> Any:
        """Return the object without the fields that are null instead of missing."""
        if not isinstance(data, dict) or None not in data.values():
            return data
        missing = {
            field.data_key or name
            for name, field in self.fields.items()
            if not field.required and not field.allow_none
        }
        return {
            name: value for name, value in data.items() if value is not None or name not in missing
        }


class Answer(Schema):
    """An answer: fields may be added, so a client must ignore fields that it does not know."""

    Meta: type[Schema.Meta] = Dropping


class Whole(fields.Integer):
    """An integer as JSON Schema means it: `15.0` is one, `true` and `"15"` are not.

    With `text` the number comes from a query string.
    """

    def __init__(self, *, text: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.text = text

    def _validated(self, value: Any) -> int:
        if self.text and isinstance(value, str) and _WHOLE_TEXT.fullmatch(value):
            return int(value.partition(".")[0])
        if type(value) is float and value.is_integer():
            return int(value)
        if type(value) is not int:
            raise ValidationError("must be a whole number")
        return value


def whole(minimum: int, maximum: int | None = None, **kwargs: Any) -> Whole:
    """Return a field for a whole number from `minimum` to `maximum`, both included."""
    return Whole(validate=validate.Range(minimum, maximum), **kwargs)


class Ratio(fields.Float):
    """A number of a query string, rounded to twentieths: few pictures are drawn and cached."""

    def _validated(self, value: Any) -> float:
        if not isinstance(value, str) or not _NUMBER_TEXT.fullmatch(value):
            raise ValidationError("must be a number")
        return round(float(value) * 20) / 20


def ratio(minimum: float, maximum: float, **kwargs: Any) -> Ratio:
    """Return a field for a ratio from `minimum` to `maximum`, both included."""
    return Ratio(validate=validate.Range(minimum, maximum), **kwargs)


def version(**kwargs: Any) -> Whole:
    """Return a field for the version of a game."""
    return whole(1, VERSION_MAX, **kwargs)


def seat(**kwargs: Any) -> Whole:
    """Return a field for the index of a seat."""
    return whole(0, 4, **kwargs)


def nullable(schema: type[Schema], description: str = "", **kwargs: Any) -> fields.Nested:
    """Return a required field that holds an object of `schema` or null."""
    return fields.Nested(schema, required=True, allow_none=True, description=description, **kwargs)


def text(description: str = "", **kwargs: Any) -> fields.String:
    """Return a required string."""
    return fields.String(required=True, description=description, **kwargs)


def one_of(words: Sequence[str], description: str = "") -> fields.String:
    """Return a required field for one of these words."""
    return text(description, validate=validate.OneOf(words))


def time(description: str = "", **kwargs: Any) -> fields.String:
    """Return a required time: RFC 3339, UTC, milliseconds."""
    metadata = {"format": "date-time", "description": description or "UTC."}
    return fields.String(required=True, metadata=metadata, **kwargs)


def list_of(schema: type[Schema], description: str = "") -> fields.List:
    """Return a required list of objects of `schema`."""
    return fields.List(fields.Nested(schema), required=True, description=description)


def count(description: str, **kwargs: Any) -> Whole:
    """Return a field for a number of things, or of milliseconds."""
    return whole(0, description=description, **kwargs)


class Moment(fields.String):
    """A time of RFC 3339 with its offset; loaded as ms since the epoch."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        text_of = super()._deserialize(value, attr, data, **kwargs)
        if not _MOMENT.fullmatch(text_of):
            raise ValidationError("must be a time such as 2026-11-22T14:30:00Z")
        try:
            return round(datetime.fromisoformat(text_of.upper()).timestamp() * 1000)
        except (ValueError, OverflowError):
            raise ValidationError("this day or time does not exist") from None


def moment(description: str, **kwargs: Any) -> Moment:
    """Return a field for a time in a request."""
    return Moment(metadata={"format": "date-time", "description": description}, **kwargs)


class Flag(fields.Boolean):
    """`true` or `false`; `"true"`, `1` and the like are refused."""

    def _validated(self, value: Any) -> bool:
        if type(value) is not bool:
            raise self.make_error("invalid", input=value)
        return value

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        return self._validated(value)


class JsonObject(fields.DescribedField[Any]):
    """Any JSON object, taken as it is: what is in it, the engine or a contract says."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, dict):
            raise ValidationError("must be an object")
        return value


class Named(fields.Dict):
    """Values by name, without those that are null: null means missing.

    A fault of a value or of a name is reported at the name.
    """

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        deserialize: Any = super()._deserialize  # marshmallow leaves it without types
        if isinstance(value, dict):
            value = {name: one for name, one in value.items() if one is not None}
        try:
            return deserialize(value, attr, data, **kwargs)
        except ValidationError as error:
            if not isinstance(error.messages, dict):
                raise
            # marshmallow puts `key` and `value` into the path, which no body has.
            faults = {name: [*found.values()] for name, found in error.messages.items()}
            raise ValidationError(faults) from None
