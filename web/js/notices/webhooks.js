/** The webhooks of the account, or of a bot: list, try, change, renew and remove them. */

import { note } from "../elements/announce.js";
import { button } from "../elements/button.js";
import { ask } from "../elements/dialog.js";
import { h, show } from "../elements/dom.js";
import { region, t } from "../platform/i18n.js";
import { line, loaded, section } from "../settings/form.js";
import { webhookCalls } from "./calls.js";
import { logLine } from "./log.js";
import { isSigned, KINDS, newWebhook, typeChecks } from "./new_webhook.js";
import { MOVE, moment } from "./words.js";

/**
 * @typedef {import("./calls.js").Webhook} Webhook
 * @typedef {{calls: import("./calls.js").WebhookCalls, types: string[], shown: HTMLElement, again: () => Promise<void>}} Shelf
 *   what belongs to all webhooks of a list: `types` are all that there are, `shown` is where a new secret stands
 */

/**
 * Those of this player.
 * @param {string[]} types all there are @param {(some: boolean) => void} listed called with whether there are some
 */
export function webhooksSection(types, listed) {
  const kindsFor = (/** @type {Webhook[]} */ webhooks) => {
    listed(webhooks.length > 0);
    return KINDS;
  };
  return section("notice_webhooks", webhookList(webhookCalls(), types, kindsFor));
}

/** Those of a bot: one asks it for its moves. @param {string} bot its id */
export function botWebhooksSection(bot) {
  const kindsFor = (/** @type {Webhook[]} */ webhooks) =>
    webhooks.some(({ format }) => format === MOVE) ? [] : [MOVE];
  return section("bot_webhook", webhookList(webhookCalls(bot), [], kindsFor));
}

/**
 * @param {import("./calls.js").WebhookCalls} calls @param {string[]} types
 * @param {(webhooks: Webhook[]) => string[]} kindsFor the kinds that a new one may have next to these
 */
function webhookList(calls, types, kindsFor) {
  const shown = h("div", { class: "code", role: "status" });
  const list = loaded(async (again) => {
    const { webhooks } = await calls.list();
    const shelf = { calls, types, shown, again };
    const lines = webhooks.map((one) => webhookLine(one, shelf));
    const kinds = kindsFor(webhooks);
    return [
      lines.length ? h("ul", { class: "webhooks" }, lines) : null,
      kinds.length ? newWebhook(kinds, types, (wish) => add(wish, shelf)) : null,
    ];
  });
  return [shown, list];
}

/** @param {Record<string, any>} wish @param {Shelf} shelf */
async function add(wish, { calls, shown, again }) {
  const { secret, public_keys: keys } = await calls.add(wish);
  showSecret(shown, secret, keys[0] ?? null);
  await again();
}

/** The key with which a receiver checks messages; a secret is shown this once. @param {HTMLElement} place @param {string | null} secret @param {string | null} key */
function showSecret(place, secret, key) {
  const text = secret ?? key;
  if (!text) return show(place);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    note(t("ui.notices.copied"));
  };
  return show(
    place,
    h("p", {}, t(secret ? "ui.notices.secret_once" : "ui.notices.public_key")),
    h("p", { class: "key" }, h("code", {}, text)),
    navigator.clipboard ? button(t("ui.notices.copy"), "webhook-copy", copy) : null,
  );
}

/** @param {Webhook} webhook @param {Shelf} shelf */
function webhookLine(webhook, shelf) {
  const { id, url, format, off, failing_since: failing } = webhook;
  const trouble = off
    ? t(`ui.notices.off.${off}`)
    : failing && t("ui.notices.failing", { time: moment(failing, region()) });
  const place = h("div", { class: "deliveries", role: "status" });
  return h(
    "li",
    { "data-webhook": id },
    h("b", { class: "url" }, url),
    h("p", { class: "soft" }, t(`ui.notices.kinds.${format}`)),
    trouble ? h("p", { class: "off" }, trouble) : null,
    webhook.public_keys.map((key) => h("p", { class: "key" }, h("code", {}, key))),
    h("div", { class: "buttons" }, acts(webhook, place, shelf)),
    place,
    shelf.types.length
      ? typeChecks(`webhook-${id}`, shelf.types, webhook.types, (types) => change(id, { types }, shelf))
      : null,
  );
}

/** @param {string} id @param {{url?: string, types?: string[], on?: boolean}} wish @param {Shelf} shelf */
async function change(id, wish, { calls }) {
  await calls.change(id, wish);
  note(t("ui.settings.saved"));
}

/** @param {Webhook} webhook @param {HTMLElement} place for deliveries, and for another address @param {Shelf} shelf */
function acts({ id, url, format, off }, place, shelf) {
  const { calls, shown, again } = shelf;
  const then = (/** @type {() => Promise<any>} */ act) => async () => {
    await act();
    await again();
  };
  const renew = async () => {
    const { secret, public_key: key } = await calls.newSecret(id);
    showSecret(shown, secret, key);
  };
  const remove = async () => {
    const title = t("ui.notices.remove");
    if (await ask(title, url, title)) await calls.remove(id);
  };
  const test = async () => {
    await calls.try(id);
    note(t("ui.notices.on_its_way"));
  };
  const turn = (/** @type {boolean} */ on) => then(() => change(id, { on }, shelf));
  return [
    button(t("ui.notices.try"), `try-${id}`, test),
    button(t("ui.notices.deliveries"), `deliveries-${id}`, () => showDeliveries(id, place, calls)),
    button(t("ui.notices.change_url"), `url-${id}`, () => show(place, addressForm(id, url, shelf))),
    isSigned(format) ? button(t("ui.notices.new_secret"), `secret-${id}`, then(renew)) : null,
    off
      ? button(t("ui.notices.switch_on"), `on-${id}`, turn(true), "confirm")
      : button(t("ui.notices.switch_off"), `off-${id}`, turn(false)),
    button(t("ui.notices.remove"), `remove-${id}`, then(remove)),
  ];
}

/** @param {string} id @param {string} url @param {Shelf} shelf */
function addressForm(id, url, shelf) {
  const words = { id: `webhook-address-${id}`, label: t("ui.notices.url"), yes: t("ui.settings.save") };
  return line({ ...words, value: url, props: { type: "url", autocomplete: "off" } }, async (wish) => {
    await change(id, { url: wish }, shelf);
    await shelf.again();
  });
}

/** @param {string} id @param {HTMLElement} place @param {import("./calls.js").WebhookCalls} calls */
async function showDeliveries(id, place, calls) {
  const { deliveries } = await calls.deliveries(id);
  const again = (/** @type {string} */ delivery) => async () => {
    await calls.sendAgain(id, delivery);
    note(t("ui.notices.on_its_way"));
  };
  show(
    place,
    deliveries.length
      ? h(
          "ul",
          { class: "rows" },
          deliveries.map((one, n) => logLine(one, button(t("ui.notices.send_again"), `again-${n}`, again(one.id)))),
        )
      : h("p", { class: "soft" }, t("ui.notices.nothing_yet")),
  );
}
