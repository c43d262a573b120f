/** An answer that a person wants to hold from now on, given with a move: it is kept once the move is stored. */

import { note } from "../elements/announce.js";
import { sayWhy } from "../elements/errors.js";
import { api } from "../platform/api.js";
import { labelled, t } from "../platform/i18n.js";

/** @typedef {{kind: string, move: {type: string}, until: "game" | "round"}} StandingAnswer */

/**
 * Let an answer hold next to those that hold already; say it when that fails.
 * @param {string} game @param {StandingAnswer} answer
 * @returns {Promise<StandingAnswer[] | null>} what holds now; null: the answer was not kept
 */
export async function keepStanding(game, answer) {
  try {
    const { answers } = await api.standing(game);
    const others = answers.filter(({ kind }) => kind !== answer.kind);
    return (await api.answerAlways(game, [...others, answer])).answers;
  } catch (error) {
    note(labelled(t("ui.standing.lost"), sayWhy(error)), "trouble");
    return null;
  }
}
