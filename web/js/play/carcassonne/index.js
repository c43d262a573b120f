/** Carcassonne for the client: what a seat holds, the questions, what a move would do. */

import { spoken } from "../../elements/dom.js";
import { labelled, t } from "../../platform/i18n.js";
import { holding } from "../goods.js";
import { namesOf } from "../pieces.js";
import { attend } from "./feature_pointer.js";
import { inBrief, inFull } from "./feature_words.js";
import { isClosed } from "./features.js";
import { followerControl } from "./follower_control.js";
import { inspect } from "./inspect.js";
import { shade } from "./shaded_turn.js";
import { compass, edgesOf } from "./tile_edges.js";
import { turnControl } from "./turn_control.js";
import { deltasOf, findGesture } from "./turn_gesture.js";

/** @typedef {import("../game_module.js").Ask} Ask */

/** The tile that lies at the beginning. */
const STARTING = "D";

/** @param {View} view @param {number} seat */
function holds(view, seat) {
  const n = view.followers[seat];
  return holding("follower", n, t("terms.carcassonne.amounts.followers", { n }));
}

/** The players side by side. @param {View} view @returns {import("../game_module.js").Row[]} */
function compare(view) {
  const on = (/** @type {number} */ seat) =>
    view.board.filter((/** @type {PlacedTile} */ { follower }) => follower?.seat === seat).length;
  const text = (/** @type {number[]} */ numbers) => numbers.map(String);
  return [
    { label: t("ui.points"), cells: text(view.scores) },
    { label: t("ui.sheet.rows.followers"), cells: text(view.followers) },
    {
      label: t("ui.sheet.rows.placed"),
      cells: text(view.scores.map((/** @type {number} */ _, /** @type {number} */ seat) => on(seat))),
    },
  ];
}

/** @param {View} view */
function headline({ remaining }) {
  const counts = /** @type {number[]} */ (Object.values(remaining));
  return t("ui.carcassonne.bag", { n: counts.reduce((sum, count) => sum + count, 0) });
}

/** What would be on the sides of a tile, for listeners. @param {Move} move @param {string} tile */
function sidesOf(move, tile) {
  const sides = edgesOf(tile, move.rotation).map((edge, at) =>
    labelled(t(`ui.compass.${compass[at]}`), t(`terms.carcassonne.edges.${edge}`)),
  );
  return spoken(sides.join(", "));
}

/** The place of a follower in a few words. @param {import("./turn_gesture.js").Gesture} gesture */
function briefly({ taken, where }) {
  return [taken && inBrief(taken), where].filter(Boolean).join(", ");
}

/** What a tile and the follower that goes with it would do. @param {Move} move @param {Ask} ask */
function describeTurn(move, ask) {
  const { view, decision, name } = ask;
  const gesture = findGesture(ask);
  const role = gesture?.taken && t(`terms.carcassonne.roles.${gesture.after?.segment[0]}`);
  const act = gesture?.taken
    ? t("ui.carcassonne.act.with", { role: role?.toLocaleLowerCase(), feature: briefly(gesture) })
    : t(`ui.carcassonne.act.${gesture?.after ? "alone" : "tile"}`);
  return {
    title: role ?? t("ui.carcassonne.lay"),
    act,
    lines: [...about(gesture, view.followers[decision.seat], name), sidesOf(move, view.tile)],
    ...weigh(gesture, ask),
  };
}

/**
 * What is known of the place of a follower.
 * @param {import("./turn_gesture.js").Gesture | null} gesture @param {number} followers in hand @param {(seat: number) => string} name
 */
function about(gesture, followers, name) {
  if (!gesture?.taken) return [];
  const isLast = followers === 1 && !isClosed(gesture.taken);
  return [...inFull(gesture.taken, name), isLast ? t("ui.carcassonne.left", { n: 0 }) : null];
}

/**
 * The differences that a gesture makes, and whether it is costly: a follower that does not come home is the
 * last in hand or a farmer, or others get more points than its player. Nothing is weighed before the service
 * has said what the gesture leads to.
 * @param {import("./turn_gesture.js").Gesture | null} gesture @param {Ask} ask
 */
function weigh(gesture, { view, decision: { seat } }) {
  if (!gesture) return { deltas: [], costly: true };
  const deltas = deltasOf(gesture, seat);
  const { taken } = gesture;
  const isKept = taken && !isClosed(taken) && (taken.kind === "farm" || view.followers[seat] === 1);
  return { deltas, costly: Boolean(isKept) || helpsOthers(deltas, seat), weighed: true };
}

/** Whether another seat gets more points. @param {import("../game_module.js").Delta[]} deltas @param {number} seat */
function helpsOthers(deltas, seat) {
  const points = deltas.filter(({ what }) => what === "score");
  const own = points.find((one) => one.seat === seat)?.by ?? 0;
  return points.some((one) => one.seat !== seat && one.by > own);
}

/** @param {Move} move @param {Ask} ask */
function describeFollower({ segment }, ask) {
  const { view, decision, name } = ask;
  const gesture = findGesture(ask);
  const role = t(`terms.carcassonne.roles.${segment[0]}`);
  const known = about(gesture, view.followers[decision.seat], name);
  const rule = t(`ui.carcassonne.scores.${segment[0]}`);
  return {
    title: role,
    act: gesture?.taken ? labelled(role, briefly(gesture)) : role,
    lines: known.length ? known : [rule],
    ...weigh(gesture, ask),
  };
}

/** @param {Move} move @param {Ask} ask @returns {import("../game_module.js").Description | null} */
function describe(move, ask) {
  if (move.type === "place_tile") return describeTurn(move, ask);
  if (move.type === "place_follower") return describeFollower(move, ask);
  if (move.type === "skip_follower")
    return { title: t("ui.carcassonne.skip"), lines: [], ...weigh(findGesture(ask), ask) };
  return null;
}

/** The bag has all tiles but the one that lies, and the first that is drawn. @param {import("../pieces.js").Piece[]} pieces @returns {import("../game_module.js").Opening} */
function opening(pieces) {
  const tiles = pieces.filter(({ kind }) => kind === "tile");
  const named = namesOf(tiles);
  const start = (/** @type {string[]} */ draws) => {
    const gone = [STARTING, ...draws];
    const left = tiles.map(({ id, copies = 0 }) => [id, copies - gone.filter((one) => one === id).length]);
    return { setup: {}, draws, bag: Object.fromEntries(left.filter(([, n]) => n)) };
  };
  return { label: t("ui.carcassonne.first_tile"), ids: Object.keys(named), named, many: 1, start };
}

/** @type {import("../game_module.js").GameModule} */
export const controls = {
  attend,
  opening,
  headline,
  inspect,
  shade,
  compare,
  scores: (view) => view.scores,
  sources: { city: ["city"], road: ["road"], monastery: ["monastery"], field: ["farm"] },
  holds,
  control: (ask) => {
    if (ask.decision.kind === "place_tile") return turnControl(ask);
    if (ask.decision.kind === "place_follower") return followerControl(ask);
    return null;
  },
  describe,
  placeOf: ({ type, x, y, segment }) => {
    if (type === "place_tile") return `.open[data-x="${x}"][data-y="${y}"]`;
    return `[data-pin="${segment ?? "none"}"]`;
  },
  planned: (move, why) => {
    const follower = move.type === "place_tile" && why.find(({ type }) => type === "follower_placed");
    return follower ? [move, { type: "place_follower", segment: follower.segment }] : [move];
  },
  declined: ({ type }) => (type === "skip_follower" ? "place_follower" : null),
};
