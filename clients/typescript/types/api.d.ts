// The shapes of requests and answers, generated from `openapi.yaml`; do not edit.
//
// `python -m cartulary.service.describe_types` writes this file. The words of enums are `string`,
// and a union is one shape with the members of all, because later releases add words and shapes.

/** An answer to a proposal. */
export interface AnswerOfSeat {
  /** The number of a seat, from 0. */
  seat: number;
  /** What the seat answers. */
  answer: string;
}

/** An entry of the score at the end of a game. */
export interface BreakdownEntry {
  /** The number of a seat, from 0. */
  seat: number;
  /** What is counted. */
  reason: string;
  /** The points; a loss is negative. */
  points: number;
  /** The counts behind the points; they depend on the reason. */
  detail?: any;
}

/** What Carcassonne waits for. */
export interface CarcassonneDecision {
  /** The number of a seat, from 0. */
  seat: number;
  /** Tells the members of the union apart. */
  kind: string;
  /** The tile in hand. */
  context: Record<string, any>;
  [later: string]: any;
}

/** A follower that stands on a tile. */
export interface CarcassonneFollower {
  /** The number of a seat, from 0. */
  seat: number;
  /** A part of the tile: of a city, a field, a road, or the monastery. */
  segment: string;
}

/** The options of Carcassonne, complete. */
export interface CarcassonneOptions {
  /** points of a completed city of two tiles (2 in old editions) */
  tiny_city: number;
}

/** A tile on the table. */
export interface CarcassonnePlacedTile {
  /** The letter of the tile. */
  tile: string;
  /** Grows to the east. */
  x: number;
  /** Grows to the south. */
  y: number;
  /** Degrees clockwise. */
  rotation: number;
  /** The follower on the tile, null without one. */
  follower: CarcassonneFollower | null;
}

/** The table of Carcassonne: what everybody may see. */
export interface CarcassonneView {
  /** Drawn and not yet placed. */
  tile: string | null;
  /** In placement order. */
  board: Array<CarcassonnePlacedTile>;
  /** Set aside because they fitted nowhere, in drawing order. */
  discarded: Array<string>;
  /** How many tiles of each letter are left in the bag. */
  remaining: Record<string, number>;
  /** By seat. */
  scores: Array<number>;
  /** Followers in supply, by seat. */
  followers: Array<number>;
}

/** Goods that change hands: only what is there is named. */
export interface CaylusBundle {
  /** Cubes of food. */
  food?: number;
  /** Cubes of wood. */
  wood?: number;
  /** Cubes of stone. */
  stone?: number;
  /** Cubes of cloth. */
  cloth?: number;
  /** Cubes of gold. */
  gold?: number;
  /** Deniers: the money of the game. */
  deniers?: number;
}

/** A section of the castle. */
export interface CaylusCastleSection {
  /** Houses built, by seat. */
  houses: Array<number>;
  /** Whether the section has been scored. */
  scored: boolean;
}

/** The sections of the castle, in building order. */
export interface CaylusCastleSections {
  /** The first section of the castle. */
  dungeon: CaylusCastleSection;
  /** The second section of the castle. */
  walls: CaylusCastleSection;
  /** The third section of the castle. */
  towers: CaylusCastleSection;
}

/** Cubes held. */
export interface CaylusCubes {
  /** Cubes of food. */
  food: number;
  /** Cubes of wood. */
  wood: number;
  /** Cubes of stone. */
  stone: number;
  /** Cubes of cloth. */
  cloth: number;
  /** Cubes of gold. */
  gold: number;
}

/** What Caylus waits for. */
export interface CaylusDecision {
  /** The number of a seat, from 0. */
  seat: number;
  /** Tells the members of the union apart. */
  kind: string;
  /** What a worker costs on a building of no seat or of another seat. */
  context: Record<string, any>;
  [later: string]: any;
}

/** The column that a seat has reached on each line. */
export interface CaylusFavourMarkers {
  /** The marker in the line of prestige. */
  prestige: number;
  /** The marker in the line of deniers. */
  deniers: number;
  /** The marker in the line of cubes. */
  cubes: number;
  /** The marker in the line of buildings. */
  buildings: number;
}

/** The two circles of the inn. */
export interface CaylusInn {
  /** The seat with a worker on the left, who stays; null when it is free. */
  left: number | null;
  /** The seat with a worker on the right, who comes; null when it is free. */
  right: number | null;
}

/** The options of Caylus, complete. */
export interface CaylusOptions {
  /** from the table, or 3 points each */
  favours: string;
  /** second: a Jeweller, a Lawyer of 3 points */
  edition: string;
}

/** What a seat holds. */
export interface CaylusPlayer {
  /** Points of prestige. */
  prestige: number;
  /** Deniers: the money of the game. */
  deniers: number;
  /** Workers in supply. */
  workers: number;
  /** The cubes of the player. */
  cubes: CaylusCubes;
  /** The markers of the player in the lines of favours. */
  favours: CaylusFavourMarkers;
}

