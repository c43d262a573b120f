/** The beginning: the language, the frame around the pages, the first page. */

import "./early.js";
import { forgetForeseen } from "./ahead.js";
import { note } from "./announce.js";
import { Problem, Unreachable } from "./api.js";
import { h, show } from "./dom.js";
import { explain, isForgotten } from "./explain.js";
import { keepLanguage, LANGUAGES, language, preferred, speak, t } from "./i18n.js";
import { me } from "./identity.js";
import "./inbox/attention.js";
import { Bell } from "./inbox/bell.js";
import { inbox } from "./inbox/inbox.js";
import { askName } from "./pages/name.js";
import { bindKeys } from "./keys/keys.js";
import { tablePage } from "./pages/table.js";
import { applyLook } from "./prefs.js";
import { reload, start } from "./router.js";
import { keepShell } from "./shell.js";
import { startCourier } from "./table/courier.js";

/**
 * The pages beside the table are loaded when somebody goes there.
 * @param {URL} url @returns {Promise<import("./router.js").Page>}
 */
async function pageOf(url) {
  const table = /^\/games\/([^/]+)\/?$/.exec(url.pathname)?.[1];
  if (table) return tablePage(decodeURIComponent(table), url);
  const learnt = /^\/learn\/([^/]+)\/?$/.exec(url.pathname)?.[1];
  if (learnt) return (await load(import("./learn/page.js"))).learnPage(decodeURIComponent(learnt), url);
  if (url.pathname === "/settings") return (await load(import("./settings/page.js"))).settingsPage(url, change);
  if (url.pathname === "/lobby") return (await load(import("./pages/lobby.js"))).lobbyPage(url);
  if (url.pathname === "/new") return (await load(import("./pages/newgame.js"))).newGamePage(url);
  if (url.pathname === "/") return (await load(import("./pages/home.js"))).homePage();
  return (await load(import("./pages/missing.js"))).missingPage(url);
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
 * @returns {Promise<import("./router.js").Page>}
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

/** @param {unknown} error @returns {import("./router.js").Page} */
function sorry(error) {
  const missing = error instanceof Problem && error.status === 404;
  if (!missing && !(error instanceof Unreachable) && !(error instanceof Problem))
    console.error(error);
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
        h(
          "button",
          { type: "button", class: "confirm", onclick: () => reload() },
          t("ui.errors.again"),
        ),
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
  const button = h("button", { type: "button", class: "plain player", title, "data-key": "player" }, player.name);
  button.addEventListener("click", () => askName());
  return button;
}

/** The bar at the top: home, the player, the language. */
function frame() {
  const select = /** @type {HTMLSelectElement} */ (
    h(
      "select",
      { id: "language", "data-key": "language", onchange: () => change(select.value) },
      Object.entries(LANGUAGES).map(([tag, name]) =>
        h("option", { value: tag, lang: tag, selected: tag === language() }, name),
      ),
    )
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

/** @type {import("./keys/keys.js").Keys} */
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
  const again = h("button", { type: "button", onclick: () => location.reload() }, "Try again");
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
  keepShell();
} catch (error) {
  speechless();
  throw error;
}
