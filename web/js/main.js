/** The beginning: the language, the frame around the pages, the first page. */

import "./early.js";
import { h, show } from "./elements/dom.js";
import { explain, isForgotten, isMissingPart, partMissing } from "./elements/errors.js";
import { Problem, Unreachable } from "./platform/api.js";
import { keepLanguage, LANGUAGES, language, preferred, speak, t } from "./platform/i18n.js";
import { followOtherTabs, me } from "./platform/identity.js";
import "./platform/install.js";
import { isLocal } from "./platform/local_games.js";
import { forgetForeseen } from "./platform/prefetch.js";
import "./inbox/turn_alerts.js";
import { Bell } from "./inbox/bell.js";
import { inbox } from "./inbox/inbox.js";
import { bindKeys } from "./keys/bindings.js";
import { homePage } from "./pages/home_page.js";
import { tablePage } from "./pages/table_page.js";
import { askName } from "./people/guest_name.js";
import { applyLook } from "./platform/prefs.js";
import { reload, start } from "./platform/router.js";
import { keepShell } from "./platform/service_worker.js";
import { startCourier } from "./table/move_courier.js";

/** ms after which the first page has what it needs. */
const LATER = 5000;

/**
 * The pages other than home and the table are in the file that comes later (`script/bundler`).
 * @param {URL} url @returns {Promise<import("./platform/router.js").Page>}
 */
async function pageOf(url) {
  const table = /^\/games\/([^/]+)\/?$/.exec(url.pathname)?.[1];
  if (table && isLocal(table)) return localTable(table, url);
  if (table) return tablePage(decodeURIComponent(table), url);
  const learnt = /^\/learn\/([^/]+)\/?$/.exec(url.pathname)?.[1];
  if (learnt) return (await import("./learn/learn_page.js")).learnPage(decodeURIComponent(learnt), url);
  const player = /^\/players\/([^/]+)\/?$/.exec(url.pathname)?.[1];
  if (player) return (await import("./profile/profile_page.js")).profilePage(decodeURIComponent(player));
  const ranked = /^\/leaderboards\/([^/]+)\/?$/.exec(url.pathname)?.[1];
  if (ranked) return (await import("./profile/leaderboard_page.js")).leaderboardPage(decodeURIComponent(ranked), url);
  const explored = /^\/explorer\/([^/]+)\/?$/.exec(url.pathname)?.[1];
  if (explored) return (await import("./explorer/explorer_page.js")).explorerPage(decodeURIComponent(explored), url);
  if (/^\/tournaments(\/[^/]+)?\/?$/.test(url.pathname))
    return (await import("./tournaments/tournament_pages.js")).openTournaments(url);
  if (/^\/studies(\/[^/]+)?\/?$/.test(url.pathname)) return (await import("./studies/study_pages.js")).openStudies(url);
  if (url.pathname === "/settings" && url.searchParams.has("notices"))
    return (await import("./notices/notices_page.js")).noticesPage();
  if (url.pathname === "/settings" && url.searchParams.has("bot"))
    return (await import("./notices/bot_page.js")).botPage(url.searchParams.get("bot") ?? "");
  if (url.pathname === "/settings") return (await import("./settings/settings_page.js")).settingsPage(url, change);
  if (url.pathname === "/admin") return (await import("./admin/admin_page.js")).adminPage(url);
  if (url.pathname === "/analysis") return (await import("./local/analysis_page.js")).analysisPage(url);
  if (url.pathname === "/local") return (await import("./local/local_page.js")).localPage();
  const puzzle = /^\/puzzles\/([^/]+)\/?$/.exec(url.pathname)?.[1];
  if (puzzle) return (await import("./puzzles/puzzle_page.js")).puzzlePage(decodeURIComponent(puzzle));
  if (url.pathname === "/puzzles") return (await import("./puzzles/puzzles_page.js")).puzzlesPage(url);
  if (url.pathname === "/lobby") return (await import("./pages/lobby_page.js")).lobbyPage(url);
  if (url.pathname === "/new") return (await import("./pages/new_game_page.js")).newGamePage(url);
  if (url.pathname === "/") return homePage();
  return (await import("./pages/missing_page.js")).missingPage(url);
}

/** A table of this device: the engine in the browser answers for it. @param {string} id @param {URL} url */
async function localTable(id, url) {
  const { leaveGame, openDesk } = await import("./local/desk.js");
  openDesk();
  const page = await tablePage(id, url);
  const close = () => {
    page.close?.();
    leaveGame(id);
  };
  return { ...page, close };
}

