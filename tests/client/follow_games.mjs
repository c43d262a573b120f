// Follows games with the client for browsers and node until all are closed, and prints what came.

import { Client } from "../../clients/typescript/src/index.js";

const [url, token, games] = process.argv.slice(2);
const client = new Client(url, { token });
for await (const { kind, game, item, line, reason } of client.followGames(games.split(","), { inbox: true })) {
  if (kind === "item") console.log("inbox", item.type);
  else console.log(game, line ? (line.kind === "event" ? line.version : line.kind) : reason);
}
