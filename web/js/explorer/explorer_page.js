/** The explorer: what was played in a position, how it ended, by rating; as bars. */

import { h, show, svg } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { call } from "../platform/api.js";
import { language, t, titleOf } from "../platform/i18n.js";
import { rewrite } from "../platform/router.js";
import { nameAnswer } from "./answer_names.js";

const RATINGS = ["", "1300", "1500", "1700", "1900"];
const SEATS = ["2", "3", "4", "5"];

/** @typedef {Answer<"explore_position">} Explored */
/** @typedef {Explored["answers"][number]} Given */

class Explorer {
  /** @param {string} game @param {Record<string, string>} asked `position`, `seats`, `rating`; "" for what is not asked */
  constructor(game, asked) {
    this.game = game;
    this.asked = asked;
    this.turn = 0;
    this.list = h("div", { "aria-live": "polite" });
    this.filters = h("div", { class: "filters" });
    this.element = h(
      "div",
      { class: "profile explorer" },
      h("h1", {}, t("ui.explorer.title", { game: titleOf(game) })),
      this.#back(),
      this.filters,
      this.list,
      h("p", { class: "soft" }, t("ui.explorer.note")),
    );
  }

  /** The way back to the game of the position. */
  #back() {
    const [id, version] = this.asked.position.split("@");
    if (!version) return null;
    return h("p", {}, h("a", { class: "button plain", href: `/games/${id}?v=${version}` }, t("ui.explorer.back")));
  }

  async load() {
    this.turn += 1;
    const { turn } = this;
    const query = new URLSearchParams(Object.entries(this.asked).filter(([, value]) => value));
    /** @type {Explored} */
    const found = await call(`/explorer/${this.game}?${query}`);
    if (turn !== this.turn) return; // another choice was made meanwhile
    this.#filter(found);
    this.#draw(found);
  }

  /** @param {Explored} found */
  #filter(found) {
    const sizes = found.seats === null ? ["", ...SEATS] : SEATS;
    show(
      this.filters,
      this.#choice("rating", t("ui.explorer.rating"), RATINGS, (value) =>
        value ? t("ui.explorer.least", { rating: value }) : t("ui.explorer.all"),
      ),
      this.#choice(
        "seats",
        t("ui.explorer.seats"),
        sizes,
        (value) => value || t("ui.explorer.all"),
        String(found.seats ?? ""),
      ),
    );
  }

  /**
   * @param {string} name @param {string} label @param {string[]} values @param {(value: string) => string} say
   * @param {string} [now]
   */
  #choice(name, label, values, say, now = this.asked[name]) {
    const id = `explorer-${name}`;
    /** @type {HTMLSelectElement} */
    const select = h(
      "select",
      { id, "data-key": id, onchange: () => this.#choose(name, select.value) },
      values.map((value) => h("option", { value, selected: value === now }, say(value))),
    );
    return h("div", { class: "row" }, h("label", { for: id }, label), select);
  }

  /** @param {string} name @param {string} value */
  #choose(name, value) {
    this.asked = { ...this.asked, [name]: value };
    const query = new URLSearchParams(Object.entries(this.asked).filter(([, text]) => text));
    rewrite(`/explorer/${this.game}?${query}`);
    this.load().catch(explain);
  }

  /** @param {Explored} found */
  #draw({ keys, times, answers, learn, games }) {
    if (!times) {
      show(this.list, h("p", { class: "soft" }, t("ui.explorer.never", { games })));
      return;
    }
    const most = Math.max(...answers.map((one) => one.times));
    const [kind] = keys.wide.split("/");
    show(
      this.list,
      h("p", {}, t("ui.explorer.asked", { times, games })),
      h(
        "table",
        { class: "bars explored" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["answer", "times", "won", "score"].map((name) =>
              h("th", { scope: "col" }, t(`ui.explorer.columns.${name}`)),
            ),
          ),
        ),
        h(
          "tbody",
          {},
          answers.map((one) => drawRow(one, nameAnswer(this.game, kind, one), most)),
        ),
      ),
      learn.length
        ? h("section", {}, h("h2", {}, t("ui.explorer.learn")), h("ul", { class: "rows" }, learn.map(drawGame)))
        : null,
    );
  }
}

/** @param {Given} one @param {string} name @param {number} most */
function drawRow(one, name, most) {
  const { times, offered, won, score } = one;
  const format = (/** @type {Intl.NumberFormatOptions} */ how, /** @type {number} */ n) =>
    new Intl.NumberFormat(language(), how).format(n);
  const share = (/** @type {number} */ part, /** @type {number} */ whole) => format({ style: "percent" }, part / whole);
  return h(
    "tr",
    { "data-key": `answer-${one.answer}` },
    h(
      "th",
      { scope: "row" },
      name,
      svg(
        "svg",
        { class: "stripe", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
        svg("rect", { x: 0, y: 1, width: (100 * times) / Math.max(most, 1), height: 8 }),
      ),
    ),
    h("td", { title: t("ui.explorer.of", { times, offered }) }, offered ? share(times, offered) : "–"),
    h("td", {}, times ? share(won, times) : "–"),
    h("td", {}, score === null ? "–" : format({ maximumFractionDigits: 1 }, score)),
  );
}

/** @param {Explored["learn"][number]} game */
function drawGame({ id, rating, seats }) {
  const names = seats.map(({ name, score }) => `${name} ${score}`).join(" – ");
  return h(
    "li",
    {},
    h("a", { class: "what", href: `/games/${id}` }, names),
    rating === null ? null : h("span", { class: "soft" }, rating),
  );
}

/** @param {string} game @param {URL} url @returns {Promise<import("../platform/router.js").Page>} */
export async function explorerPage(game, { searchParams }) {
  const read = (/** @type {string} */ name) => searchParams.get(name) ?? "";
  const explorer = new Explorer(game, { position: read("position"), seats: read("seats"), rating: read("rating") });
  await explorer.load();
  return { element: explorer.element, title: t("ui.explorer.title", { game: titleOf(game) }) };
}
