/**
 * A move of Caylus in words, before it is made: its name, the words of the button that makes it, what it
 * costs and brings the seat, what is drawn on the board, and what the preview of the server does not
 * say (what a building does from then on, whom the provost reaches).
 */

import { svg } from "../../elements/dom.js";
import { t } from "../../platform/i18n.js";
import { bundleWords, goodWords } from "../goods.js";
import { findPiece } from "../pieces.js";
import { buildingEffect, buildingName, spaceEffect, spaceName } from "./effect_words.js";
import { bribePrice, countHouses, markerAfter, placingPrice, roadAt, touchedByProvost } from "./price_rules.js";

/**
 * @typedef {import("./decision_plans.js").CaylusAsk} CaylusAsk
 * @typedef {import("../pieces.js").Bundle} Bundle
 * @typedef {import("../game_module.js").Description} Description
 */

/** @param {string} space */
function placeOf(space) {
  return `[data-space="${space}"]`;
}

/** @param {CaylusAsk} asked @param {string} space */
function placing({ view }, space) {
  return [spaceEffect(space, view), beyond(view, space)];
}

/** A warning for a building that the provost has not reached. @param {View} view @param {string} space */
function beyond(view, space) {
  const number = Number(/^road-(\d+)$/.exec(space)?.[1] ?? 0);
  return number > view.provost ? t("ui.caylus.beyond", { n: view.provost }) : null;
}

/** The worker of a seat as in the picture. @param {number} seat */
function workerOf(seat) {
  const parts = [svg("use", { href: `#k-seal-${seat}` }), svg("use", { href: "#k-worker", class: `k-s${seat}` })];
  return svg("g", { transform: "scale(.7)" }, parts);
}

/** @param {number} seat */
function houseOf(seat) {
  return svg(
    "g",
    { class: `k-s${seat}`, transform: "scale(2.2)" },
    svg("path", { class: "k-hs", d: "M-7.5 8v-9l7.5-7 7.5 7v9z" }),
  );
}

/** Places with room for one worker have a ring where he stands. */
const ONE_RING = new Set(["gate", "trading_post", "merchants_guild", "joust_field"]);

/** Where a worker would stand. @param {string} space */
function ringOf(space) {
  return ONE_RING.has(space) ? `${placeOf(space)} .k-slot` : placeOf(space);
}

/** @param {View} view @param {string} space */
function shortName(view, space) {
  const building = roadAt(view, space)?.building;
  return building ? buildingName(building) : spaceName(space);
}

/** @param {CaylusAsk} asked @param {number} steps */
function provost(asked, steps) {
  const touched = touchedByProvost(asked.view, steps);
  const names = touched.map(({ seat, building }) => `${asked.name(seat)} (${buildingName(building)})`);
  if (!names.length) return [t("ui.caylus.nobody_touched")];
  const key = steps > 0 ? "ui.caylus.will_work" : "ui.caylus.will_not_work";
  return [t(key, { names: names.join(", ") })];
}

/** @param {CaylusAsk} asked @param {string} what */
function held({ view, seat }, what) {
  const player = view.players[seat];
  return what in player.cubes ? player.cubes[what] : (player[what] ?? 0);
}

/**
 * The differences at the seat, and whether something is used up.
 * @param {CaylusAsk} asked @param {Bundle} pay @param {Bundle} [get]
 */
function changes(asked, pay, get = {}) {
  /** @type {Bundle} */
  const sums = {};
  for (const [what, n] of Object.entries(get)) sums[what] = n;
  for (const [what, n] of Object.entries(pay)) sums[what] = (sums[what] ?? 0) - n;
  const deltas = Object.entries(sums)
    .filter(([what, by]) => by && what !== "favour")
    .map(([what, by]) => ({ seat: asked.seat, what: what === "prestige" ? "score" : what, by }));
  return { deltas, costly: Object.entries(pay).some(([what, n]) => held(asked, what) <= n) };
}

