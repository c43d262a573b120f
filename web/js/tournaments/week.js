/** When this person could play: one span of half hours for each day of a week, in the own time zone. */

import { fillIn } from "../elements/dialog.js";
import { h } from "../elements/dom.js";
import { region, t } from "../platform/i18n.js";
import { tournaments } from "./facts/tournament_calls.js";

const DAYS = /** @type {const} */ (["mon", "tue", "wed", "thu", "fri", "sat", "sun"]);
/** A Monday. */
const MONDAY = Date.UTC(2026, 0, 5);
const DAY = 86_400_000;
const USUAL = ["19:00", "22:00"];
const HALF_HOURS = Array.from(
  { length: 49 },
  (_, n) => `${String(Math.floor(n / 2)).padStart(2, "0")}:${n % 2 ? "30" : "00"}`,
);

/** @param {number} n */
function dayName(n) {
  const how = { weekday: /** @type {const} */ ("long"), timeZone: "UTC" };
  return new Intl.DateTimeFormat(region(), how).format(MONDAY + n * DAY);
}

/** A day: whether one could play, and from when until when. */
class DayFields {
  /** @param {number} n @param {string[][]} spans of which the first can be changed here */
  constructor(n, spans) {
    this.rest = spans.slice(1);
    const [from, until] = spans[0] ?? USUAL;
    const id = `week-${DAYS[n]}`;
    /** @type {HTMLInputElement} */
    this.could = h("input", { type: "checkbox", id, checked: spans.length > 0 });
    this.from = times(t("ui.notices.from"), from, HALF_HOURS.slice(0, -1));
    this.until = times(t("ui.notices.until"), until, HALF_HOURS.slice(1));
    this.element = h(
      "div",
      { class: "tour-day" },
      h("label", { class: "check", for: id }, this.could, dayName(n)),
      this.from,
      this.until,
    );
  }

  /** @returns {string[][]} */
  get spans() {
    const isSpan = this.could.checked && this.from.value < this.until.value;
    return isSpan ? [[this.from.value, this.until.value], ...this.rest] : [];
  }
}

/** @param {string} label @param {string} value @param {string[]} all */
function times(label, value, all) {
  return h(
    "select",
    { "aria-label": label },
    all.map((one) => h("option", { value: one, selected: one === value }, one)),
  );
}

/** Ask when this person could play, and tell the service. */
export async function askWeek() {
  const { availability } = await tournaments.availability();
  const days = availability?.days ?? {};
  const fields = DAYS.map((name, n) => new DayFields(n, days[name] ?? []));
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const note = h("p", { class: "soft" }, t("ui.tournaments.week_note"));
  const isSaid = await fillIn(
    t("ui.tournaments.my_times"),
    [note, ...fields.map(({ element }) => element)],
    t("ui.settings.save"),
  );
  if (!isSaid) return;
  const stated = Object.fromEntries(fields.map(({ spans }, n) => [DAYS[n], spans]));
  await tournaments.changeAvailability({ availability: { timezone, days: stated } });
}