/** A space of the road. */
export interface CaylusRoadSpace {
  /** A space of the board. */
  space: string;
  /** The building on the space, null without one. */
  building: string | null;
  /** The seat that owns the building, null without one. */
  owner: number | null;
  /** The seat of the worker there, null without one. */
  worker: number | null;
  /** Seat that has bought a residence here; only there until it is built. */
  pending_residence?: number;
}

/** The table of Caylus: what everybody may see. */
export interface CaylusView {
  /** The number of the round, from 1. */
  round: number;
  /** Income asks nothing, so no view shows it. */
  phase: string;
  /** Who is asked first, second, … */
  turn_order: Array<number>;
  /** This round's passing order. */
  passed: Array<number>;
  /** Number of the road space. */
  provost: number;
  /** Number of the road space. */
  bailiff: number;
  /** 28 spaces, in order. */
  road: Array<CaylusRoadSpace>;
  /** The seat with a worker on the gate, null when it is free. */
  gate: number | null;
  /** The seat with a worker at the trading post, null when it is free. */
  trading_post: number | null;
  /** The seat with a worker in the merchants' guild, null when it is free. */
  merchants_guild: number | null;
  /** The seat with a worker on the joust field, null when it is free. */
  joust_field: number | null;
  /** By slot. */
  stables: Array<number>;
  /** The inn and its two places. */
  inn: CaylusInn;
  /** By slot. */
  castle: Array<number>;
  /** The sections of the castle. */
  sections: CaylusCastleSections;
  /** Tiles that can be built. */
  stock: Array<string>;
  /** By seat. */
  players: Array<CaylusPlayer>;
}

/** What a trade gives: goods, or points. */
export interface CaylusYield {
  /** Cubes of food. */
  food?: number;
  /** Cubes of wood. */
  wood?: number;
  /** Cubes of stone. */
  stone?: number;
  /** Cubes of cloth. */
  cloth?: number;
  /** Cubes of gold. */
  gold?: number;
  /** Deniers: the money of the game. */
  deniers?: number;
  /** Points of prestige. */
  prestige?: number;
}

/** What a game waits for. */
export interface Decision {
  /** The number of a seat, from 0. */
  seat: number;
  /** Tells the members of the union apart. */
  kind: string;
  /** The tile in hand. */
  context: Record<string, any>;
  [later: string]: any;
}

/** A commitment to a secret of draws, for one game. */
export interface DrawCommitment {
  /** For `commitment` of `POST /api/v1/games`. */
  id: string;
  /** SHA-256 of the secret. */
  commitment: string;
  /** UTC. */
  expires_at: string;
}

