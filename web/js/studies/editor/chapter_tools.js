/** The chapters: their names, removal, a new one from a game that is over or from the beginning of a game. */

import { button } from "../../elements/button.js";
import { ask, prompt } from "../../elements/dialog.js";
import { h, show } from "../../elements/dom.js";
import { explain } from "../../elements/errors.js";
import { api } from "../../platform/api.js";
import { t } from "../../platform/i18n.js";
import { loadGame } from "../../play/game_module.js";
import { optionFields, readOptions } from "../../settings/game_options.js";
import { faultPlace, field, submit } from "./fields.js";

const FORMAT = "cartulary/1";

/** @typedef {import("../../play/game_module.js").Opening} Opening */

export class ChapterTools {
  /** @param {import("./fields.js").EditedStudy} page @param {import("./drafts.js").Drafts} drafts */
  constructor(page, drafts) {
    this.page = page;
    this.drafts = drafts;
    this.isAtWork = false;
    this.state = h("p", { class: "soft", role: "status" });
    /** A chapter that is being set up: it stays while the page is drawn again. */
    this.fresh = h("div", {});
  }

  draw() {
    return [
      this.page.chapter ? this.#naming(this.page.chapter) : null,
      h(
        "div",
        { class: "buttons" },
        button(t("ui.studies.new_chapter"), "new-chapter", () => this.#addPlayed()),
        button(t("ui.studies.fresh_chapter"), "fresh-chapter", () => this.#setUp()),
      ),
      this.fresh,
    ];
  }

  refresh() {
    const { chapter } = this.page;
    const isOvertaken = chapter && this.drafts.isOvertaken(`chapter ${chapter.chapter}`, chapter.title);
    this.state.textContent = isOvertaken ? t("ui.studies.overtaken") : "";
  }

  /** @param {import("../reading/study_tree.js").StudyChapter} chapter */
  #naming({ chapter, title }) {
    const { drafts, page } = this;
    const name = `chapter ${chapter}`;
    const stored = () => page.document.chapters.find((/** @type {any} */ one) => one.chapter === chapter)?.title ?? "";
    const input = h("input", { value: drafts.read(name, title), maxlength: 100, "data-key": "chapter-title" });
    input.addEventListener("input", () => drafts.write(name, input.value, stored()));
    const save = () =>
      submit(form, async () => {
        await page.store([{ type: "chapter_renamed", chapter, title: input.value }]);
        drafts.drop(name);
        await page.render();
      });
    const form = h(
      "div",
      {},
      field(input, t("ui.studies.chapter_name"), "/title"),
      this.state,
      h(
        "div",
        { class: "buttons" },
        button(t("ui.studies.remove_chapter"), "remove-chapter", () => this.#remove(chapter)),
        button(t("ui.studies.save_terms"), "save-chapter", save),
      ),
    );
    this.refresh();
    return form;
  }

  /** @param {number} chapter */
  async #remove(chapter) {
    const words = t("ui.studies.remove_chapter");
    if (await ask(words, t("ui.studies.remove_all_of"), words))
      await this.page.change([{ type: "chapter_removed", chapter }]);
  }

  get #nextTitle() {
    return t("ui.studies.chapter", { n: this.page.document.chapters.length + 1 });
  }

  /** @param {import("../reading/study_calls.js").Change} source */
  async #add(source) {
    const { page } = this;
    await page.store([{ type: "chapter_added", ...source }]);
    show(this.fresh);
    await page.go(page.document.chapters.at(-1).node);
  }

  async #addPlayed() {
    const address = await prompt(t("ui.studies.new_chapter"), t("ui.studies.game"), t("ui.studies.begin"));
    if (!address) return;
    const game = address
      .trim()
      .replace(/[?#].*$/, "")
      .split("/")
      .at(-1);
    await this.#add({ title: this.#nextTitle, game });
  }

  async #setUp() {
    const { games } = await api.catalogue();
    const openings = await Promise.all(games.map(async ({ name }) => (await loadGame(name)).opening));
    const offers = games.filter((_, at) => openings[at]);
    const form = new FreshChapter(offers, this.#nextTitle, (source) => this.#add(source));
    await form.pick(offers[0]);
    const end = button(t("ui.cancel"), "end-fresh", () => show(this.fresh), "plain");
    show(this.fresh, form.element, h("div", { class: "buttons" }, end, form.confirm));
    this.fresh.scrollIntoView({ block: "nearest" });
  }
}

