/** The replay: every moment of the game, forward and back, step by step or by itself. */

import { h, show, svg } from "../dom.js";
import { t } from "../i18n.js";

const PAUSE = 1100; // between two moments, in ms

/** Signs in a square of 24. */
const SIGNS = {
  first: "M6 5v14M19 5L9 12l10 7z",
  back: "M16 5l-9 7 9 7z",
  play: "M8 4l12 8-12 8z",
  pause: "M8 5v14M16 5v14",
  forward: "M8 5l9 7-9 7z",
  latest: "M18 5v14M5 5l10 7-10 7z",
};

/** @param {keyof SIGNS} name */
function sign(name) {
  return svg(
    "svg",
    { class: "sign", viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("path", { d: SIGNS[name] }),
  );
}

export class Replay {
  /**
   * @param {{first: () => number, last: () => number, go: (version: number) => Promise<void>}} game
   *   `first`: the start of the game, `last`: the newest version, `go`: show a moment
   */
  constructor({ first, last, go }) {
    this.first = first;
    this.last = last;
    this.go = go;
    this.at = last();
    this.timer = 0;
    this.slider = /** @type {HTMLInputElement} */ (
      h("input", {
        type: "range",
        step: "1",
        "aria-label": t("ui.replay.moment"),
        oninput: () => this.#jump(Number(this.slider.value)),
      })
    );
    this.count = h("output", { class: "count" });
    this.player = this.#button("play", () => this.toggle());
    this.element = h(
      "div",
      { class: "replay", role: "group", "aria-label": t("ui.replay.title") },
      this.#button("first", () => this.#jump(this.first())),
      this.#button("back", () => this.#jump(this.at - 1)),
      this.player,
      this.#button("forward", () => this.#jump(this.at + 1)),
      this.#button("latest", () => this.#jump(this.last())),
      this.slider,
      this.count,
    );
    this.show(this.at);
  }

  /** @param {keyof SIGNS} name @param {() => void} onclick */
  #button(name, onclick) {
    const label = t(`ui.replay.${name}`);
    return h(
      "button",
      {
        type: "button",
        class: "round",
        "aria-label": label,
        title: label,
        onclick,
        "data-key": name,
      },
      sign(name),
    );
  }

  /** @param {number} version */
  #jump(version) {
    this.stop();
    return this.#move(version);
  }

  /** @param {number} version */
  async #move(version) {
    const next = Math.min(Math.max(this.first(), version), this.last());
    this.show(next);
    await this.go(next);
  }

  /** Put the slider where the table is. @param {number} version */
  show(version) {
    this.at = version;
    this.slider.min = String(this.first());
    this.slider.max = String(this.last());
    this.slider.value = String(version);
    this.count.textContent = t("ui.replay.of", { n: version, of: this.last() });
    this.slider.setAttribute("aria-valuetext", this.count.textContent);
  }

  toggle() {
    if (this.timer) this.stop();
    else this.#start();
  }

  #start() {
    if (this.at >= this.last()) this.show(this.first());
    this.#face("pause");
    const next = async () => {
      await this.#move(this.at + 1);
      if (this.timer && this.at < this.last()) this.timer = setTimeout(next, PAUSE);
      else this.stop();
    };
    this.timer = setTimeout(next, PAUSE / 3);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.#face("play");
  }

  /** What the button in the middle does next. @param {"play" | "pause"} name */
  #face(name) {
    show(this.player, sign(name));
    this.player.setAttribute("aria-label", t(`ui.replay.${name}`));
  }
}
