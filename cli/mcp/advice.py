"""What a model does after a refusal: each error says its code, its reason and the next step."""

from __future__ import annotations

from typing import Final

from cartulary.client import (
    ApiProblem,
    ClientError,
    Conflict,
    ConnectionLost,
    Forbidden,
    Invalid,
    NotFound,
    TooMany,
    Unauthenticated,
    Unavailable,
)

LOOK: Final = "Call `look` and choose again."

_STEPS: Final[tuple[tuple[type[ClientError], str], ...]] = (
    (Unauthenticated, "The token is not valid any more: the owner of the token must renew it."),
    (Forbidden, "This is not for you: `list_games` lists your games."),
    (NotFound, "Call `list_games` for the ids of your games."),
    (Conflict, f"Nothing has changed. {LOOK}"),
    (Invalid, f"Nothing has changed. {LOOK}"),
    (TooMany, "Nothing has changed. Wait as long as it says, then repeat the call."),
    (Unavailable, "It may have happened: call `look` to see, before you repeat anything."),
    (ConnectionLost, "It may have happened: call `look` to see, before you repeat anything."),
)


def advise(error: ClientError | ValueError) -> str:
    """Return what went wrong and what to do next, as one line."""
    step = next((step for kind, step in _STEPS if isinstance(error, kind)), LOOK)
    if isinstance(error, TooMany) and error.retry_after:
        step = f"Nothing has changed. Wait {error.retry_after:.0f} seconds, then repeat the call."
    said = f"{error.code}: {error.detail}" if isinstance(error, ApiProblem) else str(error)
    return f"{said.rstrip('.')}. {step}"
