/** Which tables have a guide, and how far it is. */

const KEPT = "cartulary.guide.";

/**
 * How far the guide of a table is: for each seat how many entries of the script are behind it; null for
 * a table without a guide.
 * @param {string} id @returns {number[] | null}
 */
export function guideAt(id) {
  try {
    return JSON.parse(localStorage.getItem(KEPT + id) ?? "null");
  } catch {
    return null; // a value written by hand or by another program
  }
}

/** Keep how far the guide is; null: it is over. @param {string} id @param {number[] | null} at */
export function keepGuide(id, at) {
  if (at === null) localStorage.removeItem(KEPT + id);
  else localStorage.setItem(KEPT + id, JSON.stringify(at));
}
