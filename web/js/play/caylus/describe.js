/**
 * A move of Caylus in words, before it is made: its name, and what the preview of the server does not
 * say (what a building does from then on, whom the provost reaches).
 */

import { t } from "../../i18n.js";
import { buildingEffect, buildingName, spaceEffect, spaceName } from "./effects.js";
import { roadAt, touchedByProvost } from "./rules.js";

/**
 * @typedef {import("../../table/model.js").Move} Move
 * @typedef {import("./plans.js").Asked} Asked
 * @typedef {{title: string, lines: (Node | string | null)[]}} Description
 */

/** @param {Asked} asked @param {string} space */
function placing({ view }, space) {
  return [spaceEffect(space, view), beyond(view, space)];
}

/** A warning for a building that the provost has not reached. @param {any} view @param {string} space */
function beyond(view, space) {
  const number = Number(/^road-(\d+)$/.exec(space)?.[1] ?? 0);
  return number > view.provost ? t("ui.caylus.beyond", { n: view.provost }) : null;
}

/** @param {Asked} asked @param {number} steps */
function provost(asked, steps) {
  const touched = touchedByProvost(asked.view, steps);
  const names = touched.map(
    ({ seat, building }) => `${asked.name(seat)} (${buildingName(building)})`,
  );
  if (!names.length) return [t("ui.caylus.nobody_touched")];
  const key = steps > 0 ? "ui.caylus.will_work" : "ui.caylus.will_not_work";
  return [t(key, { names: names.join(", ") })];
}

/** @type {Record<string, (move: Move, asked: Asked) => Description>} */
const KINDS = {
  pass: () => ({ title: t("ui.caylus.moves.pass"), lines: [] }),
  place_worker: (move, asked) => ({
    title: spaceName(move.space, asked.view),
    lines: placing(asked, move.space),
  }),
  move_worker: (move, asked) => ({
    title: spaceName(move.space, asked.view),
    lines: placing(asked, move.space),
  }),
  move_provost: (move, asked) => ({
    title: t("ui.caylus.moves.move_provost", {
      space: spaceName(`road-${asked.view.provost + move.steps}`, asked.view),
    }),
    lines: provost(asked, move.steps),
  }),
  joust: () => ({ title: t("ui.caylus.joust"), lines: [] }),
  stay: () => ({ title: t("ui.caylus.stay"), lines: [t("ui.caylus.stay_effect")] }),
  leave: () => ({ title: t("ui.caylus.leave"), lines: [t("ui.caylus.leave_effect")] }),
  take: () => ({ title: t("ui.caylus.moves.take"), lines: [] }),
  trade: () => ({ title: t("ui.caylus.moves.trade"), lines: [] }),
  build: (move) => ({
    title: t("ui.caylus.moves.build", { building: buildingName(move.building) }),
    lines: [buildingEffect(move.building)],
  }),
  build_prestige: (move) => ({
    title: t("ui.caylus.moves.build_on", {
      building: buildingName(move.building),
      space: spaceName(move.space),
    }),
    lines: [buildingEffect(move.building)],
  }),
  convert: (move, asked) => ({
    title: t("ui.caylus.moves.convert", { space: spaceName(move.space, asked.view) }),
    lines: [
      buildingEffect("residence"),
      roadAt(asked.view, move.space)?.worker != null ? t("ui.caylus.later") : null,
    ],
  }),
  offer_batch: () => ({ title: t("ui.caylus.moves.offer_batch"), lines: [] }),
  choose_favour: (move) => ({ title: t(`terms.caylus.lines.${move.line}`), lines: [] }),
  decline: (_, { kind }) => ({ title: t(`ui.caylus.decline.${kind}`), lines: [] }),
};

/** @param {Move} move @param {Asked} asked @returns {Description | null} */
export function describe(move, asked) {
  return KINDS[move.type]?.(move, asked) ?? null;
}
