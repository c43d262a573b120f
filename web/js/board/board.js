/**
 * The board: the picture from the server, shown inline so that its places can be touched.
 *
 * The picture stands in a shadow root. Its stylesheet is adopted as a constructed one (the page's
 * Content-Security-Policy allows no inline styles), so it applies to the picture and nothing else.
 * Whatever carries a contract id (`data-space`, `data-x` …) can be made a target with `touch`.
 */

import { h } from "../elements/dom.js";
import { listenForPointing } from "../elements/long_press.js";
import { morphPicture } from "../elements/morph.js";
import { readPicture } from "../elements/read_picture.js";
import { t } from "../platform/i18n.js";
import { Beyond } from "./beyond.js";
import { isTouch, nearest } from "./fingers.js";
import { closedPlaces, ghostAt, markPlace, ringAround, stampOn, valueAt } from "./highlights.js";
import { bindPanning } from "./panning.js";
import { pieceOf } from "./piece.js";
import { SectionChips, sectionsOf } from "./section_chips.js";
import { pathFrom, subjectOf } from "./subjects.js";
import { targetStyle } from "./targets_sheet.js";
import { Viewport } from "./viewport.js";
import { zoomButtons } from "./zoom_buttons.js";

const RATIO = 0.05; // the steps in which the server learns the shape of the window
const [LEAST_RATIO, MOST_RATIO] = [0.2, 5]; // what the service draws: a low strip of a board is wider
const THINGS = "[data-x][data-y]:not(.open, .preview, .pins)"; // what the small map shows

/**
 * @typedef {{place: string, pick: (how?: {walks?: boolean}) => void, chosen: boolean, group?: string}} Target
 *   walks: the arrow keys have come to it, which never sends a move;
 *   group: targets of the same kind, among which the arrow keys go
 * @typedef {{place: string, draw: SVGElement | string, seat: number}} Ghost
 *   what would stand at a place: a drawing around its middle, or the address of a symbol
 */

export class Board {
  constructor() {
    this.host = h("div", { class: "picture" });
    this.root = this.host.attachShadow({ mode: "open" });
    this.scroller = h(
      "div",
      { class: "scroller", tabindex: "0", role: "group", "aria-label": t("ui.board.title") },
      this.host,
    );
    this.viewport = new Viewport(this.scroller, this.host);
    this.chips = new SectionChips(this.viewport, (name) => this.goTo(name));
    this.buttons = zoomButtons(this.viewport, () => this.fit());
    this.beyond = new Beyond(this.viewport, this.buttons);
    const { chips, scroller, beyond, buttons } = this;
    this.element = h("div", { class: "board" }, chips.element, scroller, beyond.element, buttons);
    /** @type {SVGSVGElement | null} */
    this.picture = null;
    /** @type {string | null} */
    this.rules = null;
    /** @type {import("./section_chips.js").Section[]} */
    this.sections = [];
    /** @type {Target[]} */
    this.targets = [];
    /** @type {Element[]} */
    this.overlays = [];
    /** Values at places. @type {Element[]} */
    this.worths = [];
    /** What to show in the picture that is on its way. */
    this.wanted = "";
    /** What asks: a section or a place of the picture. */
    this.asking = "";
    /** @type {Element | null} */
    this.ring = null;
    this.#listen();
  }

  /** Events on `host`: `inspect` and `hover` (detail: what lies there), `pictured`, `resized`. */
  #listen() {
    const { host, scroller, viewport } = this;
    host.addEventListener("click", (event) => this.#click(event));
    bindPanning(
      scroller,
      (factor, x, y) => viewport.byHand(factor, x, y),
      () => !viewport.isRead,
    );
    listenForPointing(
      host,
      (path) => this.#inspect(path),
      (path) => {
        const detail = path && subjectOf(path, this.root);
        host.dispatchEvent(new CustomEvent("hover", { detail }));
      },
    );
    host.addEventListener("dblclick", (event) => {
      if (!this.#hit(event.composedPath())) this.fit();
    });
    new ResizeObserver(() => {
      viewport.follow();
      this.beyond.later();
      host.dispatchEvent(new Event("resized"));
    }).observe(scroller);
  }

  /**
   * Which arrangement of the picture fits the room there is, as the members of a request: a column to
   * read in a narrow window, else the arrangement with the largest scale.
   * @returns {Record<string, any>}
   */
  get wish() {
    const { isNarrow, isOverview, ratio } = this.viewport;
    const box = Math.min(MOST_RATIO, Math.max(LEAST_RATIO, Math.round(ratio / RATIO) * RATIO)).toFixed(2);
    return { parts: "board", ...(isNarrow && !isOverview ? { layout: "tall" } : { layout: "fit", ratio: box }) };
  }

  /**
   * Show a picture.
   * @param {string} text SVG
   */
  async set(text) {
    const { picture, rules } = readPicture(text);
    await this.#dress(rules);
    const { scrollLeft, scrollTop } = this.scroller;
    this.host.dispatchEvent(new Event("picturing"));
    this.overlays.forEach((overlay) => overlay.remove());
    this.overlays = [];
    this.values([]);
    this.ring?.remove();
    this.#undim();
    this.#place(picture);
    this.host.style.visibility = "";
    this.#arrange();
    if (!this.#showWanted()) this.scroller.scrollTo({ left: scrollLeft, top: scrollTop, behavior: "instant" });
    if (!this.targets.length) this.wanted = "";
    this.host.dispatchEvent(new Event("pictured"));
  }

  /** Hide the picture until the next one comes: it shows another position. */
  blank() {
    this.host.style.visibility = "hidden";
  }

  /** Take over the rules of a picture. The same rules again would style every node again. @param {string} rules */
  async #dress(rules) {
    if (rules === this.rules) return;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    this.root.adoptedStyleSheets = [sheet, await targetStyle()];
    this.rules = rules;
  }

  /** Put a picture in place of the last one: where both have the same frame, nodes stay. @param {SVGSVGElement} next */
  #place(next) {
    const isAlike = this.picture?.getAttribute("viewBox") === next.getAttribute("viewBox");
    if (this.picture && isAlike) {
      this.picture = morphPicture(this.picture, next);
    } else {
      this.picture = document.importNode(next, true);
      this.root.replaceChildren(this.picture);
    }
  }

