/**
 * Languages. The words live in `/locales/<language>.json`, which the server reads as well; see
 * `locales/__init__.py` for the form of a text:
 *
 * - `{name}` is replaced by the value given under that name;
 * - `{count|point|points}` is the number and the form that goes with it (one and other; one, few, many
 *   in Polish and Russian; one, few, other in Croatian).
 */

import { wordsAt } from "./languages.js";
import { foreseenWords } from "./prefetch.js";

export { keepLanguage, LANGUAGES, preferred } from "./languages.js";

/** @type {Record<string, any>} */
let words = {};
let current = "en";
/** @type {Intl.PluralRules} */
let plural = new Intl.PluralRules("en");

export function language() {
  return current;
}

/** The language with the region of the reader, for dates: `en-GB` writes 18:00, `en-US` 6:00 PM. */
export function region() {
  return navigator.languages.find((tag) => tag.toLowerCase().startsWith(current)) ?? current;
}

/**
 * Load a language and use it from now on.
 * @param {string} tag
 */
export async function speak(tag) {
  words = JSON.parse((await foreseenWords(wordsAt(tag))) ?? (await loadWords(tag)));
  current = tag;
  plural = new Intl.PluralRules(tag);
  document.documentElement.lang = tag;
}

/** @param {string} tag */
async function loadWords(tag) {
  const answer = await fetch(wordsAt(tag));
  if (!answer.ok) throw new Error(`no words for ${tag}: ${answer.status}`);
  return answer.text();
}

const CATEGORIES = ["one", "few"];

/**
 * The form of a word that goes with a number.
 * @param {number} count
 * @param {string[]} forms
 */
function inflect(count, forms) {
  const at = CATEGORIES.indexOf(plural.select(Math.abs(count)));
  return forms[at < 0 || at >= forms.length ? forms.length - 1 : at];
}

/** @param {any} value @returns {value is {count: number, text: string}} */
function isAmount(value) {
  return typeof value === "object" && value !== null && "count" in value;
}

/**
 * Fill a template in. A value `{count, text}` is shown as its text, and its number chooses the form.
 * @param {string} template
 * @param {Record<string, any>} values
 */
export function fillIn(template, values = {}) {
  return template.replace(/\{([a-z_]+)((?:\|[^{}|]*)*)\}/g, (whole, name, forms) => {
    if (!(name in values)) return whole;
    const { count, text } = isAmount(values[name]) ? values[name] : { count: Number(values[name]), text: values[name] };
    return forms ? `${text} ${inflect(count, forms.slice(1).split("|"))}` : String(text);
  });
}

/** The text of a key as it was written, undefined when it is missing. @param {string} path */
export function textAt(path) {
  /** @type {any} */
  let found = words;
  for (const part of path.split(".")) found = found?.[part];
  return typeof found === "string" ? found : undefined;
}

/**
 * The rules of the story, which come with the words: `locales/telling.py` explains them.
 * @typedef {{events: string[][], moves: string[], facts: string[], mover: string[], place: string[],
 *   values: Record<string, string[]>, members: Record<string, string>,
 *   thread: {phase: string, unused: string}, stayed: string[], reasons: number}} TellingRules
 * @returns {TellingRules}
 */
export function tellingRules() {
  return words.telling;
}

/**
 * The text of a key such as `ui.lobby.title`, filled in; the key itself when the text is missing.
 * @param {string} path
 * @param {Record<string, any>} [values]
 */
export function t(path, values = {}) {
  const template = textAt(path);
  return template === undefined ? path : fillIn(template, values);
}

/** @param {string} path */
export function has(path) {
  return textAt(path) !== undefined;
}

/**
 * A term of a game; a name without a translation is shown in plain words (`wood_farm` → wood farm).
 * @param {string} game
 * @param {string} group such as `buildings`, `goods`, `phases`
 * @param {string} name
 */
export function term(game, group, name) {
  return textAt(`terms.${game}.${group}.${name}`) ?? String(name).replaceAll("_", " ");
}

/**
 * The same; a value with a number, such as `road-5`, has the term `road`, which may show the number.
 * @param {string} game @param {string} group @param {string} value
 */
export function termOf(game, group, value) {
  const [, name, n] = /^(\D+?)-?(\d+)$/.exec(value) ?? [];
  const numbered = textAt(`terms.${game}.${group}.${name}`);
  return numbered && textAt(`terms.${game}.${group}.${value}`) === undefined
    ? fillIn(numbered, { n })
    : term(game, group, value);
}

/** The title of a game; its name when the words lack it. @param {string} game */
export function titleOf(game) {
  return textAt(`terms.${game}.title`) ?? game;
}

/** @param {string} time RFC 3339 */
export function ago(time) {
  const seconds = (Date.parse(time) - Date.now()) / 1000;
  const format = new Intl.RelativeTimeFormat(current, { numeric: "auto", style: "short" });
  for (const [unit, size] of /** @type {const} */ ([
    ["day", 86400],
    ["hour", 3600],
    ["minute", 60],
  ])) {
    if (Math.abs(seconds) >= size) return format.format(Math.round(seconds / size), unit);
  }
  return t("ui.now");
}

/** @param {string[]} parts */
export function list(parts) {
  return new Intl.ListFormat(region(), { type: "conjunction" }).format(parts);
}

/** Letters of scripts that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * A name for the middle of a sentence: one that is written from right to left is isolated, so that it leaves the
 * words around it in their order. @param {string} name
 */
export function isolate(name) {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}

/** A name and what is said of it: in French with a space before the colon. @param {string} name @param {string} said */
export const labelled = (name, said) => `${name}${t("ui.signs.colon")}${said}`;

/** Parts of a sentence. @param {string[]} parts */
export const clauses = (parts) => parts.join(t("ui.signs.semicolon"));
