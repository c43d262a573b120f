/** The drawer for talk: two rooms, what may be said, a private note. Escape closes it. */

import { botSign } from "../bots/bot_sign.js";
import { note } from "../elements/announce.js";
import { h, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { report } from "../order/report_button.js";
import { call, Problem } from "../platform/api.js";
import { ago, t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { withPlayer } from "./guest_name.js";
import { wordsOf } from "./messages.js";

/** @typedef {import("./messages.js").Message} Message */

const ROOMS = ["players", "spectators"];
const LONGEST = 500;
const DELETE_MS = 10 * 60_000;
const PHRASES = [
  ...["hello", "good_luck", "have_fun", "your_turn", "one_moment", "nice_move"],
  ...["oops", "sorry", "thanks", "good_game", "play_again", "goodbye"],
];

export class ChatDrawer {
  /** @param {import("./messages.js").Messages} messages @param {() => void} hide */
  constructor(messages, hide) {
    this.messages = messages;
    this.hide = hide;
    this.room = messages.table.mine.length ? "players" : "spectators";
    /** A guest says phrases only. */
    this.isGuest = false;
    /** @type {{id: string, name: string}[]} */
    this.muted = [];
    this.rooms = h("div", { class: "rooms", role: "group", "aria-label": t("ui.chat.rooms") });
    this.list = h("ol", { class: "messages", tabindex: "0", role: "log", "aria-label": t("ui.chat.title") });
    this.field = h("input", {
      id: "chat-text",
      maxlength: LONGEST,
      autocomplete: "off",
      enterkeyhint: "send",
      "aria-label": t("ui.chat.write"),
      placeholder: t("ui.chat.write"),
    });
    this.form = h(
      "form",
      { class: "say", onsubmit: (/** @type {Event} */ event) => this.#submit(event) },
      this.field,
      h("button", { type: "submit", class: "confirm" }, t("ui.chat.send")),
    );
    this.phrases = h(
      "div",
      { class: "phrases", role: "group", "aria-label": t("ui.chat.phrases") },
      PHRASES.map((phrase) =>
        h("button", { "data-phrase": phrase, onclick: () => this.#say({ phrase }) }, t(`terms.phrases.${phrase}`)),
      ),
    );
    this.hint = h("p", { class: "soft hint", hidden: true });
    this.silent = h("p", { class: "soft muted", hidden: true });
    this.note = noteOf(messages.table.id);
    this.element = this.#layout();
    messages.addEventListener("change", () => this.render());
  }

  #layout() {
    const close = h(
      "button",
      { class: "plain round drawer-close", "aria-label": t("ui.chat.close"), onclick: () => this.hide() },
      "×",
    );
    return h(
      "section",
      {
        class: "drawer",
        "aria-label": t("ui.chat.title"),
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
          if (event.key === "Escape") this.hide();
        },
      },
      h("div", { class: "drawer-head" }, this.rooms, close),
      this.list,
      this.silent,
      this.hint,
      this.form,
      this.phrases,
      this.note,
    );
  }

  /** The drawer has been opened: read everything, then put the keyboard where one writes. */
  async opened() {
    this.render();
    (this.form.hidden ? this.list : this.field).focus({ preventScroll: true });
    await Promise.all([this.messages.loadAll(), this.#loadMe()]);
    this.messages.read();
    this.render();
  }

  async #loadMe() {
    if (!me()) return;
    const [own, { players }] = await Promise.all([call("/players/me"), call("/players/me/mutes")]);
    this.isGuest = !own.claimed_at;
    this.muted = players;
    this.messages.hidden = new Set(players.map((/** @type {{id: string}} */ { id }) => id));
  }

  render() {
    const { seen, unread, table } = this.messages;
    show(
      this.rooms,
      ROOMS.map((room) => this.#roomButton(room, unread.filter((one) => one.room === room).length)),
    );
    const lines = seen.filter(({ room }) => room === this.room);
    const isAtEnd = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 40;
    const isOpen = this.list.querySelector("details[open]");
    if (!isOpen) {
      show(
        this.list,
        lines.length ? lines.map((message) => this.#line(message)) : h("li", { class: "soft" }, t("ui.chat.empty")),
      );
      if (isAtEnd) this.list.scrollTop = this.list.scrollHeight;
    }
    const mayWrite = this.#isOpen(this.room) && (this.room === "spectators" || table.mine.length > 0);
    this.form.hidden = !mayWrite || this.isGuest;
    this.phrases.hidden = !mayWrite;
    this.#hint(mayWrite);
    this.#silent();
  }

  /** Until a rated game is over its players do not use the room of the spectators. @param {string} room */
  #isOpen(room) {
    const { game, playing } = this.messages.table;
    const isOver = ["over", "aborted"].includes(game.status);
    return room === "players" || !game.rated || isOver || !playing.length;
  }

  /** @param {boolean} mayWrite */
  #hint(mayWrite) {
    this.hint.hidden = mayWrite && !this.isGuest;
    if (!this.#isOpen(this.room)) show(this.hint, t("ui.chat.closed"));
    else if (!mayWrite) show(this.hint, t("ui.chat.players_only"));
    else show(this.hint, t("ui.chat.guest"), " ", h("a", { href: "/settings" }, t("ui.settings.title")));
  }

  #silent() {
    this.silent.hidden = !this.muted.length;
    show(
      this.silent,
      `${t("ui.chat.muted")} `,
      this.muted.map(({ id, name }) =>
        h(
          "button",
          { class: "plain", "data-key": `unmute-${id}`, onclick: () => this.#mute(id, name, false) },
          t("ui.chat.unmute", { name }),
        ),
      ),
    );
  }

  /** @param {string} room @param {number} news */
  #roomButton(room, news) {
    return h(
      "button",
      {
        "data-key": `room-${room}`,
        "aria-pressed": String(room === this.room),
        onclick: () => {
          this.room = room;
          this.render();
          this.list.scrollTop = this.list.scrollHeight;
        },
      },
      t(`ui.chat.${room}`),
      news ? h("span", { class: "count" }, String(news)) : null,
    );
  }

  /** The author as the seats name it: a message does not say whether a bot wrote it. @param {Message} message */
  #sitter({ player, seat }) {
    const sitting = seat === null ? null : this.messages.table.game.seats[seat]?.player;
    return sitting && sitting.id === player?.id ? sitting : null;
  }

  /** @param {Message} message */
  #line(message) {
    const { id, at, player, seat, deleted } = message;
    return h(
      "li",
      { class: deleted ? "message deleted" : "message", "data-id": id, "data-seat": seat ?? "none" },
      h(
        "p",
        { class: "by" },
        h("b", { dir: "auto" }, player?.name ?? t("ui.chat.nobody")),
        botSign(this.#sitter(message)),
        h("time", { class: "soft", datetime: at }, ago(at)),
        deleted ? null : this.#actions(message),
      ),
      h("p", { class: "words", dir: "auto" }, wordsOf(message)),
    );
  }

  /** @param {Message} message */
  #actions(message) {
    const { id, at, player } = message;
    if (!me() || !player) return null;
    const isMine = player.id === me()?.id;
    /** @type {[string, () => Promise<any>][]} */
    const actions = isMine
      ? Date.now() - Date.parse(at) < DELETE_MS
        ? [["delete", () => this.#delete(id)]]
        : []
      : [
          ["mute", () => this.#mute(player.id, player.name, true)],
          ["report", () => report({ message: id })],
        ];
    if (!actions.length) return null;
    return h(
      "details",
      { class: "more", onfocusout: leave },
      h("summary", { class: "plain", "aria-label": t("ui.chat.more", { name: player.name }) }, "⋯"),
      actions.map(([name, act]) =>
        h(
          "button",
          {
            "data-act": name,
            onclick: (/** @type {Event} */ event) => {
              const details = /** @type {HTMLElement} */ (event.currentTarget).closest("details");
              details?.removeAttribute("open");
              this.list.focus({ preventScroll: true });
              act().catch(explain);
            },
          },
          t(`ui.chat.${name}`, { name: player.name }),
        ),
      ),
    );
  }

  /** The field is empty at once: what is typed while a message is on its way is the next one. @param {Event} event */
  async #submit(event) {
    event.preventDefault();
    const text = this.field.value.trim();
    if (!text || this.form.hasAttribute("aria-busy")) return;
    this.form.setAttribute("aria-busy", "true");
    this.field.value = "";
    let isSaid = false;
    try {
      isSaid = await this.#say({ text });
    } finally {
      this.form.removeAttribute("aria-busy");
      if (!isSaid) this.field.value = `${text} ${this.field.value}`.trimEnd();
    }
  }

  /** @param {{text?: string, phrase?: string}} what */
  async #say(what) {
    const path = `/games/${this.messages.table.id}/messages`;
    const body = { room: this.room, ...what };
    /** @type {Message | null} */
    let said = null;
    await withPlayer(async () => {
      try {
        said = await call(path, "POST", body);
      } catch (error) {
        if (error instanceof Problem && error.code === "account_needed") this.#becomeGuest();
        throw error;
      }
    });
    if (!said) return false;
    this.messages.take([said]);
    this.list.scrollTop = this.list.scrollHeight;
    return true;
  }

  #becomeGuest() {
    this.isGuest = true;
    this.render();
  }

  /** @param {string} id */
  async #delete(id) {
    this.messages.take([await call(`/games/${this.messages.table.id}/messages/${id}`, "DELETE")]);
  }

  /** @param {string} id @param {string} name @param {boolean} isMuted */
  async #mute(id, name, isMuted) {
    await call(`/players/me/mutes/${id}`, isMuted ? "PUT" : "DELETE");
    this.muted = this.muted.filter((one) => one.id !== id);
    if (isMuted) this.muted.push({ id, name });
    this.messages.hidden = new Set(this.muted.map((one) => one.id));
    if (!isMuted) {
      this.messages.isWhole = false;
      await this.messages.loadAll();
    }
    this.render();
  }
}

