"""Pages in a Chromium that fail the test when the console complains."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, Literal, NamedTuple

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

EXPECTED_OFFLINE: Final = ("net::ERR_", "Failed to load resource")
PATIENT_MS: Final = 45_000
"""So long a test waits for what a page should show, and for a page to take an action."""
BLOCKED: Final = "Service Worker registration blocked by Playwright"
"""What the console of a window says that keeps nothing."""


class Size(NamedTuple):
    """A window."""

    width: int
    height: int

    def __str__(self) -> str:
        return f"{self.width}x{self.height}"


PHONE: Final = Size(390, 844)
DESKTOP: Final = Size(1440, 900)


class Window:
    """A browser of its own (storage, cookies) with one page; `troubles` is what went wrong."""

    def __init__(self, context: BrowserContext, page: Page) -> None:
        self._context = context
        self.page = page
        self.troubles: list[str] = []
        self.may_fail_to_load = False
        self.is_changed = False
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.troubles.append(f"page error: {error}"))

    @property
    def context(self) -> BrowserContext:
        """The browser, to change more than its page: no other test uses it after that."""
        self.is_changed = True
        return self._context

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type not in ("error", "warning") or message.text == BLOCKED:
            return
        if self.may_fail_to_load and any(part in message.text for part in EXPECTED_OFFLINE):
            return
        self.troubles.append(f"console {message.type}: {message.text}")


Scheme = Literal["light", "dark"]


class KeptBrowser:
    """A browser that test after test uses, each with what a new browser has: nothing.

    Its process, the files of the client and what has been compiled of them stay, which is half of
    what a page costs. A hidden page keeps the process.
    """

    def __init__(self, context: BrowserContext, url: str) -> None:
        self.context = context
        self._url = url
        self._keeper = context.new_page()
        self._keeper.goto("/livez")
        self._session = context.new_cdp_session(self._keeper)

    def empty(self) -> None:
        """Close the pages of a test, and forget what they stored."""
        for page in self.context.pages:
            if page is not self._keeper:
                page.close()
        self.context.clear_cookies()
        self._session.send(
            "Storage.clearDataForOrigin", {"origin": self._url, "storageTypes": "all"}
        )


_kept: dict[tuple[Any, ...], list[KeptBrowser]] = {}
"""The browsers that no test uses now, by service and touch; only those of usual windows.

A page has its size and its theme of its own, so one browser does for all of these.
"""


@contextmanager
def window(
    browser: Browser,
    url: str,
    size: Size = PHONE,
    locale: str = "en-GB",
    scheme: Scheme = "light",
    touch: bool | None = None,
    keeps: bool = False,
) -> Iterator[Window]:
    """Open a window; on leaving, nothing must have been said on its console.

    Without `touch` only the window of a phone is touched. Only a window that `keeps` has the
    service worker of the client: it is new, and to start a worker takes a fifth of the time of two
    pages.
    """
    options: Any = {
        "base_url": url,
        "viewport": {"width": size.width, "height": size.height},
        "locale": locale,
        "color_scheme": scheme,
        "has_touch": size is PHONE if touch is None else touch,
        "reduced_motion": "reduce",
        "service_workers": "allow" if keeps else "block",
    }
    is_usual = not keeps and locale == "en-GB"
    free = _kept.setdefault((browser, url, options["has_touch"]), []) if is_usual else []
    kept = free.pop() if free else None
    if kept is None:
        context = browser.new_context(**options)
        context.set_default_timeout(PATIENT_MS)
        kept = KeptBrowser(context, url) if is_usual else None
        page = context.new_page()
    else:
        context = kept.context
        page = context.new_page()
        page.set_viewport_size(options["viewport"])
        page.emulate_media(color_scheme=scheme)
    opened = Window(context, page)
    is_reusable = False
    try:
        yield opened
        assert not opened.troubles, "\n".join(opened.troubles)
        is_reusable = kept is not None and not opened.is_changed
    finally:
        if is_reusable and kept is not None:
            kept.empty()
            free.append(kept)
        else:
            context.close()


keeping_window = partial(window, keeps=True)
"""A window of a browser that keeps page and files: for what depends on network and visits."""
