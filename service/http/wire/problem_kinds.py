"""The codes of all refusals: status, title, and what a client does about it.

A code never changes its meaning.
"""

from __future__ import annotations

from typing import NamedTuple


class ProblemKind(NamedTuple):
    """What a code stands for: the HTTP status, a title for people, advice for authors of clients.

    In `advice` names of members, paths and headers stand between backticks.
    """

    status: int
    title: str
    advice: str


KINDS: dict[str, ProblemKind] = {
    "malformed_json": ProblemKind(
        400,
        "The body is not JSON",
        "Mend the program: the body was not JSON in UTF-8, nests deeper than 32 or has more "
        "than 50 000 values. The same request fails again.",
    ),
    "bad_cursor": ProblemKind(
        400,
        "The cursor is invalid",
        "Begin the list again without `cursor`. A cursor belongs to one list with its filters.",
    ),
    "bad_request": ProblemKind(
        400,
        "The request cannot be read",
        "Mend the program: the request is not valid HTTP, or the service does not know what "
        "it asks for.",
    ),
    "token_missing": ProblemKind(
        401,
        "The token is missing",
        "Send `Authorization: Bearer …`. Without a token let the player register, or enter a "
        "link code.",
    ),
    "token_unknown": ProblemKind(
        401,
        "The token is unknown",
        "Delete the token and ask the player for a link code or a recovery code. Repeating "
        "does not help: the token was revoked or has expired.",
    ),
    "ticket_unknown": ProblemKind(
        401,
        "The ticket is unknown",
        "Ask for a new ticket and open the stream with it: a ticket is valid for a minute, "
        "once, and for one stream.",
    ),
    "code_unknown": ProblemKind(
        401,
        "The code is unknown",
        "Let the player read the code again, or make a new one on the other device: a code is "
        "valid once and for a few minutes.",
    ),
    "scope_missing": ProblemKind(
        403,
        "The token is not for this",
        "Use a token that has the scope in `scope`; the player makes one with `POST "
        "/players/me/tokens`.",
    ),
    "not_seated": ProblemKind(
        403,
        "You do not sit there",
        "Show the game to a watcher. Read the game again when the player had a seat: they may "
        "have left it on another device.",
    ),
    "not_host": ProblemKind(
        403,
        "You are not the host",
        "Read the game again: the host has changed, or the player never was the host.",
    ),
    "removed": ProblemKind(
        403,
        "The host has removed you",
        "Tell the player that the host has removed them; do not take the seat again.",
    ),
    "not_asked": ProblemKind(
        403,
        "The proposal does not ask you",
        "Do not offer an answer: the proposal asks other seats.",
    ),
    "not_invited": ProblemKind(
        403,
        "The host has invited others",
        "Do not offer the entry; the host can announce another tournament with more players.",
    ),
    "rating_outside": ProblemKind(
        403,
        "The rating does not fit",
        "Show the bounds (`lowest`, `highest`) next to the rating of the player (`rating`).",
    ),
    "muted": ProblemKind(
        403,
        "You may not write messages",
        "Close the text field until `until`.",
    ),
    "suspended": ProblemKind(
        403,
        "The operators have suspended you",
        "Show `until` (null: for good), and let the player read: everything can be read, exported "
        "and deleted. The inbox says why.",
    ),
    "account_needed": ProblemKind(
        403,
        "A guest may not do this",
        "Offer recovery codes: a guest who has them has an account. Guests say phrases only.",
    ),
    "not_for_bots": ProblemKind(
        403,
        "A bot may not do this",
        "Let a person do it: a player of kind bot proposes nothing, claims a stand-in only, says "
        "phrases only, and makes no bots.",
    ),
    "not_author": ProblemKind(
        403,
        "Another player has written this",
        "Offer deletion only to the author of a message.",
    ),
    "not_found": ProblemKind(
        404,
        "Not found",
        "Take the thing from the list. A private game answers so as well; do not say that it "
        "was deleted.",
    ),
    "not_installed": ProblemKind(
        404,
        "This service does not have this part",
        "Do without this part, and ask no more: `board.svg` is always there.",
    ),
    "method_not_allowed": ProblemKind(
        405,
        "The method is not allowed here",
        "Mend the program: `Allow` names the methods.",
    ),
    "not_acceptable": ProblemKind(
        406,
        "The service has no such media type",
        "Mend the program: ask for one of the media types that the description names.",
    ),
    "request_timeout": ProblemKind(
        408,
        "The request did not come in time",
        "Repeat the request with the same key: the body did not arrive in time.",
    ),
    "stale_version": ProblemKind(
        409,
        "The version is stale",
        "Read the game again and decide by it. If the same move is still wanted and legal, "
        "send it with a new key and the new version.",
    ),
    "not_your_turn": ProblemKind(
        409,
        "It is not your turn",
        "Read the game again; `decision` says who is asked. Another device of the player may "
        "have moved.",
    ),
    "game_not_running": ProblemKind(
        409,
        "The game is not running",
        "Read the game again: it is over or has not started.",
    ),
    "seat_taken": ProblemKind(
        409,
        "The seat is taken",
        "Offer another open seat, or watch.",
    ),
    "seat_offered": ProblemKind(
        409,
        "The seat is offered to another player",
        "Offer another open seat: this one waits for a player who was invited.",
    ),
    "seats_open": ProblemKind(
        409,
        "The game cannot start with these seats",
        "Fill the seats, or start with `drop_open_seats`.",
    ),
    "not_ready": ProblemKind(
        409,
        "Not everybody is ready",
        "Wait: `seats` says who is not ready.",
    ),
    "untimed": ProblemKind(
        409,
        "The game has no such clock",
        "Do not offer this: the game has no such clock.",
    ),
    "already_started": ProblemKind(
        409,
        "The game has started already",
        "Read the game again and show it as running.",
    ),
    "seat_forfeited": ProblemKind(
        409,
        "The seat is given up for good",
        "Do not offer the seat to this player again.",
    ),
    "alone": ProblemKind(
        409,
        "No other person plays",
        "Do not offer this: there is no other person to agree.",
    ),
    "not_overdue": ProblemKind(
        409,
        "The seat still has time",
        "Offer the claim from `deadline_at` on.",
    ),
    "too_late": ProblemKind(
        409,
        "It is too late for this",
        "Read the game again: the moment for this has passed.",
    ),
    "game_running": ProblemKind(
        409,
        "The game is not over",
        "Wait for the end of the game, then ask again.",
    ),
    "hints_off": ProblemKind(
        409,
        "The game has no hints",
        "Do not offer hints in this game.",
    ),
    "puzzle_answered": ProblemKind(
        409,
        "The puzzle is answered",
        "Show the answer with `GET /puzzles/{id}`: one attempt counts, and no hint follows it.",
    ),
    "puzzle_open": ProblemKind(
        409,
        "The puzzle is not answered",
        "Ask for this after the attempt.",
    ),
    "rated_game": ProblemKind(
        409,
        "A rated game does not allow this",
        "Show `detail`: it names the condition. Do not offer this in rated games.",
    ),
    "ladder": ProblemKind(
        409,
        "The game counts for a rating",
        "Say that hints end this, and ask for them with `POST /games/{id}/hints`.",
    ),
    "branch_not_allowed": ProblemKind(
        409,
        "Others still play the game",
        "Offer the branch when the game is over.",
    ),
    "proposal_open": ProblemKind(
        409,
        "Another proposal waits for answers",
        "Show the open proposal (`proposal`) in place of a new one.",
    ),
    "nothing_to_take_back": ProblemKind(
        409,
        "There is nothing to take back",
        "Read the proposals again; do not offer a takeback.",
    ),
    "takebacks_off": ProblemKind(
        409,
        "Nobody may ask for this takeback",
        "Do not offer takebacks at this table.",
    ),
    "asked_before": ProblemKind(
        409,
        "This was declined before",
        "Do not ask again for the same move.",
    ),
    "proposal_closed": ProblemKind(
        409,
        "The proposal is closed",
        "Read the proposals again: it was answered, withdrawn or has expired.",
    ),
    "tournament_started": ProblemKind(
        409,
        "The tournament has started",
        "Read the tournament again and show it as it is now; do not offer this any more.",
    ),
    "tournament_full": ProblemKind(
        409,
        "The tournament is full",
        "Show the tournament to a watcher; a place may become free until the start.",
    ),
    "not_entered": ProblemKind(
        409,
        "The player is not in the tournament",
        "Read the entrants again: the player has not entered, or has left.",
    ),
    "round_open": ProblemKind(
        409,
        "The round is not at this point",
        "Read the round again: the table still runs, or the round is closed already.",
    ),
    "too_large": ProblemKind(
        413,
        "The body is too large",
        "Send less: 256 KiB, a transcript 1 MiB.",
    ),
    "unsupported_media_type": ProblemKind(
        415,
        "The body must be JSON",
        "Mend the program: send `application/json` in UTF-8, not compressed.",
    ),
    "invalid": ProblemKind(
        422,
        "The request is not valid",
        "Show each detail of `errors` at the field that its `pointer` names. The same request "
        "fails again.",
    ),
    "illegal_move": ProblemKind(
        422,
        "The move is not legal",
        "Choose one of `legal_moves`. A client that sends moves from the list unchanged sees "
        "this only after a takeback.",
    ),
    "line_unfinished": ProblemKind(
        422,
        "The answer goes on",
        "Let the player answer `decision` too, with one of `legal_moves`, and send the whole "
        "line again: nothing was judged.",
    ),
    "idempotency_mismatch": ProblemKind(
        422,
        "The key was used for another request",
        "Mend the program: make a new key for each new request, and keep key and body "
        "together for the repetition.",
    ),
    "rate_limited": ProblemKind(
        429,
        "Too many requests",
        "Wait for `Retry-After` seconds, then send the same request with the same key. Ask "
        "less often: follow a stream.",
    ),
    "quota_exceeded": ProblemKind(
        429,
        "The quota is used up",
        "Tell the player the `limit` and, if `free_at` is set, from when on there is room.",
    ),
    "internal_error": ProblemKind(
        500,
        "The service failed",
        "Repeat a write with the same key: its outcome is unknown. If it fails again, tell "
        "the `request_id` to the operator.",
    ),
    "no_such_format": ProblemKind(
        501,
        "The service has no such format",
        "Ask for `format=json`, or leave the format out: `/oembed` has no other.",
    ),
    "too_many_streams": ProblemKind(
        503,
        "Too many clients are waiting for events",
        "Wait for `Retry-After` seconds, then open the stream with the same cursor; until "
        "then ask with `GET …/events`.",
    ),
    "busy": ProblemKind(
        503,
        "The service makes other pictures",
        "Wait for `Retry-After` seconds, then ask again; show `board.svg` until then.",
    ),
    "unavailable": ProblemKind(
        503,
        "The store does not answer",
        "Wait for `Retry-After` seconds and repeat with the same key: the outcome of a write "
        "is unknown. Double the pause each time, up to a minute.",
    ),
    "archive_unavailable": ProblemKind(
        503,
        "The archive does not answer",
        "Wait for `Retry-After` seconds, then ask again; running games are not affected.",
    ),
    "game_damaged": ProblemKind(
        503,
        "The stored game is damaged",
        "Show what `GET …/verification` says, and tell the operator. Other games are not affected.",
    ),
}
