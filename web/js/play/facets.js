/**
 * Choosing one of many moves, one aspect at a time.
 *
 * A plan lists the aspects of a kind of decision (for building: which building, what is paid). Each
 * is a group of radio buttons, a page of its own in the sheet, that shows what is still possible after
 * the aspects before it; when one move is left it is chosen. Whatever is a place on the board can be
 * touched there as well.
 */

import { h } from "../elements/dom.js";

/**
 * @typedef {object} FacetOption one value of an aspect
 * @property {Node | string} face what is shown
 * @property {string} [place] a selector of the board, for touching
 * @property {boolean} [quiet] declines rather than does something
 *
 * @typedef {object} Facet one aspect
 * @property {string} label the question
 * @property {(move: Move) => string | null} key the value for a move; null: not an aspect of it
 * @property {(key: string, moves: Move[]) => FacetOption} option
 * @property {boolean} [list] many values, best touched on the board: a low sheet hides the list
 * @property {string} [step] the words of the button while this aspect is missing; else the label
 * @property {string} [preset] the value that is chosen at the start
 *
 * @typedef {object} Chooser
 * @property {Move[]} moves
 * @property {(move: Move | null, after?: null, how?: import("./game_module.js").HowChosen) => void} choose
 * @property {() => void} [confirm]
 * @property {{read: () => any, write: (value: any) => void}} [draft]
 * @property {(targets: import("../board/board.js").Target[]) => void} touch
 * @property {import("../elements/sheet.js").Sheet} [sheet] where the aspects are pages
 * @property {{seek: () => void}} [board]
 * @property {boolean} [isTest] nothing is chosen at the start, because the choice is what is asked
 */

/** So few values are shown although they can be touched on the board: the sheet stays low with them. */
const FEW = 4;

let groups = 0;

/** @typedef {FacetOption & {key: string, label: HTMLElement, input: HTMLInputElement}} ShownOption */

class FacetChooser {
  /** @param {Chooser} chooser @param {Facet[]} plan */
  constructor(chooser, plan) {
    this.chooser = chooser;
    this.plan = plan;
    this.element = h("div", { class: "facets" });
    /** The chosen values, by the place of their aspect in the plan. @type {Map<number, string>} */
    this.picked = new Map();
    /** @type {WeakMap<Element, ShownOption[]>} */
    this.options = new WeakMap();
    /** How the last value came to be chosen. @type {import("./game_module.js").HowChosen} */
    this.how = { preset: true };
    /** The arrow keys walk through the values: walking chooses, but never sends. */
    this.walks = false;
    /** The value is touched on the board, which does not name the act as a button does. */
    this.byBoard = false;
    this.element.addEventListener("keydown", ({ key }) => (this.walks = key.startsWith("Arrow")));
    this.element.addEventListener("keyup", () => (this.walks = false));
    this.#render(0);
    this.#restore();
  }

