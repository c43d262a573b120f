"""The shapes of requests and answers, generated from `openapi.yaml`; do not edit.

`python -m cartulary.service.describe_types` writes this file. The words of enums are `str`, and a
union is one shape with the members of all, because later releases add words and shapes.
"""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict


class AnswerOfSeat(TypedDict):
    """An answer to a proposal."""

    seat: int
    """The number of a seat, from 0."""
    answer: str
    """What the seat answers."""


class BreakdownEntry(TypedDict):
    """An entry of the score at the end of a game."""

    seat: int
    """The number of a seat, from 0."""
    reason: str
    """What is counted."""
    points: int
    """The points; a loss is negative."""
    detail: NotRequired[Any]
    """The counts behind the points; they depend on the reason."""


class CarcassonneDecision(TypedDict):
    """What Carcassonne waits for."""

    seat: int
    """The number of a seat, from 0."""
    kind: str
    """Tells the members of the union apart."""
    context: dict[str, Any]
    """The tile in hand."""


class CarcassonneFollower(TypedDict):
    """A follower that stands on a tile."""

    seat: int
    """The number of a seat, from 0."""
    segment: str
    """A part of the tile: of a city, a field, a road, or the monastery."""


class CarcassonneOptions(TypedDict):
    """The options of Carcassonne, complete."""

    tiny_city: int
    """points of a completed city of two tiles (2 in old editions)"""


class CarcassonnePlacedTile(TypedDict):
    """A tile on the table."""

    tile: str
    """The letter of the tile."""
    x: int
    """Grows to the east."""
    y: int
    """Grows to the south."""
    rotation: int
    """Degrees clockwise."""
    follower: CarcassonneFollower | None
    """The follower on the tile, null without one."""


class CarcassonneView(TypedDict):
    """The table of Carcassonne: what everybody may see."""

    tile: str | None
    """Drawn and not yet placed."""
    board: list[CarcassonnePlacedTile]
    """In placement order."""
    discarded: list[str]
    """Set aside because they fitted nowhere, in drawing order."""
    remaining: dict[str, int]
    """How many tiles of each letter are left in the bag."""
    scores: list[int]
    """By seat."""
    followers: list[int]
    """Followers in supply, by seat."""


class CaylusBundle(TypedDict):
    """Goods that change hands: only what is there is named."""

    food: NotRequired[int]
    """Cubes of food."""
    wood: NotRequired[int]
    """Cubes of wood."""
    stone: NotRequired[int]
    """Cubes of stone."""
    cloth: NotRequired[int]
    """Cubes of cloth."""
    gold: NotRequired[int]
    """Cubes of gold."""
    deniers: NotRequired[int]
    """Deniers: the money of the game."""


class CaylusCastleSection(TypedDict):
    """A section of the castle."""

    houses: list[int]
    """Houses built, by seat."""
    scored: bool
    """Whether the section has been scored."""


class CaylusCastleSections(TypedDict):
    """The sections of the castle, in building order."""

    dungeon: CaylusCastleSection
    """The first section of the castle."""
    walls: CaylusCastleSection
    """The second section of the castle."""
    towers: CaylusCastleSection
    """The third section of the castle."""


class CaylusCubes(TypedDict):
    """Cubes held."""

    food: int
    """Cubes of food."""
    wood: int
    """Cubes of wood."""
    stone: int
    """Cubes of stone."""
    cloth: int
    """Cubes of cloth."""
    gold: int
    """Cubes of gold."""


class CaylusDecision(TypedDict):
    """What Caylus waits for."""

    seat: int
    """The number of a seat, from 0."""
    kind: str
    """Tells the members of the union apart."""
    context: dict[str, Any]
    """What a worker costs on a building of no seat or of another seat."""


class CaylusFavourMarkers(TypedDict):
    """The column that a seat has reached on each line."""

    prestige: int
    """The marker in the line of prestige."""
    deniers: int
    """The marker in the line of deniers."""
    cubes: int
    """The marker in the line of cubes."""
    buildings: int
    """The marker in the line of buildings."""


class CaylusInn(TypedDict):
    """The two circles of the inn."""

    left: int | None
    """The seat with a worker on the left, who stays; null when it is free."""
    right: int | None
    """The seat with a worker on the right, who comes; null when it is free."""


class CaylusOptions(TypedDict):
    """The options of Caylus, complete."""

    favours: str
    """from the table, or 3 points each"""
    edition: str
    """second: a Jeweller, a Lawyer of 3 points"""


class CaylusPlayer(TypedDict):
    """What a seat holds."""

    prestige: int
    """Points of prestige."""
    deniers: int
    """Deniers: the money of the game."""
    workers: int
    """Workers in supply."""
    cubes: CaylusCubes
    """The cubes of the player."""
    favours: CaylusFavourMarkers
    """The markers of the player in the lines of favours."""


