/** How much time a player has in a new game, and what happens when it is over. */

import { h } from "../elements/dom.js";
import { labelled, t } from "../platform/i18n.js";
import { span } from "../platform/time_words.js";

/** What a time-out leads to, the mildest first. */
const TIMEOUTS = ["claim", "stand_in", "forfeit"];
const RATED_TIMEOUTS = ["claim", "forfeit"];
const SECOND = 1000;

/**
 * @typedef {{mode: "live" | "correspondence", delay: number, bank: number, refill?: number}} Pace
 * @typedef {{name: string, pace: Pace | null}} Preset
 */

/** The choice of the pace. Its element is built again with the form; what was chosen stays. */
export class PaceChoice {
  /** @param {Preset[]} presets of the catalogue */
  constructor(presets) {
    this.presets = [...presets].sort((one, other) => Number(!!one.pace) - Number(!!other.pace));
    this.name = this.presets[0]?.name ?? "untimed";
    /** Empty: what is usual for such a table. */
    this.timeout = "";
  }

  get pace() {
    return this.presets.find(({ name }) => name === this.name)?.pace ?? null;
  }

  /** Choose the first pace with a clock. */
  takeClock() {
    this.name = this.presets.find(({ pace }) => pace)?.name ?? this.name;
  }

  /** @param {number} people seats that are not for bots @param {boolean} isRated */
  wish(people, isRated) {
    const { pace } = this;
    return pace ? { pace, on_timeout: this.#timeoutFor(people, isRated) } : {};
  }

  /**
   * Against one opponent a player decides; at a larger live table a bot answers meanwhile. No bot answers in a rated game.
   * @param {number} people @param {boolean} isRated
   */
  #timeoutFor(people, isRated) {
    if (isRated) return RATED_TIMEOUTS.includes(this.timeout) ? this.timeout : "forfeit";
    if (this.timeout) return this.timeout;
    return this.pace?.mode === "live" && people > 2 ? "stand_in" : "claim";
  }

  /** @param {number} people @param {boolean} isRated @param {() => void} changed */
  fields(people, isRated, changed) {
    if (this.presets.length < 2) return null;
    const pick = (/** @type {string} */ value) => {
      this.name = value;
      changed();
    };
    const decide = (/** @type {string} */ value) => {
      this.timeout = value;
      changed();
    };
    const { pace } = this;
    const timeout = this.#timeoutFor(people, isRated);
    return h(
      "fieldset",
      { class: "pace" },
      h("legend", {}, t("ui.pace.title")),
      select("pace", t("ui.pace.title"), this.name, pick, this.presets.map(optionOf)),
      pace ? h("p", { class: "soft", id: "pace-note" }, explained(pace)) : null,
      pace
        ? select(
            "on_timeout",
            t("ui.pace.when_over"),
            timeout,
            decide,
            (isRated ? RATED_TIMEOUTS : TIMEOUTS).map((word) => [word, t(`ui.pace.timeouts.${word}.name`)]),
          )
        : null,
      pace ? h("p", { class: "soft" }, t(`ui.pace.timeouts.${timeout}.note`)) : null,
    );
  }
}

/** @param {Preset} preset */
function optionOf({ name, pace }) {
  const title = t(`ui.pace.presets.${name}`);
  if (!pace) return [name, title];
  const times = { delay: span(pace.delay * SECOND), bank: span(pace.bank * SECOND) };
  return [name, labelled(title, t("ui.pace.times", times))];
}

/** @param {Pace} pace */
function explained({ mode, delay, bank, refill }) {
  const long = (/** @type {number} */ seconds) => span(seconds * SECOND, "long");
  return [
    t(`ui.pace.${mode}`),
    t("ui.pace.explained", { delay: long(delay), bank: long(bank) }),
    refill ? t("ui.pace.refill", { refill: long(refill) }) : "",
  ].join(" ");
}

/**
 * @param {string} id @param {string} label @param {string} value
 * @param {(value: string) => void} changed @param {string[][]} options
 */
function select(id, label, value, changed, options) {
  /** @type {HTMLSelectElement} */
  const element = h(
    "select",
    { id, "data-key": id, onchange: () => changed(element.value) },
    options.map(([name, text]) => h("option", { value: name, selected: name === value }, text)),
  );
  return h("div", { class: "row" }, h("label", { for: id, class: id === "pace" ? "spoken" : null }, label), element);
}
