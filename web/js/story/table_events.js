/**
 * What happens at a table other than moves, in words: people come, go, ask and answer.
 *
 * An event type has a sentence `story.<type>`; where it makes a difference,
 * `story.cases.<type>_<reason>`. `locales/happenings.py` says the same on the server.
 */

import { botName, seatName } from "../people/seats.js";
import { has, list, t } from "../platform/i18n.js";

/** The fields that choose among the sentences of a type. */
const REASONS = ["reason", "kind", "answer", "outcome", "code"];

/** @param {string} outcome */
const hasLeft = (outcome) => outcome !== "finished" && outcome !== "bot";

/** @param {any} event */
function keyOf(event) {
  const tail = event.auto ? "_auto" : "";
  if (event.ready === false) return `story.cases.${event.type}_not`;
  const names = REASONS.filter((key) => event[key]).map(
    (key) => `story.cases.${event.type}_${event[key]}${tail}`,
  );
  return names.find(has) ?? `story.${event.type}`;
}

/**
 * Whom a sentence is about: the player of the event, a bot, or its seat.
 * @param {any} game @param {any} event
 */
function subject(game, event) {
  const player = event.player ?? event.was?.player;
  if (player) return player.name;
  if (event.was?.bot) return botName(event.was.bot);
  return event.seat === undefined ? "" : seatName(game, event.seat);
}

/** @param {any} game @param {any} result */
function resultPhrases(game, result) {
  const { winners, scores, ranks, outcomes = [] } = result;
  const names = list(winners.map((/** @type {number} */ seat) => seatName(game, seat)));
  const key =
    result.ended_by === "forfeits" ? "story.cases.game_scored_forfeits" : "story.game_scored";
  const said = [t(key, { names, n: scores[winners[0]] })];
  if (outcomes.some(hasLeft)) {
    const seats = [...ranks.keys()].sort((one, other) => ranks[one] - ranks[other]);
    const places = seats.map((seat) =>
      t(hasLeft(outcomes[seat]) ? "story.more.place_left" : "story.more.place", {
        rank: ranks[seat],
        name: seatName(game, seat),
        n: scores[seat],
        outcome: t(`terms.outcomes.${outcomes[seat]}`),
      }),
    );
    said.push(t("story.more.places", { places: places.join("; ") }));
  }
  return said;
}

/**
 * The phrases of an event that is no move; empty for a type without a sentence.
 * @param {any} game as it was at the event @param {any} event
 * @returns {string[]}
 */
export function tellTableEvent(game, event) {
  if (!has(`story.${event.type}`)) return [];
  if (event.type === "game_scored") return resultPhrases(game, event.result);
  const bot = event.bot ?? event.stand_in;
  const counted = event.moves ?? event.seats;
  const values = {
    name: subject(game, event),
    ...(bot ? { bot: botName(bot) } : {}),
    ...(event.from ? { former: event.from.player.name } : {}),
    ...(typeof event.target === "number" ? { target: seatName(game, event.target) } : {}),
    ...(Array.isArray(counted) ? { n: counted.length } : {}),
  };
  const said = [t(keyOf(event), values)];
  if (event.type === "seat_forfeited" && bot) said.push(t("story.more.plays_on", values));
  return said;
}

/**
 * Who has made a move: a stand-in is named together with its owner.
 * @param {any} game @param {any} event
 */
export function moverName(game, event) {
  const name = seatName(game, event.seat);
  if (event.by !== "stand_in" || !event.bot) return name;
  return t("story.more.for", { bot: botName(event.bot.level), name });
}
