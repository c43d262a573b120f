/** The rules of a game in short, section by section: on the page that teaches the game, and in a sheet at a table. */

import { h } from "../elements/dom.js";
import { api } from "../platform/api.js";
import { fillNumbers } from "./lesson_numbers.js";

/** @typedef {import("./lesson.js").Lesson} Lesson */

/** The sections of the rules, with the numbers of the pieces in them. */
export class Rules {
  /** @param {Lesson} lesson */
  constructor({ rules: sections = {} }) {
    /** @type {{element: HTMLElement, text: string}[]} */
    this.paragraphs = [];
    this.sections = Object.entries(sections).map(([id, { title, text }]) =>
      h(
        "section",
        { class: "rule", id, tabindex: "-1", "aria-labelledby": `title-${id}` },
        h("h2", { id: `title-${id}` }, title),
        text.split("\n").map((paragraph) => this.#paragraph(paragraph)),
      ),
    );
  }

  /** @param {string} text */
  #paragraph(text) {
    const element = h("p", {});
    this.paragraphs.push({ element, text });
    return element;
  }

  /** @param {import("../play/pieces.js").Piece[]} pieces @param {import("../play/pieces.js").Piece[]} others */
  fill(pieces, others) {
    for (const { element, text } of this.paragraphs) element.textContent = fillNumbers(text, pieces, others);
  }
}

/** The pieces of the other values of each option: a rule may speak of a variant. @param {string} game @param {Offer["options"]} options */
export async function piecesOfOthers(game, options) {
  const usual = Object.fromEntries(options.map((option) => [option.name, option.default]));
  const others = options.flatMap(({ name, values }) => values.map((value) => ({ ...usual, [name]: value })));
  const answers = await Promise.all(others.map((chosen) => api.pieces(game, chosen)));
  return answers.flatMap(({ pieces }) => pieces);
}

/**
 * The section that an address wants: the first of `bribe/bribes` that there is; `favour_cubes` is a
 * part of `favour`.
 * @param {HTMLElement} element @param {string} hash
 */
export function sectionOf(element, hash) {
  const sections = [...element.querySelectorAll("section[id]")];
  for (const wanted of decodeURIComponent(hash.slice(1)).split("/")) {
    const found = sections.find(({ id }) => wanted === id || wanted.startsWith(`${id}_`));
    if (found) return /** @type {HTMLElement} */ (found);
  }
  return null;
}
