/** The page `/local`: what to keep for a journey, games without a network, those of this device. */

import { note } from "../elements/announce.js";
import { button } from "../elements/button.js";
import { h, iconAt, show } from "../elements/dom.js";
import { botName } from "../people/seats.js";
import { api, Unreachable } from "../platform/api.js";
import { ago, language, t, titleOf } from "../platform/i18n.js";
import { go } from "../platform/router.js";
import { beginGame } from "./desk.js";
import { EngineFailed, theEngine } from "./engine.js";
import { listGames, removeGame, StorageTrouble } from "./game_store.js";
import { keepSection } from "./keep_button.js";
import { forgetSent, sendGames } from "./sending.js";

const USUAL_BOT = "medium";

/** @param {string} id @param {string} label @param {[string, string][]} options @param {string} value */
function choice(id, label, options, value) {
  /** @type {HTMLSelectElement} */
  const select = h(
    "select",
    { id, "data-key": id },
    options.map(([name, text]) => h("option", { value: name, selected: name === value }, text)),
  );
  return { select, element: h("div", { class: "row" }, h("label", { for: id }, label), select) };
}

/** @param {number} from @param {number} to @returns {[string, string][]} */
function numbers(from, to) {
  return Array.from({ length: to - from + 1 }, (_, at) => [String(from + at), String(from + at)]);
}

/** A game to begin: how many seats, how many people share the device, how strong the bots are. @param {any} offer */
function offerOf({ name, title, seats, bots }) {
  const count = choice(`local-seats-${name}`, t("ui.new.seats"), numbers(seats.from, seats.to), String(seats.from));
  const people = choice(`local-people-${name}`, t("ui.local.people"), numbers(1, seats.to), "1");
  const levels = bots.map((/** @type {any} */ bot) => [bot.name, botName(bot.name)]);
  const level = choice(`local-level-${name}`, t("ui.home.level"), levels, USUAL_BOT);
  const begin = async () => {
    const all = Math.max(Number(count.select.value), Number(people.select.value));
    const own = Number(people.select.value);
    const wanted = Array.from({ length: all }, (_, seat) =>
      seat < own
        ? { kind: /** @type {const} */ ("me") }
        : { kind: /** @type {const} */ ("bot"), bot: level.select.value },
    );
    await withWords(async () => go(`/games/${await beginGame(name, wanted)}`));
  };
  return h(
    "section",
    { class: `offer game-${name}`, "aria-label": title },
    h("img", { src: iconAt(`${name}.svg`), alt: "", width: 96, height: 96 }),
    h("h3", { class: "title" }, title),
    [count, people, level].map(({ element }) => element),
    button(t("ui.local.play"), `local-${name}`, begin, "confirm"),
  );
}

/** Say in words what the storage or the engine lacks. @param {() => Promise<any>} act */
async function withWords(act) {
  try {
    await act();
  } catch (error) {
    if (error instanceof StorageTrouble) note(t(`ui.local.${error.kind}`), "trouble");
    else if (error instanceof EngineFailed) note(t("ui.local.broken"), "trouble");
    else throw error;
  }
}

/** The games on offer: the service has them at once; without a network the engine says it. */
async function findOffers() {
  if (navigator.onLine) {
    try {
      return (await api.catalogue()).games;
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
    }
  }
  return (await (await theEngine()).ask({ type: "catalogue", language: language() })).games;
}

class LocalPage {
  constructor() {
    this.offers = h("div", { class: "offers" });
    this.list = h("ul", { class: "local-games" });
    this.state = h("p", { class: "soft", role: "status" });
    this.element = h(
      "div",
      { class: "settings local" },
      h("h1", {}, t("ui.local.title")),
      h("p", { class: "soft lead" }, t("ui.local.lead")),
      keepSection(() => withWords(() => this.begin())),
      this.state,
      h("h2", { class: "spoken" }, t("ui.lobby.new")),
      this.offers,
      h("h2", {}, t("ui.local.games")),
      this.list,
    );
  }

  /** Offer the games. */
  async begin() {
    if (this.offers.childElementCount) return;
    show(this.state, t("ui.local.starting"));
    try {
      const games = await findOffers();
      show(this.offers, games.map(offerOf));
    } finally {
      show(this.state);
    }
  }

  async listGames() {
    const games = await listGames();
    show(
      this.list,
      games.length ? games.map((one) => this.#entry(one)) : h("li", { class: "soft" }, t("ui.local.none")),
    );
  }

  /** @param {import("./game_store.js").LocalRecord} record */
  #entry({ id, game, over, seats, updated_at, sent }) {
    const names = seats.map(({ kind, bot }) => (kind === "bot" ? botName(bot ?? "") : t("ui.new.me"))).join(", ");
    const words = [t(`ui.status.${over ? "over" : "running"}`), ago(updated_at)];
    if (sent === updated_at) words.push(t("ui.local.sent"));
    const remove = () =>
      withWords(() =>
        removeGame(id)
          .then(() => forgetSent(id))
          .then(() => this.listGames()),
      );
    return h(
      "li",
      { "data-game": id },
      h("a", { href: `/games/${id}` }, h("b", {}, titleOf(game)), ` ${names}`),
      h("span", { class: "soft" }, words.join(" · ")),
      button(t("ui.local.remove"), `remove-${id}`, remove),
    );
  }
}

/** @returns {Promise<import("../platform/router.js").Page>} */
export async function localPage() {
  const page = new LocalPage();
  await withWords(() => page.listGames());
  const send = () => withWords(() => sendGames()).then(() => withWords(() => page.listGames()), reportError);
  addEventListener("online", send);
  send();
  return {
    element: page.element,
    title: t("ui.local.title"),
    close: () => removeEventListener("online", send),
  };
}
