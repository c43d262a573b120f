/**
 * How each kind of decision of Caylus is asked: the aspects of its moves, in order. A kind that is
 * not in here is asked by the general list (`play/index.js`).
 */

import { h } from "../../dom.js";
import { t } from "../../i18n.js";
import { arrow, goods } from "../goods.js";
import { buildingCard, favourEffect, spaceEffect, spaceName } from "./effects.js";
import { columnsOpen, commonPrice, markerAfter, placingPrice } from "./rules.js";
import { countColumns } from "../pieces.js";

/**
 * @typedef {import("../facets.js").Facet} Facet
 * @typedef {import("../../table/model.js").Move} Move
 * @typedef {object} Asked
 * @property {any} view
 * @property {number} seat
 * @property {string} kind
 * @property {Record<string, any>} context
 * @property {(seat: number) => string} name
 */

/** Moves that decline, and the drawing of what declining means. */
const DECLINING = new Set(["decline", "pass"]);

/** @param {string} space */
export function placeOf(space) {
  return `[data-space="${space}"]`;
}

/** @param {string} text */
function quietly(text) {
  return { face: text, quiet: true };
}

/** @param {string} kind @param {string} type */
function decliningText(kind, type) {
  return t(`ui.caylus.${type}.${kind}`);
}

/** @param {Record<string, number>} bundle */
function packed(bundle) {
  return JSON.stringify(Object.entries(bundle).sort());
}

/** @param {string} key @returns {Record<string, number>} */
function unpacked(key) {
  return Object.fromEntries(JSON.parse(key));
}

/** @param {(move: Move) => string} key @returns {(move: Move) => string} */
function orDecline(key) {
  return (move) => (DECLINING.has(move.type) ? move.type : key(move));
}

/**
 * @param {Asked} asked @param {(key: string, moves: Move[]) => import("../facets.js").Option} option
 * @returns {(key: string, moves: Move[]) => import("../facets.js").Option}
 */
function optionOrDecline(asked, option) {
  return (key, moves) =>
    DECLINING.has(key) ? quietly(decliningText(asked.kind, key)) : option(key, moves);
}

/** @param {Asked} asked @returns {Facet} */
function spaceToPlace(asked) {
  return {
    label: t(`ui.caylus.where.${asked.kind}`),
    list: true,
    key: orDecline((move) => move.space),
    option: optionOrDecline(asked, (space) => ({
      face: h(
        "span",
        { class: "place" },
        h("span", { class: "name" }, spaceName(space, asked.view)),
        asked.kind === "place_worker"
          ? goods({ deniers: -placingPrice(asked.view, asked.seat, space) }, { sign: true })
          : null,
        h("span", { class: "does" }, spaceEffect(space, asked.view)),
      ),
      place: placeOf(space),
    })),
  };
}

/** @param {Asked} asked @returns {Facet} */
function steps(asked) {
  const cost = asked.kind === "bribe" ? 1 : 0;
  return {
    label: t("ui.caylus.where.provost"),
    key: orDecline((move) => String(move.steps)),
    option: optionOrDecline(asked, (key) => {
      const by = Number(key);
      const space = `road-${asked.view.provost + by}`;
      return {
        face: h(
          "span",
          { class: "step" },
          h("b", {}, by > 0 ? `+${by}` : `−${-by}`),
          h("span", { class: "name" }, spaceName(space, asked.view)),
          cost ? goods({ deniers: -Math.abs(by) * cost }, { sign: true }) : null,
        ),
        place: placeOf(space),
      };
    }),
  };
}

/** @param {Asked} asked @param {string} label @returns {Facet} */
function taking(asked, label) {
  return {
    label,
    key: orDecline((move) => packed(move.goods)),
    option: optionOrDecline(asked, (key) => ({ face: goods(unpacked(key)) })),
  };
}

/** @param {Asked} asked @returns {Facet[]} */
function trading(asked) {
  return [
    {
      label: t("ui.caylus.what.get"),
      key: orDecline((move) => packed(move.get)),
      option: optionOrDecline(asked, (key, moves) => ({
        face:
          moves.length === 1
            ? h("span", { class: "exchange" }, goods(moves[0].give), arrow(), goods(moves[0].get))
            : goods(unpacked(key)),
      })),
    },
    {
      label: t("ui.caylus.what.give"),
      key: (move) => (move.give ? packed(move.give) : null),
      option: (key) => ({ face: goods(unpacked(key)) }),
    },
  ];
}

/** @returns {Facet} */
function paying() {
  return {
    label: t("ui.caylus.what.pay"),
    key: (move) => (move.pay ? packed(move.pay) : null),
    option: (key) => ({ face: goods(unpacked(key)) }),
  };
}

/** @param {Asked} asked @returns {Facet} */
function whichBuilding(asked) {
  return {
    label: t("ui.caylus.what.build"),
    key: orDecline((move) => move.building ?? "residence"),
    option: optionOrDecline(asked, (id, moves) => ({
      face: buildingCard(id, commonPrice(moves.map((move) => move.pay))),
      place: id === "residence" ? undefined : `[data-building="${id}"]`,
    })),
  };
}

