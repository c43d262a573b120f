/** Who writes in the study: the owner asks and removes, the others leave. */

import { button } from "../../elements/button.js";
import { ask } from "../../elements/dialog.js";
import { h, show } from "../../elements/dom.js";
import { explain } from "../../elements/errors.js";
import { listPeople, PeopleSearch } from "../../people/known_people.js";
import { isolate, t } from "../../platform/i18n.js";
import { me } from "../../platform/identity.js";
import { go } from "../../platform/router.js";
import { studies } from "../reading/study_calls.js";

/** @typedef {import("../../people/known_people.js").Person} Person */

export class AuthorTools {
  /** @param {import("./fields.js").EditedStudy} page */
  constructor(page) {
    this.page = page;
    this.isAtWork = false;
    this.list = h("div", { "aria-live": "polite" });
    const invite = (/** @type {Person} */ person) => {
      this.#act(person.id, "PUT").catch(explain);
    };
    const isThere = (/** @type {Person} */ { id }) =>
      [...page.study.authors, ...page.study.invited].some((one) => one.id === id);
    this.search = new PeopleSearch("study-invite", invite, isThere);
  }

  get #isOwner() {
    return this.page.study.authors[0]?.id === me()?.id;
  }

  draw() {
    this.refresh();
    if (this.#isOwner) {
      this.search.open().catch(explain);
      return [this.list, this.search.field, this.search.people];
    }
    const leave = h(
      "div",
      { class: "buttons" },
      button(t("ui.studies.leave"), "leave-study", () => this.#leave()),
    );
    return [this.list, leave];
  }

  /** Those who write and those who are asked, as they are now. */
  refresh() {
    const { authors, invited } = this.page.study;
    const [owner] = authors;
    const remove = (/** @type {Person} */ person, /** @type {string} */ words) => ({
      sign: "×",
      key: "remove-author",
      words: `ui.studies.${words}`,
      act: () => this.#remove(person, words).catch(explain),
    });
    const none = { sign: "", key: "author", words: "" };
    const offer = (/** @type {Person} */ person) => {
      if (person.id === owner.id) return { ...none, badge: t("ui.studies.owner") };
      const isInvited = invited.some(({ id }) => id === person.id);
      const badge = isInvited ? t("ui.studies.asked_author") : null;
      if (!this.#isOwner) return { ...none, badge };
      return { ...remove(person, isInvited ? "withdraw_of" : "remove_of"), badge };
    };
    show(this.list, listPeople([...authors, ...invited], offer));
    this.search.draw();
  }

  /** @param {string} player @param {"PUT" | "DELETE"} act */
  async #act(player, act) {
    const { page } = this;
    page.take((await studies.author(page.id, player, act)).study);
    this.refresh();
  }

  /** @param {Person} person @param {string} words */
  async #remove({ id, name }, words) {
    const said = t(`ui.studies.${words}`, { name: isolate(name) });
    if (await ask(said, t("ui.studies.remove_author"), t("ui.studies.remove_yes"))) await this.#act(id, "DELETE");
    this.search.name.focus({ preventScroll: true }); // the button is gone
  }

  async #leave() {
    const { page } = this;
    if (!(await ask(t("ui.studies.leave"), t("ui.studies.remove_author"), t("ui.studies.leave")))) return;
    await studies.author(page.id, me()?.id ?? "", "DELETE");
    if (page.study.visibility === "private") {
      await go("/studies");
      return;
    }
    page.take(await studies.show(page.id));
    await page.render();
  }
}
