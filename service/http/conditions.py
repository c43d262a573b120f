"""The conditions of a request: ETag, If-None-Match, If-Match, Idempotency-Key, its arrival."""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from time import monotonic

from werkzeug.datastructures import ETags
from werkzeug.http import parse_etags

from cartulary.events.commands.commands import Intent, Written
from cartulary.events.model.errors import StaleVersion
from cartulary.events.model.table import Table
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.environ import Environ
from cartulary.service.http.wire.problems import Problem, invalid
from cartulary.service.http.wire.server_marks import RECEIVED

KEY_MAX = 255
HEAD_SHOWN = 16
"""Digits of the hash of an event that tell two events of one version apart."""

QUOTE = '"'
NEVER = -1
"""A version that no game is at."""

Versions = tuple[int, ...]

NO_TAGS = ETags()
_VERSION = re.compile(r"v([1-9][0-9]{0,9})(?:\.[1-9][0-9]{0,9})?", re.ASCII)


def tag_version(version: int, masked: int = 0) -> str:
    """Return the entity tag of a game at a version, of which so many names are masked.

    A deletion of a name changes what is shown of a version, so it changes the tag.
    """
    return f'"v{version}.{masked}"' if masked else f'"v{version}"'


def tag_table(services: Services, table: Table) -> str:
    """Return the entity tag of what is shown of a table."""
    masks = services.store.masks
    return tag_version(table.life.version, masks.count(table) if masks.deleted else 0)


def name_shown(services: Services, table: Table) -> str:
    """Return what is shown of a table as a part of the tag of a picture or a text.

    It names the last event as well: a store that has lost events writes others at their versions.
    """
    return f"{tag_table(services, table).strip(QUOTE)}-{table.head[:HEAD_SHOWN]}"


def tag_content(content: bytes) -> str:
    """Return the entity tag of an answer that has no version: of its content."""
    return f'"{sha256(content).hexdigest()[:16]}"'


def prefers_minimal(environ: Environ, _services: Services) -> bool:
    """Return whether `Prefer` asks for `return=minimal` (RFC 7240)."""
    header = environ["HTTP_PREFER"]
    preferences = [part.partition(";")[0].replace(" ", "") for part in header.split(",")]
    # The first of several values of one preference counts (RFC 7240, 2).
    wanted = [text.lower() for text in preferences if text.lower().startswith("return=")]
    return bool(wanted) and wanted[0].replace('"', "") == "return=minimal"


def read_if_none_match(environ: Environ, _services: Services) -> ETags:
    """Return the tags of `If-None-Match`."""
    header = environ.get("HTTP_IF_NONE_MATCH")
    return parse_etags(header) if header else NO_TAGS


def is_known(known: ETags, tag: str) -> bool:
    """Return whether the client has the answer with this tag (RFC 9110, 13.1.2)."""
    return known.contains_weak(tag.removeprefix("W/").strip('"'))


def read_if_match(environ: Environ, _services: Services) -> Versions | None:
    """Return the versions that `If-Match` allows, None for `*` and for an empty header.

    A weak tag allows nothing (RFC 9110, 13.1.1), and neither does a tag of another form.
    """
    header = environ["HTTP_IF_MATCH"]
    if not header:
        return None
    tags = parse_etags(header)
    if tags.star_tag:
        return None
    # werkzeug also takes a tag without its quotes, which is no tag.
    found = [_VERSION.fullmatch(tag) for tag in tags if f'"{tag}"' in header]
    return tuple(int(version[1]) for version in found if version) or (NEVER,)


def write_at(
    services: Services,
    game_id: str,
    if_match: Versions | None,
    intent: Intent,
    write: Callable[[Intent], Written],
) -> Written:
    """Write to a game at a version that `If-Match` and the intent allow (None: at any).

    The command says which versions hold: for a move each version since the position, else the
    current version. Raises `Problem` 412 when no version of the header holds, `StaleVersion` when
    only that of the intent fails.
    """
    if if_match is None:
        return write(intent)
    try:
        version = _choose_version(services, game_id, if_match, intent.expected)
        return write(intent._replace(expected=version))
    except StaleVersion as error:
        if any(map(error.allows, if_match)):
            raise
        raise _refuse_precondition(error) from None


def _choose_version(
    services: Services, game_id: str, allowed: Versions, expected: int | None
) -> int:
    """Return the one version that the command is to judge.

    The versions that hold end with the current one. So of several tags the newest that the game has
    decides; and of two versions that must both hold, the older.
    """
    if len(allowed) == 1 and expected in (None, allowed[0]):
        return allowed[0]
    current = services.store.ledger.version(game_id)
    newest = max((version for version in allowed if version <= current), default=NEVER)
    if expected is None:
        return newest
    return min(newest, expected) if expected <= current else NEVER


def _refuse_precondition(error: StaleVersion) -> Problem:
    """Return the 412 for an `If-Match` that does not hold."""
    return Problem(
        "stale_version",
        f"If-Match does not hold: the game is at version {error.current_version}",
        status=412,
        headers={"ETag": tag_version(error.current_version)},
        **error.members(),
    )


def read_key(environ: Environ, _services: Services) -> str:
    """Return the `Idempotency-Key`; raises `Problem` 422 for a bad one."""
    raw: str = environ["HTTP_IDEMPOTENCY_KEY"]
    try:
        # WSGI decodes every header as Latin-1.
        key = raw.encode("latin-1").decode()
    except UnicodeError:
        key = raw
    if not 1 <= len(key) <= KEY_MAX:
        raise invalid("", f"the header Idempotency-Key must have 1 to {KEY_MAX} characters")
    return key


def find_received(environ: Environ, services: Services) -> int | None:
    """Return when a request came in, in ms since the epoch; None where no server has noted it.

    The server notes the moment by the clock of its event loop, which never jumps. What has passed
    since then is taken from the time of the store, so a test that sets the time sets this as well.
    """
    at: float | None = environ.get(RECEIVED)
    if at is None:
        return None
    return services.store.clock.now_ms() - max(0, round(1000 * (monotonic() - at)))
