/** What every question to the API has in common. */

import { me } from "./identity.js";

export const ROOT = "/api/v1";
export const SVG = "image/svg+xml";

/** How a request says whose it is. @param {{token: string}} player */
export function authorizationOf({ token }) {
  return `Bearer ${token}`;
}

/**
 * The headers of a request.
 * @param {string} method @param {string} language of the words in the answer @param {Record<string, string>} [extra]
 */
export function headersFor(method, language, extra = {}) {
  /** @type {Record<string, string>} */
  const all = { Accept: "application/json", "Accept-Language": language, ...extra };
  const player = me();
  if (player && !all.Authorization) all.Authorization = authorizationOf(player);
  if (method !== "GET") all["Content-Type"] = "application/json";
  return all;
}
