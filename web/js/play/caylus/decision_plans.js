/**
 * How each kind of decision of Caylus is asked: the aspects of its moves, in order. A kind that is
 * not in here is asked by the general list (`play/controls.js`).
 */

import { h } from "../../elements/dom.js";
import { t } from "../../platform/i18n.js";
import { exchange, goods } from "../goods.js";
import { countColumns, findPiece } from "../pieces.js";
import { buildingCard, favourEffect, spaceEffect, spaceName } from "./effect_words.js";
import { bribePrice, columnsOpen, commonPrice, markerAfter, placingPrice } from "./price_rules.js";

/**
 * @typedef {import("../facets.js").Facet} Facet
 * @typedef {object} CaylusAsk
 * @property {View} view
 * @property {number} seat
 * @property {string} kind
 * @property {Record<string, any>} context
 * @property {(seat: number) => string} name
 * @property {number[] | null} [batches] in the castle: given in this phase, by seat; null: not known yet
 */

/** Moves that decline, and the drawing of what declining means. */
const DECLINING = new Set(["decline", "pass"]);

/** @param {string} space */
export function placeOfMove(space) {
  return `[data-space="${space}"]`;
}

/** The bridge, where those who have passed stand. */
const BRIDGE = "[data-bridge]";

/**
 * Where a no can be touched on the board, by the kind of decision: passing on the bridge, leaving
 * something where it stands.
 * @type {Record<string, (asked: CaylusAsk) => string>}
 */
const PLACES_OF_NO = {
  place_worker: () => BRIDGE,
  gate: () => placeOfMove("gate"),
  bribe: ({ view }) => placeOfMove(`road-${view.provost}`),
  merchants_guild: ({ view }) => placeOfMove(`road-${view.provost}`),
};

/** @param {CaylusAsk} asked @param {string} type */
function quietly(asked, type) {
  return {
    face: decliningText(asked.kind, type),
    quiet: true,
    place: PLACES_OF_NO[asked.kind]?.(asked),
  };
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
 * @param {CaylusAsk} asked @param {(key: string, moves: Move[]) => import("../facets.js").FacetOption} option
 * @returns {(key: string, moves: Move[]) => import("../facets.js").FacetOption}
 */
function optionOrDecline(asked, option) {
  return (key, moves) => (DECLINING.has(key) ? quietly(asked, key) : option(key, moves));
}

/** @param {CaylusAsk} asked @returns {Facet} */
function spaceToPlace(asked) {
  return {
    label: t(`ui.caylus.where.${asked.kind}`),
    step: asked.kind === "place_worker" ? t("ui.caylus.where.place_or_pass") : undefined,
    list: true,
    key: orDecline((move) => move.space),
    option: optionOrDecline(asked, (space) => ({
      face: h(
        "span",
        { class: "place" },
        h("span", { class: "name" }, spaceName(space, asked.view)),
        asked.kind === "place_worker" ? goods({ deniers: -placingPrice(asked, space) }, { sign: true }) : null,
        h("span", { class: "does" }, spaceEffect(space, asked.view)),
      ),
      place: placeOfMove(space),
    })),
  };
}

/** @param {CaylusAsk} asked @returns {Facet} */
function steps(asked) {
  const cost = bribePrice(asked);
  return {
    label: t("ui.caylus.where.provost"),
    preset: asked.kind === "bribe" ? "decline" : undefined, // most bribes are declined: one touch
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
        place: placeOfMove(space),
      };
    }),
  };
}

/** @param {CaylusAsk} asked @param {string} label @returns {Facet} */
function taking(asked, label) {
  return {
    label,
    key: orDecline((move) => packed(move.goods)),
    option: optionOrDecline(asked, (key) => ({ face: goods(unpacked(key)) })),
  };
}

/** Of so few exchanges each is one choice; of more it is chosen first what is got. */
const FEW = 6;

/** @param {CaylusAsk} asked @param {Move[]} moves @returns {Facet[]} */
function trading(asked, moves) {
  const trades = moves.filter(({ type }) => type === "trade");
  const [gets, gives] = [trades.map(({ get }) => packed(get)), trades.map(({ give }) => packed(give))];
  const isPlain = new Set(gets).size === 1 || new Set(gives).size === 1 || trades.length <= FEW;
  return isPlain ? [wholeTrade(asked)] : [gain(asked), give()];
}

/** An exchange as one choice. @param {CaylusAsk} asked @returns {Facet} */
function wholeTrade(asked) {
  return {
    label: t("ui.caylus.what.trade"),
    key: orDecline((move) => JSON.stringify([packed(move.give), packed(move.get)])),
    option: optionOrDecline(asked, (key) => {
      const [given, got] = JSON.parse(key).map(unpacked);
      return { face: exchange(given, got) };
    }),
  };
}

