/** Which languages there are, and which language this reader wants. */

export const LANGUAGES = {
  en: "English",
  de: "Deutsch",
  es: "Español",
  fr: "Français",
  hr: "Hrvatski",
  nl: "Nederlands",
  pl: "Polski",
  ru: "Русский",
};

const KEPT = "cartulary.language";

/** The language that was chosen before, else the first of the browser's that is on offer. */
export function preferred() {
  const kept = localStorage.getItem(KEPT);
  if (kept && kept in LANGUAGES) return kept;
  const found = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase());
  return found.find((tag) => tag in LANGUAGES) ?? "en";
}

/** @param {string} tag */
export function keepLanguage(tag) {
  localStorage.setItem(KEPT, tag);
}

/** Where the words of a language lie. @param {string} tag */
export function wordsAt(tag) {
  // The page names the digest of the words: at this address the browser keeps them.
  const { words: digest } = document.documentElement.dataset;
  return `/locales/${tag}${digest ? `.${digest}` : ""}.json`;
}
