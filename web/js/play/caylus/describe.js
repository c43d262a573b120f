/** What a move of Caylus would do, before it is made: lines for the confirmation. */

import { h } from "../../dom.js";
import { t } from "../../i18n.js";
import { exchange, goods } from "../goods.js";
import {
  buildingEffect,
  buildingGain,
  buildingName,
  favourEffect,
  spaceEffect,
  spaceName,
} from "./effects.js";
import { markerAfter, nextSection, placingPrice, roadAt, touchedByProvost } from "./rules.js";

/**
 * @typedef {import("../../table/model.js").Move} Move
 * @typedef {import("./plans.js").Asked} Asked
 * @typedef {{title: string, lines: (Node | string | null)[]}} Description
 */

/** @param {Asked} asked @param {string} space */
function placing(asked, space) {
  const { view, seat, name } = asked;
  const owner = roadAt(view, space)?.owner ?? null;
  return [
    asked.kind === "place_worker"
      ? h(
          "span",
          {},
          t("ui.caylus.price"),
          " ",
          goods({ deniers: placingPrice(view, seat, space) }),
        )
      : t("ui.caylus.free"),
    spaceEffect(space, view),
    owner !== null && owner !== seat
      ? h("span", {}, name(owner), " ", goods({ prestige: 1 }, { sign: true }))
      : null,
    beyond(view, space),
  ];
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
  return [
    asked.kind === "bribe"
      ? h("span", {}, t("ui.caylus.price"), " ", goods({ deniers: Math.abs(steps) }))
      : t("ui.caylus.free"),
    names.length
      ? t(steps > 0 ? "ui.caylus.will_work" : "ui.caylus.will_not_work", {
          names: names.join(", "),
        })
      : t("ui.caylus.nobody_touched"),
  ];
}

/** @param {Record<string, number>} pay */
function price(pay) {
  return h("span", {}, t("ui.caylus.price"), " ", goods(pay));
}

/** @type {Record<string, (move: Move, asked: Asked) => Description>} */
const KINDS = {
  pass: (_, { view }) => ({
    title: t("ui.caylus.moves.pass"),
    lines: [
      t("ui.caylus.slot", { n: view.passed.length + 1 }),
      view.passed.length === 0 ? goods({ deniers: 1 }, { sign: true }) : null,
    ],
  }),
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
  joust: () => ({
    title: t("ui.caylus.joust"),
    lines: [exchange({ deniers: 1, cloth: 1 }, { favour: 1 })],
  }),
  stay: () => ({ title: t("ui.caylus.stay"), lines: [t("ui.caylus.stay_effect")] }),
  leave: () => ({ title: t("ui.caylus.leave"), lines: [t("ui.caylus.leave_effect")] }),
  take: (move) => ({
    title: t("ui.caylus.moves.take"),
    lines: [goods(move.goods, { sign: true })],
  }),
  trade: (move) => ({ title: t("ui.caylus.moves.trade"), lines: [exchange(move.give, move.get)] }),
  build: (move) => ({
    title: t("ui.caylus.moves.build", { building: buildingName(move.building) }),
    lines: [
      price(move.pay),
      goods(buildingGain(move.building), { sign: true }),
      buildingEffect(move.building),
    ],
  }),
  build_prestige: (move) => ({
    title: t("ui.caylus.moves.build_on", {
      building: buildingName(move.building),
      space: spaceName(move.space),
    }),
    lines: [
      price(move.pay),
      goods(buildingGain(move.building), { sign: true }),
      buildingEffect(move.building),
    ],
  }),
  convert: (move, asked) => ({
    title: t("ui.caylus.moves.convert", { space: spaceName(move.space, asked.view) }),
    lines: [
      price(move.pay),
      goods(buildingGain("residence"), { sign: true }),
      buildingEffect("residence"),
      roadAt(asked.view, move.space)?.worker != null ? t("ui.caylus.later") : null,
    ],
  }),
  offer_batch: (move, asked) => {
    const section = nextSection(asked.view);
    return {
      title: t("ui.caylus.moves.offer_batch"),
      lines: section
        ? [
            exchange(move.goods, { prestige: section.points }),
            t("ui.caylus.house_in", { section: t(`terms.caylus.sections.${section.name}`) }),
          ]
        : [goods(move.goods)],
    };
  },
  choose_favour: (move, asked) => {
    const column = markerAfter(asked.view, asked.seat, move.line);
    return {
      title: t(`terms.caylus.lines.${move.line}`),
      lines: [
        t("ui.caylus.marker", {
          from: asked.view.players[asked.seat].favours[move.line],
          to: column,
        }),
        favourEffect(move.line, column),
      ],
    };
  },
  decline: (_, { kind }) => ({ title: t(`ui.caylus.decline.${kind}`), lines: [] }),
};

/** @param {Move} move @param {Asked} asked @returns {Description | null} */
export function describe(move, asked) {
  return KINDS[move.type]?.(move, asked) ?? null;
}
