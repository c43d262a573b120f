"""The WSGI application that gunicorn serves, as `service.process.gunicorn_conf` names it.

The first access to `app` makes the app, so the import of this module connects to nothing.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from flask import Flask

if TYPE_CHECKING:
    from cartulary.events.model.offers import Offers
    from cartulary.events.settings import StoreSettings
    from cartulary.events.store import Store

    OpenStore = Callable[[StoreSettings, Offers], Store]

log = logging.getLogger("cartulary.service")

_made: dict[str, Flask] = {}


def make_app(open_store: OpenStore | None = None) -> Flask:
    """Return an app with the settings of the environment; `open_store` opens another store.

    Raises `SettingsError` or `ValueError`, naming the missing or invalid variable, and
    `UnusableStore` for a store of a newer release, or of an interrupted restore.
    """
    from redis import RedisError

    from cartulary.events.settings import StoreSettings as LedgerSettings
    from cartulary.events.store import Store
    from cartulary.events.tracing.starting import start_tracing
    from cartulary.games import OFFERS
    from cartulary.service.app import create_app
    from cartulary.service.process.settings import WebSettings

    start_tracing("web")
    store = (open_store or Store.open)(LedgerSettings.from_env(os.environ), OFFERS)
    try:
        store.claim()
    except RedisError as error:
        # The process starts without the store; `/readyz` claims the store as soon as it answers.
        log.warning("the format of the store is not checked yet: %s", error)
    return create_app(WebSettings.from_environment(os.environ), store, OFFERS)


def __getattr__(name: str) -> Any:
    if name != "app":
        raise AttributeError(name)
    if name not in _made:
        _made[name] = make_app()
    return _made[name]
