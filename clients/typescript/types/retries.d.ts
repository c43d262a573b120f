/**
 * Returns the seconds before a request is repeated, null when the failure stands. A failure is a
 * refusal or a lost connection; anything else is a fault of the program. `attempt` counts from 0.
 * @param {Policy} policy
 * @param {boolean} repeatable
 * @param {unknown} failure
 * @param {number} attempt
 * @param {() => number} random
 */
export function findPause(policy: Policy, repeatable: boolean, failure: unknown, attempt: number, random: () => number): number | null;
/**
 * @param {Policy} policy
 * @param {number} attempt
 * @param {() => number} random
 */
export function backOff(policy: Policy, attempt: number, random: () => number): number;
/**
 * How patient a client is; times in seconds. A request is sent `attempts` times at most. The pause
 * doubles from `first` up to `longest`, less a random part of up to a half; `Retry-After` is waited
 * for when it is not more than `patience`.
 * @typedef {{attempts: number, first: number, longest: number, patience: number}} Policy
 */
/** @type {Policy} */
export const STANDARD: Policy;
/**
 * How patient a client is; times in seconds. A request is sent `attempts` times at most. The pause
 * doubles from `first` up to `longest`, less a random part of up to a half; `Retry-After` is waited
 * for when it is not more than `patience`.
 */
export type Policy = {
    attempts: number;
    first: number;
    longest: number;
    patience: number;
};
