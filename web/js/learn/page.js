/**
 * The page of somebody who learns a game, `/learn/<game>`: a guided first game, the rules in short, all
 * pieces. `#bribe/bribes` leads to the section about this decision, else about this phase.
 *
 * This module is used when somebody opens the page.
 */

import { api, Problem } from "../api.js";
import { h } from "../dom.js";
import { explain } from "../explain.js";
import { calm } from "../dom.js";
import { t, titleOf } from "../i18n.js";
import { goods } from "../play/goods.js";
import { loadGame } from "../play/index.js";
import { loadLesson, startGuided } from "./lesson.js";
import { Overview } from "./pieces.js";

/** @typedef {import("./lesson.js").Lesson} Lesson */

const GOODS = ["food", "wood", "stone", "cloth", "gold"];

/** @param {Lesson} lesson */
function first({ guide, prepared }) {
  if (!guide || !prepared) return null;
  const start = () => startGuided(prepared).catch(explain);
  return h(
    "section",
    { class: "first", "aria-labelledby": "first" },
    h("h2", { id: "first" }, t("ui.learn.first")),
    h("p", {}, guide.lead),
    h("button", { type: "button", class: "confirm", "data-key": "guide", onclick: start }, t("ui.learn.start")),
  );
}

/** @param {Lesson} lesson */
function rules({ rules: sections }) {
  if (!sections) return null;
  return Object.entries(sections).map(([id, { title, text }]) =>
    h(
      "section",
      { class: "rule", id, tabindex: "-1", "aria-labelledby": `title-${id}` },
      h("h2", { id: `title-${id}` }, title),
      text.split("\n").map((paragraph) => h("p", {}, paragraph)),
    ),
  );
}

/** @param {Lesson} lesson */
function contents({ rules: sections = {} }) {
  const links = Object.entries(sections).map(([id, { title }]) => ({ id, title }));
  return h(
    "nav",
    { class: "contents", "aria-label": t("ui.learn.contents") },
    h(
      "ul",
      {},
      [...links, { id: "pieces", title: t("ui.learn.pieces") }].map(({ id, title }) =>
        h("li", {}, h("a", { href: `#${id}` }, title)),
      ),
    ),
  );
}

/** The goods of a game that has such, with their drawings. @param {string} game */
function goodsOf(game) {
  if (game !== "caylus") return null;
  return h(
    "section",
    { class: "kind", "aria-labelledby": "kind-goods" },
    h("h3", { id: "kind-goods" }, t("ui.learn.goods")),
    h("ul", { class: "goods-list" }, GOODS.map((one) => h("li", {}, goods({ [one]: 1 }), " ", t(`terms.caylus.goods.${one}`)))),
  );
}

/**
 * The section that an address wants: the first of `bribe/bribes` that there is; `favour_cubes` is a
 * part of `favour`.
 * @param {HTMLElement} element @param {string} hash
 */
function sectionOf(element, hash) {
  const sections = [...element.querySelectorAll("section[id]")];
  for (const wanted of decodeURIComponent(hash.slice(1)).split("/")) {
    const found = sections.find(({ id }) => wanted === id || wanted.startsWith(`${id}_`));
    if (found) return /** @type {HTMLElement} */ (found);
  }
  return null;
}

/** @param {HTMLElement} element @param {string} hash */
function goToSection(element, hash) {
  const section = hash ? sectionOf(element, hash) : null;
  if (!section) return;
  section.scrollIntoView({ behavior: calm() ? "instant" : "smooth" });
  section.focus({ preventScroll: true });
}

/**
 * @param {string} game @param {URL} url
 * @returns {Promise<import("../router.js").Page>}
 */
export async function learnPage(game, url) {
  const { games } = await api.catalogue();
  const offer = games.find((/** @type {any} */ { name }) => name === game);
  if (!offer) throw new Problem({ status: 404, code: "not_found" });
  const [lesson] = await Promise.all([loadLesson(game), loadGame(game)]);
  const overview = new Overview(game, offer.options);
  const title = t("ui.learn.title", { game: titleOf(game) });
  const element = h(
    "div",
    { class: "learn" },
    h("h1", {}, title),
    first(lesson),
    contents(lesson),
    rules(lesson),
    h(
      "section",
      { id: "pieces", class: "rule", tabindex: "-1", "aria-labelledby": "title-pieces" },
      h("h2", { id: "title-pieces" }, t("ui.learn.pieces")),
      goodsOf(game),
      overview.element,
    ),
    h("p", {}, h("a", { class: "button", href: `/new?game=${game}` }, t("ui.lobby.new"))),
  );
  await overview.load();
  return {
    element,
    title,
    shown: () => requestAnimationFrame(() => goToSection(element, url.hash)),
    update: (next) => {
      if (next.pathname !== url.pathname) return false;
      goToSection(element, next.hash);
      return true;
    },
  };
}
