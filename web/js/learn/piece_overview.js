/** All pieces of a game under its options: pictures, prices, points, effects. */

import { h, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { api, file } from "../platform/api.js";
import { has, labelled, language, t } from "../platform/i18n.js";
import { prefs } from "../platform/prefs.js";
import { goods } from "../play/goods.js";

/** @typedef {import("../play/pieces.js").Piece & {copies?: number}} Piece */
/** @typedef {{name: string, values: (string | number)[], default: string | number, text: string}} GameOption */

export class PieceOverview {
  /** @param {string} game @param {GameOption[]} options @param {(pieces: Piece[]) => void} shown the pieces under other options */
  constructor(game, options, shown) {
    this.game = game;
    this.shown = shown;
    this.options = options;
    /** Counts the questions: the pieces of options that were changed again are not shown. */
    this.turn = 0;
    this.list = h("div", { class: "pieces" });
    this.choice = h(
      "div",
      { class: "choice" },
      options.map((option) => this.#select(option)),
    );
    this.element = h("div", { class: "overview" }, this.choice, this.list);
  }

  /** @param {GameOption} option */
  #select({ name, values, text, default: usual }) {
    const words = `terms.${this.game}.options.${name}.values`;
    const label = (/** @type {string | number} */ value) =>
      has(`${words}.${value}`) ? t(`${words}.${value}`) : String(value);
    return h(
      "label",
      {},
      text,
      " ",
      h(
        "select",
        { name, "data-key": `option-${name}`, onchange: () => this.load().catch(explain) },
        values.map((value) => h("option", { value, selected: value === usual }, label(value))),
      ),
    );
  }

  get #chosen() {
    /** @type {NodeListOf<HTMLSelectElement>} */
    const selects = this.choice.querySelectorAll("select");
    return Object.fromEntries([...selects].map(({ name, value }) => [name, value]));
  }

  async load() {
    this.turn += 1;
    const { turn } = this;
    const chosen = this.#chosen;
    const address = this.#sheet(chosen);
    const [{ pieces }, drawn] = await Promise.all([api.pieces(this.game, chosen), namesOn(address)]);
    if (turn !== this.turn) return;
    this.shown(pieces);
    /** @type {Map<string, Piece[]>} */
    const kinds = new Map();
    for (const piece of pieces) kinds.set(piece.kind, [...(kinds.get(piece.kind) ?? []), piece]);
    show(
      this.list,
      [...kinds].map(([kind, all]) => this.#group(kind, all, drawn, address)),
    );
  }

  /** @param {Record<string, string>} chosen */
  #sheet(chosen) {
    const look = prefs().look;
    const theme = look === "light" || look === "dark" ? look : "auto";
    return `/learn/${this.game}/pieces.svg?${new URLSearchParams({ ...chosen, lang: language(), theme })}`;
  }

  /** @param {string} kind @param {Piece[]} pieces @param {Set<string>} drawn @param {string} address */
  #group(kind, pieces, drawn, address) {
    const key = `ui.${this.game}.kinds.${kind}`;
    return h(
      "div", // no landmark: a chapter of the rules may have the same title
      { class: `kind kind-${kind}` },
      h("h3", { id: `kind-${kind}` }, has(key) ? t(key) : kind),
      h(
        "ul",
        {},
        pieces.map((piece) => entry(piece, drawn.has(piece.id) ? `${address}#${piece.id}` : "")),
      ),
    );
  }
}

/** The pieces that a sheet shows, none where the game has no sheet. @param {string} address */
async function namesOn(address) {
  const drawing = await file(address).catch(() => "");
  return new Set([...drawing.matchAll(/<view id="([^"]+)"/g)].map((found) => found[1]));
}

/** @param {Piece} piece @param {string} picture its address, "" without a picture */
function entry(piece, picture) {
  const { id, column, name, effect, price, points, favours, owner, copies } = piece;
  const gain = { ...(points && { prestige: points }), ...(favours && { favour: favours }) };
  return h(
    "li",
    { class: "piece-entry", "data-piece": id, "data-column": column, "data-points": points },
    picture ? h("img", { src: picture, alt: "", loading: "lazy" }) : null,
    piece.kind === "good" ? goods({ [id]: 1 }) : null,
    h(
      "div",
      {},
      h("h4", {}, name, column ? ` ${column}` : "", copies && copies > 1 ? ` × ${copies}` : ""),
      effect ? h("p", {}, effect) : null,
      price ? h("p", {}, labelled(t("ui.card.price"), ""), goods(price)) : null,
      Object.keys(gain).length ? h("p", {}, labelled(t("ui.card.worth"), ""), goods(gain)) : null,
      owner ? h("p", {}, labelled(t("ui.card.owner_gets"), ""), owner) : null,
    ),
  );
}
