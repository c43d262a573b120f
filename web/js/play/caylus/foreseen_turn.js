/**
 * The next question to a seat while another seat places a worker, as far as the view tells it: so a worker, or
 * passing, can be planned. What comes after the placing depends on the provost and on the goods of all seats, so
 * no other question is foreseen. The server has the last word: a plan is made only when it is legal.
 */

import { findPiece } from "../pieces.js";
import { placingPrice, roadAt } from "./price_rules.js";

/** Where no worker may be placed (rules 3, phase 2). */
const CLOSED = new Set(["residence", "prestige"]);
const SPECIAL = ["gate", "trading_post", "merchants_guild", "joust_field", "stables", "inn", "castle"];
/** With fewer seats the stables are closed. */
const SEATS_OF_STABLES = 3;

/**
 * @param {View} view @param {Decision} asked what another seat is asked now @param {number} seat
 * @returns {{decision: Decision, moves: Move[]} | null}
 */
export function foresee(view, asked, seat) {
  if (asked.kind !== "place_worker" || view.passed.includes(seat)) return null;
  const price = usualPrice(view, asked, seat);
  const { deniers, workers } = view.players[seat];
  if (price === null || !workers) return null;
  const decision = { seat, kind: asked.kind, context: { price } };
  const spaces = openSpaces(view, seat).filter(
    (space) => placingPrice({ view, seat, context: decision.context }, space) <= deniers,
  );
  if (!spaces.length) return null; // such a seat passes without being asked
  return { decision, moves: [...spaces.map((space) => ({ type: "place_worker", space })), { type: "pass" }] };
}

/** What a place costs the seat; null: unknown, for the seat that is asked pays the price of the inn. @param {View} view @param {Decision} asked @param {number} seat */
function usualPrice({ inn }, asked, seat) {
  if (inn.right === seat) return findPiece("inn")?.does.price?.deniers ?? null;
  return inn.right === asked.seat ? null : asked.context.price;
}

/** Where a worker of the seat may stand. @param {View} view @param {number} seat @returns {string[]} */
function openSpaces(view, seat) {
  const road = view.road
    .filter(
      (/** @type {RoadSpace} */ { building, worker }) =>
        building && worker === null && !CLOSED.has(findPiece(building)?.kind ?? ""),
    )
    .map((/** @type {RoadSpace} */ { space }) => space);
  return [...SPECIAL.filter((space) => hasRoom(view, space, seat)), ...road];
}

/** @param {View} view @param {string} space @param {number} seat */
function hasRoom(view, space, seat) {
  const there = view[space];
  if (space === "inn") return there.left === null;
  if (space === "stables" && (view.players.length < SEATS_OF_STABLES || there.length >= SEATS_OF_STABLES)) return false;
  return Array.isArray(there) ? !there.includes(seat) : there === null;
}

/**
 * What a person relied on who planned a move: the round, the price, what stands on the place and who was there
 * first; for passing, who has passed before. When it differs at the turn, the plan is not what was meant.
 * @param {Move} move @param {View} view @param {Decision} decision @returns {any}
 */
export function reliesOn({ type, space }, view, { seat, context }) {
  if (type === "pass") return { round: view.round, passed: view.passed };
  const { building, owner } = roadAt(view, space) ?? {};
  const price = placingPrice({ view, seat, context }, space);
  return { round: view.round, price, there: building ? { building, owner } : view[space] };
}