/** What has happened. */
export interface Event {
  /** The number of an event; that of the newest is the version of the game. */
  version: number;
  /** When it was stored. */
  at: string;
  /** Hash of the event before, 64 zeros for the first; old events have none. */
  prev?: string;
  /** SHA-256 of the canonical JSON of the event as it was appended. */
  hash?: string;
  /** True: appended in an older form. Take its `hash`. */
  upcast?: boolean;
  /** True: a name was deleted. Take its `hash`. */
  masked?: boolean;
  /** Tells the members of the union apart. */
  type: string;
  /** The name of the game that is played. */
  game?: string;
  /** Complete, with defaults. */
  options?: Record<string, any>;
  /** The seats, in their order. */
  seats?: Array<Record<string, any>> | Array<number>;
  /** Who can see the game; one of a duplicate round when the round is closed. */
  visibility?: string;
  /** Id of the player. */
  created_by?: string;
  /** Imported games: the names in the transcript. */
  names?: Array<string>;
  /** Imported games: the seats that bots had. */
  bot_seats?: Array<number>;
  /** Imported games with unknown keys: SHA-256 of their JSON. */
  extra_hash?: string;
  /** The unknown keys, in events of old releases. */
  extra?: Record<string, any>;
  /** The lot decides at the start who sits where. */
  shuffle_seats?: boolean;
  /**
   * The commitment to the secret of the draws. Missing in games from before fair draws, null
   * where nothing is left to draw.
   */
  fair?: Record<string, any>;
  /** Missing: `none`. */
  takebacks?: string;
  /** What follows from silence; missing: `claim`. */
  on_timeout?: string;
  /** Others may take over the seats of players who forfeited. */
  substitutes?: boolean;
  /** Others may take over the seats of bots. */
  fill?: string;
  /** When the game starts; missing: `full`. */
  start?: string;
  /** Name of the bot that stands in for players. */
  stand_in?: string | null;
  /** Seconds that the game waits for its start. */
  expires_in?: number;
  /** For so many ms after the last event no bot moves. */
  bot_delay?: number;
  /** The time of the players, in seconds; missing or null: untimed. */
  pace?: Record<string, any>;
  /** The person of this practice game may ask for hints. */
  hints?: boolean;
  /** The game counts for the ratings of its players. */
  rated?: boolean;
  /** Id of the game that this game repeats. */
  rematch_of?: string;
  /** The position that this game goes on from. */
  branched_from?: Record<string, any>;
  /** The table of a round of a tournament for which the service has made the game. */
  tournament?: Record<string, any>;
  /** The number of a seat, from 0. */
  seat?: number;
  /** The player on the seat. */
  player?: PlayerName;
  /** What the player adds to the seed of the draws. */
  entropy?: string;
  /** Id of the player who did it. */
  by?: string | null;
  /** Until when. */
  expires_at?: string;
  /** Why the service declined for a bot; missing where the player declined. */
  reason?: string;
  /** Name of the bot. */
  bot?: Record<string, any> | string;
  /** The `player` or the `bot` that had the seat or its offer. */
  was?: Record<string, any>;
  /** Whether the player is ready. */
  ready?: boolean;
  /** The chance of the start. */
  setup?: Record<string, any>;
  /** What was drawn, in order. */
  chance?: Array<string>;
  /** What followed, in order. */
  facts?: Array<Fact>;
  /** The version of the rules that the game is played by. */
  rules_version?: number;
  /** SHA-256 of the state after the event. */
  state_hash?: string;
  /** Shuffled seats: each seat is now held by the holder of the seat with this number. */
  seating?: Array<number>;
  /** For which ratings the game counts; missing: for none. */
  ladder?: string;
  /** Games that count: how strong the bots of the service are that sit here, by name. */
  strengths?: Record<string, number>;
  /** A move, as `GET …/moves` lists it. */
  move?: Move;
  /** What the answer of a person costs in a timed game. */
  clock?: Record<string, any>;
  /** Who had the seat, and why that player left; or the `bot` that had it. */
  from?: Record<string, any>;
  /** When the time was over. */
  deadline_at?: string;
  /** Milliseconds. */
  ms?: number;
  /** When the pause ends. */
  until?: string;
  /** The proposal that was accepted; null without one. */
  proposal?: number | null;
  /** What is proposed. */
  kind?: string;
  /** The seats that have to agree. */
  needs?: Array<number>;
  /** Takebacks: the version to go back to. */
  to_version?: number;
  /** Takebacks: the versions of the moves. */
  moves?: Array<number>;
  /** Claims: the seat that is claimed. */
  target?: number;
  /** The answer. */
  answer?: string;
  /** The preference of the player answered. */
  auto?: boolean;
  /** How the proposal has ended. */
  outcome?: string;
  /** `window`: the seat that had used the most time, and is ranked last. */
  slowest?: number;
  /** SHA-256 of the secret of the draws. */
  commitment?: string;
  /** The result, null while the game is not over. */
  result?: Result;
  /** The secret of the draws, 64 hex digits; null when the secret was lost. */
  secret?: string | null;
  /** Why, for programs; missing in old events. */
  code?: string;
  [later: string]: any;
}

/** Events, the oldest first. */
export interface EventsPage {
  /** The events, in their order. */
  events: Array<Event>;
  /** The value of `after` for the next page. */
  next_after: number;
  /**
   * True when `after` is beyond the end, which `next_after` then names: the store has lost
   * events that the client has. Read the game again.
   */
  reset?: boolean;
}

/** What an event led to. */
export interface Fact {
  /** Tells the members of the union apart. */
  type: string;
  /** The number of a seat, from 0. */
  seat?: number;
  /** The letter of the tile. */
  tile?: string;
  /** Grows to the east. */
  x?: number;
  /** Grows to the south. */
  y?: number;
  /** Degrees clockwise. */
  rotation?: number;
  /** What lies there. */
  feature?: string;
  /** A part of the tile: of a city, a field, a road, or the monastery. */
  segment?: string;
  /** Tiles of the feature. */
  tiles?: number;
  /** Pennants of the city; for a city only. */
  pennants?: number;
  /** The points; a loss is negative. */
  points?: number;
  /** Why it has happened. */
  reason?: string;
  /** A space of the board. */
  space?: string;
  /** What stands there; on the road only. */
  building?: string;
  /** Where the favour comes from. */
  source?: string;
  /** The seat whose worker brings its owner the points. */
  by?: number;
  /** A section of the castle. */
  section?: string;
  /** What is lost; `points` stop at a score of 0. */
  penalty?: number;
  /** The number of the round, from 1. */
  round?: number;
  /** Who is asked first, second, … */
  turn_order?: Array<number>;
  /** The phase that begins. */
  phase?: string;
  /** What is gained or paid. */
  goods?: CaylusBundle;
  /** 1 passes first. */
  slot?: number;
  /** The seat has no choice. */
  forced?: boolean;
  /** By how many spaces; back when it is negative. */
  steps?: number;
  /** The space where the marker is now. */
  to?: number;
  /** The building that gave way. */
  replaced?: string;
  /** How many favours. */
  favours?: number;
  /** A line of favours. */
  line?: string;
  /** The column of the marker now. */
  column?: number;
  /** The marker moved. */
  advanced?: boolean;
  /** How many houses the seat has there. */
  houses?: number;
  [later: string]: any;
}

