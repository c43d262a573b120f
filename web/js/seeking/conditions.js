/** Whom to play with, folded away: the ratings of the others, and how many of their games they have ended. */

import { h } from "../elements/dom.js";
import { t } from "../platform/i18n.js";

/** The API takes any numbers; one that is left out is the lowest, or the highest. */
const LIMITS = [-10_000, 10_000];
const STEP = 50;
/** Percent. */
const SHARES = ["70", "80", "90", "95"];

/** @typedef {{lowest?: string, highest?: string, reliability?: string}} ChosenConditions */
/** @typedef {{rating_range?: number[] | null, min_reliability?: number | null}} Conditions */

/** A range in words: from one number on, up to one, or between two. @param {number[]} range */
function sayRange([lowest, highest]) {
  const isFrom = lowest > LIMITS[0];
  if (isFrom && highest < LIMITS[1]) return `${lowest}–${highest}`;
  return isFrom ? `≥ ${lowest}` : `≤ ${highest}`;
}

/** What a player asks of the others, in words. @param {Conditions} asked @returns {string[]} */
export function sayConditions({ rating_range: range, min_reliability: share }) {
  return [
    ...(range ? [t("ui.seek.rating_asked", { range: sayRange(range) })] : []),
    ...(share ? [t("ui.seek.reliability_asked", { n: share })] : []),
  ];
}

export class ConditionFields {
  /** @param {ChosenConditions} chosen what was chosen last */
  constructor({ lowest = "", highest = "", reliability = "" }) {
    this.lowest = number("seek-lowest", t("ui.seek.from"), lowest);
    this.highest = number("seek-highest", t("ui.seek.to"), highest);
    this.share = /** @type {HTMLSelectElement} */ (
      h(
        "select",
        { id: "seek-reliability", "data-key": "seek-reliability" },
        ["", ...SHARES].map((one) =>
          h(
            "option",
            { value: one, selected: one === reliability },
            one ? t("ui.seek.at_least", { n: one }) : t("ui.seek.any"),
          ),
        ),
      )
    );
    this.element = h(
      "details",
      { class: "conditions", open: Boolean(lowest || highest || reliability) },
      h("summary", { "data-key": "seek-more" }, t("ui.seek.more")),
      h(
        "fieldset",
        { class: "range" },
        h("legend", {}, t("ui.seek.rating")),
        h("label", { for: this.lowest.id }, t("ui.seek.from"), this.lowest),
        h("label", { for: this.highest.id }, t("ui.seek.to"), this.highest),
      ),
      h("div", { class: "row" }, h("label", { for: this.share.id }, t("ui.seek.reliability")), this.share),
      h("p", { class: "soft" }, t("ui.seek.more_note")),
    );
  }

  /** What was chosen, to be kept. @returns {ChosenConditions} */
  get chosen() {
    return { lowest: this.lowest.value, highest: this.highest.value, reliability: this.share.value };
  }

  /** What the service is asked for: nothing where nothing was chosen. @returns {Conditions} */
  get wish() {
    const { lowest, highest, reliability } = this.chosen;
    const range = [lowest ? Math.round(Number(lowest)) : LIMITS[0], highest ? Math.round(Number(highest)) : LIMITS[1]];
    const clear = range.map((one) => Math.min(LIMITS[1], Math.max(LIMITS[0], one))).sort((one, other) => one - other);
    return {
      ...((lowest || highest) && { rating_range: clear }),
      ...(reliability && { min_reliability: Number(reliability) }),
    };
  }
}

/** @param {string} id @param {string} label @param {string} value @returns {HTMLInputElement} */
function number(id, label, value) {
  return h("input", {
    id,
    type: "number",
    inputmode: "numeric",
    step: STEP,
    value,
    placeholder: t("ui.seek.any"),
    "aria-label": `${t("ui.seek.rating")}: ${label}`,
  });
}