class CaylusRoadSpace(TypedDict):
    """A space of the road."""

    space: str
    """A space of the board."""
    building: str | None
    """The building on the space, null without one."""
    owner: int | None
    """The seat that owns the building, null without one."""
    worker: int | None
    """The seat of the worker there, null without one."""
    pending_residence: NotRequired[int]
    """Seat that has bought a residence here; only there until it is built."""


class CaylusView(TypedDict):
    """The table of Caylus: what everybody may see."""

    round: int
    """The number of the round, from 1."""
    phase: str
    """Income asks nothing, so no view shows it."""
    turn_order: list[int]
    """Who is asked first, second, …"""
    passed: list[int]
    """This round's passing order."""
    provost: int
    """Number of the road space."""
    bailiff: int
    """Number of the road space."""
    road: list[CaylusRoadSpace]
    """28 spaces, in order."""
    gate: int | None
    """The seat with a worker on the gate, null when it is free."""
    trading_post: int | None
    """The seat with a worker at the trading post, null when it is free."""
    merchants_guild: int | None
    """The seat with a worker in the merchants' guild, null when it is free."""
    joust_field: int | None
    """The seat with a worker on the joust field, null when it is free."""
    stables: list[int]
    """By slot."""
    inn: CaylusInn
    """The inn and its two places."""
    castle: list[int]
    """By slot."""
    sections: CaylusCastleSections
    """The sections of the castle."""
    stock: list[str]
    """Tiles that can be built."""
    players: list[CaylusPlayer]
    """By seat."""


class CaylusYield(TypedDict):
    """What a trade gives: goods, or points."""

    food: NotRequired[int]
    """Cubes of food."""
    wood: NotRequired[int]
    """Cubes of wood."""
    stone: NotRequired[int]
    """Cubes of stone."""
    cloth: NotRequired[int]
    """Cubes of cloth."""
    gold: NotRequired[int]
    """Cubes of gold."""
    deniers: NotRequired[int]
    """Deniers: the money of the game."""
    prestige: NotRequired[int]
    """Points of prestige."""


class Decision(TypedDict):
    """What a game waits for."""

    seat: int
    """The number of a seat, from 0."""
    kind: str
    """Tells the members of the union apart."""
    context: dict[str, Any]
    """The tile in hand."""


class DrawCommitment(TypedDict):
    """A commitment to a secret of draws, for one game."""

    id: str
    """For `commitment` of `POST /api/v1/games`."""
    commitment: str
    """SHA-256 of the secret."""
    expires_at: str
    """UTC."""


_Event = TypedDict("_Event", {"from": NotRequired[dict[str, Any]]})


