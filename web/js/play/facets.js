/**
 * Choosing one of many moves, one aspect at a time.
 *
 * A plan lists the aspects of a kind of decision (for building: which building, what is paid). Each
 * is a group of radio buttons, a page of its own in the sheet, that shows what is still possible after
 * the aspects before it; when one move is left it is chosen. Whatever is a place on the board can be
 * touched there as well.
 */

import { h } from "../dom.js";

/**
 * @typedef {import("../table/model.js").Move} Move
 * @typedef {object} Option one value of an aspect
 * @property {Node | string} face what is shown
 * @property {string} [place] a selector of the board, for touching
 * @property {boolean} [quiet] declines rather than does something
 *
 * @typedef {object} Facet one aspect
 * @property {string} label the question
 * @property {(move: Move) => string | null} key the value for a move; null: not an aspect of it
 * @property {(key: string, moves: Move[]) => Option} option
 * @property {boolean} [list] many values, best touched on the board: a low sheet hides the list
 * @property {string} [step] the words of the button while this aspect is missing; else the label
 * @property {string} [preset] the value that is chosen at the start
 *
 * @typedef {object} Chooser
 * @property {Move[]} moves
 * @property {(move: Move | null, after?: null, how?: import("./index.js").How) => void} choose
 * @property {() => void} [confirm]
 * @property {{read: () => any, write: (value: any) => void}} [draft]
 * @property {(targets: import("../table/board.js").Target[]) => void} touch
 * @property {import("../table/sheet.js").Sheet} [sheet] where the aspects are pages
 * @property {{seek: () => void}} [board]
 */

/** So few values are shown although they can be touched on the board: the sheet stays low with them. */
const FEW = 4;

let groups = 0;

/**
 * @param {Chooser} ctx
 * @param {Facet[]} plan
 * @returns {HTMLElement}
 */
