/**
 * Changing what is shown without replacing it: nodes that stay keep the focus, the scroll position
 * and their transitions. Nodes with the same `id` are the same node, wherever they stand.
 */

import { Idiomorph } from "../vendor/idiomorph.js";
import { fill, listenAs } from "./dom.js";

/**
 * As `show` in `dom.js`, but the nodes that are there already change in place. The children must be
 * made for this call: of a child that is there already the old node stays, so no caller may hold the new
 * one. Their listeners are handed over.
 * @param {Element} element @param {...Child} children
 */
export function renew(element, ...children) {
  const next = document.createDocumentFragment();
  fill(next, children);
  const nodes = [...next.childNodes];
  const key = focusedKey(element);
  Idiomorph.morph(element, nodes, { morphStyle: "innerHTML" });
  nodes.forEach((node, at) => handOver(element.childNodes[at], node));
  if (key && !focusedKey(element)) find(element, key)?.focus({ preventScroll: true });
}

/**
 * Turn a picture into the next one; both are of one document. Returns the one that stands there now.
 * @template {Element} T @param {T} picture @param {T} next @returns {T}
 */
export function morphPicture(picture, next) {
  const callbacks = { beforeNodeMorphed: differs };
  const [kept] = /** @type {T[]} */ (Idiomorph.morph(picture, next, { restoreFocus: false, callbacks }));
  return kept;
}

/** Most of a picture stays as it was: the browser compares faster than a morph. @param {Node} node @param {Node} next */
function differs(node, next) {
  return !node.isEqualNode(next);
}

/** @param {Element} element */
function focusedKey(element) {
  const { activeElement } = document;
  return element.contains(activeElement) ? (activeElement?.getAttribute("data-key") ?? null) : null;
}

/** @param {Element} element @param {string} key @returns {HTMLElement | null} */
function find(element, key) {
  return element.querySelector(`[data-key="${CSS.escape(key)}"]`);
}

/** After a morph both trees have the same shape. @param {Node} node @param {Node} made */
function handOver(node, made) {
  if (node instanceof Element && made instanceof Element) listenAs(node, made);
  made.childNodes.forEach((child, at) => handOver(node.childNodes[at], child));
}
