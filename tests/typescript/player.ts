// Reads the answers of a later release and plays both games while a stream is open, with the types
// that openapi-typescript makes from the open description. The tests compile and run this program:
//
//   node player.js URL MOVES LATER

import type { components, operations, webhooks } from "./open";

declare const process: { argv: string[]; exit(code: number): never };

type Schemas = components["schemas"];
type Body<Operation extends keyof operations> = operations[Operation] extends {
  requestBody?: { content: { "application/json": infer Sent } };
}
  ? Sent
  : never;

// What a webhook bot is asked and answers is typed too, and a word of next year compiles.
type Question = webhooks["move"]["post"]["requestBody"]["content"]["application/json"];
type Reply = webhooks["move"]["post"]["responses"][200]["content"]["application/json"];
type Notice = webhooks["standard"]["post"]["requestBody"]["content"]["application/json"];

export function answerFirst({ data }: Question): Reply {
  const [move] = data.moves;
  if (move === undefined) throw new Error(`no move at version ${data.version}`);
  return { move };
}

export const laterNotice: Notice = {
  type: "tournament_began",
  timestamp: "2027-01-01T00:00:00.000Z",
  data: { url: "https://games.example/" },
};

const [url = "", moves = "0", later = "{}"] = process.argv.slice(2);

class Api {
  constructor(private readonly token = "") {}

  async send<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await this.fetch(method, path, body);
    if (!answer.ok) throw new Error(((await answer.json()) as Schemas["Problem"]).code);
    return (await answer.json()) as Answer;
  }

  async fetch(method: string, path: string, body?: unknown, accept = "application/json") {
    const headers: Record<string, string> = { Accept: accept, "Content-Type": "application/json" };
    if (this.token) headers["Authorization"] = `Bearer ${this.token}`;
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return fetch(`${url}/api/v1${path}`, { method, headers, ...sent });
  }
}

// A known word leads to a known member; all else has a place too: nothing here is exhaustive.
function name(event: Schemas["Event"]): string {
  switch (event.type) {
    case "move_made":
      return "MoveMade";
    case "stand_in_seated":
      return "StandInSeated";
    default:
      return "OtherEvent";
  }
}

function readLater(answers: {
  page: Schemas["EventsPage"];
  problem: Schemas["Problem"];
  legal: Schemas["MoveList"];
}) {
  const [, , third, , fifth] = answers.page.events;
  const facts = (third as Schemas["MoveMade"]).facts;
  const [move] = answers.legal.moves;
  if (move === undefined) throw new Error("no move");
  const sent: Body<"make_move"> = { move, expected_version: answers.legal.version };
  // An enum of an answer is a string, so that a value of next year compiles.
  const code: Schemas["ProblemCode"] = "too_tired";
  return {
    events: answers.page.events.map(name),
    facts: facts.map((fact) => (fact.type === "points" ? "PointsFact" : "OtherFact")),
    move: sent.move,
    code: answers.problem.code === code ? code : "",
    reason: (fifth as Schemas["StandInSeated"]).reason,
    decision: answers.legal.decision?.kind === "place_tile" ? "PlaceTileDecision" : "OtherDecision",
  };
}

async function readStream(api: Api, game: string, seen: (version: number) => void) {
  const answer = await api.fetch("GET", `/games/${game}/events/stream`, undefined, "application/x-ndjson");
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let kept = ""; ; ) {
    const part = await reader?.read();
    if (part === undefined || part.done) return;
    const lines = (kept + part.value).split("\n");
    kept = lines.pop() ?? "";
    for (const line of lines.filter(Boolean)) {
      const event = JSON.parse(line) as Schemas["Event"];
      seen(event.version as number);
    }
  }
}

async function play(api: Api, kind: Schemas["GameNameRequest"]) {
  const wanted: Body<"open_game"> = { game: kind, seats: [{ kind: "me" }, { kind: "me" }] };
  let game = await api.send<Schemas["Game"]>("POST", "/games", wanted);
  const path = `/games/${game.id}`;
  const streamed: number[] = [];
  void readStream(api, game.id as string, (version) => streamed.push(version));
  for (let n = 0; n < Number(moves) && game.status === "running"; n++) {
    const legal = await api.send<Schemas["MoveList"]>("GET", `${path}/moves`);
    const move = legal.moves[(n * 7) % legal.moves.length];
    if (move === undefined) throw new Error("no move");
    const body: Body<"make_move"> = { move, expected_version: legal.version };
    const made = await api.send<Schemas["MoveWritten"]>("POST", `${path}/moves`, body);
    if (made.game !== undefined) game = made.game;
  }
  if (game.status === "running") {
    const body: Body<"resign"> = { seat: 0 };
    await api.send<Schemas["Written"]>("POST", `${path}/resignation`, body);
  }
  const over = await api.send<Schemas["Game"]>("GET", path);
  while (!streamed.includes(over.version as number)) {
    await new Promise((done) => setTimeout(done, 10));
  }
  const type = over.game === "caylus" ? "CaylusGame" : "CarcassonneGame";
  return { status: over.status, type, streamed };
}

const read = readLater(JSON.parse(later));
const registered = await new Api().send<Schemas["NewPlayer"]>("POST", "/players", { name: "Ada" });
const api = new Api(registered.token);
const played = { carcassonne: await play(api, "carcassonne"), caylus: await play(api, "caylus") };
console.log(JSON.stringify({ read, played }));
// The streams are still open: the games wait for their scores, for which nothing works here.
process.exit(0);
