/** Home: games that wait for me, by deadline; games that wait for others; a new game; tables to watch. */

import { button } from "../elements/button.js";
import { h, iconAt, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { PastShelf } from "../home/finished_games.js";
import { Shelf } from "../home/game_card.js";
import { isInvited, isMine, waitsForMe } from "../home/my_games.js";
import { describeBot, playBots, playFriend, usualBot } from "../home/quick_start.js";
import { addViews, chooseBest, watchCard } from "../home/watch_cards.js";
import { inbox } from "../inbox/inbox.js";
import { botName } from "../people/seats.js";
import { api, call } from "../platform/api.js";
import { has, t } from "../platform/i18n.js";
import { hasLost, me } from "../platform/identity.js";

const AGAIN = 60_000; // ms between two looks; what concerns me comes by the inbox at once
const SOON = 200; // ms: several items of the inbox make one look
const MANY = 12;
const FEW = 3;

/** The level of the bots of a game with one touch. @param {Offer} offer of the catalogue */
function levelChoice({ name, bots }) {
  const levels = bots.filter((bot) => bot.name !== "random");
  const line = h("p", { class: "soft level-line" });
  const id = `level-${name}`;
  /** @type {HTMLSelectElement} */
  const select = h(
    "select",
    { id, "data-key": id, onchange: () => say() },
    levels.map((bot) => h("option", { value: bot.name }, botName(bot.name))),
  );
  const say = () => show(line, describeBot(bots.find((bot) => bot.name === select.value)));
  if (!levels.length) return { element: null, level: () => undefined };
  select.value = usualBot({ bots }) ?? "";
  say();
  const element = h("div", { class: "level" }, h("label", { for: id }, t("ui.home.level")), select, line);
  return { element, level: () => select.value };
}

/** @param {Offer} offer of the catalogue */
async function playPeople(offer) {
  const { askSeek } = await import("../seeking/ask_seek.js");
  await askSeek(offer);
}

/** A game on offer: begin at once, or choose options first. @param {Offer} offer of the catalogue */
function offerOf(offer) {
  const { name, title } = offer;
  const line = `terms.${name}.line`;
  const { element: choice, level } = levelChoice(offer);
  return h(
    "section",
    { class: `offer game-${name}`, "aria-label": title },
    h("img", { src: iconAt(`${name}.svg`), alt: "", width: 96, height: 96 }),
    h("h3", { class: "title" }, title),
    h("p", {}, has(line) ? `${t(line)} ` : null, h("a", { href: `/learn/${name}` }, t("ui.learn.link"))),
    h(
      "div",
      { class: "starts" },
      button(t("ui.home.play_bot"), `bot-${name}`, () => playBots(offer, level()), "confirm"),
      button(t("ui.home.with_people"), `people-${name}`, () => playPeople(offer), "second"),
      button(t("ui.home.with_friend"), `friend-${name}`, () => playFriend(offer), "second"),
      h("a", { class: "button plain", href: `/new?game=${name}`, "data-key": `options-${name}` }, t("ui.home.options")),
    ),
    choice,
  );
}

/** @param {Record<string, any>} filter @returns {Promise<any[]>} */
async function ask(filter) {
  return (await api.games({ limit: MANY, ...filter })).games;
}

class Home {
  constructor() {
    this.turns = new Shelf("turns", (n) => t("ui.home.my_turn", { n }));
    this.invited = new Shelf("invited", () => t("ui.home.invited"));
    this.waiting = new Shelf("waiting", () => t("ui.home.waiting"));
    this.offers = h("div", { class: "offers" });
    this.lost = h("div", { class: "settings lost" });
    this.watch = new Shelf("watch", () => t("ui.home.watch"), { draw: watchCard });
    this.open = new Shelf("open", () => t("ui.lobby.open"));
    this.past = new PastShelf();
    this.question = h("div", { class: "settings question" });
    this.element = h(
      "div",
      { class: "home" },
      h("h1", {}, t("ui.lobby.title")),
      h("p", { class: "soft lead" }, t("ui.lobby.lead")),
      this.lost,
      h("div", { class: "shelves own" }, this.turns.element, this.invited.element, this.waiting.element),
      h("h2", { class: "spoken" }, t("ui.lobby.new")),
      this.offers,
      h(
        "p",
        {},
        h("a", { class: "button plain", href: "/puzzles", "data-key": "puzzles" }, t("ui.puzzles.title")),
        h("a", { class: "button plain", href: "/local", "data-key": "local" }, t("ui.local.title")),
      ),
      h(
        "div",
        { class: "shelves" },
        this.open.element,
        this.watch.element,
        h(
          "p",
          {},
          h("a", { class: "button", href: "/lobby" }, t("ui.home.all_tables")),
          h("a", { class: "button plain", href: "/tournaments", "data-key": "tournaments" }, t("ui.tournaments.title")),
          h("a", { class: "button plain", href: "/studies", "data-key": "studies" }, t("ui.studies.title")),
        ),
        this.past.element,
      ),
      this.question,
    );
    /** Whose games are shown. @type {string | undefined} */
    this.shownOf = me()?.id;
    /** @type {string | undefined} */
    this.asked = undefined;
    this.timer = 0;
    this.soon = 0;
    this.closed = false;
    /** Not while a table is being set up in its place: on a slow line that comes first. */
    const isSeen = () => this.element.isConnected && document.visibilityState === "visible";
    this.look = () => isSeen() && this.refresh();
    this.hear = () => {
      clearTimeout(this.soon);
      this.soon = setTimeout(() => this.element.isConnected && this.#loadOwn(), SOON);
    };
    document.addEventListener("visibilitychange", this.look);
    document.addEventListener("player", this.look);
    inbox.addEventListener("item", this.hear);
    inbox.addEventListener("change", this.hear);
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    clearTimeout(this.soon);
    document.removeEventListener("visibilitychange", this.look);
    document.removeEventListener("player", this.look);
    inbox.removeEventListener("item", this.hear);
    inbox.removeEventListener("change", this.hear);
  }

  /** Say how the games of a lost player come back, and keep what is being typed there. */
  async #tellLoss() {
    if (hasLost() === this.lost.childElementCount > 0) return;
    const { lostSection } = await import("../settings/devices.js");
    if (hasLost() !== this.lost.childElementCount > 0)
      show(this.lost, hasLost() ? lostSection(() => this.#tellLoss()) : null);
  }

  /** Load everything, and again after a while. The games of others, which stand below, hold nothing up. */
  async refresh() {
    clearTimeout(this.timer);
    this.#load(() => this.#tellLoss());
    if (document.visibilityState === "visible") {
      this.#load(() => this.#public());
      await Promise.all([this.#loadOwn(), this.#load(() => this.#offers())]);
      this.#load(() => this.#tellLoss()); // an answer may have said so
    }
    if (!this.closed) this.timer = setTimeout(() => this.refresh(), AGAIN);
  }

  /** @param {() => Promise<any>} load */
  async #load(load) {
    try {
      if (!this.closed) await load();
    } catch (error) {
      explain(error);
    }
  }

  /** Games that run are shown as well while the archive, which has the past games, does not answer. */
  #loadOwn() {
    if (this.shownOf !== me()?.id) this.#forget();
    return Promise.all([this.#load(() => this.#own()), this.#load(() => this.#loadPast())]);
  }

  /** The player is gone, or another one: nothing of the former player stays. */
  #forget() {
    this.shownOf = me()?.id;
    for (const shelf of [this.turns, this.invited, this.waiting]) shelf.update([]);
    this.past.forget();
    show(this.question);
  }

  /** Who has finished a game is asked once whether games may be in the open data. */
  async #loadPast() {
    if (!me()) return;
    await this.past.load();
    if (!this.past.games.length || this.asked === me()?.id) return;
    this.asked = me()?.id;
    if (!(await call("/players/me")).asks_open_data) return;
    const { dataQuestion } = await import("../settings/data_question.js");
    show(
      this.question,
      dataQuestion(() => show(this.question)),
    );
  }

  async #offers() {
    if (!this.offers.childElementCount) show(this.offers, (await api.catalogue()).games.map(offerOf));
  }

  async #own() {
    if (!me()) return;
    const [turns, running, open] = await Promise.all([
      ask({ turn: "me", sort: "deadline" }),
      ask({ player: "me", status: "running" }),
      ask({ player: "me", status: "open" }),
    ]);
    const known = new Set(turns.map(({ id }) => id));
    const others = [...open, ...running].filter((game) => !known.has(game.id) && !waitsForMe(game));
    others.sort((one, other) => other.updated_at.localeCompare(one.updated_at));
    this.turns.update(turns, Math.max(turns.length, inbox.state.turns.length));
    this.invited.update(others.filter(isInvited));
    this.waiting.update(others.filter((game) => !isInvited(game)));
  }

  async #public() {
    const [open, running] = await Promise.all([ask({ seat: "open" }), ask({ status: "running" })]);
    this.open.update(open.filter((game) => !isMine(game)).slice(0, FEW));
    this.watch.update(await addViews(chooseBest(running)));
  }
}

/** @returns {Promise<import("../platform/router.js").Page>} */
export async function homePage() {
  const home = new Home();
  await home.refresh();
  return { element: home.element, title: t("ui.lobby.title"), close: () => home.close() };
}
