/** Vacations: days on which the own clocks stand in games over days. */

import { button } from "../elements/button.js";
import { h } from "../elements/dom.js";
import { t } from "../platform/i18n.js";
import { day } from "../platform/time_words.js";
import { account } from "./account_calls.js";
import { loaded, onSubmit, section } from "./form.js";

/** @typedef {import("./account_calls.js").Vacation} Vacation */

export function vacationSection() {
  return section(
    "vacation",
    loaded(async (again) => {
      const { vacations } = await account.vacations();
      const left = vacations.filter(({ until }) => Date.parse(until) > Date.now());
      let wanted = left; // what is stored, or on its way: each change goes with those before it
      const store = async (/** @type {Vacation[]} */ list) => {
        const before = wanted;
        wanted = list;
        try {
          await account.goOnVacation(list);
        } catch (error) {
          wanted = before;
          throw error;
        }
        await again();
      };
      return [
        left.length
          ? h(
              "ul",
              { class: "rows" },
              left.map((one) => vacationLine(one, () => store(wanted.filter((v) => v !== one)))),
            )
          : null,
        newVacation((one) => store([...wanted, one].sort((a, b) => Date.parse(a.from) - Date.parse(b.from)))),
      ];
    }),
  );
}

/** @param {Vacation} vacation @param {() => Promise<void>} remove */
function vacationLine({ from, until }, remove) {
  // A vacation ends at a midnight: its last day is the one before.
  const last = new Date(Date.parse(until) - 1).toISOString();
  return h(
    "li",
    {},
    h("span", { class: "what" }, `${day(from)} – ${day(last)}`),
    button(t("ui.settings.vacation.remove"), `vacation-${from}`, remove),
  );
}

/** @param {(vacation: Vacation) => Promise<void>} add */
function newVacation(add) {
  const today = localDay(new Date());
  const from = field("vacation-from", t("ui.settings.vacation.from"), today);
  const last = field("vacation-last", t("ui.settings.vacation.last"), today);
  const form = h(
    "form",
    { class: "dates" },
    from.element,
    last.element,
    h("button", { type: "submit", class: "plain", "data-key": "vacation-add" }, t("ui.settings.vacation.add")),
  );
  onSubmit(form, async () => {
    const begin = new Date(`${from.input.value}T00:00`);
    const end = new Date(`${last.input.value}T00:00`);
    end.setDate(end.getDate() + 1);
    const earliest = Date.now() + SOON; // a vacation that begins today begins now
    await add({
      from: new Date(Math.max(begin.getTime(), earliest)).toISOString(),
      until: end.toISOString(),
    });
  });
  return form;
}

const SOON = 60_000; // ms: the clock of this device may be a little behind the server's

/** @param {Date} date */
function localDay(date) {
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** @param {string} id @param {string} label @param {string} min */
function field(id, label, min) {
  /** @type {HTMLInputElement} */
  const input = h("input", { type: "date", id, min, value: min, required: true });
  return { input, element: h("div", {}, h("label", { for: id }, label), input) };
}
