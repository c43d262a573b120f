/**
 * The clocks of a table: what each seat has left, and the deadline at the question. They tick on
 * this device and are asked for again after each change, after a sleep and when the server says so.
 */

import { announce } from "../elements/announce.js";
import { h, show } from "../elements/dom.js";
import { api, Problem, Unreachable } from "../platform/api.js";
import { ClockReading } from "../platform/clock.js";
import { t } from "../platform/i18n.js";
import { by, span, ticking, until } from "../platform/time_words.js";
import { seatName } from "./seats.js";

/** ms between two looks at the clocks; seconds are seen in live games only. */
const TICK = { live: 250, correspondence: 1000 };
/** @typedef {[string, string, string?]} Words what runs, what else to know, and that in brief */

/** Say aloud that an own time runs out, at so many ms before its end. */
const WARN = { live: [30_000, 10_000], correspondence: [3_600_000] };

export class SeatClocks {
  /** @param {import("../table/table.js").Table} table */
  constructor(table) {
    this.table = table;
    /** @type {ClockReading | null} */
    this.reading = null;
    /** Next to the question: whose time runs, until when. */
    this.line = h("p", { class: "clock-line", role: "timer", hidden: true });
    this.timer = 0;
    this.loading = false;
    this.warned = new Set();
    this.seen = () => document.visibilityState === "visible" && this.load();
    document.addEventListener("visibilitychange", this.seen);
    for (const news of ["change", "clock"]) table.addEventListener(news, () => this.load());
    table.addEventListener("line", () => table.connected && this.load());
  }

  close() {
    clearInterval(this.timer);
    document.removeEventListener("visibilitychange", this.seen);
  }

  /** Ask the server how the clocks stand; a failure is made good by the next question. */
  async load() {
    const { game } = this.table;
    if (!game.pace || game.status !== "running") return this.#take(null);
    if (this.loading) return;
    this.loading = true;
    const began = performance.now();
    try {
      const clock = await api.clock(this.table.id);
      this.#take(
        clock.mode
          ? new ClockReading(/** @type {import("../platform/clock.js").Clock} */ (clock), performance.now() - began)
          : null,
      );
    } catch (error) {
      if (!(error instanceof Unreachable || error instanceof Problem)) throw error;
    } finally {
      this.loading = false;
    }
  }

  /** @param {ClockReading | null} reading */
  #take(reading) {
    this.reading = reading;
    clearInterval(this.timer);
    const mode = reading?.clock.mode;
    if (mode && !this.table.isClosed) this.timer = setInterval(() => this.#tick(), TICK[mode]);
    this.render();
  }

  /** What a seat has left, in words; "" without a clock. @param {number} seat */
  wordsOf(seat) {
    const words = this.reading && timeOf(this.reading, this.table, seat);
    return words ? words.slice(0, 2).filter(Boolean).join(" ") : "";
  }

  #tick() {
    if (this.reading?.hasJumped) this.load();
    this.render();
  }

  /** Show the times in a strip of seats. @param {HTMLElement} strip */
  place(strip) {
    this.strip = strip;
    this.render();
  }

  render() {
    const { reading, table } = this;
    for (const seat of this.strip?.querySelectorAll("[data-seat]") ?? [])
      fillSeat(seat, reading && timeOf(reading, table, Number(seat.getAttribute("data-seat"))));
    const words = reading && lineOf(reading, table);
    this.line.hidden = !words;
    if (words) write(this.line, words);
    if (reading) this.#warn(reading);
  }

  /** Say that an own time runs out: once for each threshold of a deadline. @param {ClockReading} reading */
  #warn({ clock, left, stands }) {
    if (!clock.mode || left === null || left <= 0 || stands || !this.#isMine(clock.seat)) return;
    for (const threshold of WARN[clock.mode]) {
      const key = `${clock.deadline_at} ${threshold}`;
      if (left > threshold || this.warned.has(key)) continue;
      this.warned.add(key);
      if (left > threshold / 2) announce(t("ui.clock.soon", { time: span(left, "long") }));
    }
  }

  /** @param {number | null} seat */
  #isMine(seat) {
    return this.table.question?.seat === seat;
  }
}

/**
 * Change a text only when it differs: a screen reader and the layout notice each change.
 * @param {Element} place @param {Words} words
 */
function write(place, [time, more, brief]) {
  const text = `${time}\n${more}`;
  if (place.getAttribute("data-text") === text) return;
  place.setAttribute("data-text", text);
  const parts = [
    time && h("b", {}, time),
    brief && h("span", { class: "brief" }, brief),
    more && h("span", brief ? { class: "full" } : {}, more),
  ];
  show(place, parts);
}

/** @param {Element} element @param {Words | null} words */
function fillSeat(element, words) {
  const place = element.querySelector(".time") ?? h("p", { class: "time" });
  if (!words) {
    place.remove();
    return;
  }
  if (!place.parentElement) element.append(place);
  write(place, words);
}

/**
 * What a seat has left: the delay that runs and the reserve. Bots have no clock.
 * @param {ClockReading} reading @param {import("../table/table.js").Table} table @param {number} seat
 * @returns {Words | null}
 */
function timeOf(reading, table, seat) {
  const { player, state } = table.game.seats[seat] ?? {};
  if (!player || ["forfeited", "vacant"].includes(state)) return null;
  const show = reading.clock.mode === "live" ? ticking : span;
  const { delay, bank } = reading.of(seat);
  if (delay === null) return ["", t("ui.clock.reserve", { time: show(bank) }), show(bank)];
  return delay > 0 ? [show(delay), `+ ${show(bank)}`] : [show(bank), ""];
}

/**
 * What stands at the question: until when, what is left, or why the clocks stand.
 * @param {ClockReading} reading @param {import("../table/table.js").Table} table
 * @returns {Words | null}
 */
function lineOf(reading, table) {
  const { clock, left } = reading;
  const { seat, deadline_at: deadline } = clock;
  if (reading.stands) return [standing(clock, table), ""];
  if (seat === null || left === null || !deadline) return null;
  if (clock.overdue || left <= 0) return [t("ui.clock.over"), ""];
  if (clock.mode === "correspondence") return [by(deadline), t("ui.clock.left", { time: span(left) })];
  const { delay, bank } = reading.of(seat);
  return delay
    ? [ticking(delay), t("ui.clock.then", { time: ticking(bank) })]
    : [ticking(bank), t("ui.clock.from_reserve")];
}

/** Why the clocks stand. @param {import("../platform/clock.js").Clock} clock @param {import("../table/table.js").Table} table */
function standing({ stopped_by: reason, seat }, { game }) {
  if (reason === "pause" && game.paused_until) return t("ui.clock.pause", { until: until(game.paused_until) });
  return t(`ui.clock.${reason}`, { name: seat === null ? "" : seatName(game, seat) });
}