/** What is done, and the price with what is left of the money. @param {CaylusAsk} asked @param {string} what @param {number} price */
function withMoney(asked, what, price) {
  if (!price) return what;
  const left = held(asked, "deniers") - price;
  return t("ui.caylus.act.money", { what, price: goodWords("deniers", price), left });
}

/** @param {CaylusAsk} asked @param {string} space @param {"act" | "gate"} how */
function worker(asked, space, how) {
  const price = how === "act" ? placingPrice(asked, space) : 0;
  /** @type {Bundle} */
  const pay = how === "act" ? { deniers: price, workers: 1 } : {};
  return {
    title: spaceName(space, asked.view),
    lines: placing(asked, space),
    act: withMoney(asked, shortName(asked.view, space), price),
    ghost: [{ place: ringOf(space), draw: workerOf(asked.seat), seat: asked.seat }],
    ...changes(asked, pay),
  };
}

/** Pay for something that is built. @param {CaylusAsk} asked @param {Move} move @param {Description} rest @returns {Description} */
function built(asked, move, rest) {
  const what = move.building ?? "residence";
  const act = t("ui.caylus.act.build", { building: buildingName(what), pay: bundleWords(move.pay) });
  const points = findPiece(what)?.points;
  return { act, ...rest, ...changes(asked, move.pay, points ? { prestige: points } : {}) };
}

/** The house that is drawn on a space. @param {CaylusAsk} asked @param {string | undefined} space */
function house({ seat }, space) {
  return space ? [{ place: placeOf(space), draw: houseOf(seat), seat }] : [];
}

/** The first free space of the road, where wooden and stone buildings go. @param {View} view */
function firstFree(view) {
  return view.road.find((/** @type {RoadSpace} */ entry) => entry.building === null)?.space;
}

/** @param {string} type @param {CaylusAsk} asked @returns {Description} */
function plainly(type, { kind }) {
  const title = t(`ui.caylus.${type}.${kind}`);
  return { title, lines: [], act: title };
}

/** Declining; in the castle it may cost points. @param {CaylusAsk} asked @returns {Description} */
function declining(asked) {
  if (asked.kind !== "castle") return plainly("decline", asked);
  const hasNone = asked.batches && !asked.batches[asked.seat];
  const lost = hasNone ? (findPiece("batch")?.does.none_given ?? 0) : 0;
  const title = t(`ui.caylus.decline.${lost ? "castle_none" : "castle"}`, {
    prestige: goodWords("prestige", lost),
  });
  /** @type {Bundle} */
  const loss = lost ? { prestige: Math.min(lost, held(asked, "prestige")) } : {};
  return { title, lines: [], act: title, ...changes(asked, loss), costly: lost > 0 };
}

