"""The finished description, as JSON and as YAML."""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import Any

import orjson

from cartulary.service.openapi.forms.opening import open_description
from cartulary.service.openapi.forms.streams import type_streams

Json = dict[str, Any]


class Description:
    """The finished description in its forms."""

    def __init__(self, value: Json) -> None:
        self.value = value

    @cached_property
    def json(self) -> bytes:
        """The description as JSON."""
        return orjson.dumps(self.value)

    @cached_property
    def yaml(self) -> str:
        """The description as YAML: what is in `openapi.yaml`."""
        # Few requests ask for YAML: a web process loads the library at the first of them.
        from cartulary.service.openapi.yaml_text import write_yaml

        return write_yaml(orjson.loads(self.json))

    @cached_property
    def digest(self) -> str:
        """The name of this description: equal descriptions have equal digests."""
        return hashlib.sha256(self.json).hexdigest()[:16]


class Descriptions:
    """The description in all its forms. Each is made when it is first asked for, and kept."""

    def __init__(self, closed: Description) -> None:
        """Take the closed form, from which the others follow."""
        self.closed = closed

    @cached_property
    def open(self) -> Description:
        """The form for generating clients."""
        return Description(open_description(self.closed.value))

    @cached_property
    def typed_streams(self) -> Description:
        """The open form in OpenAPI 3.2."""
        return Description(type_streams(self.open.value))
