/** "Since your last move": what the others have done, in one line over the action bar. */

import { h, show } from "../elements/dom.js";
import { t } from "../platform/i18n.js";
import { Progress } from "./progress.js";
import { tellAt } from "./teller.js";

/** So many sentences at most: the newest ones. */
const SENTENCES = 3;
/** A spectator reads about so many events. */
const WATCHED = 3;

export class SinceLastMove {
  /** @param {import("../table/table.js").Table} table @param {(version: number) => void} again shows the moves after a version */
  constructor(table, again) {
    this.table = table;
    this.again = again;
    /** The version after which it tells the moves. */
    this.from = 0;
    this.element = h("button", {
      class: "since",
      hidden: true,
      title: t("ui.motion.again"),
      "data-key": "since",
      onclick: () => this.again(this.from),
    });
  }

  /** Tell what has happened; the events must be loaded. */
  update() {
    const { events, game, mine } = this.table;
    const own = mine.length ? new Progress(events).lastOf(mine) : null;
    this.from = own ?? Math.max(0, events.length - WATCHED);
    const told = events
      .slice(this.from)
      .filter(({ seat }) => seat === undefined || !mine.includes(seat))
      .flatMap(({ version }) => tellAt(game, events, version));
    this.element.toggleAttribute("hidden", !told.length || game.status !== "running");
    const what = own === null ? "before" : "since";
    const sentences = told.slice(-SENTENCES);
    show(
      this.element,
      h("span", { class: "what" }, `${t(`ui.motion.${what}`)}: `),
      h(
        "span",
        { class: "told" },
        sentences.map((text, at) => h("span", at < sentences.length - 1 ? { class: "earlier" } : {}, `${text} `)),
      ),
    );
  }
}
