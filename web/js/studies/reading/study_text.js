/** A text of a study as elements: paragraphs, lists, strong words. Nothing of it is ever read as HTML. */

import { h } from "../../elements/dom.js";

const STRONG = /(\*\*[^*\n]+\*\*|\*[^*\n]+\*)/;

/** @param {string} line */
function words(line) {
  return line.split(STRONG).map((part, at) => {
    if (at % 2 === 0) return part;
    return part.startsWith("**") ? h("strong", {}, part.slice(2, -2)) : h("em", {}, part.slice(1, -1));
  });
}

/** @param {string} block a paragraph, or a list @returns {HTMLElement} */
function blockOf(block) {
  const lines = block.split("\n");
  if (lines.every((line) => line.startsWith("- ")))
    return h(
      "ul",
      {},
      lines.map((line) => h("li", {}, words(line.slice(2)))),
    );
  return h("p", {}, words(lines.join(" ")));
}

/** @param {string} text @returns {HTMLElement[]} */
export function paragraphs(text) {
  return text
    .split(/\n{2,}/)
    .filter((block) => block.trim())
    .map(blockOf);
}
