/** Who may enter a tournament: everybody, players whom the host invites by name, or those in a range of ratings. */

import { button } from "../../elements/button.js";
import { h, show } from "../../elements/dom.js";
import { knownPeople } from "../../people/known_people.js";
import { isolate, t } from "../../platform/i18n.js";
import { me } from "../../platform/identity.js";
import { choice } from "../../settings/form.js";
import { tournaments } from "../facts/tournament_calls.js";

const WAYS = ["all", "invited", "rating"];
const USUAL_RATINGS = ["1200", "1800"];
const HIGHEST_RATING = "10000";
/** Letters that a search by name needs. */
const SHORTEST = 3;

/** @typedef {import("../../people/known_people.js").Person} Person */

export class WhoEnters {
  /** @param {() => void} changed the way was changed */
  constructor(changed) {
    this.changed = changed;
    this.way = "all";
    /** How many others must be invited, so that it can start at all. */
    this.needed = 0;
    /** Those who are invited, by id. @type {Map<string, Person>} */
    this.invited = new Map();
    /** Those who can be invited; null: not looked for yet. @type {Person[] | null} */
    this.found = null;
    this.lowest = ratingField("tour-lowest", USUAL_RATINGS[0]);
    this.highest = ratingField("tour-highest", USUAL_RATINGS[1]);
    this.lowest.addEventListener("input", () => this.#bound());
    this.#bound();
    const onkeydown = (/** @type {KeyboardEvent} */ event) => this.#key(event);
    /** @type {HTMLInputElement} */
    this.name = h("input", { id: "tour-invite", type: "search", onkeydown });
    this.people = h("div", { class: "tour-invited", "aria-live": "polite" });
    this.element = h("div", { class: "tour-fields" });
  }

  get isInvited() {
    return this.way === "invited";
  }

  render() {
    show(
      this.element,
      choice(
        "tour-who",
        t("ui.tournaments.who"),
        this.way,
        WAYS.map((name) => [name, t(`ui.tournaments.whos.${name}`)]),
        (way) => this.#choose(way),
      ),
      this.isInvited ? this.#invitation() : null,
      this.way === "rating"
        ? [row(this.lowest, t("ui.tournaments.rating_from")), row(this.highest, t("ui.tournaments.rating_to"))]
        : null,
    );
  }

  /** The form is not sent before so many are invited. @param {number} others so many a tournament needs, the host left out */
  need(others) {
    this.needed = others;
    const missing = this.isInvited ? Math.max(0, others - this.invited.size) : 0;
    this.name.setCustomValidity(missing ? t("ui.tournaments.lacking", { n: missing }) : "");
  }

  /** The part of the terms. @param {boolean} isPlaying whether the host plays, too */
  wish(isPlaying) {
    if (this.way === "rating") return { rating: [Number(this.lowest.value), Number(this.highest.value)] };
    if (!this.isInvited) return {};
    const own = isPlaying ? (me()?.id ?? null) : null;
    return { invited: [...(own ? [own] : []), ...this.invited.keys()] };
  }

  /** @param {string} way */
  #choose(way) {
    this.way = way;
    this.changed();
    if (this.isInvited && !this.found) this.#showKnown();
  }

  async #showKnown() {
    const known = await knownPeople();
    this.found ??= known; // the host may have searched meanwhile
    this.#draw();
  }

  #bound() {
    this.highest.min = this.lowest.value;
  }

  /** Enter looks for the name; it does not send the form. @param {KeyboardEvent} event */
  #key(event) {
    if (event.key !== "Enter") return;
    event.preventDefault();
    this.element.querySelector("button")?.click();
  }

  #invitation() {
    const search = button(t("ui.bots.search"), "find-player", () => this.#search());
    search.type = "button";
    this.#draw();
    return [row(this.name, t("ui.tournaments.invite_find"), search), this.people];
  }

  async #search() {
    const name = this.name.value.trim();
    const isLong = [...name].length >= SHORTEST;
    this.found = isLong ? (await tournaments.findPlayers(name)).players : [];
    this.#draw();
  }

  #draw() {
    const others = (this.found ?? []).filter(({ id }) => id !== me()?.id && !this.invited.has(id));
    show(
      this.people,
      list([...this.invited.values()], (one) => this.#toggle(one, true)),
      list(others, (one) => this.#toggle(one, false)),
      this.found && !others.length && this.name.value
        ? h("p", { class: "soft" }, t("ui.tournaments.invite_none"))
        : null,
    );
    this.need(this.needed);
  }

  /** A player, with the button that invites, or takes the invitation back. @param {Person} person @param {boolean} isInvited */
  #toggle(person, isInvited) {
    const name = isolate(person.name);
    const act = () => {
      if (isInvited) this.invited.delete(person.id);
      else this.invited.set(person.id, person);
      this.#draw();
      this.name.focus({ preventScroll: true }); // the button is gone
    };
    const words = t(isInvited ? "ui.tournaments.remove_of" : "ui.home.invite.seat", { name });
    const key = `${isInvited ? "uninvite" : "invite"}-${person.id}`;
    const how = { class: "plain round", type: "button", "data-key": key, "aria-label": words, onclick: act };
    return h("li", {}, h("bdi", {}, person.name), h("button", how, isInvited ? "×" : "+"));
  }
}

/** @param {Person[]} people @param {(person: Person) => HTMLElement} draw */
function list(people, draw) {
  return people.length ? h("ul", { class: "tour-people" }, people.map(draw)) : null;
}

/** @param {string} id @param {string} value @returns {HTMLInputElement} */
function ratingField(id, value) {
  return h("input", { id, type: "number", required: true, min: "0", max: HIGHEST_RATING, step: "1", value });
}

/** @param {HTMLInputElement} input @param {string} label @param {HTMLElement} [more] */
function row(input, label, more) {
  const field = more ? h("div", { class: "tour-find" }, input, more) : input;
  return h("div", { class: "row" }, h("label", { for: input.id }, label), field);
}
