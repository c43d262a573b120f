/** The calls of studies. */

import { call, openLines, Problem, text } from "../../platform/api.js";

/**
 * @typedef {Answer<"show_study_at">} Study
 * @typedef {Answer<"show_study_node">} Position
 * @typedef {Record<string, any>} Change
 */

/** @param {Record<string, any>} words */
const ask = (words) => `?${new URLSearchParams(Object.entries(words).map(([name, value]) => [name, String(value)]))}`;

/** @param {Move[]} moves */
const tried = (moves) => (moves.length ? { tried: JSON.stringify(moves) } : {});

/**
 * A refusal with a code of its own where the usual words for the code are about games and messages.
 * @template T
 * @param {Promise<T>} asked @param {Record<string, string>} [codes]
 */
const saying = (asked, codes = { not_author: "no_study_author", not_found: "no_study" }) =>
  asked.catch((error) => {
    const code = error instanceof Problem && codes[error.code];
    throw code ? new Problem({ ...error.body, code }) : error;
  });

export const studies = {
  /** @param {Record<string, any>} filter @returns {Promise<Answer<"list_studies">>} */
  list: (filter) => call(`/studies${ask(filter)}`),
  /** @param {Record<string, any>} file a study file @returns {Promise<Study>} */
  begin: (file) => call("/studies", "POST", file),
  /** @param {string} id @returns {Promise<Study>} */
  show: (id) => call(`/studies/${id}`),
  /** @param {string} id @param {...Change} changes @returns {Promise<Answer<"change_study">>} */
  change: (id, ...changes) => saying(call(`/studies/${id}/changes`, "POST", { changes })),
  /**
   * Ask a player to write, or say yes; take an author out, leave, withdraw an invitation, or say no.
   * @param {string} id @param {string} player @param {"PUT" | "DELETE"} act @returns {Promise<Answer<"change_study">>}
   */
  author: (id, player, act) =>
    saying(call(`/studies/${id}/authors/${player}`, act), { not_author: "no_study_author", not_found: "no_player" }),
  /** The events after a version, each at once. @param {string} id @param {number} after @param {AbortSignal} signal */
  stream: (id, after, signal) => openLines(`/studies/${id}/events/stream?after=${after}`, signal),
  /** @param {string} id @returns {Promise<void>} */
  remove: (id) => call(`/studies/${id}`, "DELETE"),
  /** @param {string} id @param {number} node @param {Move[]} [moves] tried from there @returns {Promise<Position>} */
  position: (id, node, moves = []) => call(`/studies/${id}/nodes/${node}${ask(tried(moves))}`),
  /** @param {string} id @param {number} chapter @returns {Promise<Answer<"show_study_words">>} */
  words: (id, chapter) => call(`/studies/${id}/chapters/${chapter}/words`),
  /** @param {string} id @param {number} node @param {Move[]} moves @param {Record<string, any>} wish of the picture */
  picture: (id, node, moves, wish) =>
    text(`/studies/${id}/nodes/${node}/board.svg${ask({ ...wish, ...tried(moves) })}`, "image/svg+xml"),
};
