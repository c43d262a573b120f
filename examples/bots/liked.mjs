// A bot in JavaScript, without a library: it speaks the line protocol on stdin and stdout.
//
//   cartulary league caylus --players "command:node examples/bots/liked.mjs,random" --pairs 5 --out out
//   cartulary bot run --command "node examples/bots/liked.mjs" --url http://127.0.0.1:8000 --token-file bot.token
//
// A line from the service is one JSON object; the answer is one line with the same id. What goes to
// stderr is logged. Nothing else may go to stdout.
import { createInterface } from "node:readline";

// What a player of Caylus likes, the best first; of equal answers the first legal one.
const LIKED = ["offer_batch", "build", "choose_favour", "place_worker", "take", "trade"];

// Carcassonne: what a follower is worth on a city (`c0`), a monastery, a road, a field.
const FOLLOWERS = { c: 3, m: 3, r: 2, f: 0.5 };

function rate(move) {
  if (move.type === "place_follower") {
    return FOLLOWERS[move.segment[0]] ?? 1;
  }
  if (move.type === "place_tile") {
    return -Math.hypot(move.x, move.y); // near the middle features grow together
  }
  const place = LIKED.indexOf(move.type);
  return place < 0 ? 0 : LIKED.length - place;
}

function think({ legal }) {
  let best = legal[0];
  for (const move of legal) {
    if (rate(move) > rate(best)) {
      best = move;
    }
  }
  return { move: best, info: { value: rate(best), of: legal.length } };
}

const ANSWERS = {
  hello: () => ({ name: "Liked", author: "Cartulary" }),
  new_game: () => ({}),
  think,
  quit: () => ({}),
};

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  process.stdout.write(`${JSON.stringify({ id: request.id, ...ANSWERS[request.type](request) })}\n`);
  if (request.type === "quit") {
    process.exit(0);
  }
}
