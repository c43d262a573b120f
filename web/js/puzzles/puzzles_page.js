/** The page `/puzzles`: the puzzle of the day, the next one by game and theme, ratings, days in a row, what was answered. */

import { button } from "../elements/button.js";
import { h, iconAt, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { withPlayer } from "../people/guest_name.js";
import { Unreachable } from "../platform/api.js";
import { t, titleOf } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { isKept } from "../platform/kept_files.js";
import { go, reload } from "../platform/router.js";
import { drawMoments } from "../profile/learning.js";
import { findDaily, findMistakes, findNext, findSolved, listGames } from "./calls.js";
import { puzzleHistory } from "./history_page.js";
import { themeName } from "./themes.js";
import { puzzlesInTrain, trainSection } from "./train.js";

/** So many attempts stand below. */
const LATEST = 10;

/** @typedef {Answer<"show_learning">["moments"]} Mistakes */

const open = (/** @type {{id: string}} */ { id }) => go(`/puzzles/${id}`);

/** A game with puzzles: a theme to choose, and the next puzzle. @param {{game: string, themes: string[]}} offered */
function offerOf({ game, themes }) {
  const id = `theme-${game}`;
  /** @type {HTMLSelectElement} */
  const select = h(
    "select",
    { id, "data-key": id },
    h("option", { value: "" }, t("ui.puzzles.any")),
    themes.map((theme) => h("option", { value: theme }, themeName(game, theme))),
  );
  const begin = () => {
    const { value: theme } = select;
    return withPlayer(async () => open(await findNext(theme ? { game, theme } : { game })));
  };
  return h(
    "section",
    { class: `offer game-${game}`, "aria-label": titleOf(game) },
    h("img", { src: iconAt(`${game}.svg`), alt: "", width: 96, height: 96 }),
    h("h3", { class: "title" }, titleOf(game)),
    h("div", { class: "row" }, h("label", { for: id }, t("ui.puzzles.theme")), select),
    button(t("ui.puzzles.solve"), `solve-${game}`, begin, "confirm"),
    h("p", {}, h("a", { href: `/learn/${game}`, "data-key": `learn-${game}` }, t("ui.learn.link"))),
  );
}

/** @param {import("./calls.js").Solved} solved */
function standing({ ratings, streak, attempts }) {
  return [
    h("p", { class: "streak", "data-key": "streak" }, t("ui.puzzles.streak", { days: streak.days, best: streak.best })),
    h(
      "ul",
      { class: "puzzle-ratings" },
      ratings.map(({ game, rating }) => h("li", {}, t("ui.puzzles.rating_of", { game: titleOf(game), rating }))),
    ),
    ratings.length ? h("p", { class: "soft" }, t("ui.puzzles.rating_note")) : null,
    attempts.length ? h("h2", {}, t("ui.puzzles.answered")) : null,
    h("ol", { class: "puzzle-attempts" }, attempts.slice(0, LATEST).map(attemptOf)),
    attempts.length
      ? h(
          "p",
          {},
          h("a", { class: "button plain", href: "/puzzles?history", "data-key": "history" }, t("ui.puzzles.history")),
        )
      : null,
  ];
}

/** @param {import("./calls.js").Solved["attempts"][number]} attempt */
function attemptOf({ puzzle, game, right, change, rated }) {
  const by = change < 0 ? `−${-change}` : `+${change}`;
  const said = t(right ? "ui.puzzles.was_right" : "ui.puzzles.was_wrong", { game: titleOf(game) });
  return h("li", {}, h("a", { class: "button plain", href: `/puzzles/${puzzle}` }, rated ? `${said} ${by}` : said));
}

/** @param {URL} url @returns {Promise<import("../platform/router.js").Page>} */
export async function puzzlesPage(url) {
  if (url.searchParams.has("history")) return { element: await puzzleHistory(), title: t("ui.puzzles.history") };
  const element = await findPage();
  const again = () => reload().catch(explain); // what this device could say alone, the service says better
  return {
    element,
    title: t("ui.puzzles.title"),
    shown: () => addEventListener("online", again),
    close: () => removeEventListener("online", again),
  };
}

async function findPage() {
  if (!navigator.onLine) return puzzlesInTrain();
  try {
    const own = me() ? Promise.all([findSolved(), findMistakes()]) : null;
    const [{ games }, mine] = await Promise.all([listGames(), own]);
    return showPage(games, mine);
  } catch (error) {
    if (error instanceof Unreachable && (await isKept())) return puzzlesInTrain();
    throw error;
  }
}

/** @param {{game: string, themes: string[]}[]} games @param {[import("./calls.js").Solved, Mistakes] | null} mine */
function showPage(games, mine) {
  const daily = () => withPlayer(async () => open(await findDaily()));
  const own = h("section", { class: "puzzle-standing" });
  if (mine) show(own, drawMoments(mine[1]), standing(mine[0]));
  return h(
    "div",
    { class: "settings puzzles" },
    h("h1", {}, t("ui.puzzles.title")),
    h("p", { class: "soft lead" }, t("ui.puzzles.lead")),
    games.length
      ? h("p", {}, button(t("ui.puzzles.daily"), "daily", daily, "confirm"))
      : h("p", {}, t("ui.puzzles.none")),
    h("div", { class: "offers" }, games.map(offerOf)),
    own,
    games.length ? trainSection(games.length) : null,
  );
}
