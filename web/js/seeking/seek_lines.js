/** Seeks of others in a list, each with the one touch that plays with them; the own ones with the touch that ends them. */

import { button } from "../elements/button.js";
import { tell } from "../elements/dialog.js";
import { h } from "../elements/dom.js";
import { withPlayer } from "../people/guest_name.js";
import { Problem } from "../platform/api.js";
import { t, titleOf } from "../platform/i18n.js";
import { span } from "../platform/time_words.js";
import { accountNeeded } from "../rated/account_needed.js";
import { sayConditions } from "./conditions.js";
import { forgetSeek, look } from "./seek_bar.js";
import { endSeek } from "./seeks.js";

const SECOND = 1000;

/** @typedef {import("./seeks.js").Seek} Seek */

/** What is looked for, in words: pace, players, whom. @param {Seek} seek */
function describe(seek) {
  const { pace, seats } = seek;
  const times = pace && { delay: span(pace.delay * SECOND), bank: span(pace.bank * SECOND) };
  const words = times ? t("ui.pace.times", times) : t("ui.pace.presets.untimed");
  const isSpan = seats.length > 1 && seats.every((size, at) => size === seats[0] + at);
  const sizes = isSpan ? `${seats[0]}–${seats.at(-1)}` : seats.join(", ");
  const mode = times ? [t(`ui.home.lobby.paces.${pace?.mode}`)] : [];
  return [...mode, words, t("ui.seek.sizes", { sizes }), ...sayConditions(seek)].join(" · ");
}

/**
 * @param {Seek} seek @param {boolean} isOwn @param {() => void} ended the own seek is withdrawn
 */
export function seekLine(seek, isOwn, ended) {
  const stop = async () => {
    await endSeek(seek.id);
    forgetSeek(seek.id);
    ended();
  };
  return h(
    "li",
    { class: "seek-line" },
    h(
      "p",
      { class: `game-${seek.game}` },
      h("b", {}, titleOf(seek.game)),
      seek.rated ? h("span", { class: "badge rated" }, t("ui.rated.badge")) : null,
      h("span", { class: "state" }, describe(seek)),
    ),
    isOwn
      ? button(t("ui.seek.stop"), `stop-${seek.id}`, stop)
      : button(t("ui.seek.play"), `play-${seek.id}`, () => joinSeek(seek), "confirm"),
  );
}

/** Look for the same: the two seeks meet at once, unless one of the players does not want the other. @param {Seek} seek */
function joinSeek({ game, options, seats, pace, rated }) {
  return withPlayer(async () => {
    try {
      await look({ game, options, seats, pace, rated }, true);
    } catch (error) {
      if (!(error instanceof Problem && error.code === "account_needed")) throw error;
      tell(t("ui.rated.badge"), [accountNeeded()], t("ui.seek.close"));
    }
  });
}
