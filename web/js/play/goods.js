/** Goods, money and points as small drawings with their count; the words are there for listeners. */

import { h, spoken, svg } from "../elements/dom.js";
import { t } from "../platform/i18n.js";

/** The drawings are those of the pictures: about 12 units wide around the origin. */
const DRAWINGS = {
  food: [
    ["i food", "M-6 2.5c0-8 12-8 12 0q0 2.5-2 2.5h-8q-2 0-2-2.5z"],
    ["l", "M-2.5-1.5l1.5 2.5M1-2.2l1.5 2.5"],
  ],
  wood: [
    ["i wood", "M-3.5-4h7.5q2 0 2 4t-2 4h-7.5z"],
    ["i white", "M-3.5-4a2.5 4 0 0 0 0 8a2.5 4 0 0 0 0-8z"],
    ["l", "M-3.5-1.5v3"],
  ],
  stone: [
    ["i stone", "M-6 1.5l2-5.5 5.5-1.5 4.5 3.5-.5 5-5 2.5-5.5-1z"],
    ["l", "M-4-4l4.5 3 5.5-1M.5-1l0 6.5"],
  ],
  cloth: [
    ["i cloth", "M-5-5.5h10v9q-2.5 2.5-5 .5t-5 .5z"],
    ["w", "M-5-2.5h10M-2-2v5M1.5-2v5"],
  ],
  gold: [
    ["i gold", "M-3.5-3.500h7l3 7.500h-13z"],
    ["w", "M-2-1.2h4.5"],
  ],
  any: [["i white", "M0-7l7 7-7 7-7-7z"]],
  mixed: [
    ["food", "M-5.5-5.5h5.5v5.500h-5.5z"],
    ["wood", "M0-5.5h5.5v5.500h-5.5z"],
    ["stone", "M-5.5 0h5.5v5.5h-5.5z"],
    ["cloth", "M0 0h5.5v5.5h-5.5z"],
    ["l", "M-5.5-5.5h11v11h-11zM0-5.5v11M-5.5 0h11"],
  ],
  deniers: [["i coin", "M0-7a7 7 0 0 1 0 14a7 7 0 0 1 0-14z"]],
  prestige: [["i laurel", "M-6.5-6.5h13v6q0 5.5-6.5 8q-6.5-2.5-6.5-8z"]],
  favour: [
    ["i crown", "M-6.5 5v-8.500l3.7 3 2.8-5 2.8 5 3.7-3v8.500z"],
    ["w", "M-4 2.8h8"],
  ],
  worker: [["i white", "M0-7a3.2 3.2 0 0 1 2 5.7q3.5 1.3 3.5 7.300h-11q0-6 3.5-7.300a3.2 3.2 0 0 1 2-5.7z"]],
  follower: [
    [
      "i white",
      "M0-7.500a2.8 2.8 0 0 1 2.2 4.500q4.8 1 4.8 3 0 1.2-3.5.9L5 6.500H1.500L0 3.500l-1.5 3H-5l1.5-5.600Q-7 1.2-7 0q0-2 4.8-3A2.8 2.8 0 0 1 0-7.500z",
    ],
  ],
};

/** The order in which a bundle is written. */
export const GOODS = ["food", "wood", "stone", "cloth", "gold"];
const ORDER = ["deniers", ...GOODS, "any", "mixed", "prestige", "favour"];

/** Of these the number stands inside the drawing. */
const INSIDE = new Set(["deniers", "prestige"]);

/**
 * @param {string} name @param {string} [inside] a short text on the drawing
 * @returns {SVGElement}
 */
export function icon(name, inside) {
  const parts = DRAWINGS[/** @type {keyof DRAWINGS} */ (name)] ?? DRAWINGS.any;
  return svg(
    "svg",
    {
      class: `icon${inside === undefined ? "" : " holding"}`,
      viewBox: "-8 -8 16 16",
      "aria-hidden": "true",
    },
    parts.map(([kind, d]) =>
      svg("path", {
        class: kind
          .split(" ")
          .map((part) => `g-${part}`)
          .join(" "),
        d,
      }),
    ),
    inside === undefined
      ? null
      : svg(
          "text",
          {
            class: `on-${name}${inside.length > 2 ? " long" : ""}`,
            y: 3.2,
            "text-anchor": "middle",
          },
          inside,
        ),
  );
}

/**
 * The words of one good and its number: `2 × wood`, `3 deniers`.
 * @param {string} name @param {number} count
 */
export function goodWords(name, count) {
  return t(`terms.caylus.amounts.${name}`, { n: count });
}

/** @param {Record<string, number>} bundle */
export function bundleWords(bundle) {
  return inOrder(bundle)
    .map(([name, count]) => goodWords(name, count))
    .join(", ");
}

/** @param {Record<string, number>} bundle @returns {[string, number][]} */
function inOrder(bundle) {
  const place = (/** @type {string} */ name) => ORDER.indexOf(name) + 1 || ORDER.length + 1;
  return Object.entries(bundle).sort((a, b) => place(a[0]) - place(b[0]));
}

/**
 * A bundle as drawings.
 * @param {Record<string, number>} bundle
 * @param {{sign?: boolean, held?: boolean}} [how] sign: with + and −; held: a seat has them, so that
 *   differences can be shown next to the numbers
 */
export function goods(bundle, { sign = false, held = false } = {}) {
  return h(
    "span",
    { class: "goods" },
    inOrder(bundle).map(([name, count]) =>
      h(
        "span",
        {
          class: `good${held && !count ? " nothing" : ""}`,
          "data-what": held ? name : null,
          "data-n": held ? count : null,
        },
        INSIDE.has(name)
          ? icon(name, sign ? signed(count) : String(count))
          : [h("span", { "aria-hidden": "true" }, sign ? signed(count) : count), icon(name)],
        spoken(`${sign && count < 0 ? "−" : ""}${goodWords(name, Math.abs(count))} `),
      ),
    ),
  );
}

/**
 * What a seat has besides goods: workers, followers.
 * @param {string} name of its drawing @param {number} count @param {string} words
 */
export function holding(name, count, words) {
  return h(
    "span",
    { class: `good${count ? "" : " nothing"}`, "data-what": `${name}s`, "data-n": count },
    h("span", { "aria-hidden": "true" }, count),
    icon(name),
    spoken(`${words} `),
  );
}

/** @param {number} count */
export function signed(count) {
  return count > 0 ? `+${count}` : count < 0 ? `−${-count}` : "0";
}

/**
 * An exchange: what is given, an arrow, what is got.
 * @param {Record<string, number>} give @param {Record<string, number>} get
 */
export function exchange(give, get) {
  return h("span", { class: "exchange" }, goods(give), arrow(), goods(get));
}

export function arrow() {
  return h("span", { class: "arrow" }, h("span", { "aria-hidden": "true" }, "→"), spoken(` ${t("ui.for")} `));
}
