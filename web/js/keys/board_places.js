/**
 * Going from place to place on the board with the arrows. As in a group of radio buttons the place
 * that is reached is chosen at once; what that means is said by the live region of the choice.
 */

/**
 * @typedef {import("../board/board.js").Board} Board
 * @typedef {import("../board/board.js").Target & {group?: string}} Target
 */

const WAYS = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] };
const ASIDE = 2; // the distance off the way counts so much more than the distance ahead

/** @param {Board} board @param {Target} target */
function middle(board, { place }) {
  const box = board.find(place)?.getBoundingClientRect();
  return box && { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** The places that the arrows reach: those of the kind that is chosen, else those of the first kind. @param {Board} board */
function placesOf(board) {
  /** @type {Target[]} */
  const targets = board.targets;
  const group = (targets.find(({ chosen }) => chosen) ?? targets[0])?.group;
  return targets
    .filter((target) => target.group === group)
    .map((target) => ({ target, at: middle(board, target) }))
    .filter(({ at }) => at !== undefined);
}

/**
 * Choose the nearest place in a direction; the first time, the first place in reading order.
 * @param {Board} board @param {keyof typeof WAYS} way @returns {boolean} false: there are no places
 */
export function goTo(board, way) {
  const places = /** @type {{target: Target, at: {x: number, y: number}}[]} */ (placesOf(board));
  const from = places.find(({ target }) => target.chosen);
  if (!places.length) return false;
  if (!from) {
    places.sort((a, b) => a.at.y - b.at.y || a.at.x - b.at.x);
    choose(board, places[0].target);
    return true;
  }
  const [dx, dy] = WAYS[way];
  const reached = places
    .map(({ target, at }) => {
      const [x, y] = [at.x - from.at.x, at.y - from.at.y];
      const ahead = x * dx + y * dy;
      return { target, ahead, far: ahead + ASIDE * Math.abs(x * dy + y * dx) };
    })
    .filter(({ ahead }) => ahead > 1)
    .sort((a, b) => a.far - b.far);
  if (reached.length) choose(board, reached[0].target);
  return true;
}

/**
 * Choose the next place of a group, after the last one the first.
 * @param {Board} board @param {string} group @returns {boolean} false: there are no such places
 */
export function goOn(board, group) {
  /** @type {Target[]} */
  const all = board.targets;
  const places = all.filter((target) => target.group === group);
  if (!places.length) return false;
  choose(board, places[(places.findIndex(({ chosen }) => chosen) + 1) % places.length]);
  return true;
}

/** @param {Board} board @param {Target} target */
function choose(board, { place, pick }) {
  pick({ walks: true });
  const chosen = board.find(place);
  if (chosen) board.viewport.keep(chosen);
}