/**
 * What may wait until the first page is shown, and until the network is back: it is in the later file, so that this
 * file is there before a part of it is opened.
 */
function startLater() {
  const begin = () =>
    import("./late.js").then(({ startLate }) => startLate()).catch((error) => console.info(String(error))); // tried again at the next visit
  addEventListener("online", begin);
  setTimeout(begin, LATER);
}

/**
 * The page of an address, or a page that says why it does not exist.
 * @param {URL} url
 * @returns {Promise<import("./platform/router.js").Page>}
 */
async function open(url) {
  try {
    return await pageOf(url);
  } catch (error) {
    if (isForgotten(error)) {
      explain(error);
      return pageOf(url);
    }
    return sorry(error);
  }
}

/** @param {unknown} error @returns {import("./platform/router.js").Page} */
function sorry(error) {
  const missing = error instanceof Problem && error.status === 404;
  const lacksPart = isMissingPart(error);
  if (!(lacksPart || error instanceof Unreachable || error instanceof Problem)) console.error(error);
  // The code in this tab may be older than the files of the service: another try needs the page of today.
  const again = () => (lacksPart ? location.reload() : reload());
  return {
    title: t("ui.errors.title"),
    element: h(
      "div",
      { class: "sorry" },
      h("h1", {}, t("ui.errors.title")),
      h("p", {}, missing ? t("ui.errors.not_found") : whyNot(error)),
      h(
        "div",
        { class: "buttons" },
        h("button", { class: "confirm", onclick: again }, t("ui.errors.again")),
        h("a", { class: "button", href: "/" }, t("ui.lobby.title")),
      ),
    ),
  };
}

/** @param {unknown} error */
function whyNot(error) {
  if (isMissingPart(error)) return partMissing();
  return error instanceof Unreachable ? t("ui.errors.unreachable") : String(error);
}

/** The name of the player, which a touch changes; before there is a player: the settings. */
function who() {
  const player = me();
  if (!player) return h("a", { class: "player", href: "/settings" }, t("ui.settings.title"));
  const title = t("ui.home.rename");
  const button = h("button", { class: "plain player", dir: "auto", title, "data-key": "player" }, player.name);
  button.addEventListener("click", () => askName());
  return button;
}

/** The bar at the top: home, the player, the language. */
function frame() {
  /** @type {HTMLSelectElement} */
  const select = h(
    "select",
    { id: "language", "data-key": "language", onchange: () => change(select.value) },
    Object.entries(LANGUAGES).map(([tag, name]) =>
      h("option", { value: tag, lang: tag, selected: tag === language() }, name),
    ),
  );
  show(
    /** @type {HTMLElement} */ (document.getElementById("top")),
    h("a", { class: "brand", href: "/" }, "Cartulary"),
    me() ? bell.element : null,
    who(),
    h("label", { for: "language", class: "spoken" }, t("ui.language")),
    select,
  );
}

/** @param {string} tag */
async function change(tag) {
  forgetForeseen();
  keepLanguage(tag);
  await speak(tag);
  frame();
  bell.render();
  await reload();
}

/** @type {import("./keys/bindings.js").Keys} */
const everywhere = {
  "?": () => {
    import("./keys/help.js").then(({ showHelp }) => showHelp(), explain);
    return true;
  },
};
bindKeys(everywhere);

document.addEventListener("renamed", frame);
document.addEventListener("player", () => {
  forgetForeseen();
  frame();
  inbox.start();
});
addEventListener("unhandledrejection", (event) => {
  if (event.reason instanceof Unreachable || isMissingPart(event.reason)) {
    event.preventDefault(); // no fault of the program: say it, and go on
    explain(event.reason);
  }
});

/** @type {Bell} */
let bell;

/** Without its words the client can only say one thing. */
function speechless() {
  const again = h("button", { onclick: () => location.reload() }, "Try again");
  const main = /** @type {HTMLElement} */ (document.getElementById("main"));
  show(main, h("div", { class: "sorry" }, h("p", {}, "The server cannot be reached."), again));
}

try {
  applyLook();
  await speak(preferred());
  bell = new Bell();
  frame();
  followOtherTabs();
  inbox.start();
  await start(open);
  startCourier();
  startLater();
  keepShell();
} catch (error) {
  speechless();
  throw error;
}
