/** The webhooks of the account: list, try, renew and remove them. */

import { note } from "../elements/announce.js";
import { button } from "../elements/button.js";
import { ask } from "../elements/dialog.js";
import { h, show } from "../elements/dom.js";
import { region, t } from "../platform/i18n.js";
import { loaded, section } from "../settings/form.js";
import { noticeCalls } from "./calls.js";
import { logLine } from "./log.js";
import { newWebhook, typeChecks } from "./new_webhook.js";
import { moment } from "./words.js";

const SIGNED = ["standard", "relay"];

/** @typedef {import("./calls.js").Webhook} Webhook */

/** @param {string[]} types all there are */
export function webhooksSection(types) {
  const shown = h("div", { class: "code", role: "status" });
  const list = loaded(async (again) => {
    const { webhooks } = await noticeCalls.webhooks();
    return [
      webhooks.length
        ? h(
            "ul",
            { class: "webhooks" },
            webhooks.map((one) => webhookLine(one, types, shown, again)),
          )
        : null,
      newWebhook(types, async (wish) => {
        const { secret, public_keys: keys } = await noticeCalls.addWebhook(wish);
        showSecret(shown, secret, keys[0] ?? null);
        await again();
      }),
    ];
  });
  return section("notice_webhooks", shown, list);
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
    button(t("ui.notices.copy"), "webhook-copy", copy),
  );
}

/** @param {Webhook} webhook @param {string[]} types @param {HTMLElement} shown @param {() => Promise<void>} again */
function webhookLine(webhook, types, shown, again) {
  const { id, url, format, off, failing_since: failing } = webhook;
  const trouble = off
    ? t(`ui.notices.off.${off}`)
    : failing && t("ui.notices.failing", { time: moment(failing, region()) });
  const deliveries = h("div", { class: "deliveries", role: "status" });
  const change = async (/** @type {{types?: string[], on?: boolean}} */ wish) => {
    await noticeCalls.changeWebhook(id, wish);
    note(t("ui.settings.saved"));
  };
  return h(
    "li",
    { "data-webhook": id },
    h("b", { class: "url" }, url),
    h("p", { class: "soft" }, t(`ui.notices.kinds.${format}`)),
    trouble ? h("p", { class: "off" }, trouble) : null,
    webhook.public_keys.map((key) => h("p", { class: "key" }, h("code", {}, key))),
    h("div", { class: "buttons" }, acts(webhook, deliveries, shown, change, again)),
    deliveries,
    typeChecks(`webhook-${id}`, types, webhook.types, (chosen) => change({ types: chosen })),
  );
}

/**
 * @param {Webhook} webhook @param {HTMLElement} deliveries @param {HTMLElement} shown
 * @param {(wish: {on?: boolean}) => Promise<void>} change @param {() => Promise<void>} again
 */
function acts({ id, url, format, off }, deliveries, shown, change, again) {
  const then = (/** @type {() => Promise<any>} */ act) => async () => {
    await act();
    await again();
  };
  const renew = async () => {
    const { secret, public_key: key } = await noticeCalls.newSecret(id);
    showSecret(shown, secret, key);
  };
  const remove = async () => {
    const title = t("ui.notices.remove");
    if (await ask(title, url, title)) await noticeCalls.removeWebhook(id);
  };
  const test = async () => {
    await noticeCalls.tryWebhook(id);
    note(t("ui.notices.on_its_way"));
  };
  return [
    button(t("ui.notices.try"), `try-${id}`, test),
    button(t("ui.notices.deliveries"), `deliveries-${id}`, () => showDeliveries(id, deliveries)),
    SIGNED.includes(format) ? button(t("ui.notices.new_secret"), `secret-${id}`, then(renew)) : null,
    off
      ? button(
          t("ui.notices.switch_on"),
          `on-${id}`,
          then(() => change({ on: true })),
          "confirm",
        )
      : button(
          t("ui.notices.switch_off"),
          `off-${id}`,
          then(() => change({ on: false })),
        ),
    button(t("ui.notices.remove"), `remove-${id}`, then(remove)),
  ];
}

/** @param {string} id @param {HTMLElement} place */
async function showDeliveries(id, place) {
  const { deliveries } = await noticeCalls.deliveries(id);
  const again = (/** @type {string} */ delivery) => async () => {
    await noticeCalls.sendAgain(id, delivery);
    note(t("ui.notices.on_its_way"));
  };
  show(
    place,
    deliveries.length
      ? h(
          "ul",
          { class: "rows" },
          deliveries.map((line, n) => logLine(line, button(t("ui.notices.send_again"), `again-${n}`, again(line.id)))),
        )
      : h("p", { class: "soft" }, t("ui.notices.nothing_yet")),
  );
}