/** Close what the keyboard has left. @param {FocusEvent} event */
function leave({ currentTarget, relatedTarget }) {
  const details = /** @type {HTMLDetailsElement} */ (currentTarget);
  if (relatedTarget && !details.contains(/** @type {Node} */ (relatedTarget))) details.open = false;
}

/** A private note on the game; it is loaded when it is opened. @param {string} game */
function noteOf(game) {
  const path = `/games/${game}/note`;
  const field = h("textarea", { rows: 3, maxlength: 4096, readonly: true, "aria-label": t("ui.chat.note.title") });
  let stored = "";
  // The field is locked until the note is here: an answer that comes late would replace what is typed.
  const load = async () => {
    if (field.value !== stored) return; // closed and opened again: what is not saved yet stays
    field.readOnly = true;
    save.disabled = true;
    stored = me() ? (await call(path)).text : "";
    field.value = stored;
    field.readOnly = false;
    save.disabled = false;
  };
  const keep = async () => {
    const text = field.value;
    await withPlayer(async () => {
      await call(path, "PUT", { text });
      stored = text;
      note(t("ui.chat.note.saved"));
    });
  };
  /** @type {HTMLButtonElement} */
  const save = h(
    "button",
    { "data-key": "save-note", disabled: true, onclick: () => keep().catch(explain) },
    t("ui.chat.note.save"),
  );
  /** @type {HTMLDetailsElement} */
  const details = h(
    "details",
    { class: "note-of-mine", ontoggle: () => details.open && load().catch(explain) },
    h("summary", {}, t("ui.chat.note.title")),
    h("p", { class: "soft" }, t("ui.chat.note.hint")),
    field,
    save,
  );
  return details;
}
