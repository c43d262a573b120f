/** All studies: one's own first, then the public ones, and the lessons of the house; a new one, or one from a file. */

import { note } from "../elements/announce.js";
import { button } from "../elements/button.js";
import { prompt } from "../elements/dialog.js";
import { h, iconAt } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { Problem } from "../platform/api.js";
import { language, t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { go } from "../platform/router.js";
import { studies } from "./reading/study_calls.js";

const FORMAT = "cartulary-study/1";
const TRANSCRIPT = "cartulary/1";

/** @param {Answer<"list_studies">["studies"][number]} study */
function card({ id, title, language: written, games, chapters, authors, visibility }) {
  const [game = "carcassonne"] = games;
  const readers = authors.length ? ` · ${t(`ui.studies.${visibility}`)}` : ""; // a lesson of the house has no author
  return h(
    "li",
    {},
    h(
      "a",
      { class: `card game-${game}`, href: `/studies/${id}`, "data-key": id },
      h(
        "span",
        { class: "thumb", "aria-hidden": "true" },
        h("img", { class: "sign", src: iconAt(`${game}.svg`), alt: "" }),
      ),
      h("span", { class: "title" }, h("bdi", { lang: written }, title)),
      h("span", { class: "players" }, authors.map(({ name }) => name).join(", ")),
      h("span", { class: "state" }, `${t("ui.studies.count", { n: chapters })}${readers}`),
    ),
  );
}

/** @param {string} title @param {Record<string, string>} filter @param {Set<string>} seen */
async function shelf(title, filter, seen) {
  const page = await studies.list({ limit: 50, ...filter });
  const fresh = page.studies.filter(({ id }) => !seen.has(id));
  for (const { id } of fresh) seen.add(id);
  if (!fresh.length) return null;
  return h("section", { class: "shelf" }, h("h2", {}, title), h("ul", { class: "cards" }, fresh.map(card)));
}

/** An empty study, to which chapters are added on its page. */
async function begin() {
  const title = await prompt(t("ui.studies.new"), t("ui.studies.name"), t("ui.studies.begin"));
  if (!title) return;
  const { id } = await studies.begin({ format: FORMAT, title, language: language(), chapters: [] });
  await go(`/studies/${id}`);
}

/** What stands in a file; null: nothing that can be read as JSON. @param {File} file */
async function read(file) {
  try {
    return JSON.parse(await file.text());
  } catch {
    return null; // `take` says so
  }
}

/** A study file, or a transcript. @param {File} file */
async function take(file) {
  const value = await read(file);
  const isStudy = value?.format === FORMAT;
  if (!isStudy && value?.format !== TRANSCRIPT) return note(t("ui.studies.unreadable"), "trouble");
  const title = file.name.replace(/\.[^.]*$/, "").slice(0, 100) || t("ui.studies.new");
  const id = isStudy ? (await studies.begin(value)).id : await beginWith(title, value);
  await go(`/studies/${id}`);
}

/** A study of one chapter; where its transcript is refused, no study. @param {string} title @param {any} transcript */
async function beginWith(title, transcript) {
  const { id } = await studies.begin({ format: FORMAT, title, language: language(), chapters: [] });
  try {
    await studies.change(id, { type: "chapter_added", title, transcript });
  } catch (error) {
    if (error instanceof Problem) await studies.remove(id);
    throw error;
  }
  return id;
}

/** @returns {Promise<import("../platform/router.js").Page>} */
export async function listPage() {
  const seen = new Set();
  const asked = me() ? await shelf(t("ui.studies.invitations"), { author: "invited" }, seen) : null;
  const mine = me() ? await shelf(t("ui.studies.mine"), { author: "me" }, seen) : null;
  const others = await shelf(t("ui.studies.all"), {}, seen);
  const house = await shelf(t("ui.studies.house"), { author: "house" }, seen);
  const open = () => {
    const [file] = input.files ?? [];
    input.value = ""; // so that the same file can be chosen again
    if (file) take(file).catch(explain);
  };
  /** @type {HTMLInputElement} */
  const input = h("input", { type: "file", accept: ".json,application/json", onchange: () => open() });
  return {
    title: t("ui.studies.title"),
    element: h(
      "div",
      { class: "home studies" },
      h("h1", {}, t("ui.studies.title")),
      h("p", { class: "soft lead" }, t("ui.studies.about")),
      h(
        "div",
        { class: "buttons" },
        button(t("ui.studies.new"), "new-study", () => begin(), "confirm"),
      ),
      h("label", { class: "field" }, h("span", {}, t("ui.studies.from_file")), input),
      asked || mine || others ? null : h("p", { class: "soft" }, t("ui.studies.empty")),
      h("div", { class: "shelves" }, asked, mine, others, house),
    ),
  };
}
