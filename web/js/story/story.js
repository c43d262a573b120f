/** The lines of the story, the newest first; `teller.js` makes the sentences. */

import { h, show, spoken } from "../elements/dom.js";
import { t } from "../platform/i18n.js";
import { isLocal } from "../platform/local_games.js";
import { isFromDevice } from "./origin.js";
import { tellAt } from "./teller.js";

export class Story {
  /** @param {Game} game @param {(version: number) => void} jump */
  constructor(game, jump) {
    this.game = game;
    this.jump = jump;
    this.told = 0;
    /** What stands behind the words of a line. @type {(version: number) => Node | null} */
    this.remark = () => null;
    this.lines = h("ol", { class: "lines" });
    /** That the game was played without a network. */
    this.origin = h("p", { class: "soft origin", hidden: true }, t("ui.local.unproved"));
    this.element = h("div", { class: "story" }, this.origin, this.lines);
  }

  /** The server has lost events: tell the game again from the beginning. */
  forget() {
    this.told = 0;
    show(this.lines);
  }

  /** Add what is new; the newest line stands first. @param {GameEvent[]} events */
  update(events) {
    for (const event of events.slice(this.told)) {
      const sentences = tellAt(this.game, events, event.version);
      if (sentences.length) this.lines.prepend(this.#line(event, sentences));
      if (event.type === "game_created" && (isLocal(this.game.id) || "extra_hash" in event)) this.#tellOrigin();
      if (event.type === "moves_taken_back") event.moves.forEach(this.#strike, this);
    }
    this.told = events.length;
  }

  /** An import may come from a device: its transcript says so. */
  #tellOrigin() {
    isFromDevice(this.game.id).then(
      (isSo) => this.origin.toggleAttribute("hidden", !isSo),
      () => {}, // without an answer the end of the game says it
    );
  }

  /** @param {GameEvent} event @param {string[]} sentences */
  #line(event, sentences) {
    const jump = h(
      "button",
      {
        class: `jump${event.seat === undefined ? "" : ` seat-${event.seat}`}`,
        "aria-label": t("ui.story.jump", { n: event.version }),
        onclick: () => this.jump(event.version),
      },
      String(event.version),
    );
    const told = h("p", {}, sentences.join(" "));
    return h("li", { "data-version": event.version }, jump, told, this.remark(event.version));
  }

  /** Put something behind the words of each line. @param {(version: number) => HTMLElement | null} remark */
  annotate(remark) {
    this.remark = remark;
    for (const line of this.lines.children) {
      line.querySelector(":scope > .mark")?.remove();
      const made = remark(Number(line.getAttribute("data-version")));
      if (made) line.append(made);
    }
  }

  /** @param {number} version */
  #strike(version) {
    const line = this.lines.querySelector(`[data-version="${version}"] p`);
    if (line) show(line, h("s", {}, line.textContent), spoken(` (${t("ui.story.taken_back")})`));
  }

  /** @param {number | null} version */
  mark(version) {
    for (const line of this.lines.children) {
      const here = line.getAttribute("data-version") === String(version);
      if (here) line.setAttribute("aria-current", "true");
      else line.removeAttribute("aria-current");
    }
  }
}
