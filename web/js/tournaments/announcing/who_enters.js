/** Who may enter a tournament: everybody, players whom the host invites by name, or those in a range of ratings. */

import { h, show } from "../../elements/dom.js";
import { explain } from "../../elements/errors.js";
import { listPeople, PeopleSearch } from "../../people/known_people.js";
import { t } from "../../platform/i18n.js";
import { me } from "../../platform/identity.js";
import { choice } from "../../settings/form.js";

const WAYS = ["all", "invited", "rating"];
const USUAL_RATINGS = ["1200", "1800"];
const HIGHEST_RATING = "10000";

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
    this.lowest = ratingField("tour-lowest", USUAL_RATINGS[0]);
    this.highest = ratingField("tour-highest", USUAL_RATINGS[1]);
    this.lowest.addEventListener("input", () => this.#bound());
    this.#bound();
    const take = (/** @type {Person} */ person) => {
      this.invited.set(person.id, person);
      this.#draw();
    };
    this.people = new PeopleSearch("tour-invite", take, ({ id }) => this.invited.has(id));
    this.list = h("div", { "aria-live": "polite" });
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
    this.people.name.setCustomValidity(missing ? t("ui.tournaments.lacking", { n: missing }) : "");
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
    if (this.isInvited) this.people.open().catch(explain);
  }

  #bound() {
    this.highest.min = this.lowest.value;
  }

  #invitation() {
    this.#draw();
    return [this.people.field, this.list, this.people.people];
  }

  #draw() {
    const { name } = this.people;
    const drop = (/** @type {Person} */ { id }) => {
      this.invited.delete(id);
      this.#draw();
      this.people.draw();
      name.focus({ preventScroll: true }); // the button is gone
    };
    const offer = (/** @type {Person} */ one) => ({
      sign: "×",
      key: "uninvite",
      words: "ui.tournaments.remove_of",
      act: () => drop(one),
    });
    show(this.list, listPeople([...this.invited.values()], offer));
    this.need(this.needed);
  }
}

/** @param {string} id @param {string} value @returns {HTMLInputElement} */
function ratingField(id, value) {
  return h("input", { id, type: "number", required: true, min: "0", max: HIGHEST_RATING, step: "1", value });
}

/** @param {HTMLInputElement} input @param {string} label */
function row(input, label) {
  return h("div", { class: "row" }, h("label", { for: input.id }, label), input);
}
