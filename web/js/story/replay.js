/**
 * The replay: every move of the game, forward and back, move by move, round by round, or by itself.
 * A caption says what was done and when; the board marks what has changed.
 */

import { h, show, svg } from "../elements/dom.js";
import { labelled, t } from "../platform/i18n.js";
import { prefs } from "../platform/prefs.js";
import { Progress } from "./progress.js";
import { tellAt } from "./teller.js";

const PAUSE = 1100; // ms between two moves at speed 1
const SPEEDS = [0.5, 1, 2, 4];

/** Signs in a square of 24. */
const SIGNS = {
  first: "M5 5v14M19 5L9 12l10 7z",
  roundBack: "M12 5l-9 7 9 7zM21 5l-9 7 9 7z",
  back: "M16 5l-9 7 9 7z",
  play: "M8 4l12 8-12 8z",
  pause: "M8 5v14M16 5v14",
  forward: "M8 5l9 7-9 7z",
  roundOn: "M12 5l9 7-9 7zM3 5l9 7-9 7z",
  latest: "M19 5v14M5 5l10 7-10 7z",
  close: "M6 6l12 12M18 6L6 18",
  analyse: "M10 4a6 6 0 1 0 0 12a6 6 0 1 0 0-12zM14.500 14.500l6.500 6.500",
  mine: "M12 4a4 4 0 1 1 0 8a4 4 0 1 1 0-8zM5 21q0-7 7-7t7 7z",
};
const LABELS = { roundBack: "round_back", roundOn: "round_on", close: "present" };

/** @typedef {keyof SIGNS} Sign */

/** @param {Sign} name */
function sign(name) {
  return svg("svg", { class: "sign", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: SIGNS[name] }));
}

/** @param {Sign} name */
const labelOf = (name) => t(`ui.replay.${LABELS[/** @type {keyof LABELS} */ (name)] ?? name}`);

/** Event on `element`: `moment` when a moment is shown (detail: its version). */
export class Replay {
  /**
   * @param {import("../table/table.js").Table} table
   * @param {(version: number) => Promise<void>} go show the table after a version
   * @param {() => void} leave close the replay and show the present
   * @param {() => void} analyse open the analysis of a finished game
   */
  constructor(table, go, leave, analyse) {
    this.table = table;
    this.go = go;
    this.leave = leave;
    this.at = table.version;
    this.wanted = this.at;
    /** The way to the wanted version. @type {Promise<void> | null} */
    this.going = null;
    this.timer = 0;
    this.isOpen = false;
    this.speed = Number(prefs().motion) || 1;
    this.course = new Progress([]);
    /** What else is known of a moment. */
    this.notes = h("div", { class: "judgement" });
    this.caption = h("p", { class: "caption", tabindex: "0", "aria-live": "polite" });
    /** @type {HTMLInputElement} */
    this.slider = h("input", {
      type: "range",
      step: "1",
      "aria-label": t("ui.replay.moment"),
      oninput: () => this.#jump(Number(this.slider.value)),
    });
    this.rounds = h("div", { class: "rounds", "aria-hidden": "true" });
    this.count = h("output", { class: "count" });
    this.player = this.#button("play", () => this.toggle());
    this.mine = this.#button("mine", () => this.command("mine"));
    this.analyse = this.#button("analyse", analyse);
    this.pace = this.#paces();
    const names = /** @type {const} */ (["first", "roundBack", "back"]);
    const later = /** @type {const} */ (["forward", "roundOn", "latest"]);
    this.element = h(
      "div",
      { class: "replay", role: "group", "aria-label": t("ui.replay.title"), hidden: true },
      this.caption,
      this.notes,
      h("div", { class: "track" }, this.slider, this.rounds),
      this.count,
      h(
        "div",
        { class: "steps" },
        names.map((name) => this.#button(name, () => this.command(name))),
        this.player,
        later.map((name) => this.#button(name, () => this.command(name))),
        this.mine,
        this.analyse,
        this.pace,
        this.#button("close", leave),
      ),
    );
    this.show(this.at);
  }

  /** @param {Sign} name @param {() => void} onclick */
  #button(name, onclick) {
    const label = labelOf(name);
    return h("button", { class: "round", "aria-label": label, title: label, onclick, "data-key": name }, sign(name));
  }

  #paces() {
    /** @type {HTMLSelectElement} */
    const pace = h(
      "select",
      {
        class: "pace",
        "aria-label": t("ui.replay.speed"),
        title: t("ui.replay.speed"),
        onchange: () => (this.speed = Number(pace.value)),
      },
      SPEEDS.map((speed) => h("option", { value: speed }, speed === 0.5 ? "½×" : `${speed}×`)),
    );
    pace.value = String(this.speed);
    return pace;
  }

