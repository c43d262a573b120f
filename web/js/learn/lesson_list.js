/** The lessons of the house for a game, with those that this device has played to their end. */

import { h } from "../elements/dom.js";
import { file, Unreachable } from "../platform/api.js";
import { language, t } from "../platform/i18n.js";
import { doneLessons } from "../platform/lesson_progress.js";

/** @typedef {{name: string, title: string, languages: string[]}} ListedLesson */

/** The section with the list; null for a game without lessons, and without a network. @param {string} game */
export async function lessonList(game) {
  const lessons = await listLessons(game);
  if (!lessons.length) return null;
  const done = doneLessons();
  const count = lessons.filter(({ name }) => done.has(`${game}/${name}`)).length;
  return h(
    "section",
    { class: "first lessons", "aria-labelledby": "lessons" },
    h("h2", { id: "lessons" }, t("ui.lessons.title")),
    h("p", { class: "soft" }, t("ui.lessons.progress", { n: count, of: lessons.length })),
    h(
      "ol",
      {},
      lessons.map((lesson) => entry(game, lesson, done.has(`${game}/${lesson.name}`))),
    ),
  );
}

/**
 * The lessons of a game; none without a network: the rules are read there all the same.
 * @param {string} game
 * @returns {Promise<ListedLesson[]>}
 */
async function listLessons(game) {
  try {
    return JSON.parse(await file(`/learn/${encodeURIComponent(game)}/lessons/${language()}.json`)).lessons;
  } catch (error) {
    if (error instanceof Unreachable) return [];
    throw error;
  }
}

/** @param {string} game @param {ListedLesson} lesson @param {boolean} isDone */
function entry(game, { name, title, languages }, isDone) {
  const foreign = languages.includes(language()) ? {} : { lang: "en" };
  return h(
    "li",
    {},
    h("a", { href: `/learn/${game}?lesson=${name}`, "data-key": `lesson-${name}`, ...foreign }, title),
    isDone ? h("span", { class: "soft" }, ` ✓ ${t("ui.lessons.played")}`) : null,
  );
}
