/** The keys of a table. */

import { bindKeys } from "./bindings.js";
import { goOn, goTo } from "./board_places.js";

/**
 * @typedef {object} Served what the keys of a table act on
 * @property {HTMLElement} element the page
 * @property {import("../board/board.js").Board} board
 * @property {{command: (name: string) => boolean}} replay false: it is closed
 */

/** @param {Served} served @returns {() => void} the keys do nothing more */
export function tableKeys({ element, board, replay }) {
  const press = (/** @type {string} */ control) => () => click(element, control);
  const step = (/** @type {string} */ name) => () => replay.command(name);
  return bindKeys({
    ArrowLeft: () => replay.command("back") || goTo(board, "left"),
    ArrowRight: () => replay.command("forward") || goTo(board, "right"),
    ArrowUp: () => goTo(board, "up"),
    ArrowDown: () => goTo(board, "down"),
    "Shift+ArrowLeft": step("roundBack"),
    "Shift+ArrowRight": step("roundOn"),
    Home: step("first"),
    End: step("latest"),
    " ": step("toggle"),
    m: step("mine"),
    f: () => goOn(board, "pin"),
    r: press("[data-key=turn]"),
    Enter: press(".panel [data-key=confirm]"),
    z: press(".takeback"),
    0: press("[data-key=board-fit]"),
    "+": () => replay.command("faster") || click(element, "[data-key=board-larger]"),
    "-": () => replay.command("slower") || click(element, "[data-key=board-smaller]"),
    Escape: () => click(element, ".drawer-close") || click(element, ".sheet:not([hidden]) .sheet-close:not([hidden])"),
  });
}

/** Press a button as a person would: not when it is hidden, disabled or inert. @param {HTMLElement} element @param {string} control */
function click(element, control) {
  const button = /** @type {HTMLButtonElement | null} */ (element.querySelector(control));
  if (!button?.checkVisibility() || button.disabled || button.closest("[inert]")) return false;
  button.click();
  return true;
}
