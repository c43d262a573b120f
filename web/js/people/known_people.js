/** People who can be asked by name: those whom this player has met at tables, and those found by their name. */

import { isBot } from "../bots/bot_sign.js";
import { note } from "../elements/announce.js";
import { button } from "../elements/button.js";
import { choose } from "../elements/dialog.js";
import { h, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { api, call } from "../platform/api.js";
import { isolate, t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";

const MANY = 60; // games that are looked through
/** Letters that a search by name needs. */
const SHORTEST = 3;

/**
 * @typedef {{id: string, name: string}} Person
 * @typedef {object} PersonOffer a button next to a name, and what is said of the person
 * @property {string} sign
 * @property {string} key
 * @property {string} words the path of what the button does to the `name`
 * @property {() => void} [act] missing: there is no button
 * @property {string | null} [badge]
 */

/** The people of my newest games, those met last first. @returns {Promise<Person[]>} */
export async function knownPeople() {
  if (!me()) return [];
  const { games } = await api.games({ player: "me", limit: MANY });
  /** @type {Map<string, Person>} */
  const people = new Map();
  for (const { seats } of games)
    for (const { player, offer } of seats) {
      const person = player ?? offer?.player;
      if (person && !isBot(person) && person.id !== me()?.id && !people.has(person.id)) people.set(person.id, person);
    }
  return [...people.values()];
}

/** Let the host choose a person for a seat. @param {import("../table/table.js").Table} table @param {number} seat */
export async function inviteTo(table, seat) {
  const present = new Set(table.game.seats.map(({ player, offer }) => player?.id ?? offer?.player.id));
  const known = await knownPeople();
  const people = known.filter(({ id }) => !present.has(id));
  if (!people.length) {
    note(t(`ui.home.invite.${known.length ? "all_here" : "nobody"}`));
    return;
  }
  const chosen = await choose(
    t("ui.home.invite.title"),
    t("ui.home.invite.note"),
    people.map(({ id, name }) => [id, name]),
    t("ui.home.invite.go"),
  );
  if (!chosen) return;
  await table.act(() => api.arrange(table.id, seat, { kind: "invite", player: chosen })).catch(explain);
}

/** A field that finds players by name, and below it those who can be taken: at first people whom this player knows. */
export class PeopleSearch {
  /** @param {string} id of the field @param {(person: Person) => void} take @param {(person: Person) => boolean} isTaken those whom the list leaves out */
  constructor(id, take, isTaken) {
    this.take = take;
    this.isTaken = isTaken;
    /** null: not looked for yet. @type {Person[] | null} */
    this.found = null;
    const onkeydown = (/** @type {KeyboardEvent} */ event) => this.#key(event);
    /** @type {HTMLInputElement} */
    this.name = h("input", { id, type: "search", "data-key": id, onkeydown });
    this.search = button(t("ui.bots.search"), "find-player", () => this.#search());
    this.people = h("div", { class: "people-found", "aria-live": "polite" });
    this.field = h(
      "div",
      { class: "row" },
      h("label", { for: id }, t("ui.tournaments.invite_find")),
      h("div", { class: "people-find" }, this.name, this.search),
    );
  }

  /** Show whom this player knows, until a name is looked for. */
  async open() {
    if (this.found) return;
    const known = await knownPeople();
    this.found ??= known; // the person may have searched meanwhile
    this.draw();
  }

  /** Enter looks for the name; it does not send the form. @param {KeyboardEvent} event */
  #key(event) {
    if (event.key !== "Enter") return;
    event.preventDefault();
    this.search.click();
  }

  async #search() {
    const name = this.name.value.trim();
    const isLong = [...name].length >= SHORTEST;
    this.found = isLong ? (await call(`/players?${new URLSearchParams({ name })}`)).players : [];
    this.draw();
  }

  draw() {
    const found = (this.found ?? []).filter(({ id }) => id !== me()?.id);
    const others = found.filter((one) => !this.isTaken(one));
    const isNobody = this.found && !found.length && this.name.value;
    show(
      this.people,
      listPeople(others, (one) => ({
        sign: "+",
        key: "invite",
        words: "ui.home.invite.seat",
        act: () => this.#pick(one),
      })),
      isNobody ? h("p", { class: "soft" }, t("ui.tournaments.invite_none")) : null,
    );
  }

  /** @param {Person} person */
  #pick(person) {
    this.take(person);
    this.draw();
    this.name.focus({ preventScroll: true }); // the button is gone
  }
}

/**
 * People, each with a button.
 * @template {Person} P
 * @param {P[]} people
 * @param {(person: P) => PersonOffer} offer
 */
export function listPeople(people, offer) {
  const entry = (/** @type {P} */ person) => {
    const { sign, key, words, act, badge = null } = offer(person);
    const how = {
      class: "plain round",
      "data-key": `${key}-${person.id}`,
      "aria-label": words && t(words, { name: isolate(person.name) }),
      onclick: act,
    };
    const name = h("span", {}, h("bdi", {}, person.name), badge ? [" ", h("span", { class: "badge" }, badge)] : null);
    return h("li", {}, name, act ? h("button", how, sign) : null);
  };
  return people.length ? h("ul", { class: "people-list" }, people.map(entry)) : null;
}