/** @param {CaylusAsk} asked @returns {Facet} */
function gain(asked) {
  return {
    label: t("ui.caylus.what.get"),
    key: orDecline((move) => packed(move.get)),
    option: optionOrDecline(asked, (key, moves) => ({
      face: moves.length === 1 ? exchange(moves[0].give, moves[0].get) : goods(unpacked(key)),
    })),
  };
}

/** @returns {Facet} */
function give() {
  return {
    label: t("ui.caylus.what.give"),
    key: (move) => (move.give ? packed(move.give) : null),
    option: (key) => ({ face: goods(unpacked(key)) }),
  };
}

/** @returns {Facet} */
function paying() {
  return {
    label: t("ui.caylus.what.pay"),
    key: (move) => (move.pay ? packed(move.pay) : null),
    option: (key) => ({ face: goods(unpacked(key)) }),
  };
}

/** @param {CaylusAsk} asked @returns {Facet} */
function whichBuilding(asked) {
  return {
    label: t("ui.caylus.what.build"),
    key: orDecline((move) => move.building ?? "residence"),
    option: optionOrDecline(asked, (id, moves) => ({
      face: buildingCard(id, commonPrice(moves.map((move) => move.pay))), // a favour shows its discount
      place: id === "residence" ? undefined : `[data-building="${id}"]`,
    })),
  };
}

/** @param {CaylusAsk} asked @returns {Facet} */
function whichSpace(asked) {
  return {
    label: t("ui.caylus.where.space"),
    key: (move) => move.space ?? null,
    option: (space) => ({ face: spaceName(space, asked.view), place: placeOfMove(space) }),
  };
}

/** @param {CaylusAsk} asked @returns {Facet} */
function whichConversion(asked) {
  return {
    label: t("ui.caylus.where.convert"),
    key: orDecline((move) => move.space),
    option: optionOrDecline(asked, (space) => ({
      face: spaceName(space, asked.view),
      place: placeOfMove(space),
    })),
  };
}

/** @param {CaylusAsk} asked @returns {Facet} */
function lines(asked) {
  return {
    label: t("ui.caylus.what.line"),
    key: (move) => move.line,
    option: (line) => {
      const now = asked.view.players[asked.seat].favours[line];
      const then = markerAfter(asked.view, asked.seat, line);
      return { face: favourRow(asked.view, line, now, then), place: `[data-line="${line}"]` };
    },
  };
}

/** A line of the favour table with the way of the marker. @param {View} view @param {string} line @param {number} now @param {number} then */
function favourRow(view, line, now, then) {
  const open = columnsOpen(view);
  const cells = Array.from({ length: countColumns() }, (_, at) => {
    const state = at + 1 === then ? "marker" : at + 1 < then ? "passed" : at + 1 > open ? "shut" : "open";
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

/** @param {CaylusAsk} asked @returns {Facet[]} */
function favourCubes(asked) {
  return [
    {
      label: t("ui.caylus.what.take"),
      key: orDecline((move) => (move.type === "trade" ? "trade" : packed(move.goods))),
      option: optionOrDecline(asked, (key) => ({
        face: key === "trade" ? favourEffect("cubes", 4) : goods(unpacked(key)),
      })),
    },
    give(),
    {
      label: t("ui.caylus.what.get"),
      key: (move) => (move.get ? packed(move.get) : null),
      option: (key) => ({ face: goods(unpacked(key)) }),
    },
  ];
}

/** @param {CaylusAsk} asked @returns {Facet} */
function yesOrNo(asked) {
  return {
    label: "",
    key: (move) => move.type,
    option: (type) => {
      if (DECLINING.has(type)) return quietly(asked, type);
      if (type === "joust")
        return {
          face: h(
            "span",
            { class: "exchange" },
            t("ui.caylus.joust"),
            (findPiece("joust_field")?.does.trade ?? []).map(([given, got]) => exchange(given, got)),
          ),
          place: placeOfMove("joust_field"),
        };
      return { face: t(`ui.caylus.${type}`) };
    },
  };
}

/** @type {Record<string, (asked: CaylusAsk, moves: Move[]) => Facet[]>} */
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
  favour: (asked) => [lines(asked)],
  favour_cubes: favourCubes,
  favour_buildings: (asked) => [whichBuilding(asked), whichSpace(asked), paying()],
};

/** @param {CaylusAsk} asked @param {Move[]} moves @returns {Facet[] | null} */
export function findPlan(asked, moves) {
  return PLANS[asked.kind]?.(asked, moves) ?? null;
}
