"""A service that sends push messages, and a Chromium that shows notices."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Playwright

from tests.browser.conftest import LAUNCHED_WITH
from tests.notices.mail.mail_receiver import MailReceiver, run_mail_receiver
from tests.support.missing_tools import missing
from tests.support.real_serve import Served

PUBLIC_URL = "https://games.example"
FULL = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture(scope="package")
def mail_receiver() -> Iterator[MailReceiver]:
    """The mail server of that service."""
    with run_mail_receiver() as receiver:
        yield receiver


@pytest.fixture(scope="package")
def telling(
    browser: Browser, mail_receiver: MailReceiver, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    """A service with a notifier, which may send to one port of this machine, and mails."""
    data = tmp_path_factory.mktemp("telling") / "data"
    environment = {
        "CARTULARY_EGRESS_ALLOW": "127.0.0.1/32:8443",
        "CARTULARY_SMTP_URL": f"smtp://127.0.0.1:{mail_receiver.port}",
        "CARTULARY_SMTP_FROM": "Cartulary <games@example.org>",
        "CARTULARY_PUBLIC_URL": PUBLIC_URL,
    }
    with Served(data, "--notices", environment=environment) as service:
        yield service


@pytest.fixture(scope="package")
def full_browser(playwright: Playwright) -> Iterator[Browser]:
    """A whole Chromium: the headless shell denies all pages to show notices."""
    found = next(filter(None, map(shutil.which, FULL)), None)
    if found is None:
        missing("a whole Chromium is needed: the headless shell shows no notices")
    launched = playwright.chromium.launch(executable_path=found, args=LAUNCHED_WITH)
    yield launched
    launched.close()
