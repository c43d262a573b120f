/** How a picture is to be arranged, in the form that the engine takes. */

/** @param {URLSearchParams} query as of `board.svg` */
export function readWishes(query) {
  /** @type {Record<string, string | number | number[]>} */
  const wishes = {};
  for (const name of ["layout", "parts", "theme"]) if (query.has(name)) wishes[name] = query.get(name) ?? "";
  for (const name of ["ratio", "seat"]) if (query.has(name)) wishes[name] = Number(query.get(name));
  if (query.has("colours")) wishes.colours = [...(query.get("colours") ?? "")].map(Number);
  return wishes;
}
