/** The calls about tournaments. */

import { callAsOperator } from "../../admin/calls.js";
import { call, newEntropy, openLines, Problem } from "../../platform/api.js";
import { operatorToken } from "../../platform/operator_token.js";

/** @typedef {Answer<"show_tournament_now">} Tournament */
/** @typedef {Answer<"list_tournaments">["tournaments"][number]} TournamentSummary */
/** @typedef {Answer<"list_entrants">["entrants"][number]} TournamentEntrant */
/** @typedef {Answer<"show_standings">["standings"][number]} Standing */
/** @typedef {Answer<"show_round">} Round */
/** @typedef {Round["tables"][number]} RoundTable */

/** @param {Record<string, string | null>} values */
function ask(values) {
  const known = Object.entries(values).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return known.length ? `?${new URLSearchParams(known)}` : "";
}

/** Whether the device of an operator is refused what only its token may see: a private tournament of others. @param {unknown} error */
const isForOperators = (error) => error instanceof Problem && error.code === "not_found" && operatorToken() !== "";

/** Read as the player of this browser, and where that one may not as an operator. @param {string} path @returns {Promise<any>} */
function read(path) {
  return call(path).catch((error) => {
    if (!isForOperators(error)) throw error;
    return callAsOperator(path);
  });
}

export const tournaments = {
  /** @param {Record<string, string | null>} filter @returns {Promise<Answer<"list_tournaments">>} */
  list: (filter) => call(`/tournaments${ask(filter)}`),
  /** @param {Sent<"announce_tournament">} terms @returns {Promise<Tournament>} */
  create: (terms) => call("/tournaments", "POST", terms),
  /** @param {string} id @returns {Promise<Tournament>} */
  show: (id) => read(`/tournaments/${id}`),
  /** @param {string} id @returns {Promise<Answer<"show_standings">>} */
  standings: (id) => read(`/tournaments/${id}/standings`),
  /** @param {string} id @param {number} n @returns {Promise<Round>} */
  round: (id, n) => read(`/tournaments/${id}/rounds/${n}`),
  /** @param {string} id @param {number} n @returns {Promise<Answer<"compare_tables">>} */
  comparison: (id, n) => read(`/tournaments/${id}/rounds/${n}/comparison`),
  /** All tables of all rounds. @param {string} id @returns {Promise<Answer<"list_tables">>} */
  tables: (id) => read(`/tournaments/${id}/games`),
  /** @param {string} id @returns {Promise<Answer<"list_entrants">>} */
  entrants: (id) => read(`/tournaments/${id}/entrants`),
  /** @param {string} id @returns {Promise<Answer<"enter_tournament">>} */
  enter: (id) => call(`/tournaments/${id}/entry`, "POST", { entropy: newEntropy() }),
  /** @param {string} id @returns {Promise<Answer<"leave_tournament">>} */
  leave: (id) => call(`/tournaments/${id}/entry`, "DELETE"),
  /** @param {string} id @returns {Promise<Answer<"start_tournament">>} */
  start: (id) => call(`/tournaments/${id}/start`, "POST"),
  /** @param {string} id @returns {Promise<Answer<"cancel_tournament">>} */
  cancel: (id) => call(`/tournaments/${id}/cancel`, "POST"),
  /** @param {string} id @param {string} player @returns {Promise<Answer<"remove_entrant">>} */
  remove: (id, player) => call(`/tournaments/${id}/entrants/${player}`, "DELETE"),
  /** @param {string} id @returns {Promise<Answer<"verify_tournament_now">>} */
  verification: (id) => read(`/tournaments/${id}/verification`),
  /** For operators. @param {string} id @param {number} table @param {Sent<"decide_table">} result @returns {Promise<Answer<"decide_table">>} */
  decide: (id, table, result) => callAsOperator(`/tournaments/${id}/tables/${table}/result`, "PUT", result),
  /** For operators. @param {string} id @param {Sent<"order_tournament">} order @returns {Promise<Answer<"order_tournament">>} */
  order: (id, order) => callAsOperator(`/operator/tournaments/${id}/orders`, "POST", order),
  /** When a table could play. @param {string} id @param {number} table @returns {Promise<Answer<"show_table_times">>} */
  times: (id, table) => call(`/tournaments/${id}/tables/${table}/times`),
  /** @param {string} id @param {number} table @param {string} time @returns {Promise<Answer<"accept_table_time">>} */
  acceptTime: (id, table, time) => call(`/tournaments/${id}/tables/${table}/times`, "POST", { time }),
  /** @returns {Promise<{availability: {timezone: string, days: Record<string, string[][]>} | null}>} */
  availability: () => call("/players/me/availability"),
  /** @param {Sent<"change_availability">} week @returns {Promise<Answer<"change_availability">>} */
  changeAvailability: (week) => call("/players/me/availability", "PUT", week),
  /** @returns {Promise<Answer<"open_calendar">>} */
  openCalendar: () => call("/players/me/calendar", "POST"),
  /** @returns {Promise<void>} */
  closeCalendar: () => call("/players/me/calendar", "DELETE"),
  /** The events after a version, as they come. @param {string} id @param {number} after @param {AbortSignal} signal */
  stream: (id, after, signal) => {
    const path = `/tournaments/${id}/events/stream?after=${after}`;
    return openLines(path, signal).catch((error) => {
      if (!isForOperators(error)) throw error;
      return openLines(path, signal, { Authorization: `Bearer ${operatorToken()}` });
    });
  },
};
