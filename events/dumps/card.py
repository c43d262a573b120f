"""The texts of a dump: data card, licence, schema. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cartulary.events.dumps.decisions import SCHEMA
from cartulary.events.dumps.lines import FORM, STEP
from cartulary.events.model.types import Json

LICENCE: Final = "CC0-1.0"

LICENCE_TEXT: Final = """\
CC0 1.0 Universal

To the extent possible under law, the publisher of these files has waived all copyright, related
and neighbouring rights, and rights in databases, to them. The text that counts, with all its
sections, is at https://creativecommons.org/publicdomain/zero/1.0/legalcode

One request, which is no condition: say where the data is from when you publish work with it, and do
not try to find out who the players are.
"""

_CARD: Final = """\
# Games of {month}

{games} games of Cartulary that ended in {month} (UTC): {by_name}.

| file | holds |
|---|---|
| `games.jsonl.zst` | one game a line, JSON under zstd, in the order of their ends |
{parquet}| `schema.json` | what is in a line and in a row |
| `LICENSE.txt` | CC0 1.0: do what you like |
| `SHA256SUMS` | `sha256sum -c SHA256SUMS` checks the files |

## Which games are in it

Public games with a result that were played here from their first move. Each person who had a seat
or opened the game has said yes to open data, which is a choice in the settings of an account and is
off until the person turns it on. Built-in bots have no owner; a bot that a player has made says
what its owner says. A person who says no, or deletes the account, is in no dump that is made later.
So these are not all games, and those who say yes are not a sample of all players.

## Who the players are

Players have numbers, drawn afresh for each month: number 7 of this month is not number 7 of the
next. Names, ids of games and times of day are not in it, and ratings are rounded to {step}, because
an exact rating at the end of a month would tell who it is in the next. That is no anonymity: games
are public, and who knows one of them can find it here by its moves. Do not try to.

## What proves a game

`proof` has the commitment that was public before the first draw, the secret that was public after
the last, and what the players added. docs/fairness.md says how all draws follow from them. It is
null where the draws cannot be proved.

## What a value is

`value` and `best_value` are expected final leads, as the analysis of this service found them, for
games that were analysed within the month before the dump; null elsewhere. The analysis is a bot: it
errs.
"""


def write_card(month: str, games: Mapping[str, int], with_decisions: bool) -> str:
    """Return the data card of a month; `games` counts them by name."""
    by_name = ", ".join(f"{number} of {name}" for name, number in sorted(games.items())) or "none"
    parquet = "| `decisions.parquet` | one decision a row |\n" if with_decisions else ""
    return _CARD.format(
        month=month, games=sum(games.values()), by_name=by_name, parquet=parquet, step=STEP
    )


def describe_schema() -> Json:
    """Return what is in a line and in a row."""
    return {
        "form": FORM,
        "games.jsonl.zst": {
            "form": "the form of a line",
            "number": "the number of the game in this dump, from 0",
            "day": "the day of its end, UTC",
            "game": "name of the game",
            "rules_version": "version of the rules it was played by",
            "pace": "how much time the players had, as in docs/living.md; null: untimed",
            "ladder": "the ladder it counted for: people, bots, practice; null: none",
            "seats": "by seat: player (number, null for a built-in level), kind (person, bot, "
            f"level), level, before and after (rating and deviation, to {STEP}; null: not rated)",
            "result": "scores, winners, ranks, outcomes, ended_by, breakdown, as in docs/ledger.md",
            "proof": "scheme, commitment, secret, entropies, seating: docs/fairness.md; null: none",
            "transcript": "the game as a file: docs/transcript.md",
        },
        "decisions.parquet": {
            one.name: {"type": one.type, "null": one.nullable, "meaning": one.meaning}
            for one in SCHEMA
        },
    }
