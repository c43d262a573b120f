"""The examples of `openapi.yaml` for operators, by operation; `examples` holds all others."""

from __future__ import annotations

from typing import Any

_ADA = {"id": "01JC0M6E3N8T5Q2V9W4X7Y1Z0A", "name": "Ada"}
_BOB = {"id": "01JC0M9J7R1S5T8V0X4Y6Z3A1C", "name": "Bob"}
_REPORT_ID = "01JC0M9J7R1S5T8V0X4Y6Z3A2D"
_LINE: dict[str, Any] = {
    "id": "1763632950000-0",
    "at": "2026-11-20T10:02:30.000Z",
    "by": "Cleo",
    "command": "mute",
    "player": _ADA,
    "report": _REPORT_ID,
    "reason": "insults at the table",
    "until": "2026-11-27T10:02:30.000Z",
    "names": [],
    "tournament": "",
    "study": "",
}
_STANDING: dict[str, Any] = {
    **_ADA,
    "kind": "person",
    "created_at": "2026-11-20T10:00:00.000Z",
    "claimed_at": "2026-11-20T10:00:00.000Z",
    "muted": {"until": "2026-11-27T10:02:30.000Z", "reason": "insults at the table"},
    "suspended": None,
    "operator": False,
    "reports": 1,
    "log": [_LINE],
}
_REPORT: dict[str, Any] = {
    "id": _REPORT_ID,
    "at": "2026-11-20T10:02:30.000Z",
    "by": _BOB,
    "kind": "message",
    "about": _ADA,
    "game": "01JC0M8Z4Q2R6S9T1V3W5X7Y0B",
    "study": None,
    "message": "an insult",
    "reason": "insult",
    "text": "And not for the first time.",
    "closed_at": None,
    "answer": "",
    "note": "",
}
_DETAILS: dict[str, Any] = {
    **_REPORT,
    "context": [
        {
            "id": "01JC0M8Z4Q2R6S9T1V3W5X7Y0B.1763632923123-0",
            "at": "2026-11-20T10:02:00.000Z",
            "player": _ADA,
            "message": "an insult",
        }
    ],
    "standing": _STANDING,
}
_ANSWERED = {**_DETAILS, "closed_at": "2026-11-20T10:03:00.000Z", "answer": "Ada is muted."}

REQUESTS: dict[str, dict[str, Any]] = {
    "answer_report": {"answered": {"answer": "Ada is muted for a week.", "note": "first time"}},
    "give_order": {
        "mute": {"command": "mute", "reason": "insults at the table", "days": 7},
        "rename": {"command": "rename", "reason": "an offensive name", "name": "Dora"},
    },
}

ANSWERS: dict[str, dict[str, Any]] = {
    "list_reports": {"open": {"reports": [_REPORT], "next_cursor": None}},
    "show_report": {"a_message": _DETAILS},
    "answer_report": {"answered": _ANSWERED},
    "find_any_players": {"muted": {"players": [_STANDING]}},
    "show_standing": {"muted": _STANDING},
    "give_order": {"muted": {"entry": _LINE, "player": _STANDING}},
    "show_operator_log": {"a_line": {"entries": [_LINE], "next_cursor": None}},
}
