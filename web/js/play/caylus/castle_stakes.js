/**
 * What is at stake when the castle asks: the houses so far, what the next houses bring, who has given
 * most batches in this round, and what giving none costs. The numbers are those of the catalogue and of
 * the view; the batches of the round are read from the events.
 */

import { h } from "../../elements/dom.js";
import { t } from "../../platform/i18n.js";
import { goodWords } from "../goods.js";
import { findPiece } from "../pieces.js";
import { bribePrice, countHouses } from "./price_rules.js";

/** @typedef {import("./decision_plans.js").CaylusAsk} CaylusAsk */

/**
 * Batches of each seat in this phase: those since the last move that was not made in the castle.
 * @param {GameEvent[]} events all of the game, from the first on @param {number} seats
 * @returns {number[]}
 */
export function countBatches(events, seats) {
  const gone = new Set(events.flatMap(({ type, moves }) => (type === "moves_taken_back" ? moves : [])));
  const made = events.filter(({ type, version }) => type === "move_made" && !gone.has(version));
  const counts = Array(seats).fill(0);
  for (const { seat, move } of made.reverse()) {
    if (seat === undefined || !move) continue;
    if (move.type === "offer_batch") counts[seat] += 1;
    else if (move.type !== "decline") break;
  }
  return counts;
}

/** The favours that so many houses in a section bring. @param {string} section @param {number} houses */
function favoursFor(section, houses) {
  const steps = findPiece(section)?.does.houses ?? [];
  return Math.max(0, ...steps.filter((step) => step.houses <= houses).map(({ favour }) => favour));
}

/** The houses of the seat in the section, and what is missing for more favours. @param {CaylusAsk} asked */
function houses({ view, seat, context }) {
  const { section } = context;
  const own = view.sections[section].houses[seat];
  const next = (findPiece(section)?.does.houses ?? []).find((step) => step.houses > own);
  const penalty = own ? 0 : (findPiece(section)?.does.penalty ?? 0);
  return [
    t("ui.caylus.stakes.houses", {
      section: t(`terms.caylus.sections.${section}`),
      houses: goodWords("houses", own),
      favours: goodWords("favour", favoursFor(section, own)),
    }),
    next
      ? t("ui.caylus.stakes.next", {
          houses: goodWords("houses", next.houses),
          favours: goodWords("favour", next.favour),
        })
      : null,
    penalty ? t("ui.caylus.stakes.no_house", { prestige: goodWords("prestige", penalty) }) : null,
  ];
}

/** Who has given most batches; of several the first in the castle. @param {CaylusAsk} asked @param {number[]} counts */
function lead({ view, name }, counts) {
  const most = Math.max(...counts);
  if (!most) return t("ui.caylus.stakes.nobody");
  const first = view.castle.find((/** @type {number} */ seat) => counts[seat] === most) ?? counts.indexOf(most);
  return t("ui.caylus.stakes.lead", { name: name(first), n: most });
}

/** How full the section is. @param {CaylusAsk} asked */
function room({ view, context }) {
  const used = countHouses(view, context.section);
  const parts = findPiece(context.section)?.does.parts ?? used;
  return t("ui.caylus.stakes.room", { n: parts - used });
}

/** The most important in a line under the question. @param {CaylusAsk} asked @returns {string | null} */
export function stakes(asked) {
  if (asked.kind === "bribe") {
    return t("ui.caylus.stakes.bribe", { price: goodWords("deniers", bribePrice(asked)) });
  }
  if (asked.kind !== "castle") return null;
  const { section } = asked.context;
  const n = asked.view.sections[section].houses[asked.seat];
  const own = t("ui.caylus.stakes.short", { section: t(`terms.caylus.sections.${section}`), n });
  return [own, asked.batches && lead(asked, asked.batches)].filter(Boolean).join(" · ");
}

/**
 * All that is at stake, as a list; who leads only when the batches of the round are known.
 * @param {CaylusAsk} asked
 */
export function castleStakes(asked) {
  const counts = asked.batches;
  const none = findPiece("batch")?.does.none_given ?? 0;
  const lines = [
    ...houses(asked),
    room(asked),
    counts && lead(asked, counts),
    counts?.[asked.seat] ? null : t("ui.caylus.stakes.none", { prestige: goodWords("prestige", none) }),
  ];
  return h(
    "ul",
    { class: "stakes" },
    lines.filter(Boolean).map((line) => h("li", {}, line)),
  );
}
