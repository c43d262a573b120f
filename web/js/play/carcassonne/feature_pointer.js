/**
 * What the board of Carcassonne shows apart from a question: the outline of the feature under the pointer
 * or of the feature that was touched, and the farms by owner.
 */

import { h } from "../../elements/dom.js";
import { explain } from "../../elements/errors.js";
import { Problem, Unreachable } from "../../platform/api.js";
import { t } from "../../platform/i18n.js";
import { featureAt, loadFeatures } from "./features.js";
import { farmsOf, outlineOn } from "./outline.js";

/**
 * @typedef {import("../../board/board.js").Board} Board
 * @typedef {import("./features.js").Feature} Feature
 * @typedef {import("./features.js").Moment} Moment
 * @typedef {import("../game_module.js").Subject} Subject
 */

/** The moment that the page shows. @type {() => Moment | null} */
let shown = () => null;

/** The name of a seat at the table that is shown. @type {(seat: number) => string} */
export let shownName = String;

/** The features of the moment that the page shows; null when the server does not say. */
async function shownFeatures() {
  const moment = shown();
  try {
    return moment && (await loadFeatures(moment));
  } catch (error) {
    if (error instanceof Problem || error instanceof Unreachable) return null;
    throw error;
  }
}

/**
 * The feature of a segment on the board that is shown.
 * @param {Subject} subject @returns {Promise<Feature | null>}
 */
export async function shownFeature({ segment, x, y }) {
  if (!segment || x === undefined) return null;
  const features = await shownFeatures();
  return (features && featureAt(features, { x: Number(x), y: Number(y), segment })) ?? null;
}

class Watching {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    this.outline = outlineOn(board);
    /** Counts what was asked, so that a late answer draws nothing. */
    this.asked = 0;
    this.showsFarms = false;
    /** @type {SVGElement | null} */
    this.farms = null;
    this.toggle = h(
      "button",
      {
        class: "round farms-toggle",
        "aria-pressed": "false",
        "aria-label": t("ui.carcassonne.farms"),
        title: t("ui.carcassonne.farms"),
        "data-key": "farms",
        onclick: () => this.#toggle(),
      },
      "❀",
    );
    board.buttons.prepend(this.toggle);
    for (const name of ["hover", "inspect"])
      board.host.addEventListener(name, (event) => {
        this.#look(/** @type {CustomEvent} */ (event).detail).catch(reportError);
      });
    // Before the picture changes: the nodes that stay in it must be those of the picture alone.
    board.host.addEventListener("picturing", () => this.#clear());
    board.host.addEventListener("pictured", () => this.#redraw());
  }

  /** @param {Subject | null} subject */
  async #look(subject) {
    this.asked += 1;
    const { asked } = this;
    const feature = subject && (await shownFeature(subject));
    if (asked === this.asked) this.outline.show(feature);
  }

  #toggle() {
    this.showsFarms = !this.showsFarms;
    this.toggle.setAttribute("aria-pressed", String(this.showsFarms));
    this.#draw().catch(explain);
  }

  #clear() {
    this.asked += 1;
    this.outline.show(null);
    this.farms?.remove();
    this.farms = null;
  }

  #redraw() {
    if (this.showsFarms) this.#draw().catch(explain);
  }

  async #draw() {
    const features = this.showsFarms ? await shownFeatures() : null;
    this.farms?.remove();
    this.farms = null;
    const before = this.board.find(".board .followers");
    if (!features || !before || !this.showsFarms) return;
    this.farms = farmsOf(this.board, features);
    before.before(this.farms); // the followers stand on it
  }
}

/**
 * Watch the board of a table while its page is open. A table that is left while it loads never shows a picture, so the
 * moment of the page counts from its first picture on.
 * @param {Board} board @param {() => Moment | null} moment that is shown
 * @param {(seat: number) => string} name
 */
export function attend(board, moment, name) {
  const take = () => {
    shown = moment;
    shownName = name;
  };
  board.host.addEventListener("picturing", take);
  new Watching(board);
}
