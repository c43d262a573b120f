/**
 * The page that teaches a game, `/learn/<game>`: a guided first game, the rules in short, all
 * pieces. `#bribe/bribes` leads to the section about this decision, else about this phase.
 */

import { button } from "../elements/button.js";
import { calm, h } from "../elements/dom.js";
import { api, Problem } from "../platform/api.js";
import { t, titleOf } from "../platform/i18n.js";
import { loadGame } from "../play/game_module.js";
import { loadLesson, startGuided } from "./lesson.js";
import { lessonList } from "./lesson_list.js";
import { PieceOverview } from "./piece_overview.js";
import { piecesOfOthers, Rules, sectionOf } from "./rules.js";

/** @typedef {import("./lesson.js").Lesson} Lesson */

/** @param {Lesson} lesson */
function first({ guide, prepared }) {
  if (!guide || !prepared) return null;
  return h(
    "section",
    { class: "first", "aria-labelledby": "first" },
    h("h2", { id: "first" }, t("ui.learn.first")),
    h("p", {}, guide.lead),
    button(t("ui.learn.start"), "guide", () => startGuided(prepared), "confirm"),
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

/** @param {HTMLElement} element @param {string} hash */
function goToSection(element, hash) {
  const section = hash ? sectionOf(element, hash) : null;
  if (!section) return;
  section.scrollIntoView({ behavior: calm() ? "instant" : "smooth" });
  section.focus({ preventScroll: true });
}

/**
 * @param {string} game @param {URL} url
 * @returns {Promise<import("../platform/router.js").Page>}
 */
export async function learnPage(game, url) {
  const { games } = await api.catalogue();
  const offer = games.find(({ name }) => name === game);
  if (!offer) throw new Problem({ status: 404, code: "not_found" });
  const wanted = url.searchParams.get("lesson");
  if (wanted) return (await import("./lesson_player.js")).lessonPage(game, wanted);
  const [lesson, others, lessons] = await Promise.all([
    loadLesson(game),
    piecesOfOthers(game, offer.options),
    lessonList(game),
    loadGame(game),
  ]);
  const rules = new Rules(lesson);
  const overview = new PieceOverview(game, offer.options, (pieces) => rules.fill(pieces, others));
  const title = t("ui.learn.title", { game: titleOf(game) });
  const element = h(
    "div",
    { class: "learn" },
    h("h1", {}, title),
    first(lesson),
    lessons,
    contents(lesson),
    rules.sections,
    h(
      "section",
      { id: "pieces", class: "rule", tabindex: "-1", "aria-labelledby": "title-pieces" },
      h("h2", { id: "title-pieces" }, t("ui.learn.pieces")),
      overview.element,
    ),
    h(
      "p",
      {},
      h("a", { class: "button", href: `/new?game=${game}` }, t("ui.lobby.new")),
      h("a", { class: "button plain", href: "/puzzles", "data-key": "puzzles" }, t("ui.puzzles.title")),
    ),
  );
  await overview.load();
  return {
    element,
    title,
    shown: () => requestAnimationFrame(() => goToSection(element, url.hash)),
    update: (next) => {
      if (next.pathname !== url.pathname || next.searchParams.has("lesson")) return false;
      goToSection(element, next.hash);
      return true;
    },
  };
}
