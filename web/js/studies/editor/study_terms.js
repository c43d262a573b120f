/** The study as a whole: its title, its language, who may read it, and its end. */

import { button } from "../../elements/button.js";
import { ask } from "../../elements/dialog.js";
import { h } from "../../elements/dom.js";
import { LANGUAGES, t } from "../../platform/i18n.js";
import { me } from "../../platform/identity.js";
import { go } from "../../platform/router.js";
import { studies } from "../reading/study_calls.js";
import { field, submit } from "./fields.js";

const VISIBILITIES = ["private", "link", "public"];
const NAME = "study";

export class StudyTerms {
  /** @param {import("./fields.js").EditedStudy} page @param {import("./drafts.js").Drafts} drafts */
  constructor(page, drafts) {
    this.page = page;
    this.drafts = drafts;
    this.isAtWork = false;
    this.state = h("p", { class: "soft", role: "status" });
  }

  get #stored() {
    const { title, language } = this.page.document;
    return { title, language };
  }

  draw() {
    const isOwner = this.page.study.authors[0]?.id === me()?.id;
    return [this.#form(), isOwner ? [this.#readers(), this.#end()] : null];
  }

  refresh() {
    this.state.textContent = this.drafts.isOvertaken(NAME, this.#stored) ? t("ui.studies.overtaken") : "";
  }

  #form() {
    const { drafts, page } = this;
    const draft = drafts.read(NAME, this.#stored);
    const named = { ...LANGUAGES, ...(draft.language in LANGUAGES ? {} : { [draft.language]: draft.language }) };
    const options = Object.entries(named).map(([tag, words]) =>
      h("option", { value: tag, selected: tag === draft.language, lang: tag }, words),
    );
    const title = h("input", { value: draft.title, maxlength: 100, "data-key": "study-title" });
    const language = h("select", { "data-key": "study-language" }, options);
    const read = () => ({ title: title.value, language: language.value });
    for (const control of [title, language])
      control.addEventListener("input", () => drafts.write(NAME, read(), this.#stored));
    const save = () =>
      submit(form, async () => {
        await page.store([{ type: "study_described", ...read() }]);
        drafts.drop(NAME);
        await page.render();
      });
    const form = h(
      "div",
      {},
      field(title, t("ui.studies.name"), "/title"),
      field(language, t("ui.studies.language"), "/language"),
      this.state,
      h("div", { class: "buttons" }, button(t("ui.studies.save_terms"), "save-study", save)),
    );
    this.refresh();
    return form;
  }

  #readers() {
    const { page } = this;
    const options = VISIBILITIES.map((one) =>
      h("option", { value: one, selected: one === page.study.visibility }, t(`ui.studies.${one}`)),
    );
    const select = h("select", { "data-key": "visibility" }, options);
    const form = h("div", {}, field(select, t("ui.studies.readers"), "/visibility"));
    select.addEventListener("change", () =>
      submit(form, () => page.change([{ type: "visibility_set", visibility: select.value }])),
    );
    return form;
  }

  #end() {
    const remove = async () => {
      if (!(await ask(t("ui.studies.delete"), t("ui.studies.delete_all"), t("ui.studies.delete")))) return;
      await studies.remove(this.page.id);
      await go("/studies");
    };
    return h("div", { class: "buttons" }, button(t("ui.studies.delete"), "delete-study", remove));
  }
}
