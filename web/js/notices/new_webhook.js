/** The form for a new webhook, and the choice of its types. */

import { h, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { t } from "../platform/i18n.js";
import { check, choice } from "../settings/form.js";
import { MOVE, typeWords } from "./words.js";

export const KINDS = ["standard", "discord", "slack", "relay"];
const SIGNED = ["standard", "relay", MOVE];
const SCHEMES = ["v1a", "v1"];
const USUAL = ["your_turn", "turn_reminder", "timed_out", "game_started", "game_over", "seat_offered", "proposal_made"];

/** Are the messages of this kind signed? @param {string} format */
export function isSigned(format) {
  return SIGNED.includes(format);
}

/**
 * @param {string[]} kinds those to choose from @param {string[]} types all there are; a bot that is asked has none
 * @param {(wish: Record<string, any>) => Promise<void>} add
 */
export function newWebhook(kinds, types, add) {
  let [format] = kinds;
  let [signature] = SCHEMES;
  let chosen = USUAL.filter((type) => types.includes(type));
  /** @type {HTMLInputElement} */
  const url = h("input", {
    id: "webhook-url",
    type: "url",
    required: true,
    placeholder: "https://",
    autocomplete: "off",
  });
  const signing = h("div");
  const render = () => show(signing, isSigned(format) ? schemes(signature, (wish) => (signature = wish)) : null);
  const choose = (/** @type {string} */ kind) => {
    format = kind;
    render();
  };
  const form = h(
    "form",
    { class: "new-webhook" },
    h("h3", {}, t("ui.notices.new_webhook")),
    h("div", { class: "row" }, h("label", { for: "webhook-url" }, t("ui.notices.url")), url),
    kinds.length > 1 ? kindChoice(kinds, choose) : null,
    signing,
    types.length ? typeChecks("webhook-new", types, chosen, (wish) => (chosen = wish)) : null,
    h("button", { type: "submit", class: "confirm", "data-key": "webhook-add" }, t("ui.notices.add")),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const signed = isSigned(format) ? { signature } : {};
    const sent = format === MOVE ? {} : { types: chosen };
    add({ url: url.value.trim(), format, ...sent, ...signed }).catch(explain);
  });
  render();
  return form;
}

/** @param {string[]} kinds @param {(kind: string) => any} changed */
function kindChoice(kinds, changed) {
  const options = kinds.map((kind) => [kind, t(`ui.notices.kinds.${kind}`)]);
  return choice("webhook-kind", t("ui.notices.kind"), kinds[0], options, changed);
}

/** @param {string} now @param {(scheme: string) => any} changed */
function schemes(now, changed) {
  const options = SCHEMES.map((scheme) => [scheme, t(`ui.notices.schemes.${scheme}`)]);
  return choice("webhook-scheme", t("ui.notices.signature"), now, options, changed);
}

/**
 * Which types are sent; the last one stays, and so does a type whose change is refused.
 * @param {string} id @param {string[]} types @param {string[]} chosen @param {(chosen: string[]) => any} changed
 */
export function typeChecks(id, types, chosen, changed) {
  const now = new Set(chosen);
  const turn = (/** @type {string} */ type, /** @type {boolean} */ isOn) => {
    if (isOn) now.add(type);
    else now.delete(type);
    const box = /** @type {HTMLInputElement} */ (boxes[types.indexOf(type)].querySelector("input"));
    box.checked = isOn;
  };
  const change = async (/** @type {string} */ type, /** @type {boolean} */ isOn) => {
    turn(type, isOn);
    if (!now.size) return turn(type, true);
    try {
      await changed(types.filter((one) => now.has(one)));
    } catch (error) {
      turn(type, !isOn);
      explain(error);
    }
  };
  const boxes = types.map((type) =>
    check(`${id}-${type}`, typeWords(type), now.has(type), (isOn) => change(type, isOn)),
  );
  return h("details", { class: "types" }, h("summary", {}, t("ui.notices.which")), boxes);
}
