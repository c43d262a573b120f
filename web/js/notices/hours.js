/** When notices come: quiet hours, one message a day, reminders, and the time zone of these hours. */

import { button } from "../elements/button.js";
import { h, show } from "../elements/dom.js";
import { language, t } from "../platform/i18n.js";
import { check, choice, section } from "../settings/form.js";
import { hereZone } from "./keeper.js";

const QUIET = { from: "22:00", until: "07:00" };
const DIGEST = "08:00";
const SHARES = [0.5, 0.8, 0.9];
const NEVER = "never";

/** @typedef {import("./keeper.js").SettingsKeeper} SettingsKeeper */

/** @param {SettingsKeeper} keeper @param {boolean} withEmail whether the player has an address: its mail has a time of the day */
export function hoursSection(keeper, withEmail) {
  const place = h("div");
  const render = () =>
    show(
      place,
      quietHours(keeper, render),
      digest(keeper, render),
      withEmail || keeper.settings.quiet || keeper.settings.digest ? zone(keeper, render) : null,
    );
  render();
  return section("notice_hours", place, reminder(keeper));
}

/** @param {SettingsKeeper} keeper @param {() => void} render */
function quietHours(keeper, render) {
  const { quiet } = keeper.settings;
  const set = (/** @type {typeof quiet} */ wish) => {
    keeper.changeHours({ quiet: wish });
    render();
  };
  const change = (/** @type {"from" | "until"} */ end) => (/** @type {string} */ value) => {
    // The same time twice would be all day or never.
    if (quiet && value && value !== quiet[end === "from" ? "until" : "from"]) set({ ...quiet, [end]: value });
  };
  return [
    check("notice-quiet", t("ui.notices.quiet"), quiet !== null, (isOn) => set(isOn ? QUIET : null)),
    quiet
      ? h(
          "div",
          { class: "pair" },
          time("notice-quiet-from", t("ui.notices.from"), quiet.from, change("from")),
          time("notice-quiet-until", t("ui.notices.until"), quiet.until, change("until")),
        )
      : null,
  ];
}

/** @param {SettingsKeeper} keeper @param {() => void} render */
function digest(keeper, render) {
  const { digest: at } = keeper.settings;
  const set = (/** @type {string | null} */ wish) => {
    keeper.changeHours({ digest: wish });
    render();
  };
  return [
    check("notice-digest", t("ui.notices.digest"), at !== null, (isOn) => set(isOn ? DIGEST : null)),
    at === null ? null : time("notice-digest-at", t("ui.notices.at"), at, (value) => value && set(value)),
  ];
}

/** @param {string} id @param {string} label @param {string} value @param {(value: string) => any} changed */
function time(id, label, value, changed) {
  /** @type {HTMLInputElement} */
  const input = h("input", {
    type: "time",
    id,
    "data-key": id,
    value,
    required: true,
    onchange: () => changed(input.value),
  });
  return h("div", {}, h("label", { for: id }, label), input);
}

/** @param {SettingsKeeper} keeper @param {() => void} render */
function zone(keeper, render) {
  const { timezone } = keeper.settings;
  const here = hereZone();
  const set = (/** @type {string} */ wish) => {
    keeper.change({ timezone: wish });
    render();
  };
  const zones = [...new Set([timezone, here, "UTC", ...Intl.supportedValuesOf("timeZone")])].sort();
  return [
    choice(
      "notice-zone",
      t("ui.notices.zone"),
      timezone,
      zones.map((name) => [name, name.replaceAll("_", " ")]),
      set,
    ),
    timezone === here ? null : button(t("ui.notices.zone_here", { zone: here }), "notice-zone-here", () => set(here)),
  ];
}

/** @param {SettingsKeeper} keeper */
function reminder(keeper) {
  const now = keeper.settings.reminder;
  const shares = [...new Set([...SHARES, ...(now === null ? [] : [now])])].sort();
  const percent = new Intl.NumberFormat(language(), { style: "percent" });
  return choice(
    "notice-reminder",
    t("ui.notices.reminder"),
    String(now ?? NEVER),
    [
      [NEVER, t("ui.notices.never")],
      ...shares.map((share) => [String(share), t("ui.notices.reminder_at", { share: percent.format(share) })]),
    ],
    (value) => keeper.change({ reminder: value === NEVER ? null : Number(value) }),
  );
}
