/** Time in the words, the numbers and the zone of the reader. */

import { language, region, t } from "./i18n.js";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** @param {number} ms */
function pieces(ms) {
  return {
    days: Math.floor(ms / DAY),
    hours: Math.floor((ms % DAY) / HOUR),
    minutes: Math.floor((ms % HOUR) / MINUTE),
    seconds: Math.floor((ms % MINUTE) / SECOND),
  };
}

/** @param {number} count @param {string} unit @param {"narrow" | "long"} [width] */
function amount(count, unit, width = "narrow") {
  const how = { style: /** @type {const} */ ("unit"), unit, unitDisplay: width };
  return new Intl.NumberFormat(language(), how).format(count);
}

/** A clock that ticks: `0:27`, `19:40`, `1:05:00`. Above a day: the two largest units. @param {number} ms */
export function ticking(ms) {
  const whole = Math.ceil(Math.max(0, ms) / SECOND) * SECOND; // 0:00 means that the time is over
  const { days, hours, minutes, seconds } = pieces(whole);
  if (days) return span(whole);
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** A span of time by its two largest units: `3 d 4 h`. @param {number} ms @param {"narrow" | "long"} [width] */
export function span(ms, width = "narrow") {
  const { days, hours, minutes, seconds } = pieces(Math.max(0, ms));
  const all = /** @type {[number, string][]} */ ([
    [days, "day"],
    [hours, "hour"],
    [minutes, "minute"],
    [seconds, "second"],
  ]);
  const first = all.findIndex(([count]) => count > 0);
  if (first < 0) return amount(0, "second", width);
  const shown = all.slice(first, first + 2).filter(([count]) => count > 0);
  return shown.map(([count, unit]) => amount(count, unit, width)).join(" ");
}

/** How many midnights lie between now and then, on the calendar of the reader. @param {Date} then */
function daysAhead(then) {
  const day = (/** @type {Date} */ date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  return Math.round((day(then) - day(new Date())) / DAY);
}

/** @param {Date} date @param {Intl.DateTimeFormatOptions} parts */
function format(date, parts) {
  return new Intl.DateTimeFormat(region(), parts).format(date);
}

/** Choose the sentence for today, tomorrow and another day. @param {string} key @param {string} time RFC 3339 */
function sentence(key, time) {
  const then = new Date(time);
  const ahead = daysAhead(then);
  const hour = format(then, { hour: "2-digit", minute: "2-digit" });
  if (ahead === 0) return t(`${key}_today`, { time: hour });
  if (ahead === 1) return t(`${key}_tomorrow`, { time: hour });
  const near = ahead > 1 && ahead < 7;
  const day = format(then, near ? { weekday: "long" } : { day: "numeric", month: "long" });
  return t(`${key}_day`, { day, time: hour });
}

/** A deadline: "by Tuesday 18:00". @param {string} time RFC 3339 */
export function by(time) {
  return sentence("ui.time.by", time);
}

/** A time to come: "Tuesday 18:00". @param {string} time RFC 3339 */
export function at(time) {
  return sentence("ui.time.at", time);
}

/** The end of a pause or an absence: "until Tuesday 18:00". @param {string} time RFC 3339 */
export function until(time) {
  return sentence("ui.time.until", time);
}

/** A date alone: "24 December 2026". @param {string} time RFC 3339 or a date */
export function day(time) {
  return format(new Date(time), { day: "numeric", month: "long", year: "numeric" });
}
