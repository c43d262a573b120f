// A client of the service for browsers and node: keys, repetitions, streams that go on.

export { Client } from "./client.js";
export { ApiProblem, ClientError, ConnectionLost } from "./problems.js";
export { STANDARD } from "./retries.js";

/** @typedef {import("./client.js").Line} Line */
/** @typedef {import("./client.js").ManyLine} ManyLine */
/** @typedef {import("./client.js").ManyWish} ManyWish */
/** @typedef {import("./requests.js").Options} Options */
/** @typedef {import("./retries.js").Policy} Policy */
/** @typedef {import("../types/api.js").Event} Event */
/** @typedef {import("../types/api.js").EventsPage} EventsPage */
/** @typedef {import("../types/api.js").Game} Game */
/** @typedef {import("../types/api.js").GameRequest} GameRequest */
/** @typedef {import("../types/api.js").GamesPage} GamesPage */
/** @typedef {import("../types/api.js").InboxPage} InboxPage */
/** @typedef {import("../types/api.js").Item} Item */
/** @typedef {import("../types/api.js").Move} Move */
/** @typedef {import("../types/api.js").MoveList} MoveList */
/** @typedef {import("../types/api.js").MoveWritten} MoveWritten */
/** @typedef {import("../types/api.js").NewPlayer} NewPlayer */
/** @typedef {import("../types/api.js").OwnPlayer} OwnPlayer */
/** @typedef {import("../types/api.js").Problem} Problem */
/** @typedef {import("../types/api.js").Session} Session */
/** @typedef {import("../types/api.js").State} State */
/** @typedef {import("../types/api.js").Story} Story */
/** @typedef {import("../types/api.js").Written} Written */
