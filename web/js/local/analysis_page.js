/**
 * The page `/analysis`: a board on which every seat is this person's, from the beginning of a game or from a link. A
 * link (`/analysis#…`) holds the whole line, so it opens on every device that can load the engine.
 */

import { note } from "../elements/announce.js";
import { button } from "../elements/button.js";
import { h, iconAt, show } from "../elements/dom.js";
import { Problem } from "../platform/api.js";
import { DamagedLink, decodeBoard } from "../platform/board_link.js";
import { has, t } from "../platform/i18n.js";
import { isKept } from "../platform/kept_files.js";
import { go } from "../platform/router.js";
import { beginBoard, openBoard } from "./desk.js";
import { keepSection, SIZE } from "./keep_button.js";
import { choice, findOffers, numbers } from "./offers.js";
import { withWords } from "./said_trouble.js";

/** A game to begin on the board: its seats and its options. @param {any} offer */
function offerOf({ name, title, seats, options }) {
  const count = choice(`board-seats-${name}`, t("ui.new.seats"), numbers(seats.from, seats.to), String(seats.from));
  const chosen = options.map((/** @type {any} */ option) => optionOf(name, option));
  const begin = () =>
    withWords(async () => {
      const wanted = chosen.map((/** @type {ChosenOption} */ { key, select }) => [key, JSON.parse(select.value)]);
      await go(`/games/${await beginBoard(name, Number(count.select.value), Object.fromEntries(wanted))}`);
    });
  return h(
    "section",
    { class: `offer game-${name}`, "aria-label": title },
    h("img", { src: iconAt(`${name}.svg`), alt: "", width: 96, height: 96 }),
    h("h3", { class: "title" }, title),
    count.element,
    chosen.map((/** @type {ChosenOption} */ { element }) => element),
    button(t("ui.lab.begin"), `board-${name}`, begin, "confirm"),
  );
}

/** @typedef {{key: string, select: HTMLSelectElement, element: HTMLElement}} ChosenOption */

/** @param {string} game @param {any} option @returns {ChosenOption} */
function optionOf(game, { name, values, text, default: usual }) {
  const said = values.map((/** @type {string | number} */ value) => {
    const key = `terms.${game}.options.${name}.values.${value}`;
    return [JSON.stringify(value), has(key) ? t(key) : String(value)];
  });
  return { key: name, ...choice(`board-${game}-${name}`, text, said, JSON.stringify(usual)) };
}

class AnalysisPage {
  constructor() {
    this.state = h("p", { class: "soft", role: "status" });
    this.place = h("div", {});
    this.element = h(
      "div",
      { class: "settings local" },
      h("h1", {}, t("ui.lab.title")),
      h("p", { class: "soft lead" }, t("ui.lab.lead")),
      this.state,
      this.place,
    );
  }

  /** The games, of which each can be tried from its beginning. */
  async offer() {
    show(this.state, t("ui.local.starting"));
    try {
      const games = await findOffers();
      show(this.place, h("div", { class: "offers" }, games.map(offerOf)));
    } finally {
      show(this.state);
    }
  }

  /** Open the board of a link; a device without the engine is asked before it loads it. @param {string} code */
  async receive(code) {
    const transcript = await decodeBoard(code).catch((error) => this.#refuse(error));
    if (!transcript) return;
    const open = () => withWords(() => this.#open(transcript));
    if (await isKept()) await open();
    else
      show(
        this.place,
        h("p", {}, t("ui.lab.needs", { n: SIZE })),
        h("div", { class: "buttons" }, button(t("ui.lab.open"), "open-board", open, "confirm")),
        keepSection(() => {}),
      );
  }

  /** @param {any} transcript */
  async #open(transcript) {
    show(this.state, t("ui.local.starting"));
    try {
      await go(`/games/${await openBoard(transcript)}`, { replace: true });
    } catch (error) {
      await this.#refuse(error);
    } finally {
      show(this.state);
    }
  }

  /** The link was changed, or cut off by what sent it. @param {unknown} error */
  async #refuse(error) {
    if (!(error instanceof DamagedLink || error instanceof Problem)) throw error;
    note(t("ui.lab.damaged"), "trouble");
    await withWords(() => this.offer());
    return null;
  }
}

/** @param {URL} url @returns {Promise<import("../platform/router.js").Page>} */
export async function analysisPage(url) {
  const page = new AnalysisPage();
  const code = url.hash.slice(1);
  (code ? page.receive(code) : withWords(() => page.offer())).catch(reportError);
  return { element: page.element, title: t("ui.lab.title") };
}
