/**
 * The guide at the table of a prepared game: what to do, and why. The script of `web/learn/<game>.json`
 * names the moves of both seats in their order; the person plays seat 0, the guide plays the other.
 *
 * A step is shown only if its move is legal now. When the person plays something else, the guide says so,
 * skips that step and goes on with the next one that fits the question. In a game with draws the service
 * draws other tiles than the script needs, so there each turn of the person is a prepared position of its own.
 * After the last step the game goes on against a bot, in a game of its own from this position.
 */

import { button } from "../elements/button.js";
import { h, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { seatName } from "../people/seats.js";
import { api, call, Problem } from "../platform/api.js";
import { t } from "../platform/i18n.js";
import { go } from "../platform/router.js";
import { frameChoice, isIdle } from "../play/choice_frame.js";
import { listPieces } from "../play/pieces.js";
import { guideAt, keepGuide } from "../table/guide_progress.js";
import { alike } from "./alike.js";
import { loadLesson, startGuided } from "./lesson.js";
import { fillNumbers } from "./lesson_numbers.js";
import { placeOf } from "./move_place.js";

/**
 * @typedef {import("../table/table.js").Table} Table
 * @typedef {import("../board/board.js").Board} Board
 * @typedef {import("./lesson.js").ScriptEntry} ScriptEntry
 * @typedef {import("./lesson.js").Lesson} Lesson
 */

const PERSON = 0;
const BOTS = ["easy", "medium"];
/** The second half of a gesture: no step of its own. */
const FOLLOWER = "place_follower";

export class Guide {
  /** @param {Table} table @param {Board} board @param {Lesson} lesson */
  constructor(table, board, lesson) {
    this.table = table;
    this.board = board;
    this.steps = lesson.guide?.steps ?? {};
    this.prepared = lesson.prepared;
    this.script = lesson.prepared?.script ?? [];
    /** For each seat: from where on the script speaks of what is to come. */
    this.at = guideAt(table.id) ?? [0, 0];
    /** Where this position stands in the script. */
    this.began = this.at[PERSON];
    this.hasDiffered = false;
    /** What the person was asked last. @type {{kind: string, round?: number}} */
    this.asked = { kind: "" };
    /** The number of the step that was shown last, and whether steps before it were left out. */
    this.number = 0;
    this.leaps = false;
    this.isPlaying = false;
    /** The step whose place was brought into sight last: it is not brought there twice. */
    this.shown = "";
    this.style = new CSSStyleSheet();
    this.element = h("section", { class: "guide", "aria-label": t("ui.learn.guide"), "aria-live": "polite" });
    table.addEventListener("played", (event) => this.#hear(/** @type {CustomEvent} */ (event).detail.events));
    // `played` comes after `change`: count the moves before the next step is looked for.
    table.addEventListener("change", () => table.played.telling.then(() => this.render()).catch(explain));
    board.host.addEventListener("pictured", () => {
      this.#mark();
      this.#bring();
    });
    this.render();
  }

  /** Count on from the moves that were made. @param {GameEvent[]} events */
  #hear(events) {
    for (const { type, seat, move } of events) {
      if (type !== "move_made") continue;
      // A worker more than the script places takes no step of the phases that come after.
      const turn = this.#next(seat, ({ kind, round }) => seat !== PERSON || this.#isAsked(kind, round));
      const same = this.#next(seat, (entry) => alike(entry.move, move));
      if (seat === PERSON) this.hasDiffered = same < 0 || same !== turn;
      // A person who plays a later move now has left the step of now out, and only this step.
      this.at[seat] = Math.max(this.at[seat], (seat === PERSON || same < 0 ? turn : same) + 1);
    }
    keepGuide(this.table.id, this.at);
  }

  /**
   * Whether the person was asked for this, in this round; a game without rounds has no phases to keep apart.
   * @param {string} kind @param {number} [round]
   */
  #isAsked(kind, round) {
    return this.asked.round === undefined || (kind === this.asked.kind && round === this.asked.round);
  }

  /** The next entry of a seat that fits, -1 without one. @param {number} seat @param {(entry: ScriptEntry) => boolean} fits */
  #next(seat, fits) {
    return this.script.findIndex((entry, at) => at >= this.at[seat] && entry.seat === seat && fits(entry));
  }

  /** Which step fits the question, -1 without one. @param {Move[]} moves @param {Decision} decision */
  #step(moves, { seat, kind }) {
    const now = this.table.game.view?.round;
    const isLegal = (/** @type {Move} */ wanted) => moves.some((move) => alike(move, wanted));
    return this.#next(seat, ({ kind: asked, round, move }) => asked === kind && round === now && isLegal(move));
  }

  render() {
    const { decision, status } = this.table.game;
    if (status !== "running" || !decision) {
      this.#tell([]);
      return;
    }
    if (decision.seat !== PERSON) this.#wait(decision).catch(explain);
    else if (this.table.moves.length) this.#advise(decision);
  }

  /** @param {Decision} decision */
  #advise(decision) {
    this.asked = { kind: decision.kind, round: this.table.game.view?.round };
    const at = this.#step(this.table.moves, decision);
    if (this.#laterPosition() >= 0 && decision.kind === this.script[0].kind) this.#jump().catch(explain);
    else if (at >= 0) this.#show(at);
    else if (this.#isOver(decision)) this.#finish();
    else this.#tell([h("p", { class: "do" }, t("ui.learn.free")), h("p", { class: "step" }, this.#leaveButton())]);
  }

  /**
   * Whether the first question comes again, and not because the person has played something else in a round
   * of the script: then its other phases are still to come. Games without rounds have no such phases.
   * @param {Decision} decision
   */
  #isOver({ kind }) {
    const now = this.table.game.view?.round;
    const isToCome = now !== undefined && this.#next(PERSON, ({ round = 0 }) => round >= now) >= 0;
    return kind === this.script[0]?.kind && !isToCome;
  }

  /** Before which entry the next prepared position stands; -1 without draws, or without another turn. */
  #laterPosition() {
    if (!this.prepared?.transcript.draws?.length) return -1;
    const at = this.#next(PERSON, ({ kind }) => kind === this.script[0].kind);
    return at > this.began ? at : -1;
  }

  /** Open the prepared position of the next turn, and call this game off. */
  async #jump() {
    if (this.isPlaying || !this.prepared) return;
    this.isPlaying = true;
    try {
      const { id } = this.table;
      await startGuided(this.prepared, this.#laterPosition());
      keepGuide(id, null);
      await api.propose(id, { kind: "abort" });
    } finally {
      this.isPlaying = false;
    }
  }

  /** Show a step; a tile and its follower are one gesture. @param {number} at */
  #show(at) {
    const said = this.script.filter(({ say, kind }) => say && kind !== FOLLOWER);
    const entry = this.script[at];
    const next = this.script[at + 1];
    const own = next?.seat === PERSON && next.kind === FOLLOWER ? [entry, next] : [entry];
    const texts = own.map(({ say }) => this.steps[say ?? ""]).filter(Boolean);
    const { segment } = own[1]?.move ?? {};
    const place = placeOf(entry.move);
    const n = said.indexOf(entry) + 1;
    const change = this.#leapsTo(n) ? "left_out" : this.hasDiffered && "differs";
    this.#tell(
      [
        change ? h("p", { class: "step" }, t(`ui.learn.${change}`)) : null,
        h("p", { class: "do" }, texts.map((text) => text.do).join(" ")),
        h("p", { class: "why" }, fillNumbers(texts.map((text) => text.why).join(" "), listPieces())),
        h(
          "p",
          { class: "step soft" },
          t("ui.learn.step", { n, of: said.length }),
          place ? button(t("ui.learn.show"), "guide-show", () => this.#reveal()) : null,
          this.#leaveButton(),
        ),
      ],
      entry,
      segment ? `.pins${place} [data-pin="${CSS.escape(segment)}"]` : "",
    );
    this.#bring();
  }

  /** Whether steps are left out between the one that was shown last and this one. @param {number} n its number */
  #leapsTo(n) {
    if (n !== this.number) this.leaps = this.number > 0 && n > this.number + 1;
    this.number = n;
    return this.leaps;
  }

  #leaveButton() {
    return button(t("ui.learn.leave"), "guide-leave", () => this.#playOn());
  }

  #finish() {
    const on = button(t("ui.learn.play_on"), "guide-on", () => this.#playOn(), "confirm");
    this.#tell([h("p", { class: "do" }, t("ui.learn.done")), h("div", { class: "buttons" }, on)]);
  }

  /** @param {(Node | null)[]} parts @param {ScriptEntry} [entry] the step that is shown @param {string} [pin] that it names */
  #tell(parts, entry, pin = "") {
    show(this.element, parts);
    this.element.dataset.step = entry?.say ?? "";
    this.element.hidden = parts.length === 0;
    this.place = entry ? placeOf(entry.move) : "";
    const named = [`${this.place}:not(.pins, .preview)`, pin].filter(Boolean).join(", ");
    const marked = `${named} { filter: drop-shadow(0 0 3px #ffb454) drop-shadow(0 0 7px #c0391b); }`;
    this.style.replaceSync(this.place ? marked : "");
    frameChoice(entry?.move);
    this.#mark();
  }

  /** A new step brings its place into sight, once the board asks. */
  #bring() {
    setTimeout(() => {
      const { step = "" } = this.element.dataset;
      if (step === this.shown || !this.board.targets.length) return;
      this.shown = step;
      this.#reveal();
    });
  }

  /** The board takes a new list of styles with each picture. */
  #mark() {
    const { root } = this.board;
    if (!root.adoptedStyleSheets.includes(this.style))
      root.adoptedStyleSheets = [...root.adoptedStyleSheets, this.style];
  }

  #reveal() {
    const place = this.place && this.board.find(this.place);
    if (place) this.board.reveal(place);
  }

  /** The other seat plays by the script. @param {Decision} decision */
  async #wait(decision) {
    const { table } = this;
    this.#tell([h("p", { class: "do" }, t("ui.learn.waits", { name: seatName(table.game, decision.seat) }))]);
    if (this.#laterPosition() >= 0) {
      await this.#jump();
      return;
    }
    if (this.isPlaying) return;
    this.isPlaying = true;
    try {
      const { version, moves } = await api.moves(table.id);
      const found = this.script[this.#step(moves, decision)]?.move;
      const move = found ?? moves.find(isIdle) ?? moves[0];
      await call(`/games/${table.id}/moves`, "POST", { move, expected_version: version });
    } catch (error) {
      // Another tab was quicker. After any other refusal the guide would ask again without end.
      if (!(error instanceof Problem && error.code === "stale_version")) throw error;
    } finally {
      this.isPlaying = false;
    }
    await table.refresh();
  }

  /** Go on against a bot in a game of its own, and call this one off. */
  async #playOn() {
    const { id, version, game } = this.table;
    const { games } = await api.catalogue();
    const offer = games.find(({ name }) => name === game.game);
    const names = offer?.bots.map(({ name }) => name) ?? [];
    const bot = BOTS.find((name) => names.includes(name)) ?? names[0];
    const seats = game.seats.map((_, seat) => (seat === PERSON ? { kind: "me" } : { kind: "bot", bot }));
    const made = await api.branch(id, { version, seats, visibility: "private", hints: true });
    keepGuide(id, null);
    await api.propose(id, { kind: "abort" });
    await go(`/games/${made.id}`);
  }
}

/**
 * Put a guide on a table that has one.
 * @param {Table} table @param {Board} board @param {HTMLElement} element of the page
 */
export async function guide(table, board, element) {
  const lesson = await loadLesson(table.game.game);
  if (!lesson.guide || !lesson.prepared) return;
  const made = new Guide(table, board, lesson);
  element.classList.add("guided");
  element.querySelector(".left")?.append(made.element);
}
