/** Where the follower stands: a group of radio buttons, the same as the pins on the tile. */

import { h } from "../../elements/dom.js";
import { t } from "../../platform/i18n.js";
import { inBrief } from "./feature_words.js";
import { featureAt } from "./features.js";
import { direction } from "./segment_spots.js";

/**
 * @typedef {import("./features.js").Feature} Feature
 * @typedef {import("./segment_spots.js").Spot} Spot
 *
 * @typedef {object} FollowerOption
 * @property {{x: number, y: number}} cell where the tile lies
 * @property {(string | null)[]} segments that may be taken; null: no follower
 * @property {string | null | undefined} chosen undefined: nothing yet
 * @property {Map<string, Spot>} found where the segments are
 * @property {Feature[] | null} features null: not known yet
 * @property {(segment: string | null, walks: boolean) => void} pick walks: the arrow keys have come to it
 * @property {(segment: string | null) => void} look the pointer or the focus is on an option
 */

let groups = 0;

/** The legal segments of a list of moves; null stands for no follower. @param {Move[]} moves */
export function segmentsOf(moves) {
  return moves.map(({ segment }) => segment ?? null);
}

/** The list stands open where it covers nothing of the board; the person's wish is kept. */
const wish = { open: matchMedia("(width >= 1000px) and (height >= 480px)").matches };

/** @param {FollowerOption} choice */
export function makeFollowerChoice(choice) {
  groups += 1;
  const name = `follower-${groups}`;
  const options = choice.segments.map((segment) => option(name, segment, choice));
  /** @type {HTMLDetailsElement} */
  const details = h(
    "details",
    { class: "whom", open: wish.open },
    h("summary", { "data-key": "whom" }, t("ui.carcassonne.who")),
    h(
      "fieldset",
      {},
      h("legend", { class: "spoken" }, t("ui.carcassonne.who")),
      h("div", { class: "choices" }, options),
    ),
  );
  details.addEventListener("toggle", () => {
    wish.open = details.open;
  });
  return details;
}

/** @param {string} name @param {string | null} segment @param {FollowerOption} choice */
function option(name, segment, choice) {
  let walks = true;
  const input = h("input", {
    type: "radio",
    name,
    value: segment ?? "none",
    checked: choice.chosen === segment,
    "data-key": `follower-${segment ?? "none"}`,
  });
  // an arrow key changes a radio button by a click without a pointer
  input.addEventListener("click", (event) => {
    walks = /** @type {MouseEvent} */ (event).detail === 0;
  });
  input.addEventListener("change", () => choice.pick(segment, walks));
  const look = () => choice.look(segment);
  const label = h(
    "label",
    { class: `choice${segment ? "" : " quiet"}`, onpointerenter: look },
    input,
    h("span", { class: "face" }, segment ? face(segment, choice) : t("ui.carcassonne.skip")),
  );
  input.addEventListener("focus", look);
  return label;
}

/** @param {string} segment @param {FollowerOption} choice */
function face(segment, { features, cell, found }) {
  const feature = features && featureAt(features, { ...cell, segment });
  const kind = t(`terms.carcassonne.features.${segment[0]}`);
  const where = direction(found.get(segment));
  const what = feature ? inBrief(feature) : kind;
  return h(
    "span",
    { class: "role" },
    h("span", { class: "name" }, t(`terms.carcassonne.roles.${segment[0]}`)),
    h("span", { class: "does" }, [what, where].filter(Boolean).join(", ")),
  );
}
