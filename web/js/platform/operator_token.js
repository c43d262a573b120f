/** The token of an operator on this device: not that of the player. `/admin` and the tables of tournaments use it. */

const KEPT = "cartulary.operator";
/** What a header may carry. */
const TOKEN = /^[!-~]{20,200}$/;

/** @returns {string} "" without one */
export function operatorToken() {
  return localStorage.getItem(KEPT) ?? "";
}

/** @param {string} text @returns {boolean} whether it can be a token at all */
export function keepOperatorToken(text) {
  const isToken = TOKEN.test(text);
  if (isToken) localStorage.setItem(KEPT, text);
  return isToken;
}

export function forgetOperatorToken() {
  localStorage.removeItem(KEPT);
}