/** A game. */
export interface Game {
  /** The id, an opaque string. */
  id: string;
  /** The name of the game that is played. */
  game: string;
  /** The options of the game, complete. */
  options: CarcassonneOptions | CaylusOptions;
  /** Where the game is in its life. */
  status: string;
  /** Who can see the game; one of a duplicate round when the round is closed. */
  visibility: string;
  /** The number of an event; that of the newest is the version of the game. */
  version: number;
  /** Id of the player who may arrange the table. */
  host: string;
  /** `full`: starts with the last seat; `host`: the host starts it. */
  start: string;
  /** Which moves may be taken back. */
  takebacks: string;
  /** Others may take over forfeited seats. */
  substitutes: boolean;
  /** What follows from silence. */
  on_timeout: string;
  /** Null: the game is untimed. */
  pace: Pace | null;
  /** The player of this practice game gets hints. */
  hints: boolean;
  /** No bot moves for so many ms after an event. */
  bot_delay: number;
  /** Whether the game counts for ratings. */
  rated: boolean;
  /**
   * For which ratings the game counts; null: for none. A practice game stops to count with the
   * first hint, and with a takeback that taught its player something.
   */
  ladder: string | null;
  /** The seats, in their order. */
  seats: Array<TableSeat>;
  /** What the game waits for; null when it waits for no seat. */
  decision: CarcassonneDecision | CaylusDecision | null;
  /** The open proposal, null without one. */
  proposal: Proposal | null;
  /** The moves that the caller may take back, null without any. */
  takeback: Takeback | null;
  /** True: no person is left at the table, so no bot moves either. */
  resting: boolean;
  /** The clocks stand until then; null: no pause. */
  paused_until: string | null;
  /** The result, null while the game is not over. */
  result: Result | null;
  /** Id of the game that this game repeats. */
  rematch_of: string | null;
  /** The game and the version that a branch goes on from, else null. */
  branched_from: Origin | null;
  /** The table of a tournament that the game is played for, else null. */
  tournament: TournamentPlace | null;
  /** UTC. */
  created_at: string;
  /** UTC. */
  updated_at: string;
  /** The table as everybody may see it; null before the start. */
  view: CarcassonneView | CaylusView | null;
  [later: string]: any;
}

/** A new game; it starts when no seat is open, unless the host is to start it. */
export interface GameRequest {
  /** The name of the game that is played. */
  game: string;
  /** The seats, in their order. */
  seats: Array<SeatRequest>;
  /** See the catalogue; an option that is missing or null has its default. */
  options?: Record<string, number | string | null> | null;
  /** The lot decides at the start who sits where. Default: `false`. */
  shuffle_seats?: boolean | null;
  /**
   * `public` (the default): in the lobby. `unlisted`: everybody with the link may watch and
   * take an open seat. `private`: for the opener, the players and those invited.
   */
  visibility?: string | null;
  /**
   * `full` (the default): the game starts when the last seat is taken. `host`: the host starts
   * it.
   */
  start?: string | null;
  /**
   * `none`: no move is taken back, unless all others are bots. `undo` (the default): until
   * another person has moved or chance was drawn. `consent`: also later, when the others agree.
   */
  takebacks?: string | null;
  /** Others may take over the seat of a player who left. */
  substitutes?: boolean | null;
  /**
   * The player may ask for hints (`GET /games/{id}/hint`). Only in a practice game: one player,
   * and bots on all other seats.
   */
  hints?: boolean | null;
  /** The bot that answers for absent players; default: `medium`. */
  stand_in?: string | null;
  /**
   * Seconds after the last event at which a game that has not started is aborted; default: 2
   * hours for a live game, 14 days for another public game, 60 days for others.
   */
  expires_in?: number | null;
  /** Missing or null: untimed. */
  pace?: PaceRequest | null;
  /**
   * What follows when a flag falls. `stand_in`: a bot answers until the player returns (the
   * default of live games with three or more seats for persons). `forfeit`: the player is out.
   * `claim`: the others decide (the default else).
   */
  on_timeout?: string | null;
  /** For so many milliseconds after the last event no bot moves; default: 0. */
  bot_delay?: number | null;
  /**
   * Whether the game counts for the ratings of its players; default: `false`. A rated game is
   * for two or more persons with recovery codes, or for bots; it has a pace, no takebacks by
   * consent, and one seat for each player.
   */
  rated?: boolean | null;
  /** What the player adds to the seed of the draws: random characters. */
  entropy?: string | null;
  /** The id from `POST /api/v1/fair/commitments`. */
  commitment?: string | null;
}

