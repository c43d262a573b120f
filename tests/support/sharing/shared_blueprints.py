"""The blueprints of a service, whose routes the services of one process share.

Flask makes each route of a blueprint again for each app, which takes half of the time of an app.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from flask import Blueprint
from flask.sansio.app import App
from werkzeug.routing import Rule

from tests.support.sharing.shared_routes import SharedMap

_register = Blueprint.register


class Routes(NamedTuple):
    """What the deferred functions of a blueprint give to an app."""

    rules: list[Rule]
    views: dict[str, Any]


_given: dict[tuple[object, ...], Routes] = {}


def register(self: Blueprint, app: App, options: dict[str, Any]) -> None:
    """Give an app the routes that another app of its class has had of this blueprint.

    Flask refuses to change a blueprint that an app has had, so the routes are the same.
    """
    automatic = app.config["PROVIDE_AUTOMATIC_OPTIONS"]
    key = (self, type(app), automatic, *sorted(options.items()))
    found = _given.get(key)
    if found is None or self.name in app.blueprints or not isinstance(app.url_map, SharedMap):
        _register_first(self, app, options, key)
        return
    app.blueprints[self.name] = self
    self._merge_blueprint_funcs(app, self.name)
    app.view_functions.update(found.views)
    app.url_map.take(found.rules)


def _register_first(
    blueprint: Blueprint, app: App, options: dict[str, Any], key: tuple[object, ...]
) -> None:
    routes = app.url_map
    if not isinstance(routes, SharedMap):
        _register(blueprint, app, options)
        return
    before = routes.count()
    _register(blueprint, app, options)
    rules = routes.list_since(before)
    if _adds_only_routes(blueprint, rules):
        views = {str(rule.endpoint): app.view_functions[rule.endpoint] for rule in rules}
        _given[key] = Routes(rules, views)


def _adds_only_routes(blueprint: Blueprint, rules: list[Rule]) -> bool:
    """Return whether each function that a blueprint has deferred has added one of these routes."""
    inner = blueprint._blueprints or blueprint.cli.commands or blueprint.has_static_folder
    return not inner and len(blueprint.deferred_functions) == len(rules)


def share_blueprints() -> None:
    """Let all services of this process share the routes of their blueprints."""
    setattr(Blueprint, "register", register)  # noqa: B010, mypy refuses to assign a method
