/** The page of the operators: reports, players, tables that wait, what was decided. Others find a form for a token. */

import { h, show } from "../elements/dom.js";
import { t } from "../platform/i18n.js";
import { forgetOperatorToken, keepOperatorToken, operatorToken } from "../platform/operator_token.js";
import { whenRefused } from "./calls.js";
import { logPart } from "./decisions.js";
import { playersPart } from "./players.js";
import { reportsPart } from "./reports.js";
import { tablesPart } from "./tables.js";

/** @type {Record<string, () => HTMLElement>} */
const PARTS = { reports: reportsPart, players: playersPart, tables: tablesPart, log: logPart };

/** @param {URL} url with `#token=…`, once @returns {Promise<import("../platform/router.js").Page>} */
export async function adminPage(url) {
  const given = new URLSearchParams(url.hash.slice(1)).get("token");
  if (given) {
    keepOperatorToken(given);
    history.replaceState(null, "", "/admin"); // no secret in the history
  }
  const title = t("ui.admin.title");
  const place = h("div");
  const ask = () => show(place, tokenForm(open));
  const open = () => show(place, desks(ask));
  whenRefused(ask);
  if (operatorToken()) open();
  else ask();
  return { element: h("div", { class: "settings admin" }, h("h1", {}, title), place), title };
}

/** A text in which `commands` stand between backticks. @param {string} text @returns {Child[]} */
function withCode(text) {
  return text.split("`").map((part, at) => (at % 2 ? h("code", {}, part) : part));
}

/** @param {() => void} done */
function tokenForm(done) {
  /** @type {HTMLInputElement} */
  const field = h("input", { id: "operator-token", type: "password", required: true, autocomplete: "off" });
  const wrong = h("p", { class: "soft", role: "alert", hidden: true }, t("ui.admin.no_token"));
  const form = h(
    "form",
    { class: "line" },
    h("label", { for: field.id }, t("ui.admin.token")),
    field,
    h("button", { type: "submit", class: "confirm", "data-key": "operator-enter" }, t("ui.admin.enter")),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (keepOperatorToken(field.value.trim())) done();
    else wrong.hidden = false;
  });
  return h("section", { class: "setting" }, h("p", {}, withCode(t("ui.admin.who"))), form, wrong);
}

/** The parts, one of which is shown. @param {() => void} leave */
function desks(leave) {
  const place = h("div");
  const buttons = Object.entries(PARTS).map(([name, make]) =>
    h("button", { "data-key": `desk-${name}`, onclick: () => choose(name, make) }, t(`ui.admin.parts.${name}`)),
  );
  /** @param {string} chosen @param {() => HTMLElement} make */
  const choose = (chosen, make) => {
    Object.keys(PARTS).forEach((name, n) => buttons[n].setAttribute("aria-pressed", String(name === chosen)));
    show(place, make());
  };
  choose("reports", reportsPart);
  const out = () => {
    forgetOperatorToken();
    leave();
  };
  const nav = h("div", { class: "buttons desks", role: "group", "aria-label": t("ui.admin.title") }, buttons);
  return [nav, place, h("button", { class: "plain", "data-key": "operator-leave", onclick: out }, t("ui.admin.leave"))];
}
