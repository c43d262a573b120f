/**
 * The bar that says that players are looked for. It stays on every page of the site, and in every tab, until there is a
 * table; then one tab opens it: that in which the person looked, else one that is in sight.
 */

import { announce, note } from "../elements/announce.js";
import { button } from "../elements/button.js";
import { h, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { inbox } from "../inbox/inbox.js";
import { ring } from "../inbox/ring.js";
import { Unreachable } from "../platform/api.js";
import { t, titleOf } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { hearSeek, keepSeek, keptSeek } from "../platform/kept_seek.js";
import { go } from "../platform/router.js";
import { span, ticking } from "../platform/time_words.js";
import { once } from "../streams/lead.js";
import { countSeekers, endSeek, seekPlayers, sitsAtLiveTable, tableOf } from "./seeks.js";

const SECOND = 1000;
/** So often (ms) the service is asked: the line may have been down when the table was found. */
const LOOK = 10_000;
/** So much later (ms) a tab opens the table in which the person has not looked for it, or which is hidden. */
const LATER = 400;
/** So many seconds the bots wait that the person has asked for after a while. */
const AT_ONCE = 5;

/** @typedef {import("../platform/kept_seek.js").KeptSeek} KeptSeek */

class SeekBar {
  constructor() {
    /** @type {KeptSeek | null} */
    this.seek = null;
    /** The person has looked for players in this tab. */
    this.isOwn = false;
    this.passed = h("span", { class: "passed" });
    this.counts = h("span", { class: "soft" });
    this.title = h("b", { role: "status" });
    this.acts = h("span", { class: "buttons" });
    this.element = h(
      "aside",
      { class: "seek-bar", "aria-label": t("ui.seek.label") },
      h("p", {}, this.title, " ", this.passed, " ", this.counts),
      this.acts,
    );
    this.ticks = 0;
    this.looks = 0;
    this.isOffered = false;
    inbox.addEventListener("item", (event) => this.#hear(/** @type {CustomEvent} */ (event).detail));
    hearSeek(() => this.follow());
    document.addEventListener("player", () => this.follow());
    addEventListener("online", () => this.#look());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#look());
  }

  /** Show the seek that this browser keeps, or nothing. */
  follow() {
    const seek = keptSeek(me()?.id);
    if (seek?.id === this.seek?.id) return;
    this.seek = seek;
    clearInterval(this.ticks);
    clearInterval(this.looks);
    this.isOffered = false;
    if (!seek) {
      this.element.remove();
      return;
    }
    show(this.title, t("ui.seek.looking", { game: titleOf(seek.wish.game) }));
    show(this.counts);
    this.#drawActs();
    document.body.prepend(this.element);
    this.ticks = setInterval(() => this.#tick(), SECOND);
    this.looks = setInterval(() => this.#look(), LOOK);
    this.#tick();
    this.#look();
  }

  /** Players are looked for from this tab. @param {KeptSeek} seek */
  begin(seek) {
    this.isOwn = true;
    keepSeek(seek);
    this.follow();
    announce(t("ui.seek.looking", { game: titleOf(seek.wish.game) }));
  }

  #tick() {
    if (!this.seek) return;
    const waited = Date.now() - this.seek.since;
    this.passed.textContent = ticking(waited);
    if (this.isOffered || !this.seek.wish.rated || waited < this.seek.patience * SECOND) return;
    this.isOffered = true;
    this.#drawActs();
  }

  #drawActs() {
    show(
      this.acts,
      this.isOffered ? button(t("ui.seek.casual"), "seek-casual", () => this.#goCasual(), "second") : null,
      button(t("ui.seek.stop"), "seek-stop", () => this.#stop()),
    );
  }

  /** @param {any} item of the inbox */
  #hear({ type, data }) {
    if (type === "seek_matched" && data.seek === this.seek?.id) this.#enter(data.game);
  }

  /** Ask what became of the seek, and how many look for players now. */
  async #look() {
    const { seek } = this;
    if (!seek || !navigator.onLine || document.visibilityState !== "visible") return;
    try {
      const table = await tableOf(seek.id);
      if (seek.id !== this.seek?.id) return;
      if (table) this.#enter(table);
      else if (table === null) await this.#lapse();
      else await this.#count(seek);
    } catch (error) {
      if (!(error instanceof Unreachable)) explain(error); // else the next look asks again
    }
  }

  /** @param {KeptSeek} seek */
  async #count({ wish }) {
    const { waiting, median_wait_s: usual } = await countSeekers(wish.game, wish.pace?.mode ?? "none");
    const words = [t("ui.seek.waiting", { n: waiting })];
    if (usual !== null) words.push(t("ui.seek.usual", { time: span(usual * SECOND) }));
    show(this.counts, words.join(" · "));
  }

  /** The service has let the seek go: the person sits at a live table, or this browser was away for too long. */
  async #lapse() {
    if (!this.seek) return;
    keepSeek(null);
    this.follow();
    if (await sitsAtLiveTable()) note(t("ui.seek.seated"));
    else note(t("ui.seek.ended"), "trouble");
  }

  /** @param {string} table */
  #enter(table) {
    const { seek } = this;
    if (!seek) return;
    const isFirst = this.isOwn && document.visibilityState === "visible";
    const act = () => {
      keepSeek(null);
      this.isOwn = false;
      this.follow();
      ring();
      announce(t("ui.seek.found"));
      go(`/games/${table}`);
    };
    setTimeout(() => this.seek?.id === seek.id && once(`seek.${seek.id}`, act), isFirst ? 0 : LATER);
  }

  async #stop() {
    if (!this.seek) return;
    const table = await endSeek(this.seek.id);
    keepSeek(null);
    this.follow();
    if (table) await go(`/games/${table}`);
  }

  /** No match for a rated game: a game with bots, whose seats people can take over. */
  async #goCasual() {
    if (!this.seek) return;
    const { id, wish } = this.seek;
    const table = await endSeek(id);
    keepSeek(null);
    this.follow();
    if (table) await go(`/games/${table}`);
    else await look({ ...wish, rated: false, fill: "bots", patience: AT_ONCE });
  }
}

/** @type {SeekBar | null} */
let bar = null;

/** Show the seek that waits, if there is one, from now on. */
export function followSeek() {
  bar ??= new SeekBar();
  bar.follow();
  return bar;
}

/** A seek was ended in another place. @param {string} id */
export function forgetSeek(id) {
  if (keptSeek(me()?.id)?.id !== id) return;
  keepSeek(null);
  followSeek();
}

/**
 * Look for players: the table opens when there is one. @param {import("../platform/kept_seek.js").SeekWish} wish
 * @param {boolean} [isNew] without the tables of the lobby
 */
export async function look(wish, isNew = false) {
  const found = await seekPlayers(wish, isNew);
  if ("table" in found) {
    await go(`/games/${found.table}`);
    return;
  }
  const { id, patience } = found.seek;
  if (wish.pace?.mode === "live") followSeek().begin({ id, player: me()?.id ?? "", since: Date.now(), patience, wish });
  else note(t("ui.seek.for_days"));
}
