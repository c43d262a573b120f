"""The routes of a service, which the services of one process share: most tests make a service."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from typing import Any, ClassVar, NamedTuple

from flask import Flask
from werkzeug.routing import Map, Rule, RuleFactory
from werkzeug.routing.matcher import StateMachineMatcher


class Built(NamedTuple):
    """What a map has made of its routes."""

    matcher: StateMachineMatcher
    by_endpoint: dict[Any, list[Rule]]


class SharedMap(Map):
    """A map that reads its routes when they are first asked for, equal ones once in a process.

    Werkzeug reads each form, compiles two functions for each route and sorts them, and a service
    has a hundred routes: most of the time in which it is made. What comes out names an endpoint,
    and knows nothing of the service whose function stands behind it.
    """

    built: ClassVar[dict[tuple[object, ...], Built]] = {}

    def __init__(self, *args: Any, **more: Any) -> None:
        self._routes: list[Rule] = []
        self._is_built = False
        super().__init__(*args, **more)

    def add(self, rulefactory: RuleFactory) -> None:
        """Take routes; raises `RuntimeError` after the first use: other maps may have them, too."""
        self.take(rulefactory.get_rules(self))

    def take(self, routes: Iterable[Rule]) -> None:
        """Take routes that other maps may have taken; raises `RuntimeError` after the first use."""
        if self._is_built:
            raise RuntimeError("this map has been used: its routes are shared")
        self._routes += routes

    def count(self) -> int:
        """Return how many routes the map has."""
        return len(self._routes)

    def list_since(self, count: int) -> list[Rule]:
        """Return the routes that came after the first `count`."""
        return self._routes[count:]

    def update(self) -> None:
        """Read the routes, unless a map with the same ones has read them."""
        if self._is_built:
            return
        form = self._form()
        if form not in self.built:
            for route in self._routes:
                super().add(copy(route))  # a map keeps its routes for itself
            super().update()
            self.built[form] = Built(self._matcher, self._rules_by_endpoint)
        self._matcher, self._rules_by_endpoint = self.built[form]
        self._is_built = True

    def _form(self) -> tuple[object, ...]:
        converters = frozenset(self.converters.items())
        ways = (self.merge_slashes, self.strict_slashes, self.redirect_defaults, self.host_matching)
        return (converters, ways, *map(number_of, self._routes))


_numbers: dict[tuple[object, ...], int] = {}


def number_of(route: Rule) -> int:
    """Return a number that only equal routes have, found once for a route that maps share."""
    known: int | None = vars(route).get("number_of_form")
    if known is None:
        known = _numbers.setdefault(form_of(route), len(_numbers))
        vars(route)["number_of_form"] = known
    return known


def form_of(route: Rule) -> tuple[object, ...]:
    """Return all that makes a route another one; Flask asks for automatic options at the route."""
    return (
        *(route.rule, route.endpoint, frozenset(route.methods or ()), repr(route.defaults)),
        *(route.subdomain, route.host, route.strict_slashes, route.merge_slashes, route.alias),
        *(route.build_only, route.websocket, repr(route.redirect_to)),
        getattr(route, "provide_automatic_options", None),
    )


def share_routes() -> None:
    """Let all services of this process share their routes."""
    Flask.url_map_class = SharedMap
