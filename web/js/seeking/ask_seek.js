/** What to look for: pace, players, rated or not. What was chosen last is chosen already, so a second touch is enough. */

import { button } from "../elements/button.js";
import { h, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { withPlayer } from "../people/guest_name.js";
import { api } from "../platform/api.js";
import { labelled, t } from "../platform/i18n.js";
import { chosenSeek, keepChosen } from "../platform/kept_seek.js";
import { span } from "../platform/time_words.js";
import { gameModule, loadGame } from "../play/game_module.js";
import { accountNeeded, isAccount } from "../rated/account_needed.js";
import { ConditionFields } from "./conditions.js";
import { look } from "./seek_bar.js";
import { countSeekers } from "./seeks.js";

const SECOND = 1000;
const PATIENCE = 30;
const USUAL_PACE = "live";
const LIVE = "live";

/** @typedef {{name: string, pace: Record<string, any> | null}} Preset */

class SeekForm {
  /** @param {Offer} offer of the catalogue @param {Preset[]} presets */
  constructor(offer, presets) {
    this.offer = offer;
    this.presets = presets;
    const chosen = chosenSeek(offer.name);
    const usual = String(Math.max(gameModule(offer.name).usualSeats ?? 2, offer.seats.from));
    this.pace = select("seek-pace", presets.map(nameOf), chosen.pace ?? USUAL_PACE, () => this.render());
    this.seats = select("seek-seats", sizesOf(offer), chosen.seats ?? usual, () => this.render());
    this.rated = /** @type {HTMLInputElement} */ (
      h("input", { type: "checkbox", id: "seek-rated", checked: chosen.rated ?? false, onchange: () => this.render() })
    );
    /** @type {HTMLElement | null} */
    this.account = null;
    this.conditions = new ConditionFields(chosen);
    this.counts = h("p", { class: "soft", role: "status" });
    this.notes = h("div", { class: "seek-notes" });
    this.go = button(t("ui.seek.go"), "seek-go", () => this.#go(), "confirm large");
    /** @type {HTMLDialogElement} */
    this.dialog = h(
      "dialog",
      { class: "asking seek", "aria-labelledby": "seek-title" },
      h("h2", { id: "seek-title" }, t("ui.seek.title", { game: offer.title })),
      row("seek-pace", t("ui.pace.title"), this.pace),
      row("seek-seats", t("ui.seek.seats"), this.seats),
      h("label", { class: "check", for: "seek-rated" }, this.rated, t("ui.rated.label")),
      this.conditions.element,
      this.counts,
      this.notes,
      h(
        "div",
        { class: "buttons" },
        h("button", { class: "plain", "data-key": "seek-cancel", onclick: () => this.dialog.close() }, t("ui.cancel")),
        this.go,
      ),
    );
    this.dialog.addEventListener("close", () => this.dialog.remove());
    this.render();
  }

  get #pace() {
    return this.presets.find(({ name }) => name === this.pace.value)?.pace ?? null;
  }

  get #mode() {
    return this.#pace?.mode ?? "none";
  }

  /** What holds of a search of this kind, and how many look for the same. */
  render() {
    const isRated = this.rated.checked;
    const needsPace = isRated && !this.#pace;
    this.go.disabled = needsPace;
    show(
      this.notes,
      h("p", { class: "soft" }, this.#note(isRated)),
      needsPace ? h("p", { class: "trouble" }, t("ui.rated.needs_pace")) : null,
      isRated ? this.#account() : null,
    );
    this.#count(this.#mode).catch(explain);
  }

  /** Made once: codes that it shows are shown once. */
  #account() {
    this.account ??= accountNeeded(() => this.go.focus({ preventScroll: true }));
    return this.account;
  }

  /** @param {boolean} isRated */
  #note(isRated) {
    if (this.#mode !== LIVE) return t("ui.seek.note_days");
    return isRated ? t("ui.seek.note_rated") : t("ui.seek.note_live", { s: PATIENCE });
  }

  /** @param {string} mode */
  async #count(mode) {
    const { waiting, median_wait_s: usual } = await countSeekers(this.offer.name, mode);
    if (mode !== this.#mode) return;
    const words = [t("ui.seek.waiting", { n: waiting })];
    if (usual !== null) words.push(t("ui.seek.usual", { time: span(usual * SECOND) }));
    show(this.counts, words.join(" · "));
  }

  async #go() {
    const { offer, pace, seats, rated, conditions } = this;
    if (rated.checked && !(await isAccount())) {
      /** @type {HTMLElement | null} */ (this.notes.querySelector("[data-key=become-account]"))?.focus();
      return;
    }
    keepChosen(offer.name, {
      pace: pace.value,
      seats: seats.value,
      rated: rated.checked,
      ...conditions.chosen,
    });
    const [from, to] = seats.value.split("-").map(Number);
    const fills = this.#mode === LIVE && !rated.checked;
    const wish = {
      game: offer.name,
      seats: Array.from({ length: (to ?? from) - from + 1 }, (_, more) => from + more),
      pace: this.#pace,
      rated: rated.checked,
      ...conditions.wish,
      patience: PATIENCE,
      ...(fills && { fill: "bots" }),
    };
    await withPlayer(() => look(wish));
    this.dialog.close(); // a note that says what went wrong stands below it
  }
}

/** @param {Preset} preset */
function nameOf({ name, pace }) {
  const title = t(`ui.pace.presets.${name}`);
  if (!pace) return [name, title];
  const times = { delay: span(pace.delay * SECOND), bank: span(pace.bank * SECOND) };
  return [name, labelled(title, t("ui.pace.times", times))];
}

/** Each size of the table, and any size. @param {Offer} offer */
function sizesOf({ seats: { from, to } }) {
  const each = Array.from({ length: to - from + 1 }, (_, more) => String(from + more));
  return [...each.map((size) => [size, size]), ...(to > from ? [[`${from}-${to}`, `${from}–${to}`]] : [])];
}

/** @param {string} id @param {string[][]} options @param {string} value @param {() => void} changed */
function select(id, options, value, changed) {
  const known = options.some(([name]) => name === value) ? value : options[0][0];
  return h(
    "select",
    { id, "data-key": id, onchange: changed },
    options.map(([name, text]) => h("option", { value: name, selected: name === known }, text)),
  );
}

/** @param {string} id @param {string} label @param {HTMLElement} field */
function row(id, label, field) {
  return h("div", { class: "row" }, h("label", { for: id }, label), field);
}

/** Ask what to look for, and look for it. @param {Offer} offer of the catalogue */
export async function askSeek(offer) {
  const [{ paces = [] }] = await Promise.all([api.catalogue(), loadGame(offer.name)]);
  const form = new SeekForm(
    offer,
    [...paces].sort((one, other) => Number(!one.pace) - Number(!other.pace)),
  );
  document.body.append(form.dialog);
  form.dialog.showModal();
  form.go.focus();
}
