/** Puzzles without a network: what is kept here, and solving it. */

import { note } from "../elements/announce.js";
import { button } from "../elements/button.js";
import { h, iconAt, show } from "../elements/dom.js";
import { keepSection } from "../local/keep_button.js";
import { fillPacks, listOpen, PACK, sendAttempts } from "../local/packs.js";
import { listAttempts, listKept } from "../local/puzzle_store.js";
import { withWords } from "../local/said_trouble.js";
import { withPlayer } from "../people/guest_name.js";
import { Problem, Unreachable } from "../platform/api.js";
import { t, titleOf } from "../platform/i18n.js";
import { go } from "../platform/router.js";

/** The section of `/puzzles` that keeps puzzles: the engine first, then a pack of each game. @param {number} games so many have puzzles */
export function trainSection(games) {
  const place = h("div", { class: "kept-puzzles" });
  const count = h("p", { role: "status", "data-key": "packed" });

  async function say() {
    const waiting = (await listOpen()).length;
    show(count, waiting ? t("ui.puzzles.packed", { n: waiting }) : "");
    return waiting;
  }

  async function fill() {
    try {
      await fillPacks();
    } catch (error) {
      if (!(error instanceof Unreachable || error instanceof Problem)) throw error;
      note(error instanceof Problem ? error.message : t("ui.errors.unreachable"), "trouble");
    }
    await say();
  }

  /** Everything that runs a game is here. */
  async function kept() {
    const about = h("p", { class: "soft" }, t("ui.puzzles.pack_note", { n: PACK }));
    const begin = () => withWords(() => withPlayer(fill));
    show(place, about, button(t("ui.puzzles.pack"), "keep-puzzles", begin), count);
    // Who has puzzles here wants as many at the next journey.
    await withWords(async () => {
      await sendAttempts();
      if ((await listKept()).length && (await say()) < PACK * games) await fill();
    });
  }
  return h("section", { class: "train" }, h("h2", {}, t("ui.local.title")), keepSection(kept), place);
}

/** The page `/puzzles` without a network. @returns {Promise<HTMLElement>} */
export async function puzzlesInTrain() {
  const place = h("div", { class: "settings puzzles in-train" });
  await withWords(async () => {
    const [open, attempts] = await Promise.all([listOpen(), listAttempts()]);
    const unsent = attempts.filter(({ moves }) => moves).length;
    const games = [...new Set(open.map(({ game }) => game))].sort();
    const nothing = (await listKept()).length ? "ui.puzzles.pack_done" : "ui.puzzles.pack_none";
    show(
      place,
      h("h1", {}, t("ui.puzzles.title")),
      h("p", { class: "soft lead" }, t("ui.local.title")),
      games.length ? null : h("p", {}, t(nothing)),
      h(
        "div",
        { class: "offers" },
        games.map((game) =>
          offerOf(
            game,
            open.filter((one) => one.game === game),
          ),
        ),
      ),
      unsent ? h("p", { "data-key": "unsent" }, t("ui.puzzles.unsent", { n: unsent })) : null,
    );
  });
  return place;
}

/** @param {string} game @param {{id: string}[]} open */
function offerOf(game, open) {
  const begin = () => go(`/puzzles/${open[0].id}`);
  return h(
    "section",
    { class: `offer game-${game}`, "aria-label": titleOf(game) },
    h("img", { src: iconAt(`${game}.svg`), alt: "", width: 96, height: 96 }),
    h("h3", { class: "title" }, titleOf(game)),
    h("p", {}, t("ui.puzzles.packed", { n: open.length })),
    button(t("ui.puzzles.solve"), `solve-${game}`, begin, "confirm"),
  );
}