  /** The groups of the aspects that are asked so far. */
  get #groups() {
    return /** @type {HTMLElement[]} */ ([...this.element.children]);
  }

  /** The pages of the sheet: the aspects that leave a choice. */
  get #pages() {
    return this.#groups
      .map((element, at) => ({ element, at, label: this.plan[at].label }))
      .filter(({ element }) => !element.hidden);
  }

  /** The moves that fit what is chosen in the aspects before this one. @param {number} end */
  #movesBefore(end) {
    return this.plan
      .slice(0, end)
      .reduce((left, facet, at) => keep(left, facet, this.picked.get(at)), this.chooser.moves);
  }

  /** @param {number} from the first aspect to ask again */
  #render(from) {
    while (this.element.children.length > from) this.element.lastElementChild?.remove();
    for (const at of [...this.picked.keys()]) if (at >= from) this.picked.delete(at);
    for (let at = from; at < this.plan.length; at += 1) {
      const moves = this.#movesBefore(at);
      const keys = values(moves, this.plan[at]);
      if (keys.length === 1) this.picked.set(at, keys[0]);
      this.element.append(this.#group(at, keys, moves));
      if (keys.length > 1) break;
    }
    this.#settle();
    this.#turn(this.#pages.length - 1);
  }

  /** @param {number} page */
  #turn(page) {
    this.chooser.sheet?.pages(this.#pages, Math.max(0, page));
    if (page > 0) this.chooser.board?.seek();
  }

  /** @param {number} at @param {string} key */
  #pick(at, key) {
    this.picked.set(at, key);
    this.how = { preset: this.walks, direct: this.chooser.moves.length === 2 && !this.byBoard };
    this.#render(at + 1);
    this.chooser.draft?.write([...this.picked.values()]);
  }

  /** Go on from an aspect whose value stays; the last one confirms. @param {number} at */
  #goOn(at) {
    const next = this.#pages.findIndex((page) => page.at > at);
    if (next > 0) this.#turn(next);
    else if (!this.walks) this.chooser.confirm?.();
  }

  /** Choose what was chosen before a reload, as far as it is possible now, or the presets. */
  #restore() {
    const kept = this.chooser.draft?.read();
    this.plan.forEach((facet, at) => {
      const preset = this.chooser.isTest ? undefined : facet.preset;
      const key = Array.isArray(kept) ? kept[at] : preset;
      const isOpen = !this.picked.has(at) && this.element.children.length === at + 1;
      const option = isOpen && this.#optionsOf(this.element.children[at]).find((shown) => shown.key === key);
      if (!option) return;
      this.picked.set(at, option.key);
      option.input.checked = true;
      this.#render(at + 1);
    });
  }

  /** @param {Element} group */
  #optionsOf(group) {
    return this.options.get(group) ?? [];
  }

  /** @param {number} at @param {string[]} keys @param {Move[]} moves */
  #group(at, keys, moves) {
    if (keys.length === 0) return h("div", { hidden: true });
    groups += 1;
    const { label, option } = this.plan[at];
    const name = `choice-${groups}`;
    const shown = keys.map((key) => this.#option(at, name, key, option(key, keep(moves, this.plan[at], key))));
    const loud = shown.filter(({ quiet }) => !quiet);
    const quiet = shown.filter((one) => one.quiet);
    const element = h(
      "fieldset",
      { hidden: at > 0 && keys.length === 1 }, // nothing to choose: the confirmation says it
      h("legend", { class: "spoken" }, label), // the head of the sheet shows it
      row(loud.length > FEW ? "many" : "few", loud),
      quiet.length ? row("declines", quiet) : null,
    );
    this.options.set(element, shown);
    return element;
  }

  /** @param {number} at @param {string} name @param {string} key @param {FacetOption} option @returns {ShownOption} */
  #option(at, name, key, option) {
    const checked = this.picked.get(at) === key;
    /** @type {HTMLInputElement} */
    const input = h("input", { type: "radio", name, value: key, checked });
    input.addEventListener("change", () => this.#pick(at, key));
    input.addEventListener("click", () => this.picked.get(at) === key && this.#goOn(at));
    const face = h("span", { class: "face" }, option.face);
    const label = h("label", { class: `choice${option.quiet ? " quiet" : ""}` }, input, face);
    return { ...option, key, label, input };
  }

  /** Tell the panel what is chosen, or which step is missing, and the board what can be touched. */
  #settle() {
    const moves = this.#movesBefore(this.plan.length);
    const isDone = this.#groups.every(
      (group, at) => this.picked.has(at) || !values(this.chooser.moves, this.plan[at]).length || group.hidden,
    );
    const missing = this.plan[this.#groups.findIndex((group, at) => !group.hidden && !this.picked.has(at))];
    this.chooser.touch(this.#groups.flatMap((group) => this.#targets(group)));
    this.chooser.choose(isDone && moves.length === 1 ? moves[0] : null, null, {
      ...this.how,
      missing: missing && (missing.step ?? missing.label),
    });
  }

  /** What of a group can be touched on the board. @param {Element} group */
  #targets(group) {
    return this.#optionsOf(group)
      .filter(({ place }) => place)
      .map(({ place, input }) => ({
        place: /** @type {string} */ (place),
        chosen: input.checked,
        pick: (/** @type {{walks?: boolean} | undefined} */ how) => {
          this.byBoard = true;
          this.walks = Boolean(how?.walks);
          input.click();
          this.byBoard = this.walks = false;
        },
      }));
  }
}

/**
 * @param {Chooser} chooser @param {Facet[]} plan
 * @returns {HTMLElement} the groups of radio buttons
 */
export function makeFacets(chooser, plan) {
  return new FacetChooser(chooser, plan).element;
}

/** @param {string} name @param {ShownOption[]} options */
function row(name, options) {
  return h(
    "div",
    { class: `choices ${name}` },
    options.map(({ label }) => label),
  );
}

/** @param {Move[]} moves @param {Facet} facet */
function values(moves, facet) {
  return [...new Set(moves.map(facet.key).filter((key) => key !== null))].map(String);
}

/** @param {Move[]} moves @param {Facet} facet @param {string | undefined} key */
function keep(moves, facet, key) {
  return key === undefined ? moves : moves.filter((move) => facet.key(move) === key);
}