/** The beginning of a game as a chapter: which game, how many seats, its options, and what chance brings. */
class FreshChapter {
  /** @param {Offer[]} offers @param {string} title @param {(source: Record<string, any>) => Promise<void>} store */
  constructor(offers, title, store) {
    this.offers = offers;
    this.store = store;
    this.offer = offers[0];
    /** @type {Opening | null} */
    this.opening = null;
    /** What chance brings, in its order. @type {string[]} */
    this.drawn = [];
    this.title = h("input", { value: title, maxlength: 100, "data-key": "fresh-title" });
    this.place = h("div", {});
    this.element = h(
      "form",
      { class: "study-form" },
      field(this.title, t("ui.studies.chapter_name"), "/content/title"),
      this.place,
    );
    this.element.addEventListener("submit", (event) => event.preventDefault());
    this.confirm = button(t("ui.studies.begin"), "begin-fresh", () => this.#begin(), "confirm");
  }

  /** @param {Offer} offer */
  async pick(offer) {
    this.offer = offer;
    const { from, to } = offer.seats;
    const counts = Array.from({ length: to - from + 1 }, (_, at) => String(from + at));
    const games = this.offers.map(({ name, title }) => [name, title]);
    const choose = (/** @type {string} */ name) =>
      this.pick(this.offers.find((one) => one.name === name) ?? offer).catch(explain);
    this.game = select("fresh-game", games, offer.name, choose);
    this.seats = select(
      "fresh-seats",
      counts.map((n) => [n, n]),
      counts[0],
      () => {},
    );
    this.options = h("div", {}, optionFields(offer));
    this.options.addEventListener("change", () => this.#open().catch(explain));
    this.chance = h("div", {});
    show(
      this.place,
      field(this.game, t("ui.new.game"), "/game"),
      field(this.seats, t("ui.new.seats"), "/seats"),
      this.options,
      this.chance,
      faultPlace("/content"),
    );
    await this.#open();
  }

  get #chosen() {
    return readOptions(this.offer, new FormData(this.element));
  }

  /** Ask for the pieces under the options, and draw. */
  async #open() {
    const { name } = this.offer;
    const { pieces } = await api.pieces(name, this.#chosen);
    const module = await loadGame(name);
    this.opening = module.opening?.(pieces) ?? null;
    const ids = this.opening?.ids ?? [];
    this.drawn = ids
      .map((id) => ({ id, by: Math.random() }))
      .sort((one, other) => one.by - other.by)
      .map(({ id }) => id);
    this.#show();
  }

  /** One list for each thing that is drawn; who chooses one that has another place changes the two. */
  #show() {
    const { opening, drawn } = this;
    if (!opening) return;
    const { label, many, named } = opening;
    const swap = (/** @type {number} */ at, /** @type {string} */ id) => {
      const other = drawn.indexOf(id);
      [drawn[at], drawn[other]] = [drawn[other], drawn[at]];
      this.#show();
    };
    const lists = Array.from({ length: many }, (_, at) => {
      const list = select(`fresh-drawn-${at}`, Object.entries(named), drawn[at], (id) => swap(at, id));
      list.setAttribute("aria-label", many > 1 ? `${label} ${at + 1}` : label);
      return list;
    });
    show(/** @type {HTMLElement} */ (this.chance), h("fieldset", {}, h("legend", {}, label), lists));
  }

  async #begin() {
    const { opening, drawn, offer } = this;
    if (!opening) return;
    const seats = Number(this.seats?.value);
    const start = {
      format: FORMAT,
      game: offer.name,
      options: this.#chosen,
      seats,
      moves: [],
      ...opening.start(drawn.slice(0, opening.many), seats),
    };
    const content = { title: this.title.value, start, line: [] };
    await submit(this.element, () => this.store({ content }));
  }
}

/** @param {string} key @param {string[][]} options value and words of each @param {string} chosen @param {(value: string) => void} act */
function select(key, options, chosen, act) {
  /** @type {HTMLSelectElement} */
  const made = h(
    "select",
    { "data-key": key, onchange: () => act(made.value) },
    options.map(([value, words]) => h("option", { value, selected: value === chosen }, words)),
  );
  return made;
}
