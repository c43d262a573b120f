/** What happens when a game begins to wait for me: one tab rings, and a hidden one shows a notice. */

import { showWaiting } from "../platform/page_title.js";
import { once } from "../streams/lead.js";
import { inbox } from "./inbox.js";
import { notifies } from "./notices.js";
import { ring } from "./ring.js";

const HIDDEN_LATER = 250; // ms: a tab that is in sight comes first
const JUST_MOVED = 3000; // ms: who has just moved at this table looks at it

let moved = { game: "", at: 0 };

/** @param {string} game */
export function hasMoved(game) {
  moved = { game, at: performance.now() };
}

/** @param {import("./inbox.js").WaitingTurn} turn */
function call(turn) {
  const isSeen = document.visibilityState === "visible";
  if (isSeen && turn.game === moved.game && performance.now() - moved.at < JUST_MOVED) return;
  const act = () => {
    ring();
    if (!isSeen && notifies())
      import("./local_notice.js").then(({ showNotice }) => showNotice(turn)).catch(console.info); // no network, no notice
  };
  setTimeout(() => once(turn.game, act), isSeen ? 0 : HIDDEN_LATER);
}

inbox.addEventListener("change", () => showWaiting(inbox.state.turns.length));
inbox.addEventListener("turn", (event) => call(/** @type {CustomEvent} */ (event).detail));
