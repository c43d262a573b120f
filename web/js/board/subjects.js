/** What lies at a point of the picture: the `data-` members of the things there. */

/**
 * What a path of nodes says: the `data-` members of the nearest things that have a name.
 * @param {EventTarget[]} path from the inside out @param {Node} root where the picture ends
 * @returns {Record<string, string> | null}
 */
export function subjectOf(path, root) {
  /** @type {Record<string, string>} */
  const found = {};
  for (const node of path) {
    if (node === root) break;
    if (node instanceof SVGElement) Object.assign(found, { ...node.dataset, ...found });
  }
  return Object.keys(found).length ? found : null;
}

/** A thing and all things around it. @param {Element} thing */
export function pathFrom(thing) {
  /** @type {Element[]} */
  const path = [];
  for (let node = /** @type {Element | null} */ (thing); node; node = node.parentElement) path.push(node);
  return path;
}
