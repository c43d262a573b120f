/**
 * What a person at the table may do other than move: be away, come back, resign, call the game off,
 * offer to end it. Each entry says what it means for the others, before anything happens.
 */

import { isBot } from "../bots/bot_sign.js";
import { ask } from "../elements/dialog.js";
import { h, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { report } from "../order/report_button.js";
import { api } from "../platform/api.js";
import { t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { isLocal } from "../platform/local_games.js";
import { go } from "../platform/router.js";
import { showColours } from "./colour_choice.js";
import { botName, USUAL_BOT } from "./seats.js";
import { share } from "./share.js";
import { timeEntries } from "./time_entries.js";

/** @typedef {import("../table/table.js").Table} Table */
/** @typedef {import("./time_entries.js").MenuEntry} MenuEntry */

/** The menu at the top of the table. It is built when it is opened. */
export class Menu {
  /** @param {Table} table @param {() => void} replay opens or closes the replay */
  constructor(table, replay) {
    this.table = table;
    this.replay = replay;
    this.entries = h("ul", {});
    /** @type {HTMLDetailsElement} */
    this.element = h(
      "details",
      { class: "menu", ontoggle: () => this.element.open && this.#fill() },
      h(
        "summary",
        { class: "plain", "aria-label": t("ui.menu.title"), title: t("ui.menu.title") },
        h("span", { class: "dots", "aria-hidden": "true" }, "⋯"),
      ),
      this.entries,
    );
    this.element.addEventListener("keydown", (event) => {
      if (/** @type {KeyboardEvent} */ (event).key === "Escape") this.#close();
    });
    this.element.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget && !this.element.contains(/** @type {Node} */ (relatedTarget))) this.element.open = false;
    });
    table.addEventListener("talk", () => this.render());
    this.render();
  }

  /** Show the menu to those who have something to choose; update it when it is open. */
  render() {
    this.element.hidden = this.#entries().length === 0;
    if (this.element.open) this.#fill();
  }

  /** @returns {MenuEntry[]} */
  #entries() {
    return [...this.#replays(), ...this.#colours(), ...entriesOf(this.table), ...this.#reports()];
  }

  /** The colour of one's own pieces. @returns {MenuEntry[]} */
  #colours() {
    if (!this.table.mine.length) return [];
    return [{ name: "colours", note: t("ui.menu.colours_note"), act: async () => showColours(), local: true }];
  }

  /** The replay, as soon as there is something to see. @returns {MenuEntry[]} */
  #replays() {
    if (!this.table.game.view) return [];
    const act = async () => this.replay();
    return [{ name: "replay", note: t("ui.menu.replay_note"), act, local: true }];
  }

  /** A table where other people are. @returns {MenuEntry[]} */
  #reports() {
    const { game, id } = this.table;
    const mine = me()?.id;
    if (!mine || isLocal(id) || game.seats.every(({ player }) => !player || player.id === mine)) return [];
    const act = () => report({ game: id }).catch(explain);
    return [{ name: "report", note: t("ui.menu.report_note"), act, local: true }];
  }

  #fill() {
    show(
      this.entries,
      this.#entries().map((entry) =>
        h(
          "li",
          {},
          h(
            "button",
            {
              class: "entry",
              "data-key": `menu-${entry.key ?? entry.name}`,
              onclick: () => this.#choose(entry),
            },
            h("b", {}, entry.title ?? t(`ui.menu.${entry.name}`)),
            h("span", { class: "soft" }, entry.note),
          ),
        ),
      ),
    );
  }

  #close() {
    this.element.open = false;
    this.element.querySelector("summary")?.focus();
  }

  /** @param {MenuEntry} entry */
  async #choose({ name, note, act, final, local }) {
    this.#close();
    if (local) {
      await act();
      return;
    }
    const title = t(`ui.menu.${name}`);
    if (final && !(await ask(title, note, title))) return;
    await this.table.act(act).catch(explain);
  }
}

/** What this person may choose now. @param {Table} table @returns {MenuEntry[]} */
function entriesOf(table) {
  if (isLocal(table.id)) return []; // no other person sees it, and home leads back to it
  if (table.game.status === "open") return table.isHost ? [closeTable(table)] : [];
  const [seat] = table.playing;
  if (table.game.status !== "running" || !seat) return [shareTable()];
  const may = table.talk?.may ?? {};
  return [
    ...presence(table),
    ...timeEntries(table, others(table)),
    ...(may.end ? [offer(table, "end")] : []),
    ...(may.abort ? [offer(table, "abort")] : []),
    ...(isEarly(table) ? [callOff(table)] : []),
    ...table.playing.map((own) => resign(table, own)),
    shareTable(),
  ];
}

/** Seats that are held by other people who still play. @param {Table} table */
function others(table) {
  return table.game.seats.filter(
    (/** @type {Seat} */ { seat, player, state }) =>
      player && !isBot(player) && !table.mine.includes(seat) && !["forfeited", "vacant"].includes(state),
  );
}

/**
 * Being away and coming back; a game without other people waits by itself, and in a rated one no bot helps out.
 * @param {Table} table @returns {MenuEntry[]}
 */
function presence(table) {
  const bot = botName(USUAL_BOT);
  return table.playing.flatMap((own) => {
    if (own.stand_in)
      return [{ name: "back", note: t("ui.menu.back_note"), act: () => api.comeBack(table.id, own.seat) }];
    if (table.game.rated || !others(table).some(({ stand_in: away }) => !away)) return [];
    return [{ name: "away", note: t("ui.menu.away_note", { bot }), act: () => api.goAway(table.id, own.seat) }];
  });
}

/** @param {Table} table @param {"end" | "abort"} kind @returns {MenuEntry} */
function offer(table, kind) {
  return {
    name: `offer_${kind}`,
    note: t(`ui.menu.offer_${kind}_note`),
    act: () => api.propose(table.id, { kind }),
  };
}

/** Is an answer missing? The server has the last word. @param {Table} table */
function isEarly(table) {
  const people = [...table.playing, ...others(table)].map(({ seat }) => seat);
  const answered = new Set(table.events.filter(({ type }) => type === "move_made").map(({ seat }) => seat));
  return people.some((seat) => !answered.has(seat));
}

/** @param {Table} table @returns {MenuEntry} */
function callOff(table) {
  const leaves = others(table).length > 1;
  return {
    name: leaves ? "leave" : "abort",
    note: leaves ? t("ui.menu.leave_note", { bot: botName(USUAL_BOT) }) : t("ui.menu.abort_note"),
    act: () => api.abort(table.id),
    final: true,
  };
}

/** The link of the table, for those who want to watch. @returns {MenuEntry} */
function shareTable() {
  return { name: "share", note: t("ui.menu.share_note"), act: share };
}

/** @param {Table} table @returns {MenuEntry} */
function closeTable(table) {
  return {
    name: "close",
    note: t("ui.menu.close_note"),
    act: async () => {
      await api.abort(table.id);
      await go("/");
    },
    final: true,
  };
}

/** @param {Table} table @param {Seat} own @returns {MenuEntry} */
function resign(table, own) {
  const left = others(table).length;
  const note = left > 1 ? "more" : left === 1 ? "two" : "bots";
  return {
    name: "resign",
    note: t(`ui.menu.resign_${note}`, { bot: botName(USUAL_BOT) }),
    act: () => api.resign(table.id, own.seat),
    final: true,
  };
}
