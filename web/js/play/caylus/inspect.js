/** What the things on the board of Caylus are: places, buildings, lines of favours, the castle. */

import { h } from "../../elements/dom.js";
import { list, t } from "../../platform/i18n.js";
import { countColumns, findColumn, findGood, findPiece, listSources } from "../pieces.js";
import { buildingName, effectLine, favourEffect, spaceName } from "./effect_words.js";
import { roadAt } from "./price_rules.js";

/** @typedef {import("../game_module.js").Facts} Facts */
/** @typedef {import("../game_module.js").Subject} Subject */
/** @typedef {Decision | null} AskedDecision */

/** @param {string} space @param {View} view @returns {number[]} */
function workersAt(space, view) {
  const road = roadAt(view, space);
  const there = road ? road.worker : view[space];
  const all = there && typeof there === "object" ? Object.values(there) : [there];
  return all.filter((seat) => typeof seat === "number");
}

/** What the bailiff does, with the spaces where a section is scored. */
function bailiffWords() {
  const triggers = ["dungeon", "walls", "towers"].map((section) => String(findPiece(section)?.does.trigger));
  return t("ui.caylus.inspect.bailiff", { spaces: list(triggers) });
}

/** Provost and bailiff, where they stand. @param {number} number of a space of the road @param {View} view */
function pieces(number, { provost, bailiff }) {
  return [
    number === provost ? t("ui.caylus.inspect.provost") : null,
    number === bailiff ? bailiffWords() : null,
    number > provost ? t("ui.caylus.inspect.beyond") : null,
  ];
}

/**
 * The move that would use a place now.
 * @param {string} space @param {View} view @param {AskedDecision} asked
 * @returns {Move | null}
 */
function useOf(space, view, asked) {
  const kind = asked?.kind ?? "";
  const steps = numberOf(space) - view.provost;
  if (kind === "place_worker") return { type: "place_worker", space };
  if (kind === "gate") return { type: "move_worker", space };
  if (kind === "convert") return { type: "convert", space, pay: findPiece("lawyer")?.does.price };
  if (["bribe", "merchants_guild"].includes(kind) && numberOf(space) && steps) return { type: "move_provost", steps };
  return null;
}

/** The number of a space of the road, 0 for other places. @param {string} space */
function numberOf(space) {
  return Number(/^road-(\d+)$/.exec(space)?.[1] ?? 0);
}

/** A place for workers, with the building that stands there. @param {string} space @param {View} view @param {AskedDecision} asked @returns {Facts} */
function place(space, view, asked) {
  const standing = roadAt(view, space);
  const piece = findPiece(standing ? (standing.building ?? "") : space);
  return {
    title: spaceName(space, view),
    lines: [piece ? effectLine(piece) : t("ui.card.empty"), ...pieces(numberOf(space), view)],
    piece,
    owner: standing?.owner,
    who: { label: t("ui.caylus.inspect.workers"), seats: workersAt(space, view) },
    move: useOf(space, view, asked),
  };
}

/** The bridge: who has passed. @param {View} view @param {AskedDecision} asked @returns {Facts} */
function bridge(view, asked) {
  return {
    title: t("terms.caylus.spaces.bridge"),
    lines: [t("ui.caylus.inspect.bridge")],
    who: { label: t("terms.caylus.pieces.passing"), seats: view.passed },
    move: asked?.kind === "place_worker" ? { type: "pass" } : null,
  };
}

/** @param {string} piece @param {View} view @returns {Facts} */
function officer(piece, view) {
  const space = t("terms.caylus.spaces.road", { n: view[piece] });
  return {
    title: t(`terms.caylus.pieces.${piece}`),
    lines: [`${space}.`, piece === "bailiff" ? bailiffWords() : t("ui.caylus.inspect.provost")],
  };
}

/** @param {string} id @param {View} view @param {AskedDecision} asked @returns {Facts} */
function building(id, view, asked) {
  const piece = findPiece(id);
  const { price } = piece ?? {};
  const kind = asked?.kind ?? "";
  const isPayable = price && !price.any;
  const space = residenceOf(asked?.seat, view);
  const build = ["build", "favour_buildings"].includes(kind) ? { type: "build", building: id, pay: price } : null;
  const prestige =
    kind === "build_prestige" && space ? { type: "build_prestige", building: id, space, pay: price } : null;
  return {
    title: buildingName(id),
    lines: [effectLine(piece)],
    piece,
    move: isPayable ? (build ?? prestige) : null,
  };
}

