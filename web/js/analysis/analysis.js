/**
 * The analysis of a finished game: how likely each seat was to win, how good each move was, and what
 * would have been better. The sheet has the graph and the seats; the replay says what it knows of a
 * move (`move_notes.js`); the story marks the moves that cost something.
 */

import { button } from "../elements/button.js";
import { h, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { withPlayer } from "../people/guest_name.js";
import { seal, seatName, signOf } from "../people/seats.js";
import { t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { plot } from "../story/score_chart.js";
import { AnalysisRun } from "./analysis_run.js";
import { gradeBadge, isLoud, SIGNS } from "./grades.js";
import { Moments } from "./moments.js";
import { MoveNotes } from "./move_notes.js";
import { decimal, withSign } from "./wording.js";

/**
 * @typedef {import("./analysis_run.js").Decided} Decided
 * @typedef {import("./analysis_run.js").SeatSummary} SeatSummary
 *
 * @typedef {object} AnalysisParts the parts of a table that show the analysis
 * @property {import("../board/board.js").Board} board
 * @property {import("../elements/sheet.js").Sheet} over
 * @property {import("../elements/sheet.js").Sheet} choices
 * @property {import("../story/story_panel.js").StoryPanel} aside
 * @property {import("../story/story.js").Story} story
 * @property {import("../story/replay.js").Replay} replay
 * @property {HTMLElement} element the table
 * @property {import("../story/score_chart.js").Graph} graph
 * @property {import("../story/score_chart.js").Seeking} seeking
 */

/**
 * The expected shares of wins after each decision, in %. A decision says the share of its seat; what
 * is left is divided among the others as before.
 * @param {Decided[]} decisions @param {Game} game @param {number} first the version at which the game began
 */
export function sharesOf(decisions, game, first) {
  const count = game.seats.length;
  let shares = Array(count).fill(100 / count);
  const line = [{ version: first, scores: shares }];
  for (const { version, seat, win } of decisions) {
    const own = 100 * win;
    const rest = 100 - shares[seat];
    shares = shares.map((share, at) => {
      if (at === seat) return own;
      return rest > 0 ? (share * (100 - own)) / rest : (100 - own) / (count - 1);
    });
    line.push({ version, scores: shares });
  }
  return line.map(({ version, scores }) => ({ version, scores: scores.map((share) => Math.round(share)) }));
}

export class Analysis {
  /** @param {AnalysisParts} parts @param {import("../table/table.js").Table} table */
  constructor(parts, table) {
    this.parts = parts;
    this.table = table;
    this.run = new AnalysisRun(table.id);
    this.notes = new MoveNotes(parts, table, this.run);
    this.lesson = new Moments(parts, table, this.run, () => this.open().catch(explain));
    this.notes.isQuiet = () => this.lesson.isOpen;
    this.element = h("div", { class: "analysis" });
    this.sideGraph = h("div", { class: "graph" });
    parts.aside.showScores(parts.graph.element, this.sideGraph);
    this.run.addEventListener("change", () => this.#changed());
    parts.board.host.addEventListener("pictured", () => this.#follow());
  }

  close() {
    this.lesson.close();
    this.run.close();
  }

  /** Open the sheet, and ask for the analysis the first time. */
  async open() {
    const { over } = this.parts;
    over.open(this.element, { label: t("ui.analysis.title"), at: "full", closes: true });
    over.rise();
    over.cross.focus();
    if (this.run.status === "none" || this.run.status === "failed") await this.#start();
    else this.#render();
  }

  /** @param {boolean} [again] start an analysis that has failed once more */
  async #start(again = false) {
    this.run.status = "none";
    this.#render();
    await this.table.loadEvents();
    await this.#ask(again).catch(explain);
    if (this.#isAsked) return;
    this.parts.over.close(); // the reason is said already
  }

  /** All may read; only who starts the analysis needs to be a player. @param {boolean} again */
  async #ask(again) {
    const isThere = !again && !me() && (await this.run.find());
    if (!isThere) await withPlayer(() => this.run.start());
  }

  get #isAsked() {
    return this.run.status !== "none";
  }

  #changed() {
    this.#render();
    const { run, parts } = this;
    if (run.status !== "done") return;
    parts.story.annotate((version) => {
      const found = run.at(version);
      return found && isLoud(found) ? gradeBadge(found.mark) : null;
    });
    show(this.sideGraph, h("h3", { class: "beside" }, t("ui.analysis.graph")), this.#graph());
    this.notes.open();
  }

  /** The hand of the graph under the scores goes where the replay is. */
  #follow() {
    const at = this.parts.replay.at;
    this.sideGraph.querySelector(".seek")?.dispatchEvent(new CustomEvent("at", { detail: at }));
  }

  #render() {
    const { status } = this.run;
    const body = {
      none: this.#progress(),
      queued: this.#progress(),
      running: this.#progress(),
      failed: this.#failed(),
      done: this.#done(),
    };
    show(this.element, body[status]);
  }

  #progress() {
    const { progress, status } = this.run;
    const n = Math.round(100 * progress);
    const said = status === "running" ? t("ui.analysis.running", { n }) : t("ui.analysis.queued");
    const bar = { max: 100, value: n, "aria-label": t("ui.analysis.title") };
    return [h("p", { role: "status" }, said), h("progress", bar)];
  }

  #failed() {
    const again = () => this.#start(true).catch(explain);
    return [
      h("p", { role: "status" }, t("ui.analysis.failed")),
      h("button", { class: "plain", "data-key": "analysis-again", onclick: again }, t("ui.analysis.again")),
    ];
  }

  #done() {
    if (this.run.status !== "done") return [];
    const first = this.notes.next(0, 1);
    return [
      this.#graph(() => this.parts.over.close()),
      this.#seats(),
      ...this.#tiles(),
      this.#lastGames(),
      first === null ? h("p", {}, t("ui.analysis.clean")) : this.#review(first),
      this.#moments(),
    ];
  }

  /** Ask a moment of this game again, when its analysis is still there. @param {number} version */
  async ask(version) {
    if (this.run.status === "none" && !(await this.run.find())) return;
    const moments = this.run.moments.filter((one) => one.version === version);
    if (moments.length) await this.lesson.start(moments);
  }

  /** The way to the moments from which this person learns most. */
  #moments() {
    const { lesson } = this;
    const moments = lesson.own;
    if (!moments.length) return null;
    const words = t("ui.moments.start", { n: moments.length });
    return h(
      "div",
      { class: "buttons" },
      button(words, "moments", () => lesson.start(moments)),
    );
  }

  /** @param {number} first the first move that cost something */
  #review(first) {
    const { parts } = this;
    const onclick = () => {
      parts.over.close();
      parts.replay.seek(first).catch(explain);
    };
    return h(
      "div",
      { class: "buttons" },
      h("button", { class: "confirm", "data-key": "mistakes", onclick }, t("ui.analysis.review")),
    );
  }

  /** @param {() => void} [settle] */
  #graph(settle) {
    const { table, run, parts } = this;
    const { game, started, version } = table;
    const turning = new Set(run.seats.flatMap(({ turning_points }) => turning_points));
    const signs = run.decisions
      .filter((one) => turning.has(one.version) && isLoud(one))
      .map(({ version, seat, mark }) => ({ version, seat, sign: SIGNS[mark] }));
    const line = [...sharesOf(run.decisions, game, started)];
    const { winners } = /** @type {Result} */ (game.result); // only a finished game is analysed
    const won = game.seats.map((_, seat) => (winners.includes(seat) ? Math.round(100 / winners.length) : 0));
    line.push({ version, scores: won });
    const look = { title: t("ui.analysis.graph"), most: 100, unit: " %", isStraight: true, signs };
    return plot(game, line, look, parts.replay.at, { ...parts.seeking, first: started, settle });
  }

  #seats() {
    const heads = ["accuracy", "lost", "luck", "turning"].map((name) =>
      h("th", { scope: "col" }, t(`ui.analysis.${name}`)),
    );
    return h(
      "div",
      { class: "across", tabindex: "0", role: "group", "aria-label": t("ui.analysis.seats") },
      h(
        "table",
        { class: "judged" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("ui.analysis.player")), heads)),
        h(
          "tbody",
          {},
          this.run.seats.map((one, seat) => this.#seat(one, seat)),
        ),
      ),
    );
  }

  /** By how much the winner won, and how much of that was luck: nothing for a game without draws and after a tie. */
  #tiles() {
    const { game } = this.table;
    const { winners, scores } = /** @type {Result} */ (game.result);
    const [winner] = winners;
    const others = scores.flatMap((_, seat) => (seat === winner ? [] : [seat]));
    const second = others.reduce((best, seat) => (scores[seat] > scores[best] ? seat : best), others[0]);
    const won = scores[winner] - scores[second];
    if (winners.length > 1 || won <= 0 || this.run.seats.every(({ luck }) => luck === 0)) return [];
    const luck = withSign(this.run.seats[winner].luck - this.run.seats[second].luck);
    return [h("p", { class: "tiles" }, t("ui.analysis.tiles", { name: seatName(game, winner), n: won, luck }))];
  }

  /** The way to what luck and play came to in this person's last games. */
  #lastGames() {
    const player = me();
    if (!player || !this.table.mine.length) return null;
    const address = { class: "button plain", href: `/players/${player.id}`, "data-key": "last-games" };
    return h("div", { class: "buttons" }, h("a", address, t("ui.learning.title")));
  }

  /** @param {SeatSummary} summary @param {number} seat */
  #seat({ accuracy, loss, luck, turning_points }, seat) {
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, seal(seat), seatName(this.table.game, seat), signOf(this.table.game, seat)),
      h("td", {}, `${Math.round(accuracy)} %`),
      h("td", {}, decimal(loss)),
      h("td", {}, withSign(luck)),
      h(
        "td",
        {},
        turning_points.length
          ? h(
              "div",
              { class: "turning" },
              turning_points.map((version) => this.#jump(version)),
            )
          : "–",
      ),
    );
  }

  /** @param {number} version */
  #jump(version) {
    const { parts } = this;
    const onclick = () => {
      parts.over.close();
      parts.replay.seek(version).catch(explain);
    };
    const label = t("ui.story.jump", { n: version });
    return h("button", { class: "plain jump", "aria-label": label, onclick }, String(version));
  }
}
