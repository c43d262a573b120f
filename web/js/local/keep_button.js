/** "Keep for the train": fetches what a game without a network needs, once it is asked for. */

import { note } from "../elements/announce.js";
import { button } from "../elements/button.js";
import { h, show } from "../elements/dom.js";
import { language, t } from "../platform/i18n.js";
import { canInstall, install } from "../platform/install.js";
import { canKeep, DamagedFile, forgetKept, isKept, keepFiles, MissingFile } from "../platform/kept_files.js";

/** Bytes of a megabyte. */
const MEGABYTE = 1_000_000;
/** So many MB the engine has on its way here. */
export const SIZE = 5;

/** @param {number} bytes */
function megabytes(bytes) {
  const form = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return (bytes / MEGABYTE).toLocaleString(language(), form);
}

/** The section with the button and what it says. @param {() => any} kept called when everything is there */
export function keepSection(kept) {
  const place = h("div", { class: "kept" });
  const line = h("p", { class: "soft", role: "status" });
  /** @type {HTMLProgressElement} */
  const bar = h("progress", { max: 1, value: 0, "aria-label": t("ui.local.keep") });

  async function keep() {
    show(place, bar, line);
    try {
      await keepFiles(({ done, all, again }) => {
        bar.value = all ? done / all : 0;
        const text = t("ui.local.keeping", { done: megabytes(done), all: megabytes(all) });
        show(line, again ? `${text} ${t("ui.local.damaged")}` : text);
      });
    } catch (error) {
      note(t(wordOf(error)), "trouble");
    } finally {
      await render(); // after a fault, too: else the bar would stand there as if it went on
    }
  }

  async function render() {
    if (!canKeep()) return show(place, h("p", {}, t("ui.local.cannot")));
    if (!(await isKept())) {
      const ask = button(t("ui.local.keep"), "keep", keep, "confirm");
      return show(place, h("p", { class: "soft" }, t("ui.local.keep_note", { n: SIZE })), ask);
    }
    const forget = button(t("ui.local.forget"), "forget-kept", () => forgetKept().then(render));
    // Who keeps the game for the train wants it on the home screen: the moment to ask.
    const offer = canInstall() ? button(t("ui.local.install"), "install", () => install().then(render)) : null;
    show(place, h("p", {}, t("ui.local.kept")), offer, forget);
    await kept();
  }
  render().catch(reportError);
  return place;
}

/** What hindered the keeping. @param {unknown} error */
function wordOf(error) {
  if (error instanceof DamagedFile) return "ui.local.still_damaged";
  if (error instanceof MissingFile) return "ui.errors.unreachable";
  if (error instanceof DOMException && error.name === "QuotaExceededError") return "ui.local.full";
  throw error;
}
