/** The calls about one's account; `../platform/api.js` sends them. */

import { call, text } from "../platform/api.js";

/**
 * @typedef {{id: string, label: string, scopes: string[], created_at: string, expires_at: string | null,
 *   last_used_at: string | null, current: boolean}} Token
 * @typedef {{id: string, label: string, created_at: string, last_used_at: string | null}} Passkey
 * @typedef {{link_code?: string, recovery_code?: string, passkey?: PublicKeyCredentialJSON}} SessionProof
 * @typedef {{from: string, until: string}} Vacation
 */

export const account = {
  /** Who I am, with preferences. */
  show: () => call("/players/me"),
  /** @param {{name?: string, preferences?: Record<string, string>}} change */
  change: (change) => call("/players/me", "PATCH", change),
  /** @returns {Promise<{tokens: Token[]}>} */
  tokens: () => call("/players/me/tokens"),
  /** @param {string} id */
  revoke: (id) => call(`/players/me/tokens/${id}`, "DELETE"),
  revokeOthers: () => call("/players/me/tokens", "DELETE"),
  /** @param {string} origin of this page @returns {Promise<{code: string, expires_at: string, svg: string}>} */
  linkCode: (origin) => call("/players/me/link_codes", "POST", { origin }),
  /** @returns {Promise<{passkeys: Passkey[]}>} */
  passkeys: () => call("/players/me/passkeys"),
  /** @returns {Promise<{public_key: PublicKeyCredentialCreationOptionsJSON}>} */
  beginPasskey: () => call("/players/me/passkeys/options", "POST", {}),
  /** @param {PublicKeyCredentialJSON} passkey @param {string} label @returns {Promise<Passkey>} */
  addPasskey: (passkey, label) => call("/players/me/passkeys", "POST", { passkey, label }),
  /** @param {string} id */
  removePasskey: (id) => call(`/players/me/passkeys/${id}`, "DELETE"),
  /** @returns {Promise<{public_key: PublicKeyCredentialRequestOptionsJSON}>} */
  beginSession: () => call("/sessions/options", "POST", {}),
  /** @param {SessionProof & {label?: string}} proof */
  signIn: (proof) => call("/sessions", "POST", proof),
  /** The seats of a guest become mine. @param {string} token of the guest */
  merge: (token) => call("/players/me/merge", "POST", { token }),
  /** @returns {Promise<{vacations: Vacation[]}>} */
  vacations: () => call("/players/me/vacations"),
  /** @param {Vacation[]} vacations */
  goOnVacation: (vacations) => call("/players/me/vacations", "PUT", { vacations }),
  /** @returns {Promise<{blocks: {id: string, name: string}[]}>} */
  blocks: () => call("/players/me/blocks"),
  /** @param {string} id */
  unblock: (id) => call(`/players/me/blocks/${id}`, "DELETE"),
  /** @returns {Promise<Answer<"list_own_bots">>} */
  bots: () => call("/players/me/bots"),
  /** @param {Sent<"make_bot">} wish @returns {Promise<Answer<"make_bot">>} */
  makeBot: (wish) => call("/players/me/bots", "POST", wish),
  /** @param {string} id @returns {Promise<Answer<"renew_bot_token">>} */
  renewBot: (id) => call(`/players/me/bots/${id}/token`, "POST"),
  /** @param {string} id */
  closeBot: (id) => call(`/players/me/bots/${id}`, "DELETE"),
  export: () => text("/players/me/export", "application/x-ndjson"),
  /** @param {string} confirm one's name */
  remove: (confirm) => call("/players/me/deletion", "POST", { confirm }),
};
