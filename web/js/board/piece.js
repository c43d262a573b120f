/**
 * A drawing of the picture by itself. It needs the definitions and the style of the picture, so it stands
 * in a shadow root, too.
 */

import { h, svg } from "../elements/dom.js";

/**
 * @param {Element | null} defs the definitions of the picture @param {CSSStyleSheet[]} sheets its style
 * @param {string} href of a symbol of 100 by 100
 * @returns {{element: HTMLElement, turn: (degrees: number) => void}}
 */
export function pieceOf(defs, sheets, href) {
  const use = svg("use", { href });
  const element = h("div", { class: "piece", "aria-hidden": "true" });
  const root = element.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = sheets;
  root.append(svg("svg", { class: "cartulary", viewBox: "0 0 100 100" }, defs?.cloneNode(true), use));
  return {
    element,
    turn: (degrees) => use.setAttribute("transform", `rotate(${degrees} 50 50)`),
  };
}