/** @param {number | undefined} seat @param {View} view @returns {string | undefined} */
function residenceOf(seat, view) {
  return view.road.find((/** @type {RoadSpace} */ one) => one.owner === seat && one.building === "residence")?.space;
}

/** @param {string} line @param {any} _view @param {AskedDecision} asked @returns {Facts} */
function favours(line, _view, asked) {
  const columns = Array.from({ length: countColumns() }, (_, at) => h("li", {}, favourEffect(line, at + 1)));
  return {
    title: t(`terms.caylus.lines.${line}`),
    lines: [h("ol", {}, columns)],
    move: asked?.kind === "favour" ? { type: "choose_favour", line } : null,
  };
}

/** The sections, in the order in which they are scored. */
const SECTIONS = ["dungeon", "walls", "towers"];

/**
 * A column of a line of the favours.
 * @param {string} line @param {number} column @param {View} view @param {AskedDecision} asked @returns {Facts}
 */
function favour(line, column, view, asked) {
  const before = SECTIONS.filter((name) => (findPiece(name)?.does.columns ?? 0) < column).at(-1);
  const isClosed = before && !view.sections[before].scored;
  const seats = view.players.flatMap((/** @type {CaylusPlayer} */ { favours }, /** @type {number} */ seat) =>
    favours[line] === column ? [seat] : [],
  );
  return {
    title: t("ui.caylus.act.favour", { line: t(`terms.caylus.lines.${line}`), n: column }),
    lines: [
      favourEffect(line, column),
      isClosed ? t("ui.caylus.inspect.closed", { section: t(`terms.caylus.sections.${before}`) }) : null,
    ],
    piece: findColumn(line, column),
    who: { label: t("ui.caylus.inspect.marker"), seats },
    move: asked?.kind === "favour" ? { type: "choose_favour", line } : null,
  };
}

/** Where a good comes from: buildings, and lines of the favours with their columns. @param {string} good */
function sourceNames(good) {
  const sources = listSources(good);
  const names = sources.map(({ name, column }) => {
    if (!column) return name;
    return columnsName(
      name,
      sources.flatMap((other) => (other.name === name && other.column ? [other.column] : [])),
    );
  });
  return [...new Set(names)];
}

/** The first and the last column of a line, for all of them. @param {string} line @param {number[]} columns */
function columnsName(line, columns) {
  const ends = new Set([Math.min(...columns), Math.max(...columns)]);
  return t("ui.caylus.act.favour", { line, n: [...ends].join("–") });
}

/** A good, or the money: what it is worth at the end, where it comes from, who has it. @param {string} good @param {View} view @returns {Facts | null} */
function goodOf(good, view) {
  const piece = findGood(good);
  if (!piece) return null;
  const names = sourceNames(good);
  const [first = "", ...rest] = piece.name;
  return {
    title: [first.toLocaleUpperCase(), ...rest].join(""),
    lines: [piece.effect, names.length ? t("ui.caylus.inspect.from", { names: list(names) }) : null],
    counts: {
      label: t("ui.card.held"),
      counts: view.players.map((/** @type {CaylusPlayer} */ { deniers, cubes }) =>
        good === "deniers" ? deniers : (cubes[good] ?? 0),
      ),
    },
  };
}

/** @param {string} section @param {View} view @returns {Facts} */
function castle(section, view) {
  const { houses, scored } = view.sections[section];
  const piece = findPiece(section);
  return {
    title: t(`terms.caylus.sections.${section}`),
    lines: [piece?.effect ?? null, scored ? t("ui.card.scored") : null],
    piece,
    counts: { label: t("ui.card.houses"), counts: houses },
  };
}

/**
 * @param {Subject} subject @param {View} view @param {AskedDecision} asked
 * @returns {Facts | null}
 */
export function inspect(subject, view, asked) {
  // A section of the castle lies within the place of the castle; the others are parts of the board.
  if (view.sections[subject.section]) return castle(subject.section, view);
  if (subject.bridge) return bridge(view, asked);
  if (subject.piece) return officer(subject.piece, view);
  if (subject.space) return place(subject.space, view, asked);
  if (subject.building) return building(subject.building, view, asked);
  if (subject.good) return goodOf(subject.good, view);
  if (subject.column) return favour(subject.line, Number(subject.column), view, asked);
  return subject.line ? favours(subject.line, view, asked) : null;
}