class Event(_Event):
    """What has happened."""

    version: int
    """The number of an event; that of the newest is the version of the game."""
    at: str
    """When it was stored."""
    prev: NotRequired[str]
    """Hash of the event before, 64 zeros for the first; old events have none."""
    hash: NotRequired[str]
    """SHA-256 of the canonical JSON of the event as it was appended."""
    upcast: NotRequired[bool]
    """True: appended in an older form. Take its `hash`."""
    masked: NotRequired[bool]
    """True: a name was deleted. Take its `hash`."""
    type: str
    """Tells the members of the union apart."""
    game: NotRequired[str]
    """The name of the game that is played."""
    options: NotRequired[dict[str, Any]]
    """Complete, with defaults."""
    seats: NotRequired[list[dict[str, Any]] | list[int]]
    """The seats, in their order."""
    visibility: NotRequired[str]
    """Who can see the game; one of a duplicate round when the round is closed."""
    created_by: NotRequired[str]
    """Id of the player."""
    names: NotRequired[list[str]]
    """Imported games: the names in the transcript."""
    bot_seats: NotRequired[list[int]]
    """Imported games: the seats that bots had."""
    extra_hash: NotRequired[str]
    """Imported games with unknown keys: SHA-256 of their JSON."""
    extra: NotRequired[dict[str, Any]]
    """The unknown keys, in events of old releases."""
    shuffle_seats: NotRequired[bool]
    """The lot decides at the start who sits where."""
    fair: NotRequired[dict[str, Any]]
    """The commitment to the secret of the draws. Missing in games from before fair draws, null
    where nothing is left to draw.
    """
    takebacks: NotRequired[str]
    """Missing: `none`."""
    on_timeout: NotRequired[str]
    """What follows from silence; missing: `claim`."""
    substitutes: NotRequired[bool]
    """Others may take over the seats of players who forfeited."""
    fill: NotRequired[str]
    """Others may take over the seats of bots."""
    start: NotRequired[str]
    """When the game starts; missing: `full`."""
    stand_in: NotRequired[str | None]
    """Name of the bot that stands in for players."""
    expires_in: NotRequired[int]
    """Seconds that the game waits for its start."""
    bot_delay: NotRequired[int]
    """For so many ms after the last event no bot moves."""
    pace: NotRequired[dict[str, Any]]
    """The time of the players, in seconds; missing or null: untimed."""
    hints: NotRequired[bool]
    """The person of this practice game may ask for hints."""
    rated: NotRequired[bool]
    """The game counts for the ratings of its players."""
    rematch_of: NotRequired[str]
    """Id of the game that this game repeats."""
    branched_from: NotRequired[dict[str, Any]]
    """The position that this game goes on from."""
    tournament: NotRequired[dict[str, Any]]
    """The table of a round of a tournament for which the service has made the game."""
    seat: NotRequired[int]
    """The number of a seat, from 0."""
    player: NotRequired[PlayerName]
    """The player on the seat."""
    entropy: NotRequired[str]
    """What the player adds to the seed of the draws."""
    by: NotRequired[str | None]
    """Id of the player who did it."""
    expires_at: NotRequired[str]
    """Until when."""
    reason: NotRequired[str]
    """Why the service declined for a bot; missing where the player declined."""
    bot: NotRequired[dict[str, Any] | str]
    """Name of the bot."""
    was: NotRequired[dict[str, Any]]
    """The `player` or the `bot` that had the seat or its offer."""
    ready: NotRequired[bool]
    """Whether the player is ready."""
    setup: NotRequired[dict[str, Any]]
    """The chance of the start."""
    chance: NotRequired[list[str]]
    """What was drawn, in order."""
    facts: NotRequired[list[Fact]]
    """What followed, in order."""
    rules_version: NotRequired[int]
    """The version of the rules that the game is played by."""
    state_hash: NotRequired[str]
    """SHA-256 of the state after the event."""
    seating: NotRequired[list[int]]
    """Shuffled seats: each seat is now held by the holder of the seat with this number."""
    ladder: NotRequired[str]
    """For which ratings the game counts; missing: for none."""
    strengths: NotRequired[dict[str, int]]
    """Games that count: how strong the bots of the service are that sit here, by name."""
    move: NotRequired[Move]
    """A move, as `GET …/moves` lists it."""
    clock: NotRequired[dict[str, Any]]
    """What the answer of a person costs in a timed game."""
    deadline_at: NotRequired[str]
    """When the time was over."""
    ms: NotRequired[int]
    """Milliseconds."""
    until: NotRequired[str]
    """When the pause ends."""
    proposal: NotRequired[int | None]
    """The proposal that was accepted; null without one."""
    kind: NotRequired[str]
    """What is proposed."""
    needs: NotRequired[list[int]]
    """The seats that have to agree."""
    to_version: NotRequired[int]
    """Takebacks: the version to go back to."""
    moves: NotRequired[list[int]]
    """Takebacks: the versions of the moves."""
    target: NotRequired[int]
    """Claims: the seat that is claimed."""
    answer: NotRequired[str]
    """The answer."""
    auto: NotRequired[bool]
    """The preference of the player answered."""
    outcome: NotRequired[str]
    """How the proposal has ended."""
    slowest: NotRequired[int]
    """`window`: the seat that had used the most time, and is ranked last."""
    commitment: NotRequired[str]
    """SHA-256 of the secret of the draws."""
    result: NotRequired[Result]
    """The result, null while the game is not over."""
    secret: NotRequired[str | None]
    """The secret of the draws, 64 hex digits; null when the secret was lost."""
    code: NotRequired[str]
    """Why, for programs; missing in old events."""


class EventsPage(TypedDict):
    """Events, the oldest first."""

    events: list[Event]
    """The events, in their order."""
    next_after: int
    """The value of `after` for the next page."""
    reset: NotRequired[bool]
    """True when `after` is beyond the end, which `next_after` then names: the store has lost events
    that the client has. Read the game again.
    """


class Fact(TypedDict):
    """What an event led to."""

    type: str
    """Tells the members of the union apart."""
    seat: NotRequired[int]
    """The number of a seat, from 0."""
    tile: NotRequired[str]
    """The letter of the tile."""
    x: NotRequired[int]
    """Grows to the east."""
    y: NotRequired[int]
    """Grows to the south."""
    rotation: NotRequired[int]
    """Degrees clockwise."""
    feature: NotRequired[str]
    """What lies there."""
    segment: NotRequired[str]
    """A part of the tile: of a city, a field, a road, or the monastery."""
    tiles: NotRequired[int]
    """Tiles of the feature."""
    pennants: NotRequired[int]
    """Pennants of the city; for a city only."""
    points: NotRequired[int]
    """The points; a loss is negative."""
    reason: NotRequired[str]
    """Why it has happened."""
    space: NotRequired[str]
    """A space of the board."""
    building: NotRequired[str]
    """What stands there; on the road only."""
    source: NotRequired[str]
    """Where the favour comes from."""
    by: NotRequired[int]
    """The seat whose worker brings its owner the points."""
    section: NotRequired[str]
    """A section of the castle."""
    penalty: NotRequired[int]
    """What is lost; `points` stop at a score of 0."""
    round: NotRequired[int]
    """The number of the round, from 1."""
    turn_order: NotRequired[list[int]]
    """Who is asked first, second, …"""
    phase: NotRequired[str]
    """The phase that begins."""
    goods: NotRequired[CaylusBundle]
    """What is gained or paid."""
    slot: NotRequired[int]
    """1 passes first."""
    forced: NotRequired[bool]
    """The seat has no choice."""
    steps: NotRequired[int]
    """By how many spaces; back when it is negative."""
    to: NotRequired[int]
    """The space where the marker is now."""
    replaced: NotRequired[str]
    """The building that gave way."""
    favours: NotRequired[int]
    """How many favours."""
    line: NotRequired[str]
    """A line of favours."""
    column: NotRequired[int]
    """The column of the marker now."""
    advanced: NotRequired[bool]
    """The marker moved."""
    houses: NotRequired[int]
    """How many houses the seat has there."""


