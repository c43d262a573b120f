/** The lesson of a game: its words and its prepared game, as the service has them. */

import { withPlayer } from "../people/guest_name.js";
import { api, file, newEntropy } from "../platform/api.js";
import { language } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { go } from "../platform/router.js";
import { keepGuide } from "../table/guide_progress.js";

/**
 * @typedef {{seat: number, kind: string, move: Move, say?: string, round?: number}} ScriptEntry
 * @typedef {{transcript: Record<string, any>, script: ScriptEntry[]}} Prepared
 * @typedef {object} Lesson
 * @property {Record<string, {title: string, text: string}>} [rules] the sections, in their order
 * @property {{lead: string, steps: Record<string, {do: string, why: string}>}} [guide]
 * @property {Prepared | null} prepared
 */

/** @param {string} game @returns {Promise<Lesson>} */
export async function loadLesson(game) {
  return JSON.parse(await file(`/learn/${encodeURIComponent(game)}/${language()}.json`));
}

/**
 * Make the prepared game a private table, and go there.
 * @param {Prepared} prepared
 * @param {number} [from] how many entries of the script are behind it already
 */
export function startGuided({ transcript, script }, from = 0) {
  return withPlayer(async () => {
    const players = [me()?.name ?? "", ...transcript.players.slice(1)];
    const played = script.slice(0, from).map(({ seat, move }) => ({ seat, move }));
    const moves = [...transcript.moves, ...played];
    const wish = { ...transcript, moves, players, visibility: "private", entropy: newEntropy() };
    const made = await api.importGame(wish);
    keepGuide(
      made.id,
      players.map(() => from),
    );
    await go(`/games/${made.id}`);
  });
}
