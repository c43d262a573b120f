/**
 * Giving batches: all of them are chosen at once, then sent one after the other. Each is a question of
 * the game; the sending stops as soon as a batch cannot be given.
 */

import { h, show } from "../../elements/dom.js";
import { t } from "../../platform/i18n.js";
import { goods } from "../goods.js";
import { castleStakes } from "./castle_stakes.js";
import { describe } from "./describe.js";

/**
 * @typedef {import("../game_module.js").Ask} Ask
 * @typedef {import("./decision_plans.js").CaylusAsk} CaylusAsk
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

class BatchChooser {
  /** @param {Ask} ask @param {CaylusAsk} asked */
  constructor(ask, asked) {
    this.ask = ask;
    this.asked = asked;
    this.batches = ask.moves.filter(({ type }) => type === "offer_batch");
    this.cubes = asked.view.players[asked.seat].cubes;
    /** @type {Move[]} */
    this.given = [];
    this.isDeclined = false;
    this.element = h("div", { class: "facets batches" });
    this.#render();
    ask.sheet?.pages([{ label: t("ui.caylus.what.batch"), element: this.element }]);
    ask.touch([]);
    this.#restore();
  }

  /** Choose what was chosen before a reload, as far as it is possible now. */
  #restore() {
    const kept = this.ask.draft?.read();
    const fits = kept?.given?.every((/** @type {Move} */ batch) => canGive(this.cubes, batch));
    if (fits && canAll(this.cubes, kept.given)) this.#choose(kept.given, kept.none, true);
    else this.ask.choose(null);
  }

  /** @param {Move[]} given @param {boolean} [none] @param {boolean} [isDraft] chosen before a reload */
  #choose(given, none = false, isDraft = false) {
    this.given = given;
    this.isDeclined = none;
    this.#render();
    this.ask.draft?.write(given.length || none ? { given, none } : null);
    const [first, ...rest] = none ? [NO_MORE] : given;
    // While another batch can be added, the choice is not at its end: it is not sent by itself.
    const preset = isDraft || (!none && this.batches.some((batch) => this.#canAdd(batch)));
    this.ask.choose(first ?? null, first && !none ? [...rest, NO_MORE] : null, { preset });
  }

  /** @param {Move} batch */
  #canAdd(batch) {
    return canGive(left(this.cubes, this.given), batch);
  }

  /** @param {Move} batch */
  #option(batch) {
    return h(
      "button",
      {
        class: "choice batch",
        "aria-label": describe(batch, this.asked)?.act ?? "",
        "data-key": `batch-${JSON.stringify(batch.goods)}`,
        disabled: !this.#canAdd(batch),
        onclick: () => this.#choose([...this.given, batch]),
      },
      h("span", { class: "face" }, h("span", { "aria-hidden": "true" }, "+ "), goods(batch.goods)),
    );
  }

  /** A batch that will be given; touched once more it is not. @param {Move} batch @param {number} at */
  #chosen(batch, at) {
    return h(
      "button",
      {
        class: "choice batch given",
        "data-key": `given-${at}`,
        "aria-label": t("ui.caylus.castle.keep", { n: at + 1 }),
        onclick: () => this.#choose(this.given.filter((_, place) => place !== at)),
      },
      h("span", { class: "face" }, goods(batch.goods), h("span", { "aria-hidden": "true" }, " ×")),
    );
  }

  #render() {
    const had = this.element.contains(document.activeElement);
    this.#draw();
    // The batch that had the focus is given back, or cannot be given once more: the keyboard goes on among the others.
    if (had && !this.element.contains(document.activeElement)) this.#offers?.focus({ preventScroll: true });
  }

  /** @returns {HTMLElement | null} */
  get #offers() {
    return this.element.querySelector("fieldset[tabindex]");
  }

  #draw() {
    const { given, isDeclined: checked } = this;
    const onchange = () => this.#choose([], !checked);
    const input = h("input", { type: "checkbox", checked, "data-key": "no-batch", onchange });
    const chosen = given.map((batch, at) => this.#chosen(batch, at));
    show(
      this.element,
      castleStakes(this.asked),
      given.length
        ? h(
            "fieldset",
            {},
            h("legend", {}, t("ui.caylus.castle.given", { n: given.length })),
            h("div", { class: "choices" }, chosen),
          )
        : null,
      h(
        "fieldset",
        { tabindex: "-1" },
        h("legend", { class: "spoken" }, t("ui.caylus.what.batch")),
        h(
          "div",
          { class: "choices" },
          this.batches.map((batch) => this.#option(batch)),
        ),
      ),
      h(
        "div",
        { class: "choices" },
        h(
          "label",
          { class: "choice quiet" },
          input,
          h("span", { class: "face" }, describe(NO_MORE, this.asked)?.title),
        ),
      ),
    );
  }
}

/** @param {Ask} ask @param {CaylusAsk} asked @returns {HTMLElement} */
export function makeBatchControl(ask, asked) {
  return new BatchChooser(ask, asked).element;
}

/** @param {Record<string, number>} held @param {Move[]} given */
function canAll(held, given) {
  return Object.values(left(held, given)).every((count) => count >= 0);
}