class Game(TypedDict):
    """A game."""

    id: str
    """The id, an opaque string."""
    game: str
    """The name of the game that is played."""
    options: CarcassonneOptions | CaylusOptions
    """The options of the game, complete."""
    status: str
    """Where the game is in its life."""
    visibility: str
    """Who can see the game; one of a duplicate round when the round is closed."""
    version: int
    """The number of an event; that of the newest is the version of the game."""
    host: str
    """Id of the player who may arrange the table."""
    start: str
    """`full`: starts with the last seat; `host`: the host starts it."""
    takebacks: str
    """Which moves may be taken back."""
    substitutes: bool
    """Others may take over forfeited seats."""
    on_timeout: str
    """What follows from silence."""
    pace: Pace | None
    """Null: the game is untimed."""
    hints: bool
    """The player of this practice game gets hints."""
    bot_delay: int
    """No bot moves for so many ms after an event."""
    rated: bool
    """Whether the game counts for ratings."""
    ladder: str | None
    """For which ratings the game counts; null: for none. A practice game stops to count with the
    first hint, and with a takeback that taught its player something.
    """
    seats: list[TableSeat]
    """The seats, in their order."""
    decision: CarcassonneDecision | CaylusDecision | None
    """What the game waits for; null when it waits for no seat."""
    proposal: Proposal | None
    """The open proposal, null without one."""
    takeback: Takeback | None
    """The moves that the caller may take back, null without any."""
    resting: bool
    """True: no person is left at the table, so no bot moves either."""
    paused_until: str | None
    """The clocks stand until then; null: no pause."""
    result: Result | None
    """The result, null while the game is not over."""
    rematch_of: str | None
    """Id of the game that this game repeats."""
    branched_from: Origin | None
    """The game and the version that a branch goes on from, else null."""
    tournament: TournamentPlace | None
    """The table of a tournament that the game is played for, else null."""
    created_at: str
    """UTC."""
    updated_at: str
    """UTC."""
    view: CarcassonneView | CaylusView | None
    """The table as everybody may see it; null before the start."""


class GameRequest(TypedDict):
    """A new game; it starts when no seat is open, unless the host is to start it."""

    game: str
    """The name of the game that is played."""
    seats: list[SeatRequest]
    """The seats, in their order."""
    options: NotRequired[dict[str, int | str | None] | None]
    """See the catalogue; an option that is missing or null has its default."""
    shuffle_seats: NotRequired[bool | None]
    """The lot decides at the start who sits where. Default: `false`."""
    visibility: NotRequired[str | None]
    """`public` (the default): in the lobby. `unlisted`: everybody with the link may watch and take
    an open seat. `private`: for the opener, the players and those invited.
    """
    start: NotRequired[str | None]
    """`full` (the default): the game starts when the last seat is taken. `host`: the host starts
    it.
    """
    takebacks: NotRequired[str | None]
    """`none`: no move is taken back, unless all others are bots. `undo` (the default): until
    another person has moved or chance was drawn. `consent`: also later, when the others agree.
    """
    substitutes: NotRequired[bool | None]
    """Others may take over the seat of a player who left."""
    hints: NotRequired[bool | None]
    """The player may ask for hints (`GET /games/{id}/hint`). Only in a practice game: one player,
    and bots on all other seats.
    """
    stand_in: NotRequired[str | None]
    """The bot that answers for absent players; default: `medium`."""
    expires_in: NotRequired[int | None]
    """Seconds after the last event at which a game that has not started is aborted; default: 2
    hours for a live game, 14 days for another public game, 60 days for others.
    """
    pace: NotRequired[PaceRequest | None]
    """Missing or null: untimed."""
    on_timeout: NotRequired[str | None]
    """What follows when a flag falls. `stand_in`: a bot answers until the player returns (the
    default of live games with three or more seats for persons). `forfeit`: the player is out.
    `claim`: the others decide (the default else).
    """
    bot_delay: NotRequired[int | None]
    """For so many milliseconds after the last event no bot moves; default: 0."""
    rated: NotRequired[bool | None]
    """Whether the game counts for the ratings of its players; default: `false`. A rated game is for
    two or more persons with recovery codes, or for bots; it has a pace, no takebacks by consent,
    and one seat for each player.
    """
    entropy: NotRequired[str | None]
    """What the player adds to the seed of the draws: random characters."""
    commitment: NotRequired[str | None]
    """The id from `POST /api/v1/fair/commitments`."""


