/**
 * What the facts of an event look like: pieces and goods that travel, points that float, places
 * that change. A fact of a type that is not known here has no effect: the words tell it.
 */

/**
 * @typedef {Record<string, any> & {type: string}} Fact
 * @typedef {{seat: number} | {place: string}} Where a seat, or a selector on the picture
 *
 * @typedef {object} Effect
 * @property {"fly" | "drop" | "float" | "mark"} kind
 * @property {string} [thing] what flies: `worker`, `follower`, `house` or a good
 * @property {number} [count] how many fly
 * @property {number} [seat] whose piece flies, on whose seat something floats
 * @property {Where} [from]
 * @property {Where} [to]
 * @property {string} [place] what is dropped or marked
 * @property {Record<string, number>} [bundle] what floats
 */

/** At most so many pieces of a good fly: more would be a swarm. */
const PIECES = 3;

/** @param {string} name @param {any} value */
function selector(name, value) {
  return `[data-${name}="${CSS.escape(String(value))}"]`;
}

/**
 * The place that a fact or a move names, as a selector on the picture; "" when it names no place.
 * @param {Record<string, any>} named
 */
export function placeOf(named) {
  if (named.space !== undefined) return selector("space", named.space);
  if (named.x !== undefined) return `.tile${selector("x", named.x)}${selector("y", named.y)}`;
  if (named.section !== undefined) return selector("section", named.section);
  if (named.line !== undefined) return selector("line", named.line);
  return "";
}

/** @param {string} place @returns {Effect} */
const mark = (place) => ({ kind: "mark", place });

/** @param {string} thing @param {Where} from @param {Where} to @param {number} seat @returns {Effect} */
const fly = (thing, from, to, seat) => ({ kind: "fly", thing, count: 1, from, to, seat });

/** @param {string} thing @returns {(fact: Fact) => Effect[]} */
const arrives = (thing) => (fact) => [
  fly(thing, { seat: fact.seat }, { place: placeOf(fact) }, fact.seat),
  mark(placeOf(fact)),
];

/** @param {string} thing @returns {(fact: Fact) => Effect[]} */
const leaves = (thing) => (fact) => [fly(thing, { place: placeOf(fact) }, { seat: fact.seat }, fact.seat)];

/** @param {Fact} fact @returns {Effect[]} */
const appears = (fact) => [{ kind: "drop", place: placeOf(fact) }, mark(placeOf(fact))];

/**
 * Goods between a place and a seat; without a place they float at the seat.
 * @param {Fact} fact @param {1 | -1} sign
 * @returns {Effect[]}
 */
function goods(fact, sign) {
  const place = placeOf(fact);
  const entries = Object.entries(fact.goods ?? {});
  const bundle = Object.fromEntries(entries.map(([name, count]) => [name, sign * count]));
  /** @type {Effect} */
  const float = { kind: "float", seat: fact.seat, bundle };
  if (!place) return [float];
  const ends = /** @type {[Where, Where]} */ ([{ place }, { seat: fact.seat }]);
  const [from, to] = sign > 0 ? ends : ends.reverse();
  const flying = entries.map(([thing, count]) => ({
    .../** @type {Effect} */ ({ kind: "fly", thing, from, to, seat: fact.seat }),
    count: Math.min(PIECES, count),
  }));
  return [...flying, float];
}

/** @type {Record<string, (fact: Fact) => Effect[]>} */
const EFFECTS = {
  // every game
  points: ({ seat, points }) => [{ kind: "float", seat, bundle: { points } }],
  // pieces
  worker_placed: arrives("worker"),
  follower_placed: arrives("follower"),
  worker_home: leaves("worker"),
  follower_returned: leaves("follower"),
  worker_moved: (fact) => [
    fly("worker", { place: selector("space", "gate") }, { place: placeOf(fact) }, fact.seat),
    mark(placeOf(fact)),
  ],
  house_built: (fact) => [fly("house", { seat: fact.seat }, { place: placeOf(fact) }, fact.seat), mark(placeOf(fact))],
  inn_entered: (fact) => [mark(placeOf(fact))],
  // tiles and buildings
  tile_placed: appears,
  building_built: appears,
  residence_built: appears,
  // goods
  gained: (fact) => goods(fact, 1),
  paid: (fact) => goods(fact, -1),
  // marks of the board
  provost_moved: ({ to }) => [mark(selector("space", `road-${to}`))],
  bailiff_moved: ({ to }) => [mark(selector("space", `road-${to}`))],
  favour_taken: (fact) => [mark(placeOf(fact))],
  section_scored: (fact) => [mark(placeOf(fact))],
};

/** @param {Fact} fact @returns {Effect[]} */
export function effectsOf(fact) {
  return EFFECTS[fact.type]?.(fact) ?? [];
}

/** The selectors of the places that an event changes, each once. @param {GameEvent} event @returns {string[]} */
export function placesOf(event) {
  const facts = event.facts ?? [];
  const changed = facts.flatMap(effectsOf).map((/** @type {Effect} */ effect) => effect.place);
  const named = event.type === "move_made" ? placeOf(event.move) : "";
  return [...new Set([named, ...changed].flatMap((place) => place || []))];
}
