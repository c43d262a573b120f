/** Which lessons were played to their end on this device. */

const KEPT = "cartulary.lessons";

/** The lessons that are done, as `<game>/<name>`. @returns {Set<string>} */
export function doneLessons() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
    return new Set(Array.isArray(kept) ? kept : []);
  } catch {
    return new Set(); // a value written by hand or by another program
  }
}

/** @param {string} game @param {string} name */
export function noteLessonDone(game, name) {
  localStorage.setItem(KEPT, JSON.stringify([...doneLessons().add(`${game}/${name}`)]));
}