/** A game without its table. */
export interface GameSummary {
  /** The id, an opaque string. */
  id: string;
  /** The name of the game that is played. */
  game: string;
  /** Complete, with defaults. */
  options: Record<string, any>;
  /** Where the game is in its life. */
  status: string;
  /** Who can see the game; one of a duplicate round when the round is closed. */
  visibility: string;
  /** The number of an event; that of the newest is the version of the game. */
  version: number;
  /** Id of the player who may arrange the table. */
  host: string;
  /** `full`: starts with the last seat; `host`: the host starts it. */
  start: string;
  /** Which moves may be taken back. */
  takebacks: string;
  /** Others may take over forfeited seats. */
  substitutes: boolean;
  /** What follows from silence. */
  on_timeout: string;
  /** Null: the game is untimed. */
  pace: Pace | null;
  /** The player of this practice game gets hints. */
  hints: boolean;
  /** No bot moves for so many ms after an event. */
  bot_delay: number;
  /** Whether the game counts for ratings. */
  rated: boolean;
  /**
   * For which ratings the game counts; null: for none. A practice game stops to count with the
   * first hint, and with a takeback that taught its player something.
   */
  ladder: string | null;
  /** The seats, in their order. */
  seats: Array<TableSeat>;
  /** What the game waits for; null when it waits for no seat. */
  decision: Decision | null;
  /** The open proposal, null without one. */
  proposal: Proposal | null;
  /** The moves that the caller may take back, null without any. */
  takeback: Takeback | null;
  /** True: no person is left at the table, so no bot moves either. */
  resting: boolean;
  /** The clocks stand until then; null: no pause. */
  paused_until: string | null;
  /** The result, null while the game is not over. */
  result: Result | null;
  /** Id of the game that this game repeats. */
  rematch_of: string | null;
  /** The game and the version that a branch goes on from, else null. */
  branched_from: Origin | null;
  /** The table of a tournament that the game is played for, else null. */
  tournament: TournamentPlace | null;
  /** UTC. */
  created_at: string;
  /** UTC. */
  updated_at: string;
}

/** A page of games, the newest first. */
export interface GamesPage {
  /** The games. */
  games: Array<GameSummary>;
  /** Null on the last page. */
  next_cursor: string | null;
}

/** Items of an inbox, the oldest first. */
export interface InboxPage {
  /** The items, the oldest first. */
  items: Array<Item>;
  /** The value of `after` for the next page. */
  next_after: string;
  /**
   * True when the inbox does not have the place that `after` names: it has dropped it, or was
   * made again. The page begins with the oldest item that there is.
   */
  reset?: boolean;
}

/** Something that the player should know. */
export interface Item {
  /** `<game>:<version>:<type>:<player>`; the same item has the same id. */
  id: string;
  /** What the item is about. */
  type: string;
  /** When it happened. */
  timestamp: string;
  /**
   * What it is about; of a game `game`, `version`, `seat`, `title`, `deadline_at` and `url`,
   * and what belongs to the type.
   */
  data: Record<string, any>;
}

/** A move of any game. */
export interface Move {
  /** Tells the members of the union apart. */
  type: string;
  /** Grows to the east. */
  x?: number;
  /** Grows to the south. */
  y?: number;
  /** Degrees clockwise. */
  rotation?: number;
  /** A part of the tile: of a city, a field, a road, or the monastery. */
  segment?: string;
  /** A space of the board. */
  space?: string;
  /** By how many spaces; back when it is negative. */
  steps?: number;
  /** What is taken. */
  goods?: CaylusBundle;
  /** What is given. */
  give?: CaylusBundle;
  /** What is got for it. */
  get?: CaylusYield;
  /** The building. */
  building?: string;
  /** The whole price, with every free choice settled. */
  pay?: CaylusBundle;
  /** A line of favours. */
  line?: string;
  [later: string]: any;
}

/** A legal move as a sentence. */
export interface MoveInWords {
  /** The place of the move in `moves`, from 1. */
  number: number;
  /** The move in the language asked for; no other move here has the same words. */
  text: string;
  /** A move, as `GET …/moves` lists it. */
  move: Move;
}

/** Every legal move of the pending decision. */
export interface MoveList {
  /** The number of an event; that of the newest is the version of the game. */
  version: number;
  /** What the game waits for; null when it waits for no seat. */
  decision: Decision | null;
  /** Every legal move. */
  moves: Array<Move>;
  /** With `?words=1`: the same moves as sentences, in the same order. */
  words?: Array<MoveInWords>;
}

