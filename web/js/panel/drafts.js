/**
 * What a person has chosen for a question and not yet sent. A draft survives a reload: it lies in the
 * storage of the tab, one for each game, under the question that it answers.
 */

const KEPT = "cartulary.draft.";

/** @typedef {{version: number, seat: number, kind: string}} DraftedQuestion */

export class Drafts {
  /** @param {string} game */
  constructor(game) {
    this.name = KEPT + game;
  }

  /** The draft for this question; null for another question. @param {DraftedQuestion} question @returns {any} */
  read({ version, seat, kind }) {
    const kept = this.#kept;
    const isSame = kept?.seat === seat && kept.kind === kind;
    return isSame && (kept.version === version || kept.carried) ? kept.value : null;
  }

  /** @param {DraftedQuestion} question @param {any} value null: nothing is chosen */
  write({ version, seat, kind }, value) {
    if (value === null) this.drop();
    else sessionStorage.setItem(this.name, JSON.stringify({ version, seat, kind, value }));
  }

  /** The table has moved on without the move: offer the draft once more when the same is asked. */
  carry() {
    const kept = this.#kept;
    if (kept) sessionStorage.setItem(this.name, JSON.stringify({ ...kept, carried: true }));
  }

  drop() {
    sessionStorage.removeItem(this.name);
  }

  get #kept() {
    try {
      return JSON.parse(sessionStorage.getItem(this.name) ?? "null");
    } catch {
      return null; // a value written by hand or by another program
    }
  }
}
