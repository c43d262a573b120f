/** The calls about notices; `../platform/api.js` sends them. */

import { call } from "../platform/api.js";

/**
 * @typedef {{delay: number} | null} Delay seconds; null: not through this channel
 * @typedef {Record<string, any> & {reminder: number | null, digest: string | null,
 *   quiet: {from: string, until: string} | null, timezone: string}} NoticeSettings with a `{push, webhook, email}` for each type
 * @typedef {{id: string, label: string, origin: string, created_at: string}} NoticeBrowser
 * @typedef {{offered: boolean, state: string, address: string | null, off: string | null}} EmailState `state`: none, unconfirmed, confirmed
 * @typedef {{id: string, url: string, types: string[], format: string, public_keys: string[], off: string | null,
 *   failing_since: string | null}} Webhook
 * @typedef {{id: string, at: string, outcome: string, channel: string, type: string, data: Record<string, any>,
 *   status: number | null, next_at: string | null, error: string | null}} NoticeLine
 */

const ME = "/players/me";
/** @param {string} id */
const browser = (id) => `${ME}/push_subscriptions/${encodeURIComponent(id)}`;

export const noticeCalls = {
  /** @returns {Promise<NoticeSettings>} */
  settings: () => call(`${ME}/notifications`),
  /** @param {NoticeSettings} settings all of them @returns {Promise<NoticeSettings>} */
  choose: (settings) => call(`${ME}/notifications`, "PUT", settings),
  /** @returns {Promise<{notices: NoticeLine[]}>} */
  log: () => call(`${ME}/notices`),
  /** @returns {Promise<{key: string}>} */
  pushKey: () => call("/push_key"),
  /** @returns {Promise<{push_subscriptions: NoticeBrowser[]}>} */
  browsers: () => call(`${ME}/push_subscriptions`),
  /** @param {PushSubscriptionJSON & {label: string}} subscription @returns {Promise<NoticeBrowser>} */
  addBrowser: (subscription) => call(`${ME}/push_subscriptions`, "POST", subscription),
  /** @param {string} id */
  removeBrowser: (id) => call(browser(id), "DELETE"),
  /** @param {string} id */
  tryBrowser: (id) => call(`${browser(id)}/test`, "POST"),
  /** @returns {Promise<EmailState>} */
  email: () => call(`${ME}/email`),
  /** @param {string} address @returns {Promise<EmailState>} */
  askForEmail: (address) => call(`${ME}/email`, "PUT", { address }),
  removeEmail: () => call(`${ME}/email`, "DELETE"),
  tryEmail: () => call(`${ME}/email/test`, "POST"),
};

/** @typedef {ReturnType<typeof webhookCalls>} WebhookCalls */

/** The calls about the webhooks of this player, or of a bot of this player. @param {string} [bot] its id */
export function webhookCalls(bot = "") {
  const whose = bot && `?bot=${encodeURIComponent(bot)}`;
  const all = `${ME}/webhooks${whose}`;
  const one = (/** @type {string} */ id, more = "") => `${ME}/webhooks/${encodeURIComponent(id)}${more}${whose}`;
  return {
    /** @returns {Promise<{webhooks: Webhook[]}>} */
    list: () => call(all),
    /** @param {Record<string, any>} wish @returns {Promise<Webhook & {secret: string | null}>} */
    add: (wish) => call(all, "POST", wish),
    /** @param {string} id @param {{url?: string, types?: string[], on?: boolean}} change @returns {Promise<Webhook>} */
    change: (id, change) => call(one(id), "PATCH", change),
    /** @param {string} id */
    remove: (id) => call(one(id), "DELETE"),
    /** @param {string} id */
    try: (id) => call(one(id, "/test"), "POST"),
    /** @param {string} id @returns {Promise<{secret: string | null, public_key: string | null}>} */
    newSecret: (id) => call(one(id, "/secret"), "POST", {}),
    /** @param {string} id @returns {Promise<{deliveries: NoticeLine[]}>} */
    deliveries: (id) => call(one(id, "/deliveries")),
    /** @param {string} id @param {string} delivery */
    sendAgain: (id, delivery) => call(one(id, `/deliveries/${encodeURIComponent(delivery)}/retry`), "POST"),
  };
}
