/** Which lessons were played to their end on this device. */

const KEPT = "cartulary.lessons";

/** Lessons that had another name when they were played. What became a part of another lesson is not here. */
const RENAMED = new Map([
  ["caylus/05-provost", "caylus/10-provost"],
  ["caylus/08-prestige", "caylus/09-prestige"],
]);

/** The lessons that are done, as `<game>/<name>`. @returns {Set<string>} */
export function doneLessons() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
    return new Set(Array.isArray(kept) ? kept.map((one) => RENAMED.get(one) ?? one) : []);
  } catch {
    return new Set(); // a value written by hand or by another program
  }
}

/** @param {string} game @param {string} name */
export function noteLessonDone(game, name) {
  localStorage.setItem(KEPT, JSON.stringify([...doneLessons().add(`${game}/${name}`)]));
}
