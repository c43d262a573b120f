// Opens a game, plays a move and reads its events, with the types made from openapi.yaml.
// The tests compile this program; nothing runs it.

import type { components, operations } from "./api";

type Schemas = components["schemas"];
type Body<Operation extends keyof operations> = operations[Operation] extends {
  requestBody: { content: { "application/json": infer Sent } };
}
  ? Sent
  : never;

const API = "http://127.0.0.1:8000";

class Refused extends Error {
  constructor(readonly problem: Schemas["Problem"]) {
    super(problem.detail);
  }
}

async function send<Answer>(method: string, path: string, token: string, body?: unknown) {
  const answer = await fetch(API + path, {
    method,
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Refused((await answer.json()) as Schemas["Problem"]);
  return (await answer.json()) as Answer;
}

// What may be left out of a request is optional.
const wanted: Body<"open_game"> = {
  game: "carcassonne",
  seats: [{ kind: "me" }, { kind: "bot", bot: "medium" }],
};

// `game` tells the games apart: each has a view, options and decisions of its own.
function points(game: Schemas["Game"]): number[] {
  if (game.view === null) return [];
  switch (game.game) {
    case "carcassonne":
      return game.view.scores;
    case "caylus":
      return game.view.players.map((player) => player.prestige);
    default:
      return unreachable(game);
  }
}

// `type` tells moves, facts and events apart, `kind` decisions.
function say(event: Schemas["Event"]): string {
  switch (event.type) {
    case "game_created":
      return event.game;
    case "seat_taken":
    case "seat_left":
    case "seat_declined":
    case "seat_returned":
    case "host_changed":
      return `${event.type}: ${event.player.name}`;
    case "game_started":
      return event.facts.map(tell).join(" ");
    case "move_made":
      return `${describe(event.move)} ${event.facts.map(tell).join(" ")}`;
    case "seat_offered":
      return `${event.player.name} until ${event.expires_at}`;
    case "seat_assigned":
      return `${event.bot} on seat ${event.seat}`;
    case "seat_opened":
      return `${event.seat}: ${event.reason}`;
    case "seats_dropped":
      return event.seats.map(String).join();
    case "seat_forfeited":
      return `${event.player.name}: ${event.reason}, ${event.stand_in ?? "nobody"} plays on`;
    case "stand_in_seated":
      return `${event.bot} for seat ${event.seat}: ${event.reason}`;
    case "seat_readied":
      return `${event.seat}: ${String(event.ready)}`;
    case "turn_timed_out":
      return `${event.seat}: ${event.clock.used} ms, due at ${event.deadline_at}`;
    case "time_given":
      return `${event.by} gives ${event.ms} ms to ${event.seat}`;
    case "game_paused":
      return `${event.reason}, until ${event.until}`;
    case "game_resumed":
      return `${event.by ?? "nobody"}: ${event.reason}`;
    case "seat_taken_over":
      return `${event.player.name} for ${event.from.player?.name}`;
    case "proposal_made":
      return `${event.kind}: ${event.needs.length} answers until ${event.expires_at}`;
    case "proposal_answered":
      return `${event.answer} to ${event.proposal}`;
    case "proposal_closed":
      return `${event.proposal}: ${event.outcome}`;
    case "moves_taken_back":
      return `${event.moves.length} moves, back to ${event.to_version}`;
    case "play_ended":
    case "ladder_left":
      return event.reason;
    case "draws_renewed":
      return `commitment ${event.commitment}`;
    case "game_scored":
      return event.result.breakdown.map((entry) => `${entry.reason} ${entry.points}`).join();
    case "game_aborted":
      return event.reason;
    default:
      return unreachable(event);
  }
}

function describe(move: Schemas["Move"]): string {
  if (move.type === "place_tile") return `a tile at ${move.x}, ${move.y}`;
  if (move.type === "trade") return `${move.give.deniers ?? 0} for ${move.get.gold ?? 0}`;
  if (move.type === "build") return `${move.building} on ${move.pay.wood ?? 0} wood`;
  return move.type;
}

function tell(fact: Schemas["Fact"]): string {
  return fact.type === "points" ? `${fact.seat}: ${fact.points} (${fact.reason})` : fact.type;
}

function place(decision: Schemas["Decision"] | null): Schemas["CarcassonneLetter"] | null {
  return decision?.kind === "place_tile" ? decision.context.tile : null;
}

function unreachable(value: never): never {
  throw new Error(`unknown: ${JSON.stringify(value)}`);
}

export async function play(token: string): Promise<string[]> {
  const game = await send<Schemas["Game"]>("POST", "/api/v1/games", token, wanted);
  const path = `/api/v1/games/${game.id}`;
  const legal = await send<Schemas["MoveList"]>("GET", `${path}/moves`, token);
  const move = legal.moves[0];
  if (move === undefined) return [];
  const asked: Body<"make_move"> = { move, expected_version: legal.version };
  try {
    const made = await send<Schemas["MoveWritten"]>("POST", `${path}/moves`, token, asked);
    const page = await send<Schemas["EventsPage"]>("GET", `${path}/events`, token);
    const after = made.game; // `Prefer: return=minimal` leaves it out
    if (after === undefined) return [describe(made.event.move)];
    const tile = place(after.decision);
    return [describe(made.event.move), tile ?? "", ...points(after).map(String)].concat(
      page.events.map(say),
    );
  } catch (error) {
    if (error instanceof Refused && error.problem.code === "illegal_move") {
      return (error.problem.legal_moves ?? []).map(describe);
    }
    throw error;
  }
}

// These do not compile: the contract forbids them.

// @ts-expect-error: Carcassonne has no such rotation.
export const crooked: Schemas["Move"] = { type: "place_tile", x: 0, y: 1, rotation: 45 };
// @ts-expect-error: a move has no other fields than its own.
export const extra: Schemas["Move"] = { type: "pass", space: "gate" };
// @ts-expect-error: there is no such building.
export const unknown: Schemas["Move"] = { type: "build", building: "castle", pay: { wood: 1 } };
// @ts-expect-error: there is no such refusal.
export const code: Schemas["ProblemCode"] = "no_such_code";