/** A decision was answered. */
export interface MoveMade {
  /** The number of an event; that of the newest is the version of the game. */
  version: number;
  /** When it was stored. */
  at: string;
  /** Hash of the event before, 64 zeros for the first; old events have none. */
  prev?: string;
  /** SHA-256 of the canonical JSON of the event as it was appended. */
  hash?: string;
  /** True: appended in an older form. Take its `hash`. */
  upcast?: boolean;
  /** True: a name was deleted. Take its `hash`. */
  masked?: boolean;
  /** Tells the members of the union apart. */
  type: string;
  /** The number of a seat, from 0. */
  seat: number;
  /** A move, as `GET …/moves` lists it. */
  move: Move;
  /** What was drawn, in order. */
  chance: Array<string>;
  /** What followed, in order. */
  facts: Array<Fact>;
  /** SHA-256 of the state after the event. */
  state_hash: string;
  /**
   * Moves of bots: the `level` and its `version`; the `iterations` that the bot has used, and
   * for how many `ms` it thought; in games with fair draws the `seed` of its generator, 16 hex
   * digits. Level, version, iterations and seed are enough to repeat the move. Events of
   * earlier releases have no `iterations` and `ms`. `planned`: the bot has thought of the move
   * together with the move before it, so this one says 0 iterations. When another bot has moved
   * than the bot of the seat, `level` is the bot that has moved, and `fallback` the reason:
   * `not_offered`, the bot is not on offer any more; `late`, the bot has missed its deadline;
   * `failed`, the bot has raised an error.
   */
  bot?: Record<string, any>;
  /** Missing: the person or the bot of the seat has answered. */
  by?: string;
  /** What the answer of a person costs in a timed game. */
  clock?: Record<string, any>;
}

/** A stored move. */
export interface MoveWritten {
  /** The number of an event; that of the newest is the version of the game. */
  version: number;
  /** The event of the move. */
  event: MoveMade;
  /** All events that the move has added, in order; `event` is one of them. */
  events: Array<Event>;
  /** The game after the move. `Prefer: return=minimal` leaves out `game`, `board` and `moves`. */
  game?: Game;
  /**
   * With `?board=`: the picture, SVG. Null for a game without a picture, and when drawing
   * fails: the move is stored all the same.
   */
  board?: string | null;
  /** With `?board=`: every legal move now. Null when listing fails. */
  moves?: Array<Move> | null;
}

/** A new player. */
export interface NewPlayer {
  /** The id, an opaque string. */
  id: string;
  /** The name that people read. */
  name: string;
  /** What the player is: `person`, or `bot` for a program that a player has made. */
  kind: string;
  /** UTC. */
  created_at: string;
  /** Shown in this answer only. Send the token as `Authorization: Bearer …`. */
  token: string;
  /**
   * With `commit`: as the answer of `POST /api/v1/fair/commitments`; null: the service cannot
   * commit to draws now, and that call says why.
   */
  commitment?: DrawCommitment | null;
}

/** An offer of a seat. */
export interface Offer {
  /** The player to whom the seat is offered. */
  player: PlayerName;
  /** Id of the player who made the offer. */
  by: string;
  /** Until then no other player may take the seat. */
  expires_at: string;
}

/** A version of another game. */
export interface Origin {
  /** Id of the game. */
  game: string;
  /** The number of an event; that of the newest is the version of the game. */
  version: number;
}

/** The player of the token. */
export interface OwnPlayer {
  /** The id, an opaque string. */
  id: string;
  /** The name that people read. */
  name: string;
  /** What the player is: `person`, or `bot` for a program that a player has made. */
  kind: string;
  /** UTC. */
  created_at: string;
  /** How the player wants to be treated. */
  preferences: Preferences;
  /** Since when the player has recovery codes; null: a guest. */
  claimed_at: string | null;
  /**
   * Whether a client should ask the player once for `preferences.open_data`: the service
   * publishes its open data, and the player has never set it.
   */
  asks_open_data: boolean;
}

/** How much time the players have, in seconds. */
export interface Pace {
  /** `live`: all players are at the table. `correspondence`: over days. */
  mode: string;
  /** Free in every turn. */
  delay: number;
  /** The reserve for the whole game. */
  bank: number;
  /** Back into the bank after a turn. */
  refill: number;
  /** Correspondence only: the vacation of a player stops the player's clock. */
  vacation?: boolean;
}

/** How much time the players have, in seconds; the catalogue has presets (`paces`). */
export interface PaceRequest {
  /** `live`: everybody is at the table. `correspondence`: over days. */
  mode: string;
  /** Free in every turn and never saved up: 5 to 300 live, 3600 to 1209600 in correspondence. */
  delay: number;
  /** The reserve for the whole game: up to 7200 live, up to 2592000 in correspondence. */
  bank: number;
  /**
   * Back into the bank after a turn, at most what the turn used: up to 300 live, up to the
   * delay in correspondence; default 0.
   */
  refill?: number | null;
  /** Correspondence only: the vacation of a player stops the player's clock; default true. */
  vacation?: boolean | null;
}

