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
  const open = lessons.filter(({ name }) => !done.has(`${game}/${name}`));
  const count = lessons.length - open.length;
  return h(
    "section",
    { class: "first lessons", "aria-labelledby": "lessons" },
    h("h2", { id: "lessons" }, t("ui.lessons.title")),
    h("p", { class: "soft" }, t("ui.lessons.progress", { n: count, of: lessons.length })),
    open.length ? goOn(game, open[0], count > 0) : null,
    h(
      "ol",
      {},
      lessons.map((lesson) => entry(game, lesson, done.has(`${game}/${lesson.name}`))),
    ),
  );
}

/** Where one stopped. @param {string} game @param {ListedLesson} lesson @param {boolean} isBegun */
function goOn(game, { name, title }, isBegun) {
  const words = `${t(isBegun ? "ui.lessons.next" : "ui.lessons.begin")}: ${title}`;
  const props = { class: "button confirm", href: `/learn/${game}?lesson=${name}`, "data-key": "lessons-on" };
  return h("p", {}, h("a", props, words));
}

/** The lesson after this one; undefined after the last, and without a network. @param {string} game @param {string} name */
export async function followingLesson(game, name) {
  const lessons = await listLessons(game);
  const at = lessons.findIndex((one) => one.name === name);
  return lessons[at + 1];
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
