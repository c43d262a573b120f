"""The tree of errors is complete, and each refusal has its own code."""

from __future__ import annotations

import pickle
import re

import pytest

from cartulary.events.model import errors
from cartulary.events.model.errors import (
    IllegalMoveRefused,
    LedgerError,
    NotHost,
    QuotaExceeded,
    Refused,
    StaleVersion,
)

DEFINED = [
    found
    for found in vars(errors).values()
    if isinstance(found, type) and issubclass(found, LedgerError)
]


def test_the_page_about_the_errors_names_each_of_them() -> None:
    assert len(DEFINED) > 40
    assert {error.__name__ for error in DEFINED} <= set(re.findall(r"\w+", errors.__doc__ or ""))


def test_each_refusal_has_a_code_of_its_own() -> None:
    codes = [error.code for error in DEFINED if issubclass(error, Refused)]
    assert [code for code in codes if codes.count(code) > 1] == ["refused", "refused"]
    assert errors.NotCached.code == "refused"


@pytest.mark.parametrize(
    "error",
    [
        NotHost(),
        StaleVersion(7, 3),
        IllegalMoveRefused("no", {"seat": 0}, [{"type": "pass"}]),
        QuotaExceeded("open", 3, 4, 0, None),
    ],
)
def test_a_refusal_arrives_whole_in_another_process(error: Refused) -> None:
    found = pickle.loads(pickle.dumps(error))
    assert type(found) is type(error)
    assert (str(found), found.members(), vars(found)) == (str(error), error.members(), vars(error))
    assert str(error)