/** What a browser needs to make a passkey, or to use one. */
export interface PasskeyOptions {
  /**
   * As JSON of WebAuthn: for `PublicKeyCredential.parseCreationOptionsFromJSON` or
   * `parseRequestOptionsFromJSON` in a browser.
   */
  public_key: any;
  /** Until when the challenge is valid, for one answer. UTC. */
  expires_at: string;
}

/** A player. */
export interface Player {
  /** The id, an opaque string. */
  id: string;
  /** The name that people read. */
  name: string;
  /** What the player is: `person`, or `bot` for a program that a player has made. */
  kind: string;
  /** UTC. */
  created_at: string;
}

/** The player on a seat. */
export interface PlayerName {
  /** The id, an opaque string. */
  id: string;
  /** The name that people read. */
  name: string;
  /** `bot`: the player is a program of another player. Missing: a person. */
  kind?: string;
  /** With the kind `bot`: the id of the player who made it. */
  owner?: string;
}

/** All preferences of a player. */
export interface Preferences {
  /**
   * When another player asks for a takeback: `ask` the player each time; agree `always`; agree
   * by itself to a `misclick`, the very last move within 15 s; `never`: no player may ask.
   */
  takebacks: string;
  /**
   * The colour in which the player wants to see the own pieces; `usual`: that of the seat. A
   * client gives the seat that has this colour that of the player's seat; the shapes stay.
   */
  colour: string;
  /**
   * `hidden`: no search, list or statistics of others names the player, and no other player
   * sees when the player is here. At a table the player is seen as any other.
   */
  visibility: string;
  /**
   * `yes`: public games of the player may be in the [open data](/docs/dumps/) of this service,
   * without names, where all other people of the game have said yes as well.
   */
  open_data: string;
}

/** A refusal (RFC 9457). A 4xx changes nothing; after a 5xx the outcome is unknown. */
export interface Problem {
  /** The address of a page about the code. */
  type: string;
  /** What the code means, for people. */
  title: string;
  /** The status of the answer. */
  status: number;
  /** For people. */
  detail: string;
  /** The path of the request. */
  instance: string;
  /** Stable; for programs. */
  code: string;
  /** The id of the request in the log. */
  request_id: string;
  /** With `invalid`: all faults. */
  errors?: Array<ProblemError>;
  /** With `stale_version`. */
  current_version?: number;
  /** With `quota_exceeded`: what is counted for the player. */
  quota?: string;
  /** With `quota_exceeded`: at most so many. */
  limit?: number;
  /** With `quota_exceeded`: so many there are. */
  used?: number;
  /** With `quota_exceeded`: when there is a place; null: unknown. */
  free_at?: string | null;
  /** With `scope_missing`: what the token is not for. */
  scope?: string;
  /** With `not_your_turn`. */
  decision?: Decision;
  /** With `illegal_move`. */
  legal_moves?: Array<Move>;
}

/** A fault of the request. */
export interface ProblemError {
  /** JSON pointer into the body; `/name` for a query parameter. */
  pointer: string;
  /** What is wrong, for people. */
  detail: string;
  /** For programs: why no player may choose a name, what is wrong with a study. */
  reason?: string;
}

/** The open proposal: something that other players have to agree to. */
export interface Proposal {
  /** The version of its event. */
  id: number;
  /** The seat that asks. */
  seat: number;
  /** What is proposed. */
  kind: string;
  /** The seats that have to agree. */
  needs: Array<number>;
  /** The answers so far. */
  answers: Array<AnswerOfSeat>;
  /** UTC. */
  expires_at: string;
  /** Takebacks: the version to go back to. */
  to_version: number | null;
  /** Takebacks: the versions of the moves; otherwise empty. */
  moves: Array<number>;
  /** Claims: the seat claimed. */
  target: number | null;
  /** Pauses: until when. */
  until: string | null;
}

/** Ten codes, each for one use. */
export interface RecoveryCodes {
  /** Shown in this answer only. Earlier codes are void. */
  codes: Array<string>;
}

/** The end of a game. */
export interface Result {
  /** The points of each seat. */
  scores: Array<number>;
  /** The seats that win; several after a tie. */
  winners: Array<number>;
  /** What was counted at the end, seat by seat. */
  breakdown: Array<BreakdownEntry>;
  /** The rank of each seat, 1 the best; ties share a rank. Missing in the results of old games. */
  ranks?: Array<number>;
  /** How the game ended for each seat. */
  outcomes?: Array<string>;
  /** What ended the play. */
  ended_by?: string;
  /** The number of moves of stand-ins, for each seat. */
  stand_in_moves?: Array<number>;
}

