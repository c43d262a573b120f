"""Routes that are compiled once in a process; most tests of the service make a service."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from flask import Flask
from werkzeug.routing import Rule

Builder = Callable[..., tuple[str, str]]


class CompiledOnce(Rule):
    """A route that takes the builder of its addresses from the first route of the same form.

    Werkzeug generates and compiles two functions for each route, and a service has a hundred
    routes. A function depends only on the form and the defaults of the route: it gets the route
    itself, with the converters, at each call.
    """

    builders: ClassVar[dict[tuple[str, str, bool], Builder]] = {}

    def _compile_builder(self, append_unknown: bool = True) -> Builder:
        form = (self.rule, repr(self.defaults), append_unknown)
        if form not in self.builders:
            self.builders[form] = super()._compile_builder(append_unknown)
        return self.builders[form]


def compile_routes_once() -> None:
    """Let every service of this process share its compiled routes with the next service."""
    Flask.url_rule_class = CompiledOnce
