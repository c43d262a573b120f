/** Where a game was played: a game of a device keeps the mark of its transcript in the account. */

import { call } from "../platform/api.js";
import { isLocal } from "../platform/local_games.js";

/** Whether a game was played without a network. @param {string} id */
export async function isFromDevice(id) {
  return isLocal(id) || (await call(`/games/${id}/transcript`)).origin === "local";
}
