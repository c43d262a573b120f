// Plays with the client for browsers and node in a rehearsal, until its script is over.

import { ApiProblem, Client } from "../../clients/typescript/src/index.js";

const [url, seed = "0"] = process.argv.slice(2);
const client = new Client(url, { silentAfter: 1.5 });
await client.createPlayer("Ada");
const game = (await client.createGame("carcassonne", [{ kind: "me" }, { kind: "me" }])).id;
const versions = [];
let isOver = false;
for await (const line of client.followGame(game)) {
  if (line.kind === "event") versions.push(line.version);
  if (isOver) break;
  // A line that comes after this one was sent when the last trouble was over.
  isOver = (await (await fetch(`${url}/rehearsal`)).json()).waiting.length === 0;
  try {
    await move();
  } catch (error) {
    if (!(error instanceof ApiProblem && error.isConflict)) throw error;
    await move();
  }
}
const applied = JSON.stringify({ game, versions });
await fetch(`${url}/rehearsal/applied`, { method: "PUT", body: applied });

async function move() {
  const legal = await client.listMoves(game);
  const chosen = legal.moves[(Number(seed) * legal.version) % legal.moves.length];
  await client.makeMove(game, chosen, legal.version);
}
