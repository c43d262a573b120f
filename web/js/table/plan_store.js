/** Planned answers, one for each game, kept in this browser until the turn comes. */

const KEPT = "cartulary.plan.";

/**
 * @typedef {object} Plan
 * @property {number} seat
 * @property {string} kind of the decision that it answers
 * @property {Move} move
 * @property {any} expects what the move relied on when it was planned
 * @property {string} title the move in words
 * @property {number} version of the game at which it was planned
 * @property {string} key the `Idempotency-Key`: two tabs that send the plan make one move
 */

/** @param {string} game @returns {Plan | null} */
export function readPlan(game) {
  try {
    return JSON.parse(localStorage.getItem(KEPT + game) ?? "null");
  } catch {
    return null; // a value written by hand or by another program
  }
}

/** @param {string} game @param {Plan} plan */
export function keepPlan(game, plan) {
  localStorage.setItem(KEPT + game, JSON.stringify(plan));
}

/** @param {string} game */
export function dropPlan(game) {
  localStorage.removeItem(KEPT + game);
}

/** Take a plan to send it: false when another tab has taken it, or it was dropped there. @param {string} game @param {Plan} plan */
export function takePlan(game, { key }) {
  if (readPlan(game)?.key !== key) return false;
  dropPlan(game);
  return true;
}

/** Whether this is the name under which the plan of the game is kept. @param {string | null} name @param {string} game */
export function isPlanOf(name, game) {
  return name === KEPT + game;
}
