/** The few signs of a text of a study: paragraphs, items, **strong** and *emphasis*. */

import { h } from "../elements/dom.js";

const SIGNS = /\*\*(.+?)\*\*|\*(.+?)\*/g;

/** @param {string} line @returns {(Node | string)[]} */
function inline(line) {
  const parts = [];
  let from = 0;
  for (const found of line.matchAll(SIGNS)) {
    parts.push(line.slice(from, found.index));
    parts.push(found[1] ? h("strong", {}, found[1]) : h("em", {}, found[2]));
    from = found.index + found[0].length;
  }
  return [...parts, line.slice(from)];
}

/** @param {string} text */
export function prose(text) {
  return text.split(/\n\s*\n/).map((part) => {
    const lines = part.split("\n");
    if (!lines.every((line) => line.startsWith("- "))) return h("p", {}, inline(lines.join(" ")));
    return h(
      "ul",
      {},
      lines.map((line) => h("li", {}, inline(line.slice(2)))),
    );
  });
}
