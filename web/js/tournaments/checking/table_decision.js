/** An operator decides a table that has ended: places and points by seat, or that it counts for no player; with the reason for all. */

import { button } from "../../elements/button.js";
import { h } from "../../elements/dom.js";
import { isolate, t } from "../../platform/i18n.js";
import { operatorToken } from "../../platform/operator_token.js";
import { check } from "../../settings/form.js";
import { playerOf } from "../facts/shown.js";
import { tournaments } from "../facts/tournament_calls.js";
import { askWithReason } from "./reason.js";

/** @typedef {import("../facts/shown.js").Shown} Shown */
/** @typedef {import("../facts/tournament_calls.js").RoundTable} RoundTable */

/** Seen on the devices of operators, while the tournament runs. @param {Shown} shown @param {RoundTable} table @param {import("../facts/shown.js").Act} act */
export function decisionButton(shown, table, act) {
  const { status } = shown.tournament;
  if (!operatorToken() || status !== "running" || table.status === "playing") return null;
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
  const content = [h("p", {}, t("ui.tournaments.decide_note")), ...places.flatMap(({ rows }) => rows), voided];
  const reason = await askWithReason(t("ui.tournaments.decide"), content);
  if (reason === null) return;
  const ranks = isVoid ? null : shareRanks(places.map(({ select }) => Number(select.value)));
  const scores = isVoid ? null : readScores(places.map(({ points }) => points.value));
  const result = { reason, ranks, ...(scores ? { scores } : {}) };
  await act(() => tournaments.decide(shown.tournament.id, table.table, result));
}

/** Places as results have them, ties counted: of 1 2 2 3 it makes 1 2 2 4. @param {number[]} places */
export function shareRanks(places) {
  return places.map((place) => 1 + places.filter((other) => other < place).length);
}

/** The points of all seats; null where one is missing: then the service keeps those of the game. @param {string[]} written */
export function readScores(written) {
  const isWhole = written.every((text) => /^-?[0-9]+$/.test(text.trim()));
  return isWhole ? written.map(Number) : null;
}

/** @param {Shown} shown @param {RoundTable} table @param {number} number @param {number} at */
function placeField(shown, { seats, ranks, scores }, number, at) {
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
  /** @type {HTMLInputElement} */
  const points = h("input", { id: `decide-points-${at}`, type: "number", step: "1", value: scores?.[at] ?? "" });
  const pointsLabel = h("label", { for: points.id }, t("ui.tournaments.points_of", { name }));
  const rows = [h("div", { class: "row" }, label, select), h("div", { class: "row" }, pointsLabel, points)];
  return { select, points, rows };
}