/** A seat: for the caller (`me`), a `bot`, any player (`open`), or a guest (`invite`). */
export interface SeatRequest {
  /** Who is to sit there. */
  kind: string;
  /** With the kind `bot`: the name of the bot. */
  bot?: string | null;
  /** With the kind `invite`: the player to whom the seat is offered. */
  player?: string | null;
}

/** The player of the code or passkey, and a new token. */
export interface Session {
  /** The player who is signed in. */
  player: Player;
  /** Shown in this answer only. Send the token as `Authorization: Bearer …`. */
  token: string;
}

/** The table after an event. */
export interface State {
  /** The number of an event; that of the newest is the version of the game. */
  version: number;
  /** What the game waits for; null when it waits for no seat. */
  decision: Decision | null;
  /** The table as everybody may see it; null before the start. */
  view: View | null;
}

/** What has happened, in words. */
export interface Story {
  /** Of the lines: `en`, `pl`, `hr`, `nl`, `ru`. */
  language: string;
  /** The lines, in the order of the events. */
  lines: Array<StoryLine>;
  /** The value of `after` for the next page. */
  next_after: number;
}

/** A line of the story; it describes the event `version`. */
export interface StoryLine {
  /** The number of an event; that of the newest is the version of the game. */
  version: number;
  /** A text for people. */
  text: string;
  /** True: about a move that was taken back. Show it struck through. */
  taken_back?: boolean;
}

/** A seat with a player or a bot; an open seat has neither. */
export interface TableSeat {
  /** The number of a seat, from 0. */
  seat: number;
  /** The player on the seat. */
  player: PlayerName | null;
  /** Name of the bot. */
  bot: string | null;
  /**
   * `away`: a stand-in answers and the player may return; `forfeited`: the player is out for
   * good; `vacant`: as well, and another player may take the seat; `overdue`: the time of the
   * player is over.
   */
  state: string;
  /** Name of the bot that answers for the player. */
  stand_in: string | null;
  /** Why the player is away or has forfeited. */
  reason: string | null;
  /** Live games before the start: is the player ready? Else null. */
  ready: boolean | null;
  /** Timed games: the time in the bank in ms. Bots have none: null. */
  bank: number | null;
  /** Offered seats only. */
  offer?: Offer;
  /** Imported games only: the name that the transcript gives to this seat. */
  name?: string;
}

/** What may be taken back without asking another player. */
export interface Takeback {
  /** The seat whose player may. */
  seat: number;
  /** The earliest version to go back to. */
  free_to: number;
}

/** For which table of a tournament the service has made a game. */
export interface TournamentPlace {
  /** Id of the tournament. */
  id: string;
  /** The number of the round. */
  round: number;
  /** The number of the table in the tournament. */
  table: number;
}

/** The table of a game: what everybody may see. */
export interface View {
  /** Drawn and not yet placed. */
  tile?: string | null;
  /** In placement order. */
  board?: Array<CarcassonnePlacedTile>;
  /** Set aside because they fitted nowhere, in drawing order. */
  discarded?: Array<string>;
  /** How many tiles of each letter are left in the bag. */
  remaining?: Record<string, number>;
  /** By seat. */
  scores?: Array<number>;
  /** Followers in supply, by seat. */
  followers?: Array<number>;
  /** The number of the round, from 1. */
  round?: number;
  /** Income asks nothing, so no view shows it. */
  phase?: string;
  /** Who is asked first, second, … */
  turn_order?: Array<number>;
  /** This round's passing order. */
  passed?: Array<number>;
  /** Number of the road space. */
  provost?: number;
  /** Number of the road space. */
  bailiff?: number;
  /** 28 spaces, in order. */
  road?: Array<CaylusRoadSpace>;
  /** The seat with a worker on the gate, null when it is free. */
  gate?: number | null;
  /** The seat with a worker at the trading post, null when it is free. */
  trading_post?: number | null;
  /** The seat with a worker in the merchants' guild, null when it is free. */
  merchants_guild?: number | null;
  /** The seat with a worker on the joust field, null when it is free. */
  joust_field?: number | null;
  /** By slot. */
  stables?: Array<number>;
  /** The inn and its two places. */
  inn?: CaylusInn;
  /** By slot. */
  castle?: Array<number>;
  /** The sections of the castle. */
  sections?: CaylusCastleSections;
  /** Tiles that can be built. */
  stock?: Array<string>;
  /** By seat. */
  players?: Array<CaylusPlayer>;
  [later: string]: any;
}

/** What a command of a game's life has done. */
export interface Written {
  /** The number of an event; that of the newest is the version of the game. */
  version: number;
  /** All events that the command has added, in order; none with 200. */
  events: Array<Event>;
  /** The game after these events. */
  game: Game;
}
