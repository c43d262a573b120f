/** Who has the table open: a dot at a seat whose player is there. */

import { h, spoken } from "../elements/dom.js";
import { api, Problem, Unreachable } from "../platform/api.js";
import { t } from "../platform/i18n.js";

export class Presence {
  /** The number of questions and signals so far. */
  #news = 0;

  /** @param {import("../table/table.js").Table} table */
  constructor(table) {
    this.table = table;
    /** The players who are there. @type {Set<string>} */
    this.here = new Set();
    table.addEventListener("presence", (event) => {
      const { players } = /** @type {CustomEvent} */ (event).detail ?? {};
      this.#news++;
      if (players) this.#take(players);
      else this.load();
    });
    table.addEventListener("line", () => table.connected && this.load());
  }

  /**
   * Ask who is there; without an answer no seat gets a dot. A signal that arrives before the answer
   * may be newer than the answer, so the signal counts.
   */
  async load() {
    if (this.table.finished) return;
    const asked = ++this.#news;
    try {
      const { players } = await api.presence(this.table.id);
      if (asked === this.#news) this.#take(players ?? []);
    } catch (error) {
      if (!(error instanceof Problem || error instanceof Unreachable)) throw error;
    }
  }

  /** Whether the player of a seat has the table open. @param {number} seat */
  isHere(seat) {
    const { player } = this.table.game.seats[seat] ?? {};
    return player ? this.here.has(player.id) : false;
  }

  /** @param {{id: string}[]} players */
  #take(players) {
    this.here = new Set(players.map(({ id }) => id));
    this.render();
  }

  /** Show the dots in a list of seats. @param {HTMLElement} list */
  place(list) {
    this.list = list;
    this.render();
  }

  render() {
    for (const element of this.list?.querySelectorAll("[data-seat]") ?? []) {
      const { player } = this.table.game.seats[Number(element.getAttribute("data-seat"))] ?? {};
      element.querySelector(".here")?.remove();
      if (player && this.here.has(player.id)) {
        const dot = h("span", { class: "here", title: t("ui.presence.here") }, spoken(t("ui.presence.here")));
        element.querySelector(".name")?.after(dot);
      }
    }
  }
}
