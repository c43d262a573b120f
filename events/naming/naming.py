"""What the name of a player may be: the profile `UsernameCasePreserved` of PRECIS (RFC 8265).

A name is one or more parts with single blanks between them. Each part has letters and digits of any
script, and the signs of an English keyboard. Wide letters become usual ones, and letters with marks
their composed form (NFC), so a name that looks the same is the same.

A name has one script; digits, signs and marks belong to all scripts. The scripts that Japanese,
Korean and Chinese writing mixes count as one: `Jpan`, `Kore` and `Hanb`, UTS 39, section 5.1.

The rules are for names that players choose from now on. What is stored stays as it is.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from precis_i18n import get_profile

from cartulary.events.model.names import LONGEST, judge_line

_PROFILE: Final = get_profile("UsernameCasePreserved")

_WRITINGS: Final = (
    frozenset({"HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"HAN", "HANGUL"}),
    frozenset({"HAN", "BOPOMOFO"}),
)
"""The scripts that count as one: those of Japanese, Korean, Chinese."""

_OF_NO_SCRIPT: Final = frozenset({"MODIFIER", "KATAKANA-HIRAGANA", "MASCULINE", "FEMININE"})
"""How the names of letters begin that several scripts use."""

_OTHER_NAMES: Final = {"CJK": "HAN", "IDEOGRAPHIC": "HAN", "HALFWIDTH": "KATAKANA"}


REASONS: Final = (
    *("name_length", "name_unseen", "name_turning", "name_letters", "name_directions"),
    *("name_form", "name_scripts", "name_operator", "name_taken_away"),
)
"""Why a name is refused, in stable words for programs."""


class BadName(ValueError):
    """A name that no player may choose: `reason` is one of `REASONS`, the text is for people."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


def prepare_name(text: str) -> str:
    """Return a name as it is stored. Raises `BadName`."""
    fault = judge_line(text, LONGEST)
    if fault is not None:
        raise BadName(f"name_{fault.reason}", fault.detail)
    name = " ".join(_prepare(part) for part in text.split())
    scripts = find_scripts(name)
    if not _fit_together(scripts):
        mixed = " and ".join(sorted(one.capitalize() for one in scripts))
        raise BadName("name_scripts", f"must have letters of one script: this name mixes {mixed}")
    return name


def _prepare(part: str) -> str:
    try:
        prepared: str = _PROFILE.enforce(part)
    except UnicodeEncodeError as error:
        raise _explain(error) from error
    return prepared


def _explain(error: UnicodeEncodeError) -> BadName:
    """Return what PRECIS refuses."""
    if error.reason.endswith("bidi_rule"):
        detail = "must not mix letters of both directions of writing in one part"
        return BadName("name_directions", detail)
    if error.reason.startswith("DISALLOWED"):
        letters = str(error.object)[error.start : error.end]
        detail = f"must have letters, digits and the signs of a keyboard: “{letters}” is not one"
        return BadName("name_letters", detail)
    return BadName("name_form", f"must be a name as RFC 8265 has them: {error.reason}")


def find_scripts(name: str) -> frozenset[str]:
    """Return the scripts of the letters of a name, as their Unicode names begin: `LATIN`.

    The standard library does not know the property Script. The first word of the name of a letter
    says it: `CYRILLIC SMALL LETTER A`; what begins otherwise is in the tables above.
    """
    words = (unicodedata.name(one, "").partition(" ")[0] for one in name if one.isalpha())
    return frozenset(_OTHER_NAMES.get(one, one) for one in words) - _OF_NO_SCRIPT


def _fit_together(scripts: frozenset[str]) -> bool:
    return len(scripts) <= 1 or any(scripts <= writing for writing in _WRITINGS)
