// A client of the service for browsers and node: keys, repetitions, streams that go on.

export { Client } from "./client.js";
export { ApiProblem, ClientError, ConnectionLost } from "./problems.js";
export { STANDARD } from "./retries.js";
