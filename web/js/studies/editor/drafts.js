/** What an author has begun and not stored yet. It survives a reload: it lies in the storage of the tab. */

import { me } from "../../platform/identity.js";

const KEPT = "cartulary.study_drafts.";

/**
 * @typedef {object} Draft
 * @property {any} value what is typed
 * @property {string} base what was stored when it was begun, as JSON
 */

/** Drafts of a study and an author by their names: `text 7` is the text of the node 7. */
export class Drafts {
  /** @param {string} study its id */
  constructor(study) {
    this.place = `${KEPT}${me()?.id}.${study}`;
    /** @type {Map<string, Draft>} */
    this.kept = new Map(readKept(this.place));
    /** Were there some when the page was loaded? */
    this.isRestored = this.kept.size > 0;
  }

  /** What is begun, else what is stored. @param {string} name @param {any} stored */
  read(name, stored) {
    return this.kept.get(name)?.value ?? stored;
  }

  /** @param {string} name @param {any} value @param {any} stored */
  write(name, value, stored) {
    const base = this.kept.get(name)?.base ?? JSON.stringify(stored);
    if (JSON.stringify(value) === JSON.stringify(stored)) this.kept.delete(name);
    else this.kept.set(name, { value, base });
    this.#keep();
  }

  /** @param {string} name */
  drop(name) {
    this.kept.delete(name);
    this.#keep();
  }

  /** Whether what is stored has changed since this was begun. @param {string} name @param {any} stored */
  isOvertaken(name, stored) {
    const draft = this.kept.get(name);
    return draft !== undefined && draft.base !== JSON.stringify(stored);
  }

  #keep() {
    if (this.kept.size) sessionStorage.setItem(this.place, JSON.stringify([...this.kept]));
    else sessionStorage.removeItem(this.place);
    this.isRestored &&= this.kept.size > 0;
  }
}

/** @param {string} place @returns {[string, Draft][]} */
function readKept(place) {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? "[]");
  } catch {
    return []; // a value written by hand or by another program
  }
}
