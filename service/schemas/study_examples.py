"""The examples of `openapi.yaml` for studies, by operation; `openapi.examples` holds all others."""

from __future__ import annotations

from typing import Any

_ADA = {"id": "01JC0KQ4N6E3N8T5Q2V9W4X7Y1", "name": "Ada"}
_BOB = {"id": "01JC0M9J7R1S5T8V0X4Y6Z3A1C", "name": "Bob"}
_ID = "01JC0MB4W7X2Y5Z8A1B3C6D9S0"
_AT = "2026-11-26T18:00:00.000Z"
_LATER = "2026-11-26T19:00:00.000Z"
_HEX = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
_PLACED = {"type": "place_tile", "x": 1, "y": 0, "rotation": 90}
_ELSEWHERE = {"type": "place_tile", "x": -1, "y": 0, "rotation": 90}
_START = {
    "format": "cartulary/1",
    "game": "carcassonne",
    "options": {},
    "seats": 2,
    "setup": {},
    "draws": ["U"],
    "moves": [],
    "bag": {"K": 1},
}
_CHAPTER: dict[str, Any] = {
    "title": "A road",
    "start": _START,
    "text": "A follower on a **road** is a *thief*.",
    "line": [{"move": _PLACED}],
}
_LINE = [
    {
        "node": 2,
        "move": _PLACED,
        "text": "Now the follower.",
        "instead": [[{"node": 3, "move": _ELSEWHERE}]],
    }
]
_NUMBERED = {**_CHAPTER, "chapter": 1, "node": 1, "line": _LINE}
_FILE: dict[str, Any] = {
    "format": "cartulary-study/1",
    "title": "Your first follower",
    "language": "en",
    "chapters": [_CHAPTER],
}
_STUDY: dict[str, Any] = {
    "id": _ID,
    "version": 3,
    "visibility": "link",
    "authors": [_ADA, _BOB],
    "may_write": True,
    "is_invited": False,
    "invited": [],
    "hidden": None,
    "document": {**_FILE, "chapters": [_NUMBERED]},
    "created_at": _AT,
    "updated_at": _LATER,
}
_BEGUN = {
    **_FILE,
    "chapters": [{**_CHAPTER, "chapter": 1, "node": 1, "line": [{"node": 2, "move": _PLACED}]}],
}
_SUMMARY = {
    "id": _ID,
    "title": "Your first follower",
    "language": "en",
    "games": ["carcassonne"],
    "chapters": 1,
    "visibility": "public",
    "hidden": False,
    "authors": [_ADA, _BOB],
    "version": 3,
    "created_at": _AT,
    "updated_at": _LATER,
}
_EVENT = {
    "version": 3,
    "type": "text_set",
    "at": _LATER,
    "node": 2,
    "text": "Now the follower.",
    "by": _ADA["id"],
    "prev": _HEX,
    "hash": _HEX,
}
_TEXTED = [{"node": 2, "move": _PLACED, "text": "Now the follower."}]
_WRITTEN = {
    "version": 3,
    "events": [_EVENT],
    "study": {
        **_STUDY,
        "document": {**_FILE, "chapters": [{**_NUMBERED, "line": _TEXTED}]},
    },
}
_INVITED = {
    "version": 6,
    "type": "author_invited",
    "at": _LATER,
    "player": _BOB,
    "by": _ADA["id"],
    "prev": _HEX,
    "hash": _HEX,
}
_ASKED = {
    "version": 6,
    "events": [_INVITED],
    "study": {**_STUDY, "version": 6, "authors": [_ADA], "invited": [_BOB]},
}
_AUTHORS_CHANGED = {
    "version": 6,
    "type": "authors_changed",
    "at": _LATER,
    "authors": [_ADA, _BOB],
    "by": _ADA["id"],
    "prev": _HEX,
    "hash": _HEX,
}
_RE_AUTHORED = {"version": 6, "events": [_AUTHORS_CHANGED], "study": {**_STUDY, "version": 6}}
_HIDDEN = {
    "version": 4,
    "type": "study_hidden",
    "at": _LATER,
    "reason": "an insult in the first text",
    "prev": _HEX,
    "hash": _HEX,
}
_HIDING = {"at": _LATER, "reason": "an insult in the first text"}
_OUT_OF_SIGHT = {**_STUDY, "version": 4, "may_write": False, "hidden": _HIDING}
_VIEW = {
    "tile": "U",
    "board": [{"follower": None, "rotation": 0, "tile": "D", "x": 0, "y": 0}],
    "discarded": [],
    "remaining": {"K": 1},
    "scores": [0, 0],
    "followers": [7, 7],
}

REQUESTS: dict[str, dict[str, Any]] = {
    "begin_study": {
        "lesson": _FILE,
        "copy": {"copy_of": "house-carcassonne-01-first-follower", "title": "My first follower"},
    },
    "change_study": {
        "text": {"changes": [{"type": "text_set", "node": 2, "text": "Now the follower."}]},
        "line": {"changes": [{"type": "line_added", "parent": 1, "moves": [{"move": _ELSEWHERE}]}]},
        "share": {"changes": [{"type": "visibility_set", "visibility": "link"}]},
    },
    "order_study": {"hide": {"command": "hide", "reason": "an insult in the first text"}},
}

ANSWERS: dict[str, dict[str, Any]] = {
    "begin_study": {"begun": {**_STUDY, "version": 2, "visibility": "private", "document": _BEGUN}},
    "list_studies": {"page": {"studies": [_SUMMARY], "next_cursor": None}},
    "show_study_at": {"study": _STUDY},
    "change_study": {"changed": _WRITTEN},
    "order_study": {"hidden": {"version": 4, "events": [_HIDDEN], "study": _OUT_OF_SIGHT}},
    "show_study_to_operator": {"hidden": _OUT_OF_SIGHT},
    "add_study_author": {"asked": _ASKED, "added": _RE_AUTHORED},
    "remove_study_author": {"removed": _RE_AUTHORED},
    "list_study_events": {"page": {"events": [_EVENT], "next_after": 3}},
    "show_study_node": {
        "node": {
            "node": 1,
            "chapter": 1,
            "game": "carcassonne",
            "seats": 2,
            "view": _VIEW,
            "decision": {"seat": 0, "kind": "place_tile", "context": {"tile": "U"}},
            "moves": [_PLACED],
            "words": [{"number": 1, "text": "Tile at 1, 0", "move": _PLACED}],
            "scores": [0, 0],
            "over": False,
            "explorer": None,
            "draw": [],
        }
    },
    "show_study_words": {"words": {"words": {"2": "Tile at 1, 0", "3": "Tile at -1, 0"}}},
    "show_study_transcript": {
        "transcript": {
            **_START,
            "moves": [{"seat": 0, "move": _PLACED}],
            "variations": [
                {"line": 0, "before": 0, "moves": [{"seat": 0, "move": _ELSEWHERE}]},
            ],
            "comments": [{"after": 0, "text": "A follower on a **road** is a *thief*."}],
        }
    },
}
