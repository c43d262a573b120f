/** The page of a tournament: what can be done now, the round, the standings, who plays, the poster. Live by its stream. */

import { playerLink } from "../bots/bot_sign.js";
import { h } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { renew } from "../elements/morph.js";
import { labelled, t } from "../platform/i18n.js";
import { drawActions } from "./actions.js";
import { drawDesk } from "./checking/operator_desk.js";
import { proof } from "./checking/proof.js";
import { drawEntrants } from "./entrants.js";
import { ownEntrant, ownTable } from "./facts/shown.js";
import { termsLine, termsList } from "./facts/terms.js";
import { tournaments } from "./facts/tournament_calls.js";
import { LiveEvents } from "./live_events.js";
import { OwnTable } from "./own_table.js";
import { poster } from "./poster.js";
import { drawRound } from "./round.js";
import { SmallBoards } from "./small_boards.js";
import { drawStandings } from "./standings.js";
import { drawTimes } from "./times.js";

/** @typedef {import("./facts/shown.js").Shown} Shown */
/** @typedef {Pick<Shown, "round" | "tables" | "current">} Looked */

/** So many tables of an arena that have ended are shown. */
const LATEST = 12;

class TournamentPage {
  /** @param {string} id */
  constructor(id) {
    this.id = id;
    /** The round that the person looks at; 0: the latest. */
    this.wanted = 0;
    this.turn = 0;
    this.isClosed = false;
    /** @type {Shown | null} */
    this.shown = null;
    this.head = h("header", {});
    this.acts = h("section", { class: "tour-acts", "aria-live": "polite" });
    this.desk = h("section", { class: "tour-desk" });
    this.round = h("section", { class: "tour-round" });
    this.times = h("section", { class: "tour-when" });
    this.standings = h("section", { class: "tour-standings" });
    this.entrants = h("section", { class: "tour-entrants" });
    this.terms = h("details", { class: "tour-more" });
    this.proof = proof(id);
    this.poster = h("section", { class: "tour-poster" });
    this.element = h(
      "div",
      { class: "tournament" },
      this.head,
      this.acts,
      this.desk,
      h(
        "div",
        { class: "tour-columns" },
        h("div", {}, this.times, this.round, this.entrants),
        h("div", {}, this.poster, this.standings, this.terms, this.proof),
      ),
    );
    this.boards = new SmallBoards(this.round, () => this.shown && this.#drawRound(this.shown));
    this.own = new OwnTable(() => this.load().catch(explain));
    this.live = new LiveEvents(id, () => this.load().catch(explain));
    this.again = () => this.load().catch(explain);
    document.addEventListener("player", this.again);
  }

  close() {
    this.isClosed = true;
    this.live.close();
    this.boards.close();
    this.own.close();
    document.removeEventListener("player", this.again);
  }

  async load() {
    this.turn += 1;
    const { turn, id } = this;
    const tournament = await tournaments.show(id);
    const [{ entrants }, { standings }, looked] = await Promise.all([
      tournaments.entrants(id),
      tournament.started_at ? tournaments.standings(id) : { standings: [] },
      tournament.format === "arena" ? readArena(id) : this.#readRound(tournament.round),
    ]);
    const table = ownTable(looked, ownEntrant({ entrants })?.entrant);
    const [ownGame, times] = await Promise.all([
      this.own.find(table),
      table && tournament.pace.mode !== "live" ? tournaments.times(id, table.table) : null,
    ]);
    if (turn !== this.turn || this.isClosed) return; // something newer is on its way, or another page is shown
    this.shown = { tournament, entrants, standings, ...looked, ownGame, times, games: this.boards.games };
    this.live.follow(tournament.version, tournament.status);
    this.#draw(this.shown);
  }

  /** @param {number} latest @returns {Promise<Looked>} */
  async #readRound(latest) {
    if (!latest) return { round: null, tables: [], current: [] };
    const wanted = this.wanted || latest;
    const [round, now] = await Promise.all([
      tournaments.round(this.id, wanted),
      wanted === latest ? null : tournaments.round(this.id, latest),
    ]);
    return { round, tables: round.tables, current: (now ?? round).tables };
  }

  /** @param {Shown} shown */
  #draw(shown) {
    const { tournament } = shown;
    this.element.dataset.status = tournament.status;
    this.element.dataset.version = String(tournament.version);
    renew(
      this.head,
      h("h1", {}, h("bdi", {}, tournament.name)),
      h(
        "p",
        { class: "soft" },
        h("span", {}, termsLine(tournament)),
        h("span", { class: "tour-host" }, labelled(t("ui.tournaments.host"), ""), playerLink(tournament.host)),
      ),
    );
    const act = (/** @type {() => Promise<any>} */ change) => this.#change(change);
    renew(this.acts, drawActions(shown, act));
    renew(this.desk, drawDesk(shown, act));
    this.#drawRound(shown);
    renew(this.times, drawTimes(shown, act));
    renew(this.standings, drawStandings(shown));
    renew(this.entrants, drawEntrants(shown, act));
    renew(this.terms, h("summary", {}, t("ui.tournaments.terms")), termsList(tournament));
    if (!this.poster.childElementCount) this.poster.append(poster(this.id));
    this.poster.hidden = tournament.status !== "open";
  }

  /** @param {Shown} shown */
  #drawRound(shown) {
    renew(
      this.round,
      drawRound(
        shown,
        (n) => this.#look(n),
        (change) => this.#change(change),
      ),
    );
    this.boards.watch(shown.tables);
  }

  /** @param {number} n */
  #look(n) {
    this.wanted = n === this.shown?.tournament.round ? 0 : n;
    return this.load().catch(explain);
  }

  /** Do something, and show what has come of it. @param {() => Promise<any>} change */
  async #change(change) {
    try {
      await change();
    } finally {
      await this.load();
    }
  }
}

/** The tables of an arena, those that are played first, then the latest. @param {string} id @returns {Promise<Looked>} */
async function readArena(id) {
  const all = (await tournaments.tables(id)).games.reverse();
  const current = all.filter(({ status }) => status === "playing");
  return {
    round: null,
    tables: [...current, ...all.filter((one) => !current.includes(one)).slice(0, LATEST)],
    current,
  };
}

/** @param {string} id @returns {Promise<import("../platform/router.js").Page>} */
export async function tournamentPage(id) {
  const page = new TournamentPage(id);
  try {
    await page.load();
  } catch (error) {
    page.close();
    throw error;
  }
  return { element: page.element, title: page.shown?.tournament.name ?? "", close: () => page.close() };
}
