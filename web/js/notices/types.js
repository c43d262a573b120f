/** What notices are about, through which channel they come, how soon. */

import { h } from "../elements/dom.js";
import { t } from "../platform/i18n.js";
import { span } from "../platform/time_words.js";
import { check, choice, section } from "../settings/form.js";
import { typeWords } from "./words.js";

const DELAYS = [0, 60, 300, 900, 3600, 8 * 3600]; // seconds
const NEVER = "never";
const USUAL = ["your_turn", "turn_reminder", "game_over", "seat_offered", "security"]; // the others are folded up

/** @typedef {{email: boolean, webhook: boolean}} Ways what the player has next to browsers: an address, a webhook */

/** @param {import("./keeper.js").SettingsKeeper} keeper @param {Ways} ways */
export function typesSection(keeper, ways) {
  const fieldOf = (/** @type {string} */ type) => typeField(keeper, type, ways);
  const others = keeper.types.filter((type) => !USUAL.includes(type));
  return section(
    "notice_types",
    keeper.types.filter((type) => USUAL.includes(type)).map(fieldOf),
    h("details", { class: "types" }, h("summary", {}, t("ui.notices.others")), others.map(fieldOf)),
  );
}

/** @param {import("./keeper.js").SettingsKeeper} keeper @param {string} type @param {Ways} ways */
function typeField(keeper, type, { email, webhook }) {
  return h(
    "fieldset",
    { "data-type": type },
    h("legend", {}, typeWords(type)),
    delayChoice(keeper, type, "push"),
    webhook ? delayChoice(keeper, type, "webhook") : null,
    email ? emailCheck(keeper, type) : null,
  );
}

/** @param {import("./keeper.js").SettingsKeeper} keeper @param {string} type @param {string} channel */
function delayChoice(keeper, type, channel) {
  const now = keeper.settings[type][channel]?.delay ?? NEVER;
  return choice(
    `notice-${type}-${channel}`,
    t(`ui.notices.channels.${channel}`),
    String(now),
    delayWords(now),
    (value) => {
      const wish = value === NEVER ? null : { delay: Number(value) };
      return keeper.change({ [type]: { ...keeper.settings[type], [channel]: wish } });
    },
  );
}

/** E-mail comes once a day, so there is no delay to choose. @param {import("./keeper.js").SettingsKeeper} keeper @param {string} type */
function emailCheck(keeper, type) {
  const isOn = keeper.settings[type].email !== null;
  return check(`notice-${type}-email`, t("ui.notices.in_email"), isOn, (wish) =>
    keeper.change({ [type]: { ...keeper.settings[type], email: wish ? { delay: 0 } : null } }),
  );
}

/** The choices, that of now among them. @param {number | string} now @returns {string[][]} */
function delayWords(now) {
  const all = [...new Set([...DELAYS, ...(typeof now === "number" ? [now] : [])])].sort((a, b) => a - b);
  return [
    [NEVER, t("ui.notices.never")],
    ...all.map((delay) => [
      String(delay),
      delay ? t("ui.notices.after", { span: span(delay * 1000, "long") }) : t("ui.notices.at_once"),
    ]),
  ];
}
