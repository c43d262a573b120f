/** The page `/local`: what to keep for a journey, games without a network, those of this device. */

import { button } from "../elements/button.js";
import { h, iconAt, show } from "../elements/dom.js";
import { botName } from "../people/seats.js";
import { ago, t, titleOf } from "../platform/i18n.js";
import { go } from "../platform/router.js";
import { beginGame } from "./desk.js";
import { listGames } from "./game_store.js";
import { keepSection } from "./keep_button.js";
import { choice, findOffers, numbers } from "./offers.js";
import { withWords } from "./said_trouble.js";
import { deleteGame, sendGames } from "./sending.js";

const USUAL_BOT = "medium";

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
      h("p", {}, h("a", { class: "button", href: "/analysis" }, t("ui.lab.title"))),
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
  #entry({ id, game, over, seats, updated_at, sent, lines }) {
    const people = seats.map(({ kind, bot }) => (kind === "bot" ? botName(bot ?? "") : t("ui.new.me"))).join(", ");
    const names = lines ? t("ui.lab.title") : people;
    const words = [t(`ui.status.${over ? "over" : "running"}`), ago(updated_at)];
    if (sent === updated_at) words.push(t("ui.local.sent"));
    const remove = () => withWords(() => deleteGame(id).then(() => this.listGames()));
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
