/** The ratings of a player: each opens its curve. One's own practice says which bot would be a match. */

import { h, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { botName } from "../people/seats.js";
import { t } from "../platform/i18n.js";
import { findMatch } from "../story/standing.js";
import { profiles } from "./profile_calls.js";
import { ratingCurve } from "./rating_curve.js";
import { boardAddress, LADDERS, placeWords, strength } from "./rating_words.js";

/** @typedef {Answer<"list_ratings">["ratings"][number]} Rating */

/** The strength in a sentence, and the bot that would be a match. @param {Rating} rating */
async function sayPractice({ game, rating, deviation }) {
  const match = await findMatch(game, rating);
  const words = [t("ui.ending.plays", { rating, deviation })];
  if (match) words.push(t("ui.ending.match", { bot: botName(match) }));
  return words.join(" ");
}

/** @param {string} id of the player @param {Rating} rating @param {boolean} isOwn */
async function drawInside(id, rating, isOwn) {
  const [{ points }, practice] = await Promise.all([
    profiles.history(id, rating),
    isOwn && rating.ladder === "practice" ? sayPractice(rating) : null,
  ]);
  return [
    practice ? h("p", {}, practice) : null,
    h(
      "p",
      { class: "soft" },
      [
        t("ui.profile.games", { n: rating.games }),
        t("ui.profile.highest", { n: rating.best }),
        rating.provisional ? t("ui.profile.provisional") : "",
      ]
        .filter(Boolean)
        .join(" · "),
    ),
    points.length ? ratingCurve(points) : null,
    h(
      "p",
      {},
      h(
        "a",
        { class: "button plain", href: boardAddress(rating) },
        rating.rank ? t("ui.profile.place", { n: rating.rank }) : t("ui.profile.board"),
      ),
    ),
  ];
}

/** @param {string} id @param {Rating} rating @param {boolean} isOwn @param {boolean} isOpen */
function drawRating(id, rating, isOwn, isOpen) {
  const place = h("div", {});
  let isAsked = false;
  const load = async () => {
    if (isAsked) return;
    isAsked = true;
    show(place, await drawInside(id, rating, isOwn));
  };
  /** @type {HTMLDetailsElement} */
  const element = h(
    "details",
    {
      class: `rating game-${rating.game}`,
      "data-ladder": rating.ladder,
      open: isOpen,
      ontoggle: () => element.open && load().catch(explain),
    },
    h("summary", {}, h("span", {}, placeWords(rating)), " ", h("b", {}, strength(rating))),
    place,
  );
  return element;
}

/** All ratings, the first one open. @param {string} id @param {Rating[]} ratings @param {boolean} isOwn */
export function drawRatings(id, ratings, isOwn) {
  const order = [...ratings].sort(
    (one, other) => LADDERS.indexOf(one.ladder) - LADDERS.indexOf(other.ladder) || other.games - one.games,
  );
  return h(
    "section",
    { class: "ratings", "aria-label": t("ui.profile.ratings") },
    h("h2", {}, t("ui.profile.ratings")),
    order.length
      ? order.map((rating, n) => drawRating(id, rating, isOwn, !n))
      : h("p", { class: "soft" }, t("ui.profile.unrated")),
  );
}
