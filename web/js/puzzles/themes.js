/** The themes of puzzles in words. */

import { has, t } from "../platform/i18n.js";

/** @param {string} game @param {string} theme */
export function themeName(game, theme) {
  const key = `terms.${game}.themes.${theme}`;
  return has(key) ? t(key) : theme.replaceAll("_", " ");
}