export function facets(ctx, plan) {
  const box = h("div", { class: "facets" });
  /** @type {Map<number, string>} */
  const picked = new Map();
  /** How the last value came to be chosen. @type {import("./index.js").How} */
  let how = { preset: true };
  /** The arrow keys walk through the values: walking chooses, but never sends. */
  let walks = false;
  /** The value is touched on the board, which does not name the act as a button does. */
  let byBoard = false;
  box.addEventListener("keydown", ({ key }) => (walks = key.startsWith("Arrow")));
  box.addEventListener("keyup", () => (walks = false));

  /** @param {number} from the first aspect to ask again */
  function render(from) {
    while (box.children.length > from) box.lastElementChild?.remove();
    for (const at of [...picked.keys()]) if (at >= from) picked.delete(at);
    let moves = plan
      .slice(0, from)
      .reduce((left, facet, at) => keep(left, facet, picked.get(at)), ctx.moves);
    for (let at = from; at < plan.length; at += 1) {
      const keys = values(moves, plan[at]);
      if (keys.length === 1) picked.set(at, keys[0]);
      box.append(field(plan[at], at, keys, moves));
      if (keys.length > 1) {
        moves = [];
        break;
      }
      moves = keep(moves, plan[at], keys[0]);
    }
    settle();
    turn(shown().length - 1);
  }

  /** The aspects that leave a choice. */
  function shown() {
    return [...box.children]
      .map((element, at) => ({ element: /** @type {HTMLElement} */ (element), at, label: plan[at].label }))
      .filter(({ element }) => !element.hidden);
  }

  /** Show one page of the sheet. @param {number} page */
  function turn(page) {
    ctx.sheet?.pages(shown(), Math.max(0, page));
    if (page > 0) ctx.board?.seek();
  }

  /** @param {number} at @param {string} key */
  function pick(at, key) {
    picked.set(at, key);
    how = { preset: walks, direct: ctx.moves.length === 2 && !byBoard };
    render(at + 1);
    ctx.draft?.write([...picked.values()]);
  }

  /** Go on from an aspect whose value stays; the last one confirms. @param {number} at */
  function goOn(at) {
    const next = shown().findIndex((one) => one.at > at);
    if (next > 0) turn(next);
    else if (!walks) ctx.confirm?.();
  }

  /** Choose what was chosen before a reload, as far as it is possible now, or the presets. */
  function begin() {
    const kept = ctx.draft?.read();
    plan.forEach((facet, at) => {
      const key = Array.isArray(kept) ? kept[at] : facet.preset;
      const isOpen = !picked.has(at) && box.children.length === at + 1;
      const field = isOpen ? places.get(box.children[at]) : undefined;
      if (!field?.some((one) => one.key === key)) return;
      picked.set(at, key);
      const input = field.find((one) => one.key === key)?.label.firstElementChild;
      Object.assign(/** @type {HTMLInputElement} */ (input), { checked: true });
      render(at + 1);
    });
  }

  /** @param {Facet} facet @param {number} at @param {string[]} keys @param {Move[]} moves */
  function field(facet, at, keys, moves) {
    if (keys.length === 0) return h("div", { hidden: true });
    groups += 1;
    const name = `choice-${groups}`;
    const made = keys.map((key) => {
      const option = facet.option(key, keep(moves, facet, key));
      const input = h("input", {
        type: "radio",
        name,
        value: key,
        checked: picked.get(at) === key,
      });
      input.addEventListener("change", () => pick(at, key));
      input.addEventListener("click", () => picked.get(at) === key && goOn(at));
      const quiet = option.quiet ? " quiet" : "";
      return {
        ...option,
        key,
        label: h(
          "label",
          { class: `choice${quiet}` },
          input,
          h("span", { class: "face" }, option.face),
        ),
      };
    });
    const row = (/** @type {string} */ name, /** @type {typeof made} */ some) =>
      h("div", { class: `choices ${name}` }, some.map((o) => o.label));
    const all = made.filter((o) => !o.quiet);
    const loud = row(all.length > FEW ? "many" : "few", all);
    const quiet = row("declines", made.filter((o) => o.quiet));
    const element = h(
      "fieldset",
      { hidden: at > 0 && keys.length === 1 }, // nothing to choose: the confirmation says it
      h("legend", { class: "spoken" }, facet.label), // the head of the sheet shows it
      loud,
      quiet.childElementCount ? quiet : null,
    );
    places.set(element, made);
    return element;
  }

  /** @type {WeakMap<Element, (Option & {key: string, label: HTMLElement})[]>} */
  const places = new WeakMap();

  function settle() {
    let moves = ctx.moves;
    plan.forEach((facet, at) => {
      moves = keep(moves, facet, picked.get(at));
    });
    const done = [...box.children].every(
      (_, at) =>
        picked.has(at) ||
        values(ctx.moves, plan[at]).length === 0 ||
        box.children[at].hasAttribute("hidden"),
    );
    const missing = [...box.children].findIndex(
      (element, at) => !(/** @type {HTMLElement} */ (element).hidden) && !picked.has(at),
    );
    const step = missing < 0 ? undefined : (plan[missing].step ?? plan[missing].label);
    ctx.touch([...box.children].flatMap((element) => touchable(element)));
    ctx.choose(done && moves.length === 1 ? moves[0] : null, null, { ...how, missing: step });
  }

  /** @param {Element} element */
  function touchable(element) {
    return (places.get(element) ?? [])
      .filter((o) => o.place)
      .map((o) => ({
        place: /** @type {string} */ (o.place),
        chosen: /** @type {HTMLInputElement} */ (o.label.firstElementChild).checked,
        pick: (/** @type {{walks?: boolean} | undefined} */ how) => {
          byBoard = true;
          walks = Boolean(how?.walks);
          /** @type {HTMLInputElement} */ (o.label.firstElementChild).click();
          byBoard = walks = false;
        },
      }));
  }

  render(0);
  begin();
  return box;
}

/** @param {Move[]} moves @param {Facet} facet */
function values(moves, facet) {
  return [...new Set(moves.map(facet.key).filter((key) => key !== null))].map(String);
}

/** @param {Move[]} moves @param {Facet} facet @param {string | undefined} key */
function keep(moves, facet, key) {
  return key === undefined ? moves : moves.filter((move) => facet.key(move) === key);
}
