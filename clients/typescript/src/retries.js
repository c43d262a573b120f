// When a request is repeated, and after how long: the rules of docs/http.md.

import { ApiProblem, ConnectionLost } from "./problems.js";

/**
 * How patient a client is; times in seconds. A request is sent `attempts` times at most. The pause
 * doubles from `first` up to `longest`, less a random part of up to a half; `Retry-After` is waited
 * for when it is not more than `patience`.
 * @typedef {{attempts: number, first: number, longest: number, patience: number}} Policy
 */

/** @type {Policy} */
export const STANDARD = { attempts: 8, first: 0.5, longest: 20, patience: 60 };

/** After these nothing has changed, and they do not last. */
const UNCHANGED = new Set([408, 429]);
/** After these the outcome of a write is unknown. */
const UNKNOWN = new Set([500, 502, 503, 504]);
/** Codes that a repetition does not mend. */
const LASTING = new Set(["quota_exceeded", "game_damaged"]);

/**
 * Returns the seconds before a request is repeated, null when the failure stands. A failure is a
 * refusal or a lost connection; anything else is a fault of the program. `attempt` counts from 0.
 * @param {Policy} policy
 * @param {boolean} repeatable
 * @param {unknown} failure
 * @param {number} attempt
 * @param {() => number} random
 */
export function findPause(policy, repeatable, failure, attempt, random) {
  if (attempt + 1 >= policy.attempts || !mayRepeat(repeatable, failure)) return null;
  const asked = failure instanceof ApiProblem ? failure.retryAfter : null;
  if (asked === null) return backOff(policy, attempt, random);
  return asked <= policy.patience ? asked + random() * policy.first : null;
}

/**
 * @param {Policy} policy
 * @param {number} attempt
 * @param {() => number} random
 */
export function backOff(policy, attempt, random) {
  const whole = Math.min(policy.longest, policy.first * 2 ** Math.min(attempt, 30));
  return (whole / 2) * (1 + random());
}

/**
 * @param {boolean} repeatable
 * @param {unknown} failure
 */
function mayRepeat(repeatable, failure) {
  if (failure instanceof ConnectionLost) return repeatable;
  if (!(failure instanceof ApiProblem)) return false;
  if (LASTING.has(failure.code)) return false;
  return UNCHANGED.has(failure.status) || (repeatable && UNKNOWN.has(failure.status));
}
