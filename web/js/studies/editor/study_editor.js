/** The tools of an author, in parts that open below the text; what is begun and not stored stays in them. */

import { button } from "../../elements/button.js";
import { h, show } from "../../elements/dom.js";
import { t } from "../../platform/i18n.js";
import { AuthorTools } from "./author_tools.js";
import { ChapterTools } from "./chapter_tools.js";
import { Drafts } from "./drafts.js";
import { MarksTool } from "./marks_tool.js";
import { PositionTools } from "./position_tools.js";
import { QuestionEditor, spellOut } from "./question_editor.js";
import { StudyTerms } from "./study_terms.js";

/**
 * @typedef {import("./fields.js").EditedStudy} EditedStudy
 * @typedef {import("./fields.js").EditorPart} EditorPart
 */

/** The part that a draft belongs to, by the first word of its name. @type {Record<string, string>} */
const PARTS = { text: "position", question: "question_part", chapter: "chapters", study: "study" };

export class StudyEditor {
  /** @param {EditedStudy} page */
  constructor(page) {
    this.page = page;
    this.drafts = new Drafts(page.id);
    /** The parts, by the key of their title. @type {Record<string, EditorPart>} */
    this.parts = {
      position: new PositionTools(page, this.drafts),
      marks: new MarksTool(page),
      question_part: new QuestionEditor(page, this.drafts),
      chapters: new ChapterTools(page, this.drafts),
      study: new StudyTerms(page, this.drafts),
      authors: new AuthorTools(page),
    };
    /** The parts that are unfolded: at first those with something that was begun. @type {Set<string>} */
    this.unfolded = new Set([...this.drafts.kept.keys()].map((name) => PARTS[name.split(" ")[0]]));
    this.restored = h("p", { class: "badge", role: "status" });
    this.lost = h("div", { class: "study-lost" });
  }

  get isAtWork() {
    return Object.values(this.parts).some(({ isAtWork }) => isAtWork);
  }

  /** Show the tools for the position that is shown. */
  open() {
    const { page, parts } = this;
    const { tools } = page;
    const within = tools.contains(document.activeElement) && document.activeElement?.closest("details");
    const name = within ? within.getAttribute("data-part") : null;
    const names = page.study.may_write ? Object.keys(parts) : [];
    show(
      tools,
      this.restored,
      this.lost,
      names.map((one) => this.#part(one)),
    );
    this.#drawRestored();
    this.#drawLost();
    if (!name || tools.contains(document.activeElement)) return;
    const summary = /** @type {HTMLElement | null} */ (tools.querySelector(`[data-part="${name}"] > summary`));
    summary?.focus({ preventScroll: true }); // what had the focus is gone
  }

  /** That what was begun before the page was loaded again is there, until all of it is stored or dropped. */
  #drawRestored() {
    const { drafts, page, restored } = this;
    restored.hidden = !drafts.isRestored || !page.study.may_write;
    restored.textContent = restored.hidden ? "" : t("ui.studies.restored");
  }

  /** @param {string} name */
  #part(name) {
    const content = this.parts[name].draw();
    if (!content) return null;
    const part = h("details", { "data-part": name }, h("summary", {}, t(`ui.studies.${name}`)), content);
    part.open = this.unfolded.has(name);
    part.addEventListener("toggle", () => {
      if (part.open) this.unfolded.add(name);
      else this.unfolded.delete(name);
    });
    return part;
  }

  refresh() {
    for (const part of Object.values(this.parts)) part.refresh();
    this.#drawLost();
  }

  /** What was begun where nothing can be stored any more: the author may still copy it. */
  #drawLost() {
    const { drafts, page } = this;
    const { chapters } = page.document;
    const isThere = (/** @type {string} */ name) => {
      const [what, number] = name.split(" ");
      if (!page.study.may_write) return false;
      if (what === "chapter") return chapters.some((/** @type {any} */ { chapter }) => chapter === Number(number));
      return number === undefined || page.nodes.has(Number(number));
    };
    const lost = [...drafts.kept].filter(([name]) => !isThere(name));
    const entry = (/** @type {[string, import("./drafts.js").Draft]} */ [name, { value }]) => {
      const area = h("textarea", { rows: 4, readonly: true, "aria-label": t("ui.studies.lost") });
      area.value = typeof value === "string" ? value : spellOut(value);
      const drop = () => {
        drafts.drop(name);
        this.#drawLost();
      };
      return [area, h("div", { class: "buttons" }, button(t("ui.studies.discard"), `drop-${name}`, drop))];
    };
    show(this.lost, lost.length ? h("p", {}, t("ui.studies.lost")) : null, lost.map(entry));
  }
}
