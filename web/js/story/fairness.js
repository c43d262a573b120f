/** The end of a game: whether its draws are proved fair, and what that proves and does not prove. */

import { h, show } from "../elements/dom.js";
import { api } from "../platform/api.js";
import { t } from "../platform/i18n.js";
import { isLocal } from "../platform/local_games.js";
import { isFromDevice } from "./origin.js";

const CHECK = "/docs/fairness";

/**
 * The section about the draws of a finished game; it fills itself when the server has verified.
 * @param {string} id
 */
export function fairness(id) {
  if (isLocal(id)) {
    const words = h("p", {}, t("ui.local.unproved"));
    return h("section", { class: "fairness", "data-state": "local" }, heading("ui.fair.unknown"), words);
  }
  const section = h("section", { class: "fairness", "data-state": "checking" });
  section.append(h("p", { class: "soft" }, t("ui.fair.checking")));
  fill(section, id).catch(() => {
    section.dataset.state = "unavailable";
    show(section, heading("ui.fair.title"), h("p", {}, t("ui.fair.unavailable")), checkLink());
  });
  return section;
}

/** @param {HTMLElement} section @param {string} id */
async function fill(section, id) {
  const report = await api.verification(id);
  const state = stateOf(report);
  // A game with all draws from a file may count as proved, because no draw of it is the service's.
  const mayBeFromDevice = state === "unknown" || Boolean(report.fair?.given);
  if (state !== "failed" && mayBeFromDevice && (await isFromDevice(id))) {
    section.dataset.state = "local";
    show(section, heading("ui.fair.unknown"), h("p", {}, t("ui.local.unproved")), checkLink());
    return;
  }
  section.dataset.state = state;
  const title = state === "lost" ? "unknown" : state;
  show(section, heading(`ui.fair.${title}`), h("div", {}, WORDS[state](report)), checkLink());
}

/** @param {Answer<"verify_game">} report @returns {"proved" | "failed" | "lost" | "unknown"} */
function stateOf({ fair, problems }) {
  const differs = problems.some((one) => ["chain", "draw"].includes(one.problem));
  if (differs) return "failed";
  if (fair?.state === "failed") return problems.length ? "failed" : "lost";
  return fair?.state === "proved" ? "proved" : "unknown";
}

const WORDS = {
  proved: (/** @type {Answer<"verify_game">} */ { fair, masked }) =>
    fair && [
      list([t("ui.fair.draws", { n: fair.draws }), t("ui.fair.chain")]), // the title says what they are
      h("h3", {}, t("ui.fair.not_proved")),
      list(unproved(fair, masked)),
    ],
  failed: () => [h("p", {}, t("ui.fair.failed_text"))],
  lost: () => [h("p", {}, t("ui.fair.lost_text"))],
  unknown: () => [h("p", {}, t("ui.fair.unknown_text"))],
};

/** @param {Schemas["Fair"]} fair @param {number} masked events with a deleted name */
function unproved(fair, masked) {
  return [
    t("ui.fair.seen"),
    t("ui.fair.operator"),
    fair.renewed_at.length ? t("ui.fair.renewed") : "",
    fair.given ? t("ui.fair.given", { n: fair.given }) : "",
    masked ? t("ui.fair.masked", { n: masked }) : "",
    t("ui.fair.engines"),
  ].filter(Boolean);
}

/** @param {string[]} items */
function list(items) {
  return h(
    "ul",
    {},
    items.map((item) => h("li", {}, item)),
  );
}

/** @param {string} title */
function heading(title) {
  return h("h2", {}, t(title));
}

function checkLink() {
  return h("p", {}, h("a", { href: CHECK, target: "_blank", rel: "noopener" }, t("ui.fair.check")));
}
