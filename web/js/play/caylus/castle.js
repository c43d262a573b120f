/**
 * Giving batches: all of them are chosen at once, then sent one after the other. Each is a question of
 * the game; the sending stops as soon as a batch cannot be given.
 */

import { h, show } from "../../dom.js";
import { t } from "../../i18n.js";
import { goods } from "../goods.js";
import { describe } from "./describe.js";
import { castleStakes } from "./stakes.js";

/**
 * @typedef {import("../../table/model.js").Move} Move
 * @typedef {import("./plans.js").Asked} Asked
 */

const NO_MORE = { type: "decline" };

/** @param {Record<string, number>} held @param {Move[]} given */
function left(held, given) {
  const rest = { ...held };
  for (const move of given) {
    for (const [name, count] of Object.entries(move.goods)) rest[name] -= Number(count);
  }
  return rest;
}

/** @param {Record<string, number>} held @param {Move} batch */
function canGive(held, batch) {
  return Object.entries(batch.goods).every(([name, count]) => held[name] >= Number(count));
}

/**
 * @param {import("../index.js").Ask} ask @param {Asked} asked
 * @returns {HTMLElement}
 */
export function batchControl(ask, asked) {
  const batches = ask.moves.filter(({ type }) => type === "offer_batch");
  const { cubes } = asked.view.players[asked.seat];
  /** @type {Move[]} */
  let given = [];
  let none = false;
  const box = h("div", { class: "facets batches" });

  /** @param {Move[]} next @param {boolean} [no] @param {boolean} [isDraft] chosen before a reload */
  function choose(next, no = false, isDraft = false) {
    given = next;
    none = no;
    render();
    ask.draft?.write(given.length || none ? { given, none } : null);
    const [first, ...rest] = none ? [NO_MORE] : given;
    // While another batch can be added, the choice is not at its end: it is not sent by itself.
    const preset = isDraft || (!none && batches.some((batch) => canGive(left(cubes, given), batch)));
    ask.choose(first ?? null, first && !none ? [...rest, NO_MORE] : null, { preset });
  }

  /** @param {Move} batch */
  function option(batch) {
    const possible = canGive(left(cubes, given), batch);
    const act = describe(batch, asked)?.act ?? "";
    return h(
      "button",
      {
        type: "button",
        class: "choice batch",
        "aria-label": act,
        "data-key": `batch-${JSON.stringify(batch.goods)}`,
        disabled: !possible,
        onclick: () => choose([...given, batch]),
      },
      h("span", { class: "face" }, h("span", { "aria-hidden": "true" }, "+ "), goods(batch.goods)),
    );
  }

  /** A batch that will be given; touched once more it is not. @param {Move} batch @param {number} at */
  function chosen(batch, at) {
    return h(
      "button",
      {
        type: "button",
        class: "choice batch given",
        "data-key": `given-${at}`,
        "aria-label": t("ui.caylus.castle.keep", { n: at + 1 }),
        onclick: () => choose(given.filter((_, place) => place !== at)),
      },
      h("span", { class: "face" }, goods(batch.goods), h("span", { "aria-hidden": "true" }, " ×")),
    );
  }

  function render() {
    const no = describe(NO_MORE, asked);
    const input = h("input", {
      type: "checkbox",
      checked: none,
      onchange: () => choose([], !none),
    });
    show(
      box,
      castleStakes(asked),
      given.length
        ? h("fieldset", {}, h("legend", {}, t("ui.caylus.castle.given", { n: given.length })), h("div", { class: "choices" }, given.map(chosen)))
        : null,
      h("fieldset", {}, h("legend", { class: "spoken" }, t("ui.caylus.what.batch")), h("div", { class: "choices" }, batches.map(option))),
      h("div", { class: "choices" }, h("label", { class: "choice quiet" }, input, h("span", { class: "face" }, no?.title))),
    );
  }

  const kept = ask.draft?.read();
  render();
  ask.sheet?.pages([{ label: t("ui.caylus.what.batch"), element: box }]);
  ask.touch([]);
  if (kept?.given?.every((/** @type {Move} */ one) => canGive(cubes, one)) && canAll(cubes, kept.given)) {
    choose(kept.given, kept.none, true);
  } else ask.choose(null);
  return box;
}

/** @param {Record<string, number>} held @param {Move[]} given */
function canAll(held, given) {
  return Object.values(left(held, given)).every((count) => count >= 0);
}