class GameSummary(TypedDict):
    """A game without its table."""

    id: str
    """The id, an opaque string."""
    game: str
    """The name of the game that is played."""
    options: dict[str, Any]
    """Complete, with defaults."""
    status: str
    """Where the game is in its life."""
    visibility: str
    """Who can see the game; one of a duplicate round when the round is closed."""
    version: int
    """The number of an event; that of the newest is the version of the game."""
    host: str
    """Id of the player who may arrange the table."""
    start: str
    """`full`: starts with the last seat; `host`: the host starts it."""
    takebacks: str
    """Which moves may be taken back."""
    substitutes: bool
    """Others may take over forfeited seats."""
    on_timeout: str
    """What follows from silence."""
    pace: Pace | None
    """Null: the game is untimed."""
    hints: bool
    """The player of this practice game gets hints."""
    bot_delay: int
    """No bot moves for so many ms after an event."""
    rated: bool
    """Whether the game counts for ratings."""
    ladder: str | None
    """For which ratings the game counts; null: for none. A practice game stops to count with the
    first hint, and with a takeback that taught its player something.
    """
    seats: list[TableSeat]
    """The seats, in their order."""
    decision: Decision | None
    """What the game waits for; null when it waits for no seat."""
    proposal: Proposal | None
    """The open proposal, null without one."""
    takeback: Takeback | None
    """The moves that the caller may take back, null without any."""
    resting: bool
    """True: no person is left at the table, so no bot moves either."""
    paused_until: str | None
    """The clocks stand until then; null: no pause."""
    result: Result | None
    """The result, null while the game is not over."""
    rematch_of: str | None
    """Id of the game that this game repeats."""
    branched_from: Origin | None
    """The game and the version that a branch goes on from, else null."""
    tournament: TournamentPlace | None
    """The table of a tournament that the game is played for, else null."""
    created_at: str
    """UTC."""
    updated_at: str
    """UTC."""


class GamesPage(TypedDict):
    """A page of games, the newest first."""

    games: list[GameSummary]
    """The games."""
    next_cursor: str | None
    """Null on the last page."""


class InboxPage(TypedDict):
    """Items of an inbox, the oldest first."""

    items: list[Item]
    """The items, the oldest first."""
    next_after: str
    """The value of `after` for the next page."""
    reset: NotRequired[bool]
    """True when the inbox does not have the place that `after` names: it has dropped it, or was
    made again. The page begins with the oldest item that there is.
    """


class Item(TypedDict):
    """Something that the player should know."""

    id: str
    """`<game>:<version>:<type>:<player>`; the same item has the same id."""
    type: str
    """What the item is about."""
    timestamp: str
    """When it happened."""
    data: dict[str, Any]
    """What it is about; of a game `game`, `version`, `seat`, `title`, `deadline_at` and `url`, and
    what belongs to the type.
    """


class Move(TypedDict):
    """A move of any game."""

    type: str
    """Tells the members of the union apart."""
    x: NotRequired[int]
    """Grows to the east."""
    y: NotRequired[int]
    """Grows to the south."""
    rotation: NotRequired[int]
    """Degrees clockwise."""
    segment: NotRequired[str]
    """A part of the tile: of a city, a field, a road, or the monastery."""
    space: NotRequired[str]
    """A space of the board."""
    steps: NotRequired[int]
    """By how many spaces; back when it is negative."""
    goods: NotRequired[CaylusBundle]
    """What is taken."""
    give: NotRequired[CaylusBundle]
    """What is given."""
    get: NotRequired[CaylusYield]
    """What is got for it."""
    building: NotRequired[str]
    """The building."""
    pay: NotRequired[CaylusBundle]
    """The whole price, with every free choice settled."""
    line: NotRequired[str]
    """A line of favours."""


class MoveInWords(TypedDict):
    """A legal move as a sentence."""

    number: int
    """The place of the move in `moves`, from 1."""
    text: str
    """The move in the language asked for; no other move here has the same words."""
    move: Move
    """A move, as `GET …/moves` lists it."""


class MoveList(TypedDict):
    """Every legal move of the pending decision."""

    version: int
    """The number of an event; that of the newest is the version of the game."""
    decision: Decision | None
    """What the game waits for; null when it waits for no seat."""
    moves: list[Move]
    """Every legal move."""
    words: NotRequired[list[MoveInWords]]
    """With `?words=1`: the same moves as sentences, in the same order."""


