/**
 * Whether a chosen move is asked for once more before it is sent: always, when it is costly, or never
 * (`confirm` in the settings).
 *
 * A move is costly when it cannot be taken back without asking the others (the table allows no taking
 * back, or a draw follows), or when the game says so (`Description.costly`: it gives away the last of
 * something, or ends what one could do this round). Where a draw follows every turn, the first rule would
 * make every move costly: such a game weighs its moves itself (`Description.weighed`).
 */

import { prefs } from "../platform/prefs.js";

export const WISHES = ["always", "costly", "never"];

/**
 * @typedef {{costly?: boolean, weighed?: boolean}} MoveRisk
 * @typedef {{chance: boolean}} Preview what the server says that the move leads to
 */

/** A key is down that leads from choice to choice, such as an arrow. */
let walks = false;
addEventListener("keydown", ({ key }) => (walks = key !== "Enter" && key !== " "), true);
addEventListener("keyup", () => (walks = false), true);

/** Whether a person walks through the choices with the keyboard: this chooses, but never sends. */
export function isWalking() {
  return walks;
}

/** Whether the setting needs to know what the move leads to before it can be sent. */
export function needsPreview() {
  return prefs().confirm === "costly";
}

/**
 * @param {MoveRisk} description
 * @param {{preset?: boolean, direct?: boolean}} how preset: the client has chosen the move, not the
 *   person; direct: on a button that names the act, of two
 * @param {Preview | null} preview null: not known, or not needed
 * @param {Game} game
 */
export function mustAsk(description, how, preview, game) {
  const { confirm } = prefs();
  if (how.preset) return true;
  if (how.direct || confirm === "never") return false;
  if (confirm === "always") return true;
  if (description.weighed) return Boolean(description.costly);
  return !preview || preview.chance || staysForGood(game) || Boolean(description.costly);
}

/** Whether no move of this table is taken back; who plays with bots only may always do it. @param {Game} game */
function staysForGood({ takebacks, seats }) {
  const persons = new Set(seats.map(({ player }) => player?.id).filter(Boolean));
  return takebacks === "none" && persons.size > 1;
}
