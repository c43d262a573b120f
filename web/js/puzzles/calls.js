/** The calls of puzzles. */

import { call, text } from "../platform/api.js";
import { SVG } from "../platform/request_headers.js";

/**
 * @typedef {Answer<"show_one_puzzle">} Puzzle
 * @typedef {Answer<"answer_puzzle">} Outcome
 * @typedef {Answer<"take_puzzle_hint">} Hint
 * @typedef {Answer<"try_line">} Tried
 * @typedef {Answer<"show_solved">} Solved
 */

/** @param {Record<string, any>} values */
function query(values) {
  return `?${new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)]))}`;
}

/** The games with puzzles, and their themes. @returns {Promise<Answer<"list_puzzle_games">>} */
export const listGames = () => call("/puzzles");

/** @returns {Promise<Puzzle>} */
export const findDaily = () => call("/puzzles/daily");

/** @param {{game: string, theme?: string}} wish @returns {Promise<Puzzle>} */
export const findNext = (wish) => call(`/puzzles/next${query(wish)}`);

/** @param {string} id @returns {Promise<Puzzle>} */
export const findPuzzle = (id) => call(`/puzzles/${encodeURIComponent(id)}`);

/** @param {string} id @param {Move[]} moves @returns {Promise<Tried>} */
export const tryLine = (id, moves) => call(`/puzzles/${id}/preview`, "POST", { moves });

/** @param {string} id @param {Move[]} moves @returns {Promise<Outcome>} */
export const answer = (id, moves) => call(`/puzzles/${id}/attempts`, "POST", { moves });

/** @param {string} id @param {1 | 2} step @returns {Promise<Hint>} */
export const takeHint = (id, step) => call(`/puzzles/${id}/hints`, "POST", { step });

/** @param {string} [cursor] of a further page @returns {Promise<Solved>} */
export const findSolved = (cursor) => call(`/players/me/puzzles${cursor ? query({ cursor }) : ""}`);

/** Moments of one's own games that have come back. @returns {Promise<Answer<"show_learning">["moments"]>} */
export const findMistakes = async () => (await call("/players/me/learning")).moments;

/** The picture of a puzzle, SVG. @param {string} id @param {Record<string, any>} wish `line`, `step`, `tried`, and as for a board */
export const draw = (id, wish) => text(`/puzzles/${id}/board.svg${query(wish)}`, SVG);
