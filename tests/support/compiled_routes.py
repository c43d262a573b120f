"""Routes that are compiled once in a process; most tests of the service make a service."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar, NamedTuple

from flask import Flask
from werkzeug.routing import BaseConverter, Rule
from werkzeug.routing.rules import RulePart

Builder = Callable[..., tuple[str, str]]


class Parsed(NamedTuple):
    """What a route has read from its form."""

    parts: list[RulePart]
    trace: list[tuple[bool, str]]
    converters: dict[str, BaseConverter]


class CompiledOnce(Rule):
    """A route that takes what depends on its form from the first route of the same form.

    Werkzeug reads each form and compiles two functions for each route, and a service has a hundred
    routes: half of the time in which it is made. A function depends only on the form and the
    defaults of the route: it gets the route itself, with the converters, at each call. A converter
    knows nothing but what the form says.
    """

    builders: ClassVar[dict[tuple[str, str, bool], Builder]] = {}
    parsed: ClassVar[dict[tuple[str, frozenset[object]], Parsed]] = {}

    def _parse_rule(self, rule: str) -> Iterable[RulePart]:
        form = (rule, frozenset(self.map.converters.items()))
        if form not in self.parsed:
            begin = len(self._trace)
            parts = list(super()._parse_rule(rule))
            self.parsed[form] = Parsed(parts, self._trace[begin:], dict(self._converters))
            return parts
        found = self.parsed[form]
        self._trace += found.trace
        self._converters |= found.converters
        self.arguments |= set(found.converters)
        return found.parts

    def _compile_builder(self, append_unknown: bool = True) -> Builder:
        form = (self.rule, repr(self.defaults), append_unknown)
        if form not in self.builders:
            self.builders[form] = super()._compile_builder(append_unknown)
        return self.builders[form]


def compile_routes_once() -> None:
    """Let every service of this process share its compiled routes with the next service."""
    Flask.url_rule_class = CompiledOnce
