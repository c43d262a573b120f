/** An operator decides a table that has ended: places by seat, or that it counts for no player; with the reason for all. */

import { button } from "../../elements/button.js";
import { fillIn } from "../../elements/dialog.js";
import { h } from "../../elements/dom.js";
import { isolate, t } from "../../platform/i18n.js";
import { operatorToken } from "../../platform/operator_token.js";
import { check } from "../../settings/form.js";
import { playerOf } from "../facts/shown.js";
import { tournaments } from "../facts/tournament_calls.js";

const LONGEST_REASON = 500;

/** @typedef {import("../facts/shown.js").Shown} Shown */
/** @typedef {import("../facts/tournament_calls.js").RoundTable} RoundTable */

/** Seen on the devices of operators, while the tournament runs. @param {Shown} shown @param {RoundTable} table @param {import("../facts/shown.js").Act} act */
export function decisionButton(shown, table, act) {
  const { status, visibility } = shown.tournament;
  const isHidden = visibility === "private"; // the service shows it to no operator, and takes no decision
  if (!operatorToken() || isHidden || status !== "running" || table.status === "playing") return null;
  const decide = () => askDecision(shown, table, act);
  return button(t("ui.tournaments.decide"), `decide-${table.table}`, decide);
}

/** @param {Shown} shown @param {RoundTable} table @param {import("../facts/shown.js").Act} act */
async function askDecision(shown, table, act) {
  const places = table.seats.map((number, at) => placeField(shown, table, number, at));
  let isVoid = table.status === "voided";
  const voided = check("decide-void", t("ui.tournaments.decide_void"), isVoid, (wanted) => {
    isVoid = wanted;
  });
  /** @type {HTMLInputElement} */
  const reason = h("input", { id: "decide-reason", maxlength: String(LONGEST_REASON), "aria-required": "true" });
  const content = [
    h("p", {}, t("ui.tournaments.decide_note")),
    ...places.map(({ element }) => element),
    voided,
    h("label", { for: reason.id }, t("ui.tournaments.decide_reason")),
    reason,
  ];
  for (;;) {
    if (!(await fillIn(t("ui.tournaments.decide"), content, t("ui.tournaments.decide")))) return;
    if (reason.value.trim()) break;
    reason.setAttribute("aria-invalid", "true"); // the reason is missing: ask again, with what was filled in
    reason.autofocus = true;
  }
  const ranks = isVoid ? null : shareRanks(places.map(({ select }) => Number(select.value)));
  const result = { reason: reason.value.trim(), ranks };
  await act(() => tournaments.decide(shown.tournament.id, table.table, result));
}

/** Places as results have them, ties counted: of 1 2 2 3 it makes 1 2 2 4. @param {number[]} places */
export function shareRanks(places) {
  return places.map((place) => 1 + places.filter((other) => other < place).length);
}

/** @param {Shown} shown @param {RoundTable} table @param {number} number @param {number} at */
function placeField(shown, { seats, ranks }, number, at) {
  const id = `decide-place-${at}`;
  const now = ranks?.[at] ?? at + 1;
  /** @type {HTMLSelectElement} */
  const select = h(
    "select",
    { id },
    seats.map((_, n) => h("option", { value: String(n + 1), selected: n + 1 === now }, String(n + 1))),
  );
  const name = isolate(playerOf(shown, number).name);
  const label = h("label", { for: id }, t("ui.tournaments.rank_of", { name }));
  return { select, element: h("div", { class: "row" }, label, select) };
}
