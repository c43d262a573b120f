/**
 * Building elements without markup strings: nothing that comes from the network is ever parsed as
 * HTML, and no inline style or handler meets the Content-Security-Policy.
 */

const SVG = "http://www.w3.org/2000/svg";

/** @param {Node & ParentNode} element @param {Child[]} children */
export function fill(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) fill(element, child);
    else element.append(child instanceof Node ? child : String(child));
  }
}

/** Those that say how a control stands now; the attribute would only say how it began. */
const STATES = new Set(["value", "checked", "disabled"]);

/** The listeners that `h` has set, by element and event. @type {WeakMap<EventTarget, Map<string, (event: Event) => void>>} */
const acts = new WeakMap();

/** @param {Event} event */
function act(event) {
  const element = /** @type {EventTarget} */ (event.currentTarget);
  acts.get(element)?.get(event.type)?.call(element, event);
}

/** @param {Element} element @param {string} type @param {(event: Event) => void} listener */
function listen(element, type, listener) {
  acts.set(element, (acts.get(element) ?? new Map()).set(type, listener));
  element.addEventListener(type, act); // the browser notes the same function once
}

/** Let an element listen as another one does, in place of what it did before. @param {Element} element @param {Element} made */
export function listenAs(element, made) {
  const taken = acts.get(made);
  acts.delete(element);
  for (const [type, listener] of taken ?? []) listen(element, type, listener);
}

/** @param {HTMLElement | SVGElement} element @param {Record<string, any>} props */
function dress(element, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) listen(element, name.slice(2), value);
    else if (STATES.has(name)) Object.assign(element, { [name]: value });
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * Make an HTML element. A button submits no form unless its `type` says so.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [props] attributes; `onclick` and the like are listeners
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  fill(element, children);
  dress(element, tag === "button" ? { type: "button", ...props } : props);
  return element;
}

/**
 * Make an SVG element.
 * @param {string} tag
 * @param {Record<string, any>} [props]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function svg(tag, props = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  dress(element, props);
  fill(element, children);
  return element;
}

/**
 * Replace what an element holds, keeping the keyboard where it was: an element with the same
 * `data-key` as the one that had the focus gets it again.
 * @param {Element} element
 * @param {...Child} children
 */
export function show(element, ...children) {
  const active = document.activeElement;
  const key = active && element.contains(active) ? active.getAttribute("data-key") : null;
  element.replaceChildren();
  fill(element, children);
  if (key !== null) {
    const again = element.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  }
}

/** The styles that the document was given. @type {Set<() => Promise<string>>} */
const added = new Set();

/** Give the document a style that only some pages need, once. @param {() => Promise<string>} load loads the text */
export async function addStyle(load) {
  if (added.has(load)) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(await load()); // the policy of the page allows no other style
  document.adoptedStyleSheets.push(sheet);
  added.add(load);
}

/** True when the person asked for less motion. */
export function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * A text for screen readers only.
 * @param {string} text
 */
export function spoken(text) {
  return h("span", { class: "spoken" }, text);
}

/**
 * The address of an icon, next to the icon of the page: browsers keep what lies there.
 * @param {string} name
 */
export function iconAt(name) {
  const { href } = /** @type {HTMLLinkElement} */ (document.querySelector('link[rel="icon"]'));
  return new URL(name, href).href;
}
