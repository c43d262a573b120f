/** The list of connected bots that fit a table; one touch chooses one of them. */

import { h, show } from "../elements/dom.js";
import { call } from "../platform/api.js";
import { isolate, t } from "../platform/i18n.js";
import { sayAuthor } from "./author.js";
import { botSign } from "./bot_sign.js";
import { fitsTable, sayPace, sayStrength } from "./bot_words.js";

/**
 * @typedef {import("./bot_words.js").Bot} Bot
 * @typedef {{game: string, seats: number, pace: string, present: Set<string>, usual: string}} Wanted `pace` is
 *   `untimed` without clocks; `present` are the players that sit there already; `usual` is the name of the bot of
 *   the house to play against when no other is connected
 */

const PAGE = 100;

/** All connected bots that play a game. @param {string} game @returns {Promise<Bot[]>} */
async function connected(game) {
  /** @type {Bot[]} */
  const found = [];
  for (let cursor = ""; ; ) {
    const more = cursor && `&cursor=${encodeURIComponent(cursor)}`;
    const page = await call(`/bots?game=${encodeURIComponent(game)}&online=true&limit=${PAGE}${more}`);
    found.push(...page.bots);
    if (page.next_cursor === null) return found;
    cursor = page.next_cursor;
  }
}

/** @param {Bot} bot @param {string} wanted what is searched, in small letters */
function matches({ name, owner, about }, wanted) {
  return [name, owner.name, about].some((text) => text.toLocaleLowerCase().includes(wanted));
}

/** @param {Bot} bot @param {(bot: Bot) => void} choose */
function entry(bot, choose) {
  const measured = [sayStrength(bot), sayPace(bot)].filter(Boolean).join(" · ");
  return h(
    "li",
    {},
    h(
      "button",
      { class: "plain bot", "data-bot": bot.id, onclick: () => choose(bot) },
      h(
        "span",
        { class: "bot-name" },
        h("b", {}, h("bdi", {}, bot.name)),
        botSign(bot),
        h("span", { class: "soft" }, sayAuthor(bot.owner.name)),
      ),
      h("span", { class: "soft" }, measured),
      bot.about ? h("span", { class: "about", dir: "auto" }, bot.about) : null,
    ),
  );
}

/** What stands in the window. @param {Bot[]} bots @param {Wanted} wanted @param {(bot: Bot) => void} choose */
function content(bots, { usual }, choose) {
  if (!bots.length) return [h("p", { role: "status" }, t("ui.bots.empty", { bot: usual }))];
  const list = h("ul", { class: "bots" });
  const missing = h("p", { class: "soft", role: "status" });
  /** @type {HTMLInputElement} */
  const field = h("input", { id: "bot-search", type: "search", autocomplete: "off", oninput: () => draw() });
  function draw() {
    const found = bots.filter((bot) => matches(bot, field.value.trim().toLocaleLowerCase()));
    show(
      list,
      found.map((bot) => entry(bot, choose)),
    );
    list.hidden = !found.length;
    missing.textContent = found.length ? "" : t("ui.bots.no_match");
  }
  draw();
  return [h("label", { for: field.id }, t("ui.bots.search")), field, list, missing];
}

/**
 * Let the person choose one of the connected bots that fit a table.
 * @param {Wanted} wanted @returns {Promise<Bot | null>}
 */
export async function chooseBot(wanted) {
  const all = await connected(wanted.game);
  const bots = all.filter((bot) => !wanted.present.has(bot.id) && fitsTable(bot, wanted));
  return new Promise((resolve) => {
    /** @type {Bot | null} */
    let chosen = null;
    const choose = (/** @type {Bot} */ bot) => {
      chosen = bot;
      dialog.close();
    };
    /** @type {HTMLDialogElement} */
    const dialog = h(
      "dialog",
      { class: "asking choose-bot", "aria-labelledby": "choose-bot" },
      h("h2", { id: "choose-bot" }, t("ui.bots.title")),
      content(bots, { ...wanted, usual: isolate(wanted.usual) }, choose),
      h("div", { class: "buttons" }, h("button", { class: "plain", onclick: () => dialog.close() }, t("ui.cancel"))),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(chosen);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** The same for a table that waits. @param {Game} table @param {string} usual as in `Wanted` */
export function chooseBotFor({ game, seats, pace }, usual) {
  const present = new Set(seats.flatMap(({ player, offer }) => player?.id ?? offer?.player.id ?? []));
  return chooseBot({ game, seats: seats.length, pace: pace?.mode ?? "untimed", present, usual });
}
