/** What asks on the board of Caylus: the building of a worker, or a section of the picture. */

/** Questions that are asked in a section rather than in a building. @type {Record<string, string>} */
const SECTIONS = {
  favour: "favours",
  favour_cubes: "favours",
  favour_buildings: "stock",
};

/** @param {Decision} decision @param {View} view @returns {string | null} */
export function findAskingPlace({ kind, context }, view) {
  if (kind === "bribe" || kind === "merchants_guild") return placeOf(`road-${view.provost}`);
  if (kind in SECTIONS) return SECTIONS[kind];
  if (context.section) return `[data-section="${context.section}"]`;
  return context.space ? `[data-space="${context.space}"]` : null;
}

/** @param {string} space */
function placeOf(space) {
  return `[data-space="${space}"]`;
}
