/** The calls of operators; `../platform/api.js` sends them, with the operator's token in place of the player's. */

import { call, Problem } from "../platform/api.js";
import { forgetOperatorToken, operatorToken } from "../platform/operator_token.js";

/**
 * @typedef {{id: string, name: string}} Named
 * @typedef {{until: string | null, reason: string} | null} Sentence
 * @typedef {{id: string, at: string, by: string, command: string, player: Named | null, report: string,
 *   reason: string, until: string | null, names: string[], tournament: string, study: string}} LogLine
 * @typedef {Named & {kind: string, created_at: string, claimed_at: string | null, muted: Sentence, suspended: Sentence,
 *   operator: boolean, reports: number, log: LogLine[]}} Standing
 * @typedef {{id: string, at: string, by: Named, kind: string, about: Named | null, game: string | null,
 *   study: {id: string, title: string, version: number, text: string} | null, message: string | null, reason: string, text: string, closed_at: string | null, answer: string, note: string}} Report
 * @typedef {Report & {standing: Standing | null,
 *   context: {id: string, at: string, player: Named | null, message: string | null}[]}} ReportDetails
 * @typedef {{command: string, reason: string, days?: number | null, name?: string | null, report?: string}} Order
 */

const REFUSED = new Set(["token_missing", "token_unknown", "scope_missing"]);

/** What the page does when the token is not, or no longer, that of an operator. */
let onRefused = () => {};

/** @param {() => void} act */
export function whenRefused(act) {
  onRefused = act;
}

/** @param {string} path @param {string} [method] @param {any} [body] */
const ask = (path, method, body) => callAsOperator(`/operator${path}`, method, body);

/**
 * The player of this browser stays signed in: only the operator's token is forgotten.
 * @param {string} path @param {string} [method] @param {any} [body]
 */
export async function callAsOperator(path, method, body) {
  try {
    return await call(path, method, body, operatorToken());
  } catch (error) {
    if (!(error instanceof Problem && REFUSED.has(error.code))) throw error;
    forgetOperatorToken();
    onRefused();
    throw new Problem({ code: "operator_only", status: error.status, detail: error.message });
  }
}

export const desk = {
  /** @param {string} status `open`, `closed`, `all` @param {string} cursor @returns {Promise<{reports: Report[], next_cursor: string | null}>} */
  reports: (status, cursor) => ask(`/reports?${new URLSearchParams({ status, cursor })}`),
  /** @param {string} id @returns {Promise<ReportDetails>} */
  report: (id) => ask(`/reports/${encodeURIComponent(id)}`),
  /** @param {string} id @param {{answer: string, note: string, delete_message: boolean}} said @returns {Promise<ReportDetails>} */
  answer: (id, said) => ask(`/reports/${encodeURIComponent(id)}/answer`, "POST", said),
  /** @param {string} name @returns {Promise<{players: Standing[]}>} */
  players: (name) => ask(`/players?${new URLSearchParams({ name })}`),
  /** @param {string} id @param {Order} order @returns {Promise<{entry: LogLine, player: Standing | null}>} */
  order: (id, order) => ask(`/players/${encodeURIComponent(id)}/orders`, "POST", order),
  /** @param {string} id @returns {Promise<{hidden: {at: string, reason: string} | null}>} */
  study: (id) => ask(`/studies/${encodeURIComponent(id)}`),
  /** @param {string} id @param {{command: string, reason: string, report: string}} order */
  orderStudy: (id, order) => ask(`/studies/${encodeURIComponent(id)}/orders`, "POST", order),
  /** @param {string} cursor @returns {Promise<{entries: LogLine[], next_cursor: string | null}>} */
  log: (cursor) => ask(`/log?${new URLSearchParams({ cursor })}`),
};
