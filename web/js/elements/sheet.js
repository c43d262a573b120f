/**
 * A sheet over the lower part of the table: choices, or something to look at. It never changes the
 * size of the board. On a phone it is open by half, in full, or only its head is seen (`peek`); the
 * head is dragged or touched. On a desktop the sheet of the choices stands in the right column.
 *
 * What is shown may have several pages; a back arrow leads from a page to the page before it.
 */

import { t } from "../platform/i18n.js";
import { calm, h, show } from "./dom.js";

const STEPS = /** @type {const} */ (["peek", "half", "full"]);
const DRAG = 6; // pixels before a press becomes a drag

/**
 * @typedef {typeof STEPS[number]} SheetHeight
 * @typedef {{label: string, element: HTMLElement}} SheetPage
 * @typedef {{label?: string, at?: SheetHeight, closes?: boolean, back?: HTMLElement}} SheetOptions
 *   label: what stands in the head; at: how far the sheet is open; closes: with a button to close it, after which the
 *   focus is where it was, or at `back`
 */

let sheets = 0;

/** Events: `close`, `turn` (detail: the number of the page to which the back arrow leads). */
export class Sheet extends EventTarget {
  /** @param {string} name a class of its own */
  constructor(name) {
    super();
    sheets += 1;
    const id = `sheet-${sheets}`;
    this.label = h("span", { class: "sheet-label", id });
    this.arrow = h(
      "button",
      { class: "plain sheet-back", "aria-label": t("ui.sheet.back"), hidden: true, onclick: () => this.back() },
      "‹",
    );
    /** In the head: what the seat that is asked holds, where nothing else on the page says it. */
    this.held = h("span", { class: "sheet-held", id: `${id}-held` });
    const said = { "aria-labelledby": id, "aria-describedby": `${id}-held`, "aria-controls": `${id}-body` };
    this.grip = h(
      "button",
      { class: "plain grip", "aria-expanded": "false", ...said, "data-key": `${name}-grip` },
      this.label,
      this.held,
      h("span", { class: "grip-sign", "aria-hidden": "true" }),
    );
    this.cross = h(
      "button",
      {
        class: "plain round sheet-close",
        "aria-label": t("ui.sheet.close"),
        hidden: true,
        onclick: () => this.close(),
      },
      "×",
    );
    this.head = h("div", { class: "sheet-head" }, this.arrow, this.grip, this.cross);
    const scrolls = { tabindex: "0", role: "group", "aria-labelledby": id };
    this.body = h("div", { class: "sheet-body", id: `${id}-body`, ...scrolls });
    /** Below the pages, always seen: what a choice would do. */
    this.foot = h("div", { class: "sheet-foot", ...scrolls });
    this.element = h(
      "section",
      { class: `sheet ${name}`, hidden: true, "aria-labelledby": id },
      this.head,
      this.body,
      this.foot,
    );
    /** @type {SheetPage[]} */
    this.list = [];
    this.current = 0;
    /** What gets the focus when the person closes the sheet. @type {Element | null} */
    this.opener = null;
    this.#drag();
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !this.cross.hidden) this.close();
    });
  }

  get isOpen() {
    return !this.element.hidden;
  }

  /** @returns {SheetHeight} */
  get at() {
    return /** @type {SheetHeight} */ (this.element.dataset.at ?? "peek");
  }

  /** @param {SheetHeight} at */
  set at(at) {
    this.element.dataset.at = at;
    this.grip.setAttribute("aria-expanded", String(at !== "peek"));
    this.dispatchEvent(new Event("moved"));
  }

  /**
   * Show something in the sheet.
   * @param {Node | SheetPage[]} content an element, or pages of which the first is shown
   * @param {SheetOptions} [how]
   */
  open(content, { label = "", at = "half", closes = false, back } = {}) {
    if (!this.isOpen) this.opener = back ?? document.activeElement;
    const isList = Array.isArray(content);
    show(this.body, isList ? content.map(({ element }) => element) : content);
    this.body.scrollTop = 0;
    this.cross.hidden = !closes;
    this.element.hidden = false;
    this.at = at;
    if (isList) this.pages(content);
    else if (!this.list.length || label) this.say(label);
  }

  /** Write what stands in the head. @param {string} label */
  say(label) {
    this.label.textContent = label;
  }

  /**
   * Show one page of several that lie in the sheet, or will lie there.
   * @param {SheetPage[]} list @param {number} [current]
   */
  pages(list, current = 0) {
    const turned = current !== this.current || list.length !== this.list.length;
    this.list = list;
    this.current = current;
    list.forEach(({ element }, at) => element.toggleAttribute("data-away", at !== current));
    this.arrow.hidden = current === 0;
    if (list[current]?.label) this.say(list[current].label);
    if (turned) this.body.scrollTop = 0;
    if (turned && current > 0 && this.at === "peek") this.at = "half";
  }

  back() {
    if (this.current === 0) return;
    const event = new CustomEvent("turn", { detail: this.current - 1, cancelable: true });
    if (this.dispatchEvent(event)) this.pages(this.list, this.current - 1);
  }

  close() {
    const wasOpen = this.isOpen;
    // A sheet that only the page closes belongs to a question: the next one has the focus.
    const isLeft = !this.cross.hidden && this.element.contains(document.activeElement);
    this.element.hidden = true;
    this.list = [];
    this.current = 0;
    this.arrow.hidden = true;
    this.say("");
    show(this.held);
    show(this.body);
    if (isLeft && this.opener instanceof HTMLElement) this.opener.focus({ preventScroll: true });
    if (wasOpen) this.dispatchEvent(new Event("close"));
  }

  /** Open it further, or less far. @param {number} by */
  #step(by) {
    const next = Math.min(STEPS.length - 1, Math.max(0, STEPS.indexOf(this.at) + by));
    if (by < 0 && this.at === STEPS[next] && !this.cross.hidden) this.close();
    else this.at = STEPS[next];
  }

  /** The head is dragged up and down; a touch opens the sheet by half, or leaves only the head. */
  #drag() {
    /** @type {{y: number, height: number} | null} */
    let from = null;
    let moved = 0;
    const { grip, element } = this;
    grip.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      from = { y: event.clientY, height: element.offsetHeight };
      moved = 0;
    });
    grip.addEventListener("pointermove", (event) => {
      if (!from) return;
      moved = event.clientY - from.y;
      if (Math.abs(moved) < DRAG) return;
      if (!grip.hasPointerCapture(event.pointerId)) grip.setPointerCapture(event.pointerId);
      element.classList.add("dragged");
      element.style.setProperty("--dragged", `${from.height - moved}px`);
    });
    const end = () => {
      if (from && Math.abs(moved) >= DRAG) this.#step(moved < 0 ? 1 : -1);
      from = null;
      element.classList.remove("dragged");
      element.style.removeProperty("--dragged");
    };
    grip.addEventListener("pointerup", end);
    grip.addEventListener("pointercancel", end);
    grip.addEventListener("click", () => {
      if (Math.abs(moved) < DRAG) this.at = this.at === "peek" ? "half" : "peek";
      moved = 0;
    });
  }

  /** Move the sheet in with a short motion. */
  rise() {
    if (calm()) return;
    this.element.animate(
      [
        { translate: "0 24px", opacity: 0 },
        { translate: "0 0", opacity: 1 },
      ],
      {
        duration: 160,
        easing: "ease-out",
      },
    );
  }
}