class MoveMade(TypedDict):
    """A decision was answered."""

    version: int
    """The number of an event; that of the newest is the version of the game."""
    at: str
    """When it was stored."""
    prev: NotRequired[str]
    """Hash of the event before, 64 zeros for the first; old events have none."""
    hash: NotRequired[str]
    """SHA-256 of the canonical JSON of the event as it was appended."""
    upcast: NotRequired[bool]
    """True: appended in an older form. Take its `hash`."""
    masked: NotRequired[bool]
    """True: a name was deleted. Take its `hash`."""
    type: str
    """Tells the members of the union apart."""
    seat: int
    """The number of a seat, from 0."""
    move: Move
    """A move, as `GET …/moves` lists it."""
    chance: list[str]
    """What was drawn, in order."""
    facts: list[Fact]
    """What followed, in order."""
    state_hash: str
    """SHA-256 of the state after the event."""
    bot: NotRequired[dict[str, Any]]
    """Moves of bots: the `level` and its `version`; the `iterations` that the bot has used, and for
    how many `ms` it thought; in games with fair draws the `seed` of its generator, 16 hex
    digits. Level, version, iterations and seed are enough to repeat the move. Events of earlier
    releases have no `iterations` and `ms`. `planned`: the bot has thought of the move together
    with the move before it, so this one says 0 iterations. When another bot has moved than the
    bot of the seat, `level` is the bot that has moved, and `fallback` the reason: `not_offered`,
    the bot is not on offer any more; `late`, the bot has missed its deadline; `failed`, the bot
    has raised an error.
    """
    by: NotRequired[str]
    """Missing: the person or the bot of the seat has answered."""
    clock: NotRequired[dict[str, Any]]
    """What the answer of a person costs in a timed game."""


class MoveWritten(TypedDict):
    """A stored move."""

    version: int
    """The number of an event; that of the newest is the version of the game."""
    event: MoveMade
    """The event of the move."""
    events: list[Event]
    """All events that the move has added, in order; `event` is one of them."""
    game: NotRequired[Game]
    """The game after the move. `Prefer: return=minimal` leaves out `game`, `board` and `moves`."""
    board: NotRequired[str | None]
    """With `?board=`: the picture, SVG. Null for a game without a picture, and when drawing fails:
    the move is stored all the same.
    """
    moves: NotRequired[list[Move] | None]
    """With `?board=`: every legal move now. Null when listing fails."""


class NewPlayer(TypedDict):
    """A new player."""

    id: str
    """The id, an opaque string."""
    name: str
    """The name that people read."""
    kind: str
    """What the player is: `person`, or `bot` for a program that a player has made."""
    created_at: str
    """UTC."""
    token: str
    """Shown in this answer only. Send the token as `Authorization: Bearer …`."""
    commitment: NotRequired[DrawCommitment | None]
    """With `commit`: as the answer of `POST /api/v1/fair/commitments`; null: the service cannot
    commit to draws now, and that call says why.
    """


class Offer(TypedDict):
    """An offer of a seat."""

    player: PlayerName
    """The player to whom the seat is offered."""
    by: str
    """Id of the player who made the offer."""
    expires_at: str
    """Until then no other player may take the seat."""


class Origin(TypedDict):
    """A version of another game."""

    game: str
    """Id of the game."""
    version: int
    """The number of an event; that of the newest is the version of the game."""


class OwnPlayer(TypedDict):
    """The player of the token."""

    id: str
    """The id, an opaque string."""
    name: str
    """The name that people read."""
    kind: str
    """What the player is: `person`, or `bot` for a program that a player has made."""
    created_at: str
    """UTC."""
    preferences: Preferences
    """How the player wants to be treated."""
    claimed_at: str | None
    """Since when the player has recovery codes; null: a guest."""
    asks_open_data: bool
    """Whether a client should ask the player once for `preferences.open_data`: the service
    publishes its open data, and the player has never set it.
    """


class Pace(TypedDict):
    """How much time the players have, in seconds."""

    mode: str
    """`live`: all players are at the table. `correspondence`: over days."""
    delay: int
    """Free in every turn."""
    bank: int
    """The reserve for the whole game."""
    refill: int
    """Back into the bank after a turn."""
    vacation: NotRequired[bool]
    """Correspondence only: the vacation of a player stops the player's clock."""


class PaceRequest(TypedDict):
    """How much time the players have, in seconds; the catalogue has presets (`paces`)."""

    mode: str
    """`live`: everybody is at the table. `correspondence`: over days."""
    delay: int
    """Free in every turn and never saved up: 5 to 300 live, 3600 to 1209600 in correspondence."""
    bank: int
    """The reserve for the whole game: up to 7200 live, up to 2592000 in correspondence."""
    refill: NotRequired[int | None]
    """Back into the bank after a turn, at most what the turn used: up to 300 live, up to the delay
    in correspondence; default 0.
    """
    vacation: NotRequired[bool | None]
    """Correspondence only: the vacation of a player stops the player's clock; default true."""


