/** A new game: which one, who sits where, its options. Ready to start as it stands. */

import { sayAuthor } from "../bots/author.js";
import { sayPace, sayStrength } from "../bots/bot_words.js";
import { h, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { describeBot, hasHints, Opening, usualBot, usualSeats } from "../home/quick_start.js";
import { withPlayer } from "../people/guest_name.js";
import { knownPeople } from "../people/known_people.js";
import { botName, seal } from "../people/seats.js";
import { api, call } from "../platform/api.js";
import { t } from "../platform/i18n.js";
import { gameModule, loadGame } from "../play/game_module.js";
import { RatedChoice } from "../rated/rated_choice.js";
import { optionFields, readOptions } from "../settings/game_options.js";
import { PaceChoice } from "./pace_choice.js";

const TAKEBACKS = ["undo", "consent", "none"];
const RATED_TAKEBACKS = ["undo", "none"];

class NewGame {
  /**
   * @param {Offer[]} offers @param {string} game @param {import("./pace_choice.js").Preset[]} paces
   * @param {import("../people/known_people.js").Person[]} people to whom a seat can be offered
   */
  constructor(offers, game, paces, people) {
    this.offers = offers;
    this.people = people;
    this.pace = new PaceChoice(paces);
    this.offer = offers.find(({ name }) => name === game) ?? offers[0];
    /** @type {string[]} per seat `me`, `open`, `invite:<id>` or `bot:<name>` */
    this.seats = [];
    /** The bots of others that were chosen, by id. @type {Map<string, import("../bots/bot_words.js").Bot>} */
    this.bots = new Map();
    this.opening = new Opening();
    this.rated = new RatedChoice();
    this.isShuffled = true;
    this.wantsHints = true;
    this.fields = h("div", { class: "fields" });
    this.element = h("form", { class: "new-game" }, h("h1", {}, t("ui.new.title")), this.fields);
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      withPlayer(() => this.#create());
    });
    this.#usual();
    this.render();
  }

  #usual() {
    const name = usualBot(this.offer);
    const bot = name ? `bot:${name}` : "open";
    const count = usualSeats(this.offer, gameModule(this.offer.name));
    this.seats = ["me", ...Array(count - 1).fill(bot)];
  }

  /** Offer the second seat to a player. @param {string} id */
  invite(id) {
    this.seats[1] = `invite:${id}`;
    this.render();
  }

  /** Show the form again; what was chosen among the options stays chosen. */
  render() {
    const chosen = new FormData(/** @type {HTMLFormElement} */ (this.element));
    const isOpen = this.fields.querySelector("details")?.open ?? false;
    this.#draw();
    const details = /** @type {HTMLDetailsElement} */ (this.fields.querySelector("details"));
    details.open = isOpen;
    for (const field of details.querySelectorAll("input, select")) {
      const value = chosen.get(/** @type {HTMLInputElement} */ (field).name);
      if (value === null) continue;
      if (field instanceof HTMLInputElement) field.checked = true;
      else if (field.querySelector(`[value="${CSS.escape(String(value))}"]`))
        /** @type {HTMLSelectElement} */ (field).value = String(value);
    }
  }

  #draw() {
    const { offer, offers, seats } = this;
    const faults = this.#ratedFaults();
    show(
      this.fields,
      h(
        "fieldset",
        { class: "games" },
        h("legend", {}, t("ui.new.game")),
        offers.map((one) => this.#game(one)),
      ),
      h(
        "fieldset",
        { class: "seats-asked" },
        h("legend", {}, t("ui.new.seats")),
        seats.map((_, at) => this.#seat(at)),
        h(
          "div",
          { class: "buttons" },
          this.#resizer("fewer", -1, seats.length <= offer.seats.from),
          this.#resizer("more", 1, seats.length >= offer.seats.to),
        ),
        h(
          "button",
          { class: "plain", "data-key": "invite-bot", onclick: () => this.#inviteBot().catch(explain) },
          t("ui.bots.invite"),
        ),
      ),
      this.#isShared ? this.pace.fields(this.#people, this.#isRated, () => this.render()) : null,
      this.rated.fields(faults, () => this.render()),
      this.#options(),
      h("button", { class: "confirm large", type: "submit", disabled: faults.length > 0 }, t("ui.new.start")),
      h("p", {}, h("a", { href: `/learn/${offer.name}` }, t("ui.learn.title", { game: offer.title }))),
    );
  }

  get #isRated() {
    return this.rated.isChosen;
  }

  /** What keeps the game from being rated, if it is to be. @returns {import("../rated/rated_choice.js").Fault[]} */
  #ratedFaults() {
    if (!this.#isRated) return [];
    const isGuest = (/** @type {string} */ seat) =>
      seat === "open" || this.people.some(({ id }) => seat === `invite:${id}`);
    const isPeople = this.seats[0] === "me" && this.seats.slice(1).every(isGuest);
    const open = () => {
      this.seats = this.seats.map((seat, at) => (at === 0 ? "me" : isGuest(seat) ? seat : "open"));
    };
    return [
      ...(isPeople ? [] : [{ text: t("ui.rated.needs_people"), fix: open }]),
      ...(this.pace.pace ? [] : [{ text: t("ui.rated.needs_pace"), fix: () => this.pace.takeClock() }]),
    ];
  }

  /** @param {Offer} offer */
  #game(offer) {
    const { name, title } = offer;
    const checked = offer === this.offer;
    return h(
      "label",
      { class: `choice game-${name}` },
      h("input", {
        type: "radio",
        name: "game",
        value: name,
        checked,
        "data-key": name,
        onchange: () => this.#pick(offer),
      }),
      h("span", { class: "face" }, h("span", { class: "name" }, title)),
    );
  }

  /** @param {"fewer" | "more"} name @param {1 | -1} by @param {boolean} disabled */
  #resizer(name, by, disabled) {
    const onclick = () => this.#resize(by);
    return h("button", { class: "plain", disabled, "data-key": name, onclick }, t(`ui.new.${name}`));
  }

  #options() {
    const onchange = (/** @type {Event} */ { target }) => {
      this.isShuffled = /** @type {HTMLInputElement} */ (target).checked;
    };
    return h(
      "details",
      { class: "options" },
      h("summary", {}, t("ui.new.options")),
      optionFields(this.offer),
      this.#takebacks(),
      h(
        "label",
        { class: "check" },
        h("input", { type: "checkbox", name: "shuffle", checked: this.isShuffled, onchange }),
        t("ui.new.shuffle"),
      ),
      this.#isPractice ? this.#hints() : null,
      h(
        "label",
        { class: "check" },
        h("input", { type: "checkbox", name: "private" }),
        t(this.#isOpen ? "ui.new.unlisted" : "ui.new.private"),
      ),
    );
  }

  /** The choice stays when the seats change. */
  #hints() {
    const onchange = (/** @type {Event} */ { target }) => {
      this.wantsHints = /** @type {HTMLInputElement} */ (target).checked;
    };
    const box = { type: "checkbox", name: "hints", checked: this.wantsHints, onchange };
    return h("label", { class: "check" }, h("input", box), t("ui.new.hints"));
  }

  /** @param {number} at */
  #seat(at) {
    const choices = [
      ["me", t("ui.new.me")],
      ["open", t("ui.new.open")],
      ...this.people.map(({ id, name }) => [`invite:${id}`, t("ui.home.invite.seat", { name })]),
      ...[...this.bots.values()].map(({ id, name }) => [`invite:${id}`, t("ui.new.bot", { name })]),
      ...this.offer.bots.map((bot) => [`bot:${bot.name}`, t("ui.new.bot", { name: botName(bot.name) })]),
    ];
    const id = `seat-${at}`;
    const select = h(
      "select",
      {
        id,
        "data-key": id,
        onchange: () => {
          this.seats[at] = /** @type {HTMLSelectElement} */ (select).value;
          this.render();
        },
      },
      choices.map(([value, text]) => h("option", { value, selected: this.seats[at] === value }, text)),
    );
    const bot = this.offer.bots.find((one) => `bot:${one.name}` === this.seats[at]);
    return h(
      "div",
      { class: "row" },
      seal(at),
      h("label", { for: id, class: "spoken" }, t("ui.new.seat", { n: at + 1 })),
      select,
      bot ? h("p", { class: "soft" }, describeBot(bot)) : this.#guest(at),
    );
  }

  /** What the invited bot of a seat is. @param {number} at */
  #guest(at) {
    const bot = this.bots.get(this.seats[at].replace("invite:", ""));
    if (!bot) return null;
    const words = [sayAuthor(bot.owner.name), sayStrength(bot), sayPace(bot), bot.about];
    return h("p", { class: "soft" }, words.filter(Boolean).join(" · "));
  }

  /** Choose a connected bot for an open seat, else for the last one that another bot has, else for the last one of others. */
  async #inviteBot() {
    const { chooseBot } = await import("../bots/bot_list.js");
    const { offer, seats } = this;
    const present = new Set(seats.flatMap((seat) => (seat.startsWith("invite:") ? [seat.slice(7)] : [])));
    const pace = (this.#isShared ? this.pace.pace?.mode : null) ?? "untimed";
    const usual = botName(usualBot(offer) ?? "");
    const bot = await chooseBot({ game: offer.name, seats: seats.length, pace, present, usual });
    if (!bot) return;
    this.bots.set(bot.id, bot);
    const house = seats.findLastIndex((seat) => seat.startsWith("bot:"));
    const places = [seats.indexOf("open"), house, seats.findLastIndex((seat) => seat !== "me"), seats.length - 1];
    seats[/** @type {number} */ (places.find((at) => at >= 0))] = `invite:${bot.id}`;
    this.render();
  }

  /** Whether moves may be taken back at this table. */
  #takebacks() {
    return h(
      "div",
      { class: "row" },
      h("label", { for: "takebacks" }, t("ui.new.takebacks")),
      h(
        "select",
        { id: "takebacks", name: "takebacks" },
        (this.#isRated ? RATED_TAKEBACKS : TAKEBACKS).map((rule) =>
          h("option", { value: rule }, t(`ui.new.takeback_rules.${rule}`)),
        ),
      ),
    );
  }

  /** @param {Offer} offer */
  #pick(offer) {
    this.offer = offer;
    this.#usual();
    this.render();
  }

  /** @param {number} by */
  #resize(by) {
    if (by > 0)
      this.seats.push(this.seats[this.seats.length - 1] === "me" ? "open" : this.seats[this.seats.length - 1]);
    else this.seats.pop();
    this.render();
  }

  #wish() {
    const form = /** @type {HTMLFormElement} */ (this.element);
    const values = new FormData(form);
    return /** @type {Sent<"open_game">} */ ({
      game: this.offer.name,
      seats: this.seats.map(seatWish),
      options: readOptions(this.offer, values),
      shuffle_seats: this.isShuffled,
      takebacks: String(values.get("takebacks")),
      ...(this.#isPractice && values.has("hints") ? { hints: true } : {}),
      ...(this.#isRated ? { rated: true } : {}),
      ...this.#timing(),
      visibility: this.#visibility(values.has("private")),
    });
  }

  /** One person against bots: hints wrong no other player. */
  get #isPractice() {
    return hasHints(this.offer) && this.seats.length > 1 && this.seats.includes("me") && this.#people === 1;
  }

  /** The seats that are not for bots. */
  get #people() {
    return this.seats.filter((seat) => !seat.startsWith("bot:")).length;
  }

  /** At a live table all say first that they are ready: the host starts. */
  #timing() {
    if (!this.#isShared) return {}; // alone there is no one to keep waiting
    const wish = this.pace.wish(this.#people, this.#isRated);
    return wish.pace?.mode === "live" ? { ...wish, start: "host" } : wish;
  }

  /** Is a seat for another person than this player? */
  get #isShared() {
    return this.#isOpen || this.seats.some((seat) => seat.startsWith("invite:"));
  }

  /** Is a seat open? Then the game cannot be private, because no player could find the seat. */
  get #isOpen() {
    return this.seats.includes("open");
  }

  /** @param {boolean} hidden */
  #visibility(hidden) {
    if (!hidden) return "public";
    return this.#isOpen ? "unlisted" : "private";
  }

  #create() {
    return this.opening.open(this.#wish());
  }
}

/** @param {string} seat as in `seats` */
function seatWish(seat) {
  const [kind, value] = seat.split(":");
  if (kind === "bot") return { kind, bot: value };
  return kind === "invite" ? { kind, player: value } : { kind };
}

/** @param {URL} url @returns {Promise<import("../platform/router.js").Page>} */
export async function newGamePage(url) {
  const guest = url.searchParams.get("invite");
  const [{ games, paces = [] }, known, invited] = await Promise.all([
    api.catalogue(),
    knownPeople(),
    guest ? call(`/players/${guest}`) : null,
  ]);
  const people = invited ? [invited, ...known.filter(({ id }) => id !== invited.id)] : known;
  await Promise.all(games.map(({ name }) => loadGame(name)));
  const page = new NewGame(games, url.searchParams.get("game") ?? "", paces, people);
  if (invited) page.invite(invited.id);
  return { element: page.element, title: t("ui.new.title") };
}
