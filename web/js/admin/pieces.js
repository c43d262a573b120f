/** Pieces of the operators' page: names as what they are, one line of the log, a list that goes on. */

import { button } from "../elements/button.js";
import { h } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { ago, has, isolate, t } from "../platform/i18n.js";
import { day } from "../platform/time_words.js";

/** @typedef {import("./calls.js").LogLine} LogLine */

/** @param {string | null} until null: for good */
export function sayUntil(until) {
  return until ? t("ui.inbox.operators.until", { time: day(until) }) : t("ui.admin.for_good");
}

/** @param {LogLine} line */
export function logLine({ at, by, command, player, reason, until, names, tournament, study }) {
  const key = `ui.admin.commands.${command}`;
  const what = has(key) ? t(key) : command;
  const renamed = names.length ? names.map((name) => isolate(name)).join(" → ") : "";
  const facts = [renamed, until ? sayUntil(until) : "", by, ago(at)].filter(Boolean).join(" · ");
  return h(
    "li",
    { "data-command": command },
    h(
      "span",
      { class: "what" },
      h("b", {}, what, player ? [" · ", h("bdi", {}, player.name)] : null),
      reason ? h("span", { dir: "auto" }, reason) : null,
      tournament ? h("a", { href: `/tournaments/${tournament}` }, t("ui.tournaments.back")) : null,
      study ? h("a", { href: `/studies/${study}` }, t("ui.admin.study")) : null,
      h("span", { class: "soft" }, facts),
    ),
  );
}

/**
 * A list that comes a page at a time. `next` appends rows and returns the cursor of the next page, null at the end.
 * @param {string} empty what stands there without a row @param {(cursor: string) => Promise<{rows: HTMLElement[], next: string | null}>} read
 */
export function pagedList(empty, read) {
  const rows = h("ul", { class: "rows" });
  const foot = h("div", { class: "buttons" });
  const more = async (/** @type {string} */ cursor) => {
    const page = await read(cursor);
    rows.append(...page.rows);
    if (!rows.childElementCount) rows.append(h("li", { class: "soft" }, empty));
    const { next } = page;
    foot.replaceChildren(...(next ? [button(t("ui.admin.more"), "more", () => more(next))] : []));
  };
  more("").catch(explain);
  return h("div", {}, rows, foot);
}