  /** @param {boolean} isOpen */
  open(isOpen) {
    this.isOpen = isOpen;
    this.element.hidden = !isOpen;
    if (isOpen) this.#load();
    else this.stop();
  }

  /** The events say what happened; they are here, or come. */
  #load() {
    this.table.loadEvents().then(
      () => this.show(this.at),
      () => {}, // without the events there is no caption; the next step asks for them again
    );
  }

  /** @param {number} version */
  seek(version) {
    this.open(true);
    return this.#jump(version);
  }

  /** @param {number} version */
  #jump(version) {
    this.stop();
    return this.#move(version);
  }

  /** @param {number} version */
  #move(version) {
    this.wanted = Math.min(Math.max(this.table.started, version), this.table.version);
    this.show(this.wanted);
    this.going ??= this.#go().finally(() => {
      this.going = null;
    });
    return this.going;
  }

  /** Go where the slider is; what it passes over meanwhile is left out. */
  async #go() {
    let shown;
    do {
      shown = this.wanted;
      await this.go(shown);
    } while (shown !== this.wanted);
  }

  /**
   * Do what a button or a key asks for. False: the replay is closed, or does not know the name.
   * @param {string} name
   */
  command(name) {
    if (!this.isOpen) return false;
    const { at, course, table } = this;
    const target = {
      first: table.started,
      back: at - 1,
      forward: at + 1,
      latest: table.version,
      roundBack: course.findRound(at, -1) ?? table.started,
      roundOn: course.findRound(at, 1) ?? table.version,
      mine: course.lastOf(table.mine),
    }[name];
    if (name === "toggle") this.toggle();
    else if (name === "slower") this.#pace(-1);
    else if (name === "faster") this.#pace(1);
    else if (target === undefined) return false;
    else if (target !== null) this.#jump(target);
    return true;
  }

  /** @param {1 | -1} by */
  #pace(by) {
    const next = SPEEDS[SPEEDS.indexOf(this.speed) + by];
    if (!next) return;
    this.speed = next;
    this.pace.value = String(next);
  }

  /** Say which move the table shows. @param {number} version */
  show(version) {
    this.at = version;
    const { table } = this;
    const { events, game } = table;
    if (this.course.events !== events || this.course.stages.length !== events.length)
      this.course = new Progress(events, Boolean(game.view?.round));
    this.slider.min = String(table.started);
    this.slider.max = String(table.version);
    this.slider.value = String(version);
    this.count.textContent = t("ui.replay.of", { n: version, of: table.version });
    this.analyse.hidden = game.status !== "over";
    this.mine.hidden = this.course.lastOf(table.mine) === null;
    const stage = this.course.words(game.game, version);
    const told = tellAt(game, events, version).join(" ");
    show(this.caption, stage ? h("b", {}, `${stage} `) : null, told || (stage ? null : "…"));
    this.slider.setAttribute("aria-valuetext", this.words(version));
    this.#markRounds();
    this.element.dispatchEvent(new CustomEvent("moment", { detail: version }));
  }

  /** Which move it is, in words. @param {number} version */
  words(version) {
    const { game, events } = this.table;
    const told = tellAt(game, events, version).join(" ");
    const stage = this.course.words(game.game, version);
    return stage && told ? labelled(stage, told) : stage || told;
  }

  #markRounds() {
    const { started, version } = this.table;
    const span = Math.max(1, version - started);
    const marks = this.course.rounds.map((round) => {
      const mark = h("span", {}, round.round % 5 === 0 || this.course.rounds.length < 12 ? round.round : null);
      mark.style.setProperty("--at", String((round.version - started) / span));
      return mark;
    });
    if (marks.length !== this.rounds.children.length || this.rounds.dataset.of !== String(version))
      this.rounds.replaceChildren(...marks);
    this.rounds.dataset.of = String(version);
  }

  toggle() {
    if (this.timer) this.stop();
    else this.#start();
  }

  /** @param {number} version */
  async playFrom(version) {
    this.open(true);
    await this.#jump(version);
    this.#start(() => this.leave());
  }

  /** @param {() => void} [over] what to do at the end */
  #start(over = () => {}) {
    if (this.at >= this.table.version) this.show(this.table.started);
    this.#face("pause");
    const next = async () => {
      await this.#move(this.at + 1).catch((error) => {
        this.stop(); // the button plays on from here
        throw error;
      });
      if (this.timer && this.at < this.table.version) this.timer = setTimeout(next, PAUSE / this.speed);
      else {
        const isOver = this.timer !== 0;
        this.stop();
        if (isOver) over();
      }
    };
    this.timer = setTimeout(next, PAUSE / 3 / this.speed);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.#face("play");
  }

  /** What the button in the middle does next. @param {"play" | "pause"} name */
  #face(name) {
    show(this.player, sign(name));
    this.player.setAttribute("aria-label", labelOf(name));
    this.player.setAttribute("title", labelOf(name));
  }
}
