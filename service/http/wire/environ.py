"""The WSGI environment of a request."""

from __future__ import annotations

from typing import Any

Environ = dict[str, Any]