/** @param {Asked} asked @returns {Facet} */
function whichSpace(asked) {
  return {
    label: t("ui.caylus.where.space"),
    key: (move) => move.space ?? null,
    option: (space) => ({ face: spaceName(space, asked.view), place: placeOf(space) }),
  };
}

/** @param {Asked} asked @returns {Facet} */
function whichConversion(asked) {
  return {
    label: t("ui.caylus.where.convert"),
    key: orDecline((move) => move.space),
    option: optionOrDecline(asked, (space) => ({
      face: spaceName(space, asked.view),
      place: placeOf(space),
    })),
  };
}

/** @param {Asked} asked @returns {Facet} */
function batches(asked) {
  return {
    label: t("ui.caylus.what.batch"),
    key: orDecline((move) => packed(move.goods)),
    option: optionOrDecline(asked, (key) => ({ face: goods(unpacked(key)) })),
  };
}

/** @param {Asked} asked @returns {Facet} */
function lines(asked) {
  return {
    label: t("ui.caylus.what.line"),
    key: (move) => move.line,
    option: (line) => {
      const [now, then] = [
        asked.view.players[asked.seat].favours[line],
        markerAfter(asked.view, asked.seat, line),
      ];
      return { face: favourRow(asked.view, line, now, then), place: `[data-line="${line}"]` };
    },
  };
}

/** A line of the favour table with the way of the marker. @param {any} view @param {string} line @param {number} now @param {number} then */
function favourRow(view, line, now, then) {
  const open = columnsOpen(view);
  const cells = Array.from({ length: countColumns() }, (_, at) => {
    const state =
      at + 1 === then ? "marker" : at + 1 < then ? "passed" : at + 1 > open ? "shut" : "open";
    return h("span", { class: `column ${state}`, "aria-hidden": "true" }, String(at + 1));
  });
  const reach = line === "cubes" || line === "buildings" ? range(then) : [then];
  return h(
    "span",
    { class: "favour" },
    h("span", { class: "name" }, t(`terms.caylus.lines.${line}`)),
    h("span", { class: "columns" }, cells),
    h("span", { class: "spoken" }, t("ui.caylus.marker", { from: now, to: then })),
    h(
      "span",
      { class: "does" },
      reach.map((column, at) => [
        at ? h("span", { class: "or" }, ` ${t("ui.or")} `) : null,
        favourEffect(line, column),
      ]),
    ),
  );
}

/** @param {number} to */
function range(to) {
  return Array.from({ length: to }, (_, at) => at + 1);
}

/** @param {Asked} asked @returns {Facet[]} */
function favourCubes(asked) {
  return [
    {
      label: t("ui.caylus.what.take"),
      key: orDecline((move) => (move.type === "trade" ? "trade" : packed(move.goods))),
      option: optionOrDecline(asked, (key) => ({
        face: key === "trade" ? favourEffect("cubes", 4) : goods(unpacked(key)),
      })),
    },
    {
      label: t("ui.caylus.what.give"),
      key: (move) => (move.give ? packed(move.give) : null),
      option: (key) => ({ face: goods(unpacked(key)) }),
    },
    {
      label: t("ui.caylus.what.get"),
      key: (move) => (move.get ? packed(move.get) : null),
      option: (key) => ({ face: goods(unpacked(key)) }),
    },
  ];
}

/** @param {Asked} asked @returns {Facet} */
function yesOrNo(asked) {
  return {
    label: "",
    key: (move) => move.type,
    option: (type) => {
      if (DECLINING.has(type)) return quietly(decliningText(asked.kind, type));
      if (type === "joust")
        return {
          face: h(
            "span",
            { class: "exchange" },
            t("ui.caylus.joust"),
            goods({ deniers: 1, cloth: 1 }),
            arrow(),
            goods({ favour: 1 }),
          ),
          place: placeOf("joust_field"),
        };
      return { face: t(`ui.caylus.${type}`) };
    },
  };
}

/** @type {Record<string, (asked: Asked) => Facet[]>} */
const PLANS = {
  place_worker: (asked) => [spaceToPlace(asked)],
  gate: (asked) => [spaceToPlace(asked)],
  merchants_guild: (asked) => [steps(asked)],
  bribe: (asked) => [steps(asked)],
  joust_field: (asked) => [yesOrNo(asked)],
  inn: (asked) => [yesOrNo(asked)],
  produce: (asked) => [taking(asked, t("ui.caylus.what.take"))],
  owner_bonus: (asked) => [taking(asked, t("ui.caylus.what.bonus"))],
  trade: trading,
  build: (asked) => [whichBuilding(asked), paying()],
  build_prestige: (asked) => [whichBuilding(asked), whichSpace(asked), paying()],
  convert: (asked) => [whichConversion(asked), paying()],
  castle: (asked) => [batches(asked)],
  favour: (asked) => [lines(asked)],
  favour_cubes: favourCubes,
  favour_buildings: (asked) => [whichBuilding(asked), whichSpace(asked), paying()],
};

/** @param {Asked} asked @returns {Facet[] | null} */
export function plan(asked) {
  return PLANS[asked.kind]?.(asked) ?? null;
}
