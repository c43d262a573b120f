/** The beginning: the language, the frame around the pages, the first page. */

import "./early.js";
import { note } from "./elements/announce.js";
import { h, show } from "./elements/dom.js";
import { explain, isForgotten } from "./elements/errors.js";
import { Problem, Unreachable } from "./platform/api.js";
import { keepLanguage, LANGUAGES, language, preferred, speak, t } from "./platform/i18n.js";
import { me } from "./platform/identity.js";
import "./platform/install.js";
import { isLocal } from "./platform/local_games.js";
import { forgetForeseen } from "./platform/prefetch.js";
import "./inbox/turn_alerts.js";
import { Bell } from "./inbox/bell.js";
import { inbox } from "./inbox/inbox.js";
import { bindKeys } from "./keys/bindings.js";
import { tablePage } from "./pages/table_page.js";
import { askName } from "./people/guest_name.js";
import { applyLook } from "./platform/prefs.js";
import { reload, start } from "./platform/router.js";
import { keepShell } from "./platform/service_worker.js";
import { startCourier } from "./table/move_courier.js";

/** ms after which the first page has what it needs. */
const SEND_LATER = 5000;

/**
 * The pages other than the table are loaded when they are opened.
 * @param {URL} url @returns {Promise<import("./platform/router.js").Page>}
 */
async function pageOf(url) {
  const table = /^\/games\/([^/]+)\/?$/.exec(url.pathname)?.[1];
  if (table && isLocal(table)) return localTable(table, url);
  if (table) return tablePage(decodeURIComponent(table), url);
  const learnt = /^\/learn\/([^/]+)\/?$/.exec(url.pathname)?.[1];
  if (learnt) return (await load(import("./learn/learn_page.js"))).learnPage(decodeURIComponent(learnt), url);
  if (url.pathname === "/settings")
    return (await load(import("./settings/settings_page.js"))).settingsPage(url, change);
  if (url.pathname === "/analysis") return (await load(import("./local/analysis_page.js"))).analysisPage(url);
  if (url.pathname === "/local") return (await load(import("./local/local_page.js"))).localPage();
  if (url.pathname === "/lobby") return (await load(import("./pages/lobby_page.js"))).lobbyPage(url);
  if (url.pathname === "/new") return (await load(import("./pages/new_game_page.js"))).newGamePage(url);
  if (url.pathname === "/") return (await load(import("./pages/home_page.js"))).homePage();
  return (await load(import("./pages/missing_page.js"))).missingPage(url);
}

/** A table of this device: the engine in the browser answers for it. @param {string} id @param {URL} url */
async function localTable(id, url) {
  const { leaveGame, openDesk } = await load(import("./local/desk.js"));
  openDesk();
  const page = await tablePage(id, url);
  const close = () => {
    page.close?.();
    leaveGame(id);
  };
  return { ...page, close };
}

/** Games of this device go to the account: after the first page, and when the network is back. */
function startSending() {
  const send = () =>
    import("./local/sending.js").then(({ sendNew }) => sendNew()).catch((error) => console.info(String(error))); // the page of these games says what is wrong
  addEventListener("online", send);
  setTimeout(send, SEND_LATER);
}

/** @template T @param {Promise<T>} module @returns {Promise<T>} */
function load(module) {
  return module.catch((error) => {
    throw error instanceof TypeError ? new Unreachable(String(error)) : error;
  });
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
  if (!missing && !(error instanceof Unreachable) && !(error instanceof Problem)) console.error(error);
  const text = missing
    ? t("ui.errors.not_found")
    : error instanceof Unreachable
      ? t("ui.errors.unreachable")
      : String(error);
  return {
    title: t("ui.errors.title"),
    element: h(
      "div",
      { class: "sorry" },
      h("h1", {}, t("ui.errors.title")),
      h("p", {}, text),
      h(
        "div",
        { class: "buttons" },
        h("button", { class: "confirm", onclick: () => reload() }, t("ui.errors.again")),
        h("a", { class: "button", href: "/" }, t("ui.lobby.title")),
      ),
    ),
  };
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
    load(import("./keys/help.js")).then(({ showHelp }) => showHelp(), explain);
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
  if (event.reason instanceof Unreachable) {
    event.preventDefault(); // no fault of the program: say it, and go on
    note(t("ui.errors.unreachable"), "trouble");
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
  inbox.start();
  await start(open);
  startCourier();
  startSending();
  keepShell();
} catch (error) {
  speechless();
  throw error;
}
