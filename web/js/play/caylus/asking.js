/** What asks on the board of Caylus: the building of a worker, or a section of the picture. */

/** Questions that are asked in a section rather than in a building. @type {Record<string, string>} */
const SECTIONS = {
  favour: "favours",
  favour_cubes: "favours",
  favour_buildings: "stock",
  bribe: "road",
};

/** @param {import("../index.js").Decision} decision @returns {string | null} */
export function asking({ kind, context }) {
  if (kind in SECTIONS) return SECTIONS[kind];
  if (context.section) return `[data-section="${context.section}"]`;
  return context.space ? `[data-space="${context.space}"]` : null;
}
