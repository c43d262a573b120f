"""The WSGI application that gunicorn serves, as `service.process.gunicorn_conf` names it.

The first access to `app` makes the app, so the import of this module connects to nothing.
"""

from __future__ import annotations

import logging
import os
from typing import Any

from flask import Flask

log = logging.getLogger("cartulary.service")

_made: dict[str, Flask] = {}


def make_app() -> Flask:
    """Return an app with the settings of the environment.

    Raises `SettingsError` or `ValueError`, naming the missing or invalid variable, and
    `UnusableStore` for a store of a newer release, or of an interrupted restore.
    """
    from redis import RedisError

    from cartulary.events.settings import StoreSettings as LedgerSettings
    from cartulary.events.store import Store
    from cartulary.games import OFFERS
    from cartulary.service.app import create_app
    from cartulary.service.process.settings import WebSettings

    store = Store.open(LedgerSettings.from_env(os.environ), OFFERS)
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