  /** Take the measure of the new picture and mark again what asks. */
  #arrange() {
    if (!this.picture) return;
    this.sections = sectionsOf(this.picture);
    this.viewport.take(this.picture, this.sections.length > 1);
    this.chips.update(this.sections);
    this.#ring();
  }

  /**
   * Let these places be touched, instead of those before.
   * @param {Target[]} targets
   */
  touch(targets) {
    this.targets = targets;
    if (!targets.length) this.viewport.release();
    this.overlays.forEach((overlay) => overlay.remove());
    this.overlays = [];
    this.#dim();
    if (!this.picture) return;
    for (const { place, chosen } of targets) {
      for (const element of this.picture.querySelectorAll(place))
        this.overlays.push(markPlace(/** @type {SVGGraphicsElement} */ (element), chosen));
    }
    this.#watch();
  }

  /** Where the targets are; pins may be drawn after them. @param {Target[]} [targets] */
  #places(targets = this.targets) {
    return targets.map(({ place }) => this.find(place)).filter((element) => element !== null);
  }

  /** Count the targets that are out of sight. */
  #watch() {
    const things = this.picture?.querySelectorAll(THINGS) ?? [];
    const chosen = this.#places(this.targets.filter((target) => target.chosen));
    this.beyond.watch(this.#places(), chosen, [...things]);
  }

  /** Dim the places that the question does not allow; a touch there says why. */
  #dim() {
    this.#undim();
    if (this.picture) for (const place of closedPlaces(this.picture, this.targets)) place.classList.add("dimmed");
  }

  #undim() {
    for (const old of this.root.querySelectorAll(".dimmed")) old.classList.remove("dimmed");
  }

  /** Scroll to the first target when none is in sight; to be called when the panel has its size. */
  seek() {
    const isShown = this.#showWanted();
    this.wanted = "";
    if (isShown) return;
    const found = this.#places();
    if (found.length && !found.some((element) => this.viewport.shows(element))) this.viewport.reveal(found[0]);
  }

  /** Show as many targets as the window has room for. @param {Element | null} wanted what is to be seen, too */
  gather(wanted) {
    this.viewport.gather(this.#places(), wanted);
  }

  /** @param {string} name */
  goTo(name) {
    const section = this.sections.find((one) => one.name === name);
    if (this.viewport.isOverview) this.#look(false, `[data-section="${name}"]`);
    else if (section) this.viewport.scrollTo(section.element);
  }

  /** Show the whole board; when it is seen already, in the size to read or to touch. */
  fit() {
    if (this.viewport.isStrip) this.#look(!this.viewport.isOverview);
    else this.viewport.fit();
  }

  /**
   * A strip is seen as a whole in another arrangement: the page asks for that picture.
   * @param {boolean} asWhole @param {string} [wanted] what the picture is to show
   */
  #look(asWhole, wanted = "") {
    this.wanted = wanted;
    this.viewport.lookFromAfar(asWhole);
    this.host.dispatchEvent(new Event("resized"));
  }

  #showWanted() {
    const element = this.wanted && !this.viewport.isMoved && this.find(this.wanted);
    if (element) this.viewport.keep(element);
    return Boolean(element);
  }

  /**
   * Bring what asks into sight and mark it until the next call: a building, or a section.
   * @param {string | null} place the name of a section or a selector; null: nothing on the board asks
   */
  focusOn(place) {
    this.asking = place ?? "";
    this.#ring();
    const element = this.#asks();
    if (element) this.viewport.keep(element);
  }

  /** @returns {SVGGraphicsElement | null} */
  #asks() {
    if (!this.asking) return null;
    const section = this.sections.find(({ name }) => name === this.asking);
    return section?.element ?? (/^[a-z]+$/.test(this.asking) ? null : this.find(this.asking));
  }

  #ring() {
    this.ring?.remove();
    this.ring = null;
    const element = this.#asks();
    const section = this.sections.find((one) => element && one.element.contains(element));
    this.chips.ask(section?.name ?? "");
    // a whole section needs no frame: its chip is marked
    if (element && element !== section?.element) this.ring = ringAround(element);
  }

  /**
   * Draw what would stand on the board, until the next choice.
   * @param {Ghost[]} list
   */
  ghosts(list) {
    for (const { place, draw, seat } of list) {
      const at = this.find(place);
      if (at) this.overlays.push(ghostAt(at, draw, seat));
    }
  }

  /**
   * Write values at places, over what is there; an empty list takes them away. They stay until the next picture.
   * @param {{place: string, text: string, isBest: boolean}[]} list the best first: it lies over the others
   */
  values(list) {
    for (const old of this.worths) old.remove();
    this.worths = [];
    for (const { place, text, isBest } of list.toReversed()) {
      const at = this.find(place);
      if (at && this.picture) this.worths.push(valueAt(this.picture, at, text, isBest));
    }
  }

  /** @param {string} place @returns {SVGGraphicsElement | null} */
  find(place) {
    return this.picture?.querySelector(place) ?? null;
  }

  /**
   * Draw over the picture until the next call of `touch`.
   * @param {SVGElement} drawing
   * @param {Element} [within] the part of the picture whose measure it uses
   */
  overlay(drawing, within = /** @type {any} */ (this.picture)) {
    within.append(drawing);
    this.overlays.push(drawing);
  }

  /**
   * Put the sign of a seat on what is chosen: the move is seen before the server has answered.
   * @param {number} seat
   */
  stamp(seat) {
    const seal = this.find(`[id$="seal-${seat}"]`);
    if (!seal) return;
    for (const chosen of this.root.querySelectorAll(".touch.chosen, .pin.chosen"))
      this.overlays.push(stampOn(chosen, seal.id));
  }

  /** @param {EventTarget[]} path @returns {Target | undefined} */
  #hit(path) {
    for (const node of path) {
      if (node === this.root) break;
      const hit = node instanceof Element && this.targets.find(({ place }) => node.matches(place));
      if (hit) return hit;
    }
    return undefined;
  }

  /** @param {Event} event */
  #click(event) {
    const path = event.composedPath();
    const hit = this.#hit(path);
    if (this.#comesNear(event)) return;
    if (hit) hit.pick();
    else this.#inspect(path);
  }

  /** A finger means a place that is too small for it: the first touch shows it larger. @param {Event} event */
  #comesNear(event) {
    const place = isTouch(event) && nearest(this.#places(), /** @type {PointerEvent} */ (event));
    if (!place || !this.viewport.isSmall(place)) return false;
    const target = this.targets.find((one) => place.matches(one.place));
    if (this.viewport.isOverview) this.#look(false, target?.place);
    else this.viewport.approach(place);
    return true;
  }

  /** @param {EventTarget[]} path */
  #inspect(path) {
    const subject = subjectOf(path, this.root);
    if (subject) this.host.dispatchEvent(new CustomEvent("inspect", { detail: subject }));
  }

  /** What a thing of the picture is: its `data-` members and those around it. @param {Element} thing */
  subjectAt(thing) {
    return subjectOf(pathFrom(thing), this.root) ?? {};
  }

  /** A drawing of the picture by itself, for the panel. @param {string} href of a symbol of 100 by 100 */
  piece(href) {
    return pieceOf(this.find("defs"), this.root.adoptedStyleSheets, href);
  }

  /** The colour of the marks: that of the seat that is asked. @param {number | null} seat */
  colour(seat) {
    if (seat === null) this.host.removeAttribute("data-asked");
    else this.host.setAttribute("data-asked", String(seat));
  }

  /** Show everything again after a question that needed a closer look. */
  overview() {
    this.viewport.overview();
  }

  /**
   * @param {Element} element @param {number} [size] the least width in pixels
   * @param {(Element | null)[]} [others] what has to be in sight, too
   */
  reveal(element, size, others) {
    this.viewport.reveal(element, size, others);
  }

  /**
   * Show as much as possible, yet such parts at least this wide.
   * @param {Element} sample @param {number} size in pixels
   */
  fitFor(sample, size) {
    this.viewport.fitFor(sample, size);
  }
}
