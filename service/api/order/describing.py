"""What operators see of reports, players and the log, as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from cartulary.events.chat.complaints import Complaint
from cartulary.events.chat.messages import ChatMessage
from cartulary.events.model.types import Json
from cartulary.events.order.log import LogEntry
from cartulary.events.order.standings import PlayerStanding
from cartulary.events.people.sentences import Sentence
from cartulary.events.store import Store
from cartulary.service.api.people.players import describe_player


def describe_log(store: Store, entries: Sequence[LogEntry]) -> list[Json]:
    """Return lines of the log, with the names that their players have now."""
    names = _name(store, [one for entry in entries for one in (entry.player, entry.by)])
    return [
        {
            **entry._asdict(),
            "by": names.get(entry.by, entry.by),
            "player": _refer(entry.player, names),
            "names": list(entry.names),
        }
        for entry in entries
    ]


def _name(store: Store, ids: Iterable[str]) -> dict[str, str]:
    asked = sorted({one for one in ids if one and ":" not in one})
    names = store.players.name_all(asked) if asked else []
    return {one: name for one, name in zip(asked, names, strict=True) if name}


def _refer(player_id: str, names: Mapping[str, str]) -> Json | None:
    return {"id": player_id, "name": names[player_id]} if player_id in names else None


def describe_standing(store: Store, standing: PlayerStanding) -> Json:
    """Return a player as operators see one."""
    return {
        **describe_player(standing.player),
        "claimed_at": standing.claimed_at,
        "muted": _describe_sentence(standing.muted),
        "suspended": _describe_sentence(standing.suspended),
        "operator": standing.is_operator,
        "reports": standing.reports,
        "log": describe_log(store, standing.log),
    }


def _describe_sentence(sentence: Sentence | None) -> Json | None:
    return None if sentence is None else {"until": sentence.until_text, "reason": sentence.reason}


def describe_report(report: Complaint) -> Json:
    """Return a report as a list shows it."""
    subject = report.subject if report.kind == "message" else {}
    return {
        "id": report.id,
        "at": report.at,
        "by": report.by,
        "kind": report.kind,
        "about": report.about,
        "game": report.game_id,
        "study": report.study,
        "message": subject.get("text") or subject.get("phrase"),
        "reason": report.reason,
        "text": report.text,
        "closed_at": report.closed_at,
        "answer": report.answer,
        "note": report.note,
    }


def describe_details(store: Store, report: Complaint) -> Json:
    """Return a report with what an operator needs for a decision."""
    player = store.players.by_id(report.about["id"]) if report.about else None
    standings = store.office.standings
    return {
        **describe_report(report),
        "context": [_describe_message(one) for one in store.office.answers.read_around(report)],
        "standing": player and describe_standing(store, standings.describe(player)),
    }


def _describe_message(message: ChatMessage) -> Json:
    return {
        "id": message.id,
        "at": message.at,
        "player": message.player,
        "message": message.text or message.phrase,
    }