class PasskeyOptions(TypedDict):
    """What a browser needs to make a passkey, or to use one."""

    public_key: Any
    """As JSON of WebAuthn: for `PublicKeyCredential.parseCreationOptionsFromJSON` or
    `parseRequestOptionsFromJSON` in a browser.
    """
    expires_at: str
    """Until when the challenge is valid, for one answer. UTC."""


class Player(TypedDict):
    """A player."""

    id: str
    """The id, an opaque string."""
    name: str
    """The name that people read."""
    kind: str
    """What the player is: `person`, or `bot` for a program that a player has made."""
    created_at: str
    """UTC."""


class PlayerName(TypedDict):
    """The player on a seat."""

    id: str
    """The id, an opaque string."""
    name: str
    """The name that people read."""
    kind: NotRequired[str]
    """`bot`: the player is a program of another player. Missing: a person."""
    owner: NotRequired[str]
    """With the kind `bot`: the id of the player who made it."""


class Preferences(TypedDict):
    """All preferences of a player."""

    takebacks: str
    """When another player asks for a takeback: `ask` the player each time; agree `always`; agree by
    itself to a `misclick`, the very last move within 15 s; `never`: no player may ask.
    """
    colour: str
    """The colour in which the player wants to see the own pieces; `usual`: that of the seat. A
    client gives the seat that has this colour that of the player's seat; the shapes stay.
    """
    visibility: str
    """`hidden`: no search, list or statistics of others names the player, and no other player sees
    when the player is here. At a table the player is seen as any other.
    """
    open_data: str
    """`yes`: public games of the player may be in the [open data](/docs/dumps/) of this service,
    without names, where all other people of the game have said yes as well.
    """


class Problem(TypedDict):
    """A refusal (RFC 9457). A 4xx changes nothing; after a 5xx the outcome is unknown."""

    type: str
    """The address of a page about the code."""
    title: str
    """What the code means, for people."""
    status: int
    """The status of the answer."""
    detail: str
    """For people."""
    instance: str
    """The path of the request."""
    code: str
    """Stable; for programs."""
    request_id: str
    """The id of the request in the log."""
    errors: NotRequired[list[ProblemError]]
    """With `invalid`: all faults."""
    current_version: NotRequired[int]
    """With `stale_version`."""
    quota: NotRequired[str]
    """With `quota_exceeded`: what is counted for the player."""
    limit: NotRequired[int]
    """With `quota_exceeded`: at most so many."""
    used: NotRequired[int]
    """With `quota_exceeded`: so many there are."""
    free_at: NotRequired[str | None]
    """With `quota_exceeded`: when there is a place; null: unknown."""
    scope: NotRequired[str]
    """With `scope_missing`: what the token is not for."""
    decision: NotRequired[Decision]
    """With `not_your_turn`."""
    legal_moves: NotRequired[list[Move]]
    """With `illegal_move`."""


class ProblemError(TypedDict):
    """A fault of the request."""

    pointer: str
    """JSON pointer into the body; `/name` for a query parameter."""
    detail: str
    """What is wrong, for people."""
    reason: NotRequired[str]
    """For programs: why no player may choose a name, what is wrong with a study."""


class Proposal(TypedDict):
    """The open proposal: something that other players have to agree to."""

    id: int
    """The version of its event."""
    seat: int
    """The seat that asks."""
    kind: str
    """What is proposed."""
    needs: list[int]
    """The seats that have to agree."""
    answers: list[AnswerOfSeat]
    """The answers so far."""
    expires_at: str
    """UTC."""
    to_version: int | None
    """Takebacks: the version to go back to."""
    moves: list[int]
    """Takebacks: the versions of the moves; otherwise empty."""
    target: int | None
    """Claims: the seat claimed."""
    until: str | None
    """Pauses: until when."""


class RecoveryCodes(TypedDict):
    """Ten codes, each for one use."""

    codes: list[str]
    """Shown in this answer only. Earlier codes are void."""


class Result(TypedDict):
    """The end of a game."""

    scores: list[int]
    """The points of each seat."""
    winners: list[int]
    """The seats that win; several after a tie."""
    breakdown: list[BreakdownEntry]
    """What was counted at the end, seat by seat."""
    ranks: NotRequired[list[int]]
    """The rank of each seat, 1 the best; ties share a rank. Missing in the results of old games.
    """
    outcomes: NotRequired[list[str]]
    """How the game ended for each seat."""
    ended_by: NotRequired[str]
    """What ended the play."""
    stand_in_moves: NotRequired[list[int]]
    """The number of moves of stand-ins, for each seat."""


