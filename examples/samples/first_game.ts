// A game against a bot, from the first call to the last: bundle it with esbuild, run it with node.
import { Client } from "cartulary-client";

const client = new Client(process.argv[2] ?? "http://127.0.0.1:8000");
// [register_player]
const { token } = await client.createPlayer("Ada"); // the client sends it from now on
// [open_game]
const seats = [{ kind: "me" }, { kind: "bot", bot: "random" }];
const { id } = await client.createGame("carcassonne", seats);
// [show_game]
const shown = await client.readGame(id);
console.log(shown.version, shown.decision);
// [stream_events]
for await (const line of client.followGame(id)) {
  console.log(line);
  const { decision } = await client.readGame(id);
  if (decision?.seat === 0) break;
}
// [list_moves]
const { moves } = await client.listMoves(id);
// [make_move]
const written = await client.makeMove(id, moves[0]);
console.log(written.version, written.event.type);
// [list_events]
for (const event of (await client.readEvents(id)).events) console.log(event.version, event.type);
// [end]
