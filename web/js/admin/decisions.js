/** Decisions about a player, in a window of their own; and the log of all of them. */

import { note } from "../elements/announce.js";
import { button } from "../elements/button.js";
import { fillIn } from "../elements/dialog.js";
import { h } from "../elements/dom.js";
import { isolate, t } from "../platform/i18n.js";
import { desk } from "./calls.js";
import { logLine, pagedList, sayUntil } from "./pieces.js";

/** @typedef {import("./calls.js").Standing} Standing */

const DAYS = [1, 7, 30, 365];
const TIMED = new Set(["mute", "suspend"]);
const LONGEST = 500;

/** What may be decided about a player now. @param {Standing} standing */
function commandsFor({ muted, suspended, operator }) {
  if (operator) return [];
  return [muted ? "unmute" : "mute", suspended ? "unsuspend" : "suspend", "rename", "close"];
}

/**
 * How a player stands, and the buttons that change it.
 * @param {Standing} standing @param {string} report that leads to a decision, "" for none @param {() => Promise<void>} again
 */
export function standingCard(standing, report, again) {
  const { id, name, muted, suspended, operator, reports, claimed_at: claimed, log } = standing;
  const facts = [
    t(claimed ? "ui.admin.account" : "ui.admin.guest"),
    t("ui.admin.reported", { n: reports }),
    operator ? t("ui.admin.operator") : "",
  ];
  return h(
    "div",
    { class: "what", "data-player": id },
    h("b", {}, h("bdi", {}, name)),
    h("span", { class: "soft" }, facts.filter(Boolean).join(" · ")),
    muted ? h("span", { class: "badge" }, `${t("ui.admin.muted")} · ${sayUntil(muted.until)}`) : null,
    suspended ? h("span", { class: "badge" }, `${t("ui.admin.suspended")} · ${sayUntil(suspended.until)}`) : null,
    h(
      "div",
      { class: "buttons" },
      commandsFor(standing).map((command) =>
        button(t(`ui.admin.commands.${command}`), `${command}-${id}`, async () => {
          if (await decide(command, standing, report)) await again();
        }),
      ),
    ),
    log.length ? h("ul", { class: "rows" }, log.map(logLine)) : null,
  );
}

/** @param {string} command @param {Standing} standing @param {string} report @returns {Promise<boolean>} whether it was ordered */
async function decide(command, { id, name }, report) {
  /** @type {HTMLTextAreaElement} */
  const reason = h("textarea", { id: "order-reason", rows: 2, maxlength: LONGEST, required: true });
  const days = TIMED.has(command) ? daysChoice() : null;
  /** @type {HTMLInputElement | null} */
  const wish = command === "rename" ? h("input", { id: "order-name", maxlength: 64, autocomplete: "off" }) : null;
  const content = [
    h("p", {}, t(`ui.admin.means.${command}`)),
    days && h("label", { for: "order-days" }, t("ui.admin.how_long")),
    days,
    wish && h("label", { for: "order-name" }, t("ui.admin.new_name")),
    wish,
    h("label", { for: "order-reason" }, t("ui.admin.reason")),
    reason,
  ];
  const what = t(`ui.admin.commands.${command}`);
  if (!(await fillIn(`${what} · ${isolate(name)}`, content, what))) return false;
  const order = { command, reason: reason.value.trim(), report };
  await desk.order(id, { ...order, days: Number(days?.value) || null, name: wish?.value.trim() || null });
  note(t("ui.admin.done"));
  return true;
}

/** @returns {HTMLSelectElement} */
function daysChoice() {
  return h(
    "select",
    { id: "order-days" },
    DAYS.map((n) => h("option", { value: String(n), selected: n === 7 }, t("ui.admin.days", { n }))),
    h("option", { value: "" }, t("ui.admin.for_good")),
  );
}

export function logPart() {
  return h(
    "section",
    { class: "setting" },
    h("h2", {}, t("ui.admin.parts.log")),
    pagedList(t("ui.admin.empty"), async (cursor) => {
      const { entries, next_cursor: next } = await desk.log(cursor);
      return { rows: entries.map(logLine), next };
    }),
  );
}