class SeatRequest(TypedDict):
    """A seat: for the caller (`me`), a `bot`, any player (`open`), or a guest (`invite`)."""

    kind: str
    """Who is to sit there."""
    bot: NotRequired[str | None]
    """With the kind `bot`: the name of the bot."""
    player: NotRequired[str | None]
    """With the kind `invite`: the player to whom the seat is offered."""


class Session(TypedDict):
    """The player of the code or passkey, and a new token."""

    player: Player
    """The player who is signed in."""
    token: str
    """Shown in this answer only. Send the token as `Authorization: Bearer …`."""


class State(TypedDict):
    """The table after an event."""

    version: int
    """The number of an event; that of the newest is the version of the game."""
    decision: Decision | None
    """What the game waits for; null when it waits for no seat."""
    view: View | None
    """The table as everybody may see it; null before the start."""


class Story(TypedDict):
    """What has happened, in words."""

    language: str
    """Of the lines: `en`, `pl`, `hr`, `nl`, `ru`."""
    lines: list[StoryLine]
    """The lines, in the order of the events."""
    next_after: int
    """The value of `after` for the next page."""


class StoryLine(TypedDict):
    """A line of the story; it describes the event `version`."""

    version: int
    """The number of an event; that of the newest is the version of the game."""
    text: str
    """A text for people."""
    taken_back: NotRequired[bool]
    """True: about a move that was taken back. Show it struck through."""


class TableSeat(TypedDict):
    """A seat with a player or a bot; an open seat has neither."""

    seat: int
    """The number of a seat, from 0."""
    player: PlayerName | None
    """The player on the seat."""
    bot: str | None
    """Name of the bot."""
    state: str
    """`away`: a stand-in answers and the player may return; `forfeited`: the player is out for
    good; `vacant`: as well, and another player may take the seat; `overdue`: the time of the
    player is over.
    """
    stand_in: str | None
    """Name of the bot that answers for the player."""
    reason: str | None
    """Why the player is away or has forfeited."""
    ready: bool | None
    """Live games before the start: is the player ready? Else null."""
    bank: int | None
    """Timed games: the time in the bank in ms. Bots have none: null."""
    offer: NotRequired[Offer]
    """Offered seats only."""
    name: NotRequired[str]
    """Imported games only: the name that the transcript gives to this seat."""


class Takeback(TypedDict):
    """What may be taken back without asking another player."""

    seat: int
    """The seat whose player may."""
    free_to: int
    """The earliest version to go back to."""


class TournamentPlace(TypedDict):
    """For which table of a tournament the service has made a game."""

    id: str
    """Id of the tournament."""
    round: int
    """The number of the round."""
    table: int
    """The number of the table in the tournament."""


class View(TypedDict):
    """The table of a game: what everybody may see."""

    tile: NotRequired[str | None]
    """Drawn and not yet placed."""
    board: NotRequired[list[CarcassonnePlacedTile]]
    """In placement order."""
    discarded: NotRequired[list[str]]
    """Set aside because they fitted nowhere, in drawing order."""
    remaining: NotRequired[dict[str, int]]
    """How many tiles of each letter are left in the bag."""
    scores: NotRequired[list[int]]
    """By seat."""
    followers: NotRequired[list[int]]
    """Followers in supply, by seat."""
    round: NotRequired[int]
    """The number of the round, from 1."""
    phase: NotRequired[str]
    """Income asks nothing, so no view shows it."""
    turn_order: NotRequired[list[int]]
    """Who is asked first, second, …"""
    passed: NotRequired[list[int]]
    """This round's passing order."""
    provost: NotRequired[int]
    """Number of the road space."""
    bailiff: NotRequired[int]
    """Number of the road space."""
    road: NotRequired[list[CaylusRoadSpace]]
    """28 spaces, in order."""
    gate: NotRequired[int | None]
    """The seat with a worker on the gate, null when it is free."""
    trading_post: NotRequired[int | None]
    """The seat with a worker at the trading post, null when it is free."""
    merchants_guild: NotRequired[int | None]
    """The seat with a worker in the merchants' guild, null when it is free."""
    joust_field: NotRequired[int | None]
    """The seat with a worker on the joust field, null when it is free."""
    stables: NotRequired[list[int]]
    """By slot."""
    inn: NotRequired[CaylusInn]
    """The inn and its two places."""
    castle: NotRequired[list[int]]
    """By slot."""
    sections: NotRequired[CaylusCastleSections]
    """The sections of the castle."""
    stock: NotRequired[list[str]]
    """Tiles that can be built."""
    players: NotRequired[list[CaylusPlayer]]
    """By seat."""


class Written(TypedDict):
    """What a command of a game's life has done."""

    version: int
    """The number of an event; that of the newest is the version of the game."""
    events: list[Event]
    """All events that the command has added, in order; none with 200."""
    game: Game
    """The game after these events."""
