/** What is kept up during a visit: the subscription, and that no notice says what is no longer true. */

import { explain } from "../elements/errors.js";
import { inbox } from "../inbox/inbox.js";
import { api, Unreachable } from "../platform/api.js";
import { me } from "../platform/identity.js";
import { callAlone } from "../platform/service_worker.js";
import { keepSubscribed } from "./subscribing.js";

const OF_A_TURN = ["your_turn", "turn_reminder"];
const MOST_GAMES = 100; // of an answer
let isStarted = false;
/** @type {Set<string>} */
let waiting = new Set();

export function startNotices() {
  if (!isStarted) {
    document.addEventListener("notices", keepUp);
    document.addEventListener("player", keepUp);
    inbox.addEventListener("change", follow);
    isStarted = true;
  }
  keepUp();
}

/** Subscribe again at each visit: a browser may have lost it. */
async function keepUp() {
  try {
    await keepSubscribed();
    if (me()) await closeStale();
  } catch (error) {
    if (!(error instanceof Unreachable)) explain(error); // else: at the next visit, or when the network is back
  }
}

/** A turn that was taken, here or elsewhere, needs no notice. */
async function follow() {
  const now = new Set(inbox.state.turns.map(({ game }) => game));
  const taken = [...waiting].filter((game) => !now.has(game));
  waiting = now;
  if (taken.length) await close((game) => taken.includes(game));
}

/** Close what was taken while no page was open. */
async function closeStale() {
  const worker = await navigator.serviceWorker?.getRegistration();
  if (!worker || !(await callAlone(() => worker.getNotifications())).length) return;
  const { games } = await api.games({ turn: "me", sort: "deadline", limit: MOST_GAMES });
  if (games.length === MOST_GAMES) return; // there may be more
  const waits = new Set(games.map(({ id }) => id));
  await close((game) => !waits.has(game));
}

/** @param {(game: string) => boolean} isTaken */
async function close(isTaken) {
  const worker = await navigator.serviceWorker?.getRegistration();
  for (const notice of worker ? await callAlone(() => worker.getNotifications()) : [])
    if (OF_A_TURN.includes(notice.data?.type) && isTaken(notice.data.game)) notice.close();
}
