/** Features in words: in brief for a button, in full for a card. */

import { t } from "../../platform/i18n.js";
import { isClosed } from "./features.js";

/** @typedef {import("./features.js").Feature} Feature */

/** A feature and its points in a few words: "city of 5, now 6, done 12". @param {Feature} feature */
export function inBrief(feature) {
  const form = isClosed(feature) ? `${feature.kind}_done` : feature.kind;
  return t(`ui.carcassonne.brief.${form}`, { ...feature });
}

/** How large it is, and how far from being completed. @param {Feature} feature */
function sizeOf(feature) {
  const say = (/** @type {string} */ name) => t(`ui.carcassonne.size.${name}`, { ...feature });
  const { kind, pennants } = feature;
  if (kind === "farm") return [say("tiles"), say("cities")].join(", ");
  const rest = isClosed(feature) ? "complete" : kind === "monastery" ? "empty" : "open";
  return [say("tiles"), pennants ? say("pennants") : null, say(rest)].filter(Boolean).join(", ");
}

/** Who stands in it, with the number of followers. @param {Feature} feature @param {(seat: number) => string} name */
function ownersOf({ followers }, name) {
  const told = followers.flatMap((count, seat) => (count ? [`${name(seat)} ${count}`] : []));
  return told.length ? told.join(" : ") : t("ui.carcassonne.nobody");
}

/** @param {Feature} feature */
function worthOf(feature) {
  const { kind, now, done } = feature;
  if (kind === "farm") return t("ui.carcassonne.worth.farm", { now });
  if (kind === "road") return t("ui.carcassonne.worth.road", { now });
  if (isClosed(feature)) return t("ui.carcassonne.worth.done", { done });
  return t(`ui.carcassonne.worth.${kind === "monastery" ? "exactly" : "open"}`, { now, done });
}

/** @param {Feature} feature @param {(seat: number) => string} name */
export function inFull(feature, name) {
  return [sizeOf(feature), ownersOf(feature, name), worthOf(feature)];
}
