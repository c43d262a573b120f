/**
 * The rules about a moment of a game, in a sheet over the table: a person reads what is asked and stays at the table.
 * A link below them leads to all rules.
 */

import { h } from "../elements/dom.js";
import { api } from "../platform/api.js";
import { t, titleOf } from "../platform/i18n.js";
import { listPieces } from "../play/pieces.js";
import { loadLesson } from "./lesson.js";
import { piecesOfOthers, Rules, sectionOf } from "./rules.js";

/**
 * @param {string} game @param {string} address of the rules about this moment, as of `helpAddress`
 * @param {import("../elements/sheet.js").Sheet} sheet
 */
export async function showRules(game, address, sheet) {
  const offer = (await api.catalogue()).games.find(({ name }) => name === game);
  const [lesson, others] = await Promise.all([loadLesson(game), piecesOfOthers(game, offer?.options ?? [])]);
  const rules = new Rules(lesson);
  rules.fill(listPieces(), others);
  const all = h("div", {}, rules.sections);
  const section = sectionOf(all, new URL(address, location.origin).hash) ?? rules.sections[0];
  const title = t("ui.learn.title", { game: titleOf(game) });
  const more = h("p", {}, h("a", { class: "button", href: address }, title));
  sheet.open(h("div", { class: "learn rules" }, section ?? null, more), { label: title, at: "full", closes: true });
  sheet.rise();
  sheet.cross.focus({ preventScroll: true });
}
