/** What a rated table is about, before one sits down: how each end of the game would change one's rating. */

import { h, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { api, Unreachable } from "../platform/api.js";
import { language, t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { accountNeeded } from "./account_needed.js";

/** A bar for which less is better: browsers paint it red. */
const LOSS = { low: 0, high: 0, optimum: 0 };

/** @param {number} points */
function signed(points) {
  return new Intl.NumberFormat(language(), { signDisplay: "always" }).format(points);
}

/** @param {number} rank @param {number} seats */
function nameEnd(rank, seats) {
  if (rank === 1) return t("ui.rated.win");
  return seats === 2 ? t("ui.rated.lose") : t("ui.rated.place", { n: rank });
}

/** A change for each rank, as a line of words and a bar of its size. @param {number[]} changes */
function drawChanges(changes) {
  const most = Math.max(1, ...changes.map(Math.abs));
  return h(
    "ul",
    { class: "ends" },
    changes.map((points, at) =>
      h(
        "li",
        { "data-sign": String(Math.sign(points)) },
        h("span", {}, nameEnd(at + 1, changes.length)),
        h("meter", { max: most, value: Math.abs(points), "aria-hidden": "true", ...(points < 0 && LOSS) }),
        h("b", {}, signed(points)),
      ),
    ),
  );
}

/** The stakes of this person at a table, as long as it is rated and waits. */
export class Stakes {
  /** @param {import("../table/table.js").Table} table */
  constructor(table) {
    this.table = table;
    this.version = 0;
    this.place = h("div", { class: "ends-place" });
    this.account = h("div", {});
    this.element = h(
      "section",
      { class: "at-stake", "aria-label": t("ui.rated.badge") },
      h("h3", {}, t("ui.rated.label")),
      this.place,
      this.account,
    );
  }

  /** The element as it is now; null at a table that is not rated or does not wait. */
  draw() {
    const { game, mine } = this.table;
    if (!game.rated || game.status !== "open") return null;
    // Made once: codes that it shows are shown once.
    if (!mine.length && !this.account.childElementCount)
      show(
        this.account,
        accountNeeded(() => this.#load()),
      );
    if (this.version !== game.version) this.#load();
    return this.element;
  }

  #load() {
    this.version = this.table.version;
    this.#fill().catch((error) => error instanceof Unreachable || explain(error)); // the next change asks again
  }

  async #fill() {
    const [mine] = this.table.mine;
    const { seats } = await api.ratingsOf(this.table.id, true);
    // A person without a seat is shown on the first open one.
    const own = seats.find(({ seat, player, before }) => (mine === undefined ? !player && before : seat === mine));
    if (!own?.changes || !own.before || !me()) {
      show(this.place, h("p", { class: "soft" }, t("ui.rated.note")));
      return;
    }
    const { rating, deviation } = own.before;
    show(this.place, h("p", {}, t("ui.rated.yours", { rating, deviation })), drawChanges(own.changes));
  }
}
