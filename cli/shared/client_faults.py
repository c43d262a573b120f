"""How a command that is a client of the service ends when the service refuses or is away."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cartulary.cli.shared.errors import Failed, Unusable
from cartulary.client import ApiProblem, ClientError


@contextmanager
def end_on_client_faults() -> Iterator[None]:
    """Raise `Unusable` (exit 2) for an invalid address, `Failed` (exit 1) for a refusal."""
    try:
        yield
    except ValueError as error:
        raise Unusable(str(error)) from error
    except ApiProblem as problem:
        raise Failed(f"{problem.code}: {problem.detail}") from problem
    except ClientError as error:
        raise Failed(str(error)) from error