/** @type {Record<string, (move: Move, asked: CaylusAsk) => Description>} */
const KINDS = {
  pass: (_, asked) => ({
    ...plainly("pass", asked),
    title: t("ui.caylus.moves.pass"),
    act: t("ui.caylus.moves.pass"),
    costly: true,
  }),
  place_worker: (move, asked) => worker(asked, move.space, "act"),
  move_worker: (move, asked) => worker(asked, move.space, "gate"),
  move_provost: (move, asked) => {
    const price = bribePrice(asked) * Math.abs(move.steps);
    const space = `road-${asked.view.provost + move.steps}`;
    const title = t("ui.caylus.moves.move_provost", { space: spaceName(space, asked.view) });
    return {
      title,
      lines: provost(asked, move.steps),
      act: withMoney(asked, t("ui.caylus.moves.move_provost", { space: spaceName(space) }), price),
      ghost: [
        { place: placeOf(space), draw: svg("use", { href: "#k-provost", transform: "scale(1.6)" }), seat: asked.seat },
      ],
      ...changes(asked, price ? { deniers: price } : {}),
    };
  },
  joust: (_, asked) => {
    const [[pay, get]] = findPiece("joust_field")?.does.trade ?? [[{}, {}]];
    const what = t("ui.caylus.joust");
    return {
      title: what,
      lines: [],
      act: t("ui.caylus.act.for", { what, price: bundleWords(pay) }),
      ...changes(asked, pay, get),
    };
  },
  stay: () => ({
    title: t("ui.caylus.stay"),
    lines: [t("ui.caylus.stay_effect")],
    act: t("ui.caylus.stay"),
  }),
  leave: () => ({
    title: t("ui.caylus.leave"),
    lines: [t("ui.caylus.leave_effect")],
    act: t("ui.caylus.leave"),
  }),
  take: ({ goods }, asked) => ({
    title: t("ui.caylus.moves.take"),
    lines: [],
    act: t("ui.caylus.act.take", { goods: bundleWords(goods) }),
    ...changes(asked, {}, goods),
  }),
  trade: ({ give, get }, asked) => ({
    title: t("ui.caylus.moves.trade"),
    lines: [],
    act: `${bundleWords(give)} → ${bundleWords(get)}`,
    ...changes(asked, give, get),
  }),
  build: (move, asked) =>
    built(asked, move, {
      title: t("ui.caylus.moves.build", { building: buildingName(move.building) }),
      lines: [buildingEffect(move.building)],
      ghost: house(asked, firstFree(asked.view)),
    }),
  build_prestige: (move, asked) =>
    built(asked, move, {
      title: t("ui.caylus.moves.build_on", {
        building: buildingName(move.building),
        space: spaceName(move.space),
      }),
      lines: [buildingEffect(move.building)],
      ghost: house(asked, move.space),
    }),
  convert: (move, asked) =>
    built(asked, move, {
      title: t("ui.caylus.moves.convert", { space: spaceName(move.space, asked.view) }),
      lines: [
        buildingEffect("residence"),
        roadAt(asked.view, move.space)?.worker != null ? t("ui.caylus.later") : null,
      ],
      ghost: house(asked, move.space),
    }),
  offer_batch: ({ goods }, asked) => ({
    title: t("ui.caylus.moves.offer_batch"),
    lines: [],
    act: t("ui.caylus.act.batch", { goods: bundleWords(goods) }),
    ...changes(asked, goods, { prestige: findPiece(asked.context.section)?.points ?? 0 }),
  }),
  choose_favour: (move, asked) => ({
    title: t(`terms.caylus.lines.${move.line}`),
    lines: [],
    act: t("ui.caylus.act.favour", {
      line: t(`terms.caylus.lines.${move.line}`),
      n: markerAfter(asked.view, asked.seat, move.line),
    }),
  }),
  decline: (_, asked) => declining(asked),
};

/** The points for so many houses; nothing when some of them go to another section. @param {number} n @param {CaylusAsk} asked @returns {Bundle} */
function pointsFor(n, { context, view }) {
  const { points, does } = findPiece(context.section) ?? {};
  return n <= (does?.parts ?? 0) - countHouses(view, context.section) ? { prestige: n * (points ?? 0) } : {};
}

/**
 * Several batches at once, then no more.
 * @param {Move[]} moves @param {CaylusAsk} asked @returns {Description}
 */
function batches(moves, asked) {
  const given = moves.filter(({ type }) => type === "offer_batch");
  const act = t("ui.caylus.act.batches", { n: given.length });
  /** @type {Bundle} */
  const pay = {};
  for (const { goods } of given) for (const [name, n] of Object.entries(goods)) pay[name] = (pay[name] ?? 0) + n;
  return { title: act, lines: [bundleWords(pay)], act, ...changes(asked, pay, pointsFor(given.length, asked)) };
}

/**
 * @param {Move} move @param {CaylusAsk} asked @param {Move | Move[] | null} [after] moves of the same gesture
 * @returns {Description | null}
 */
export function describe(move, asked, after = null) {
  const all = [move, ...(after ? [after].flat() : [])];
  if (all.filter(({ type }) => type === "offer_batch").length > 1) return batches(all, asked);
  return KINDS[move.type]?.(move, asked) ?? null;
}
