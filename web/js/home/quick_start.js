/** Games that begin with one touch, and how every new game is opened: with draws that no player chooses. */

import { explain } from "../elements/errors.js";
import { motionSpeed } from "../motion/motion.js";
import { withPlayer } from "../people/guest_name.js";
import { api, newEntropy, newKey, Problem } from "../platform/api.js";
import { language, t } from "../platform/i18n.js";
import { go } from "../platform/router.js";
import { loadGame } from "../play/game_module.js";
import { showFrame } from "./table_frame.js";

const USUAL_SEATS = 2;
const USUAL_BOT = "medium";
/** The bot that gives hints. */
const STRONG_BOT = "hard";
/** So many ms pass before a bot moves, so that a person can follow what flies over the board. */
const BOT_DELAY = 600;
/** A bot that thinks this long (ms) is worth a word about it. */
const SLOW = 100;

/** @param {Pick<Offer, "bots">} offer of the catalogue */
export function usualBot({ bots }) {
  const names = bots.map(({ name }) => name);
  return names.includes(USUAL_BOT) ? USUAL_BOT : names.at(-1);
}

/** Whether a game has a bot that gives hints. @param {Pick<Offer, "bots">} offer of the catalogue */
export function hasHints({ bots }) {
  return bots.some(({ name }) => name === STRONG_BOT);
}

/** How strong a bot is and how long it thinks, in words. @param {any} bot of the catalogue */
export function describeBot({ text, strength, ms }) {
  const time = ms >= SLOW ? t("ui.new.thinks", { s: (ms / 1000).toLocaleString(language()) }) : "";
  return [text, strength ? t("ui.new.strength", { n: strength }) : "", time].filter(Boolean).join(" ");
}

/** How many seats a new game has before anything is changed. @param {Offer} offer @param {import("../play/game_module.js").GameModule} module */
export function usualSeats({ seats }, module) {
  return Math.min(Math.max(module.usualSeats ?? USUAL_SEATS, seats.from), seats.to);
}

/** Opens one game. What is sent again after a lost answer is the same. */
export class Opening {
  constructor() {
    this.key = newKey();
    /** @type {{id: string, commitment: string, entropy: string} | null} */
    this.promised = null;
  }

  /**
   * The server commits first, then this player chooses an entropy: so no one of them chooses the draws.
   * @param {import("../people/guest_name.js").Commitment | null} made
   */
  async #promise(made) {
    if (!this.promised) {
      const { id, commitment } = made ?? (await api.commit());
      this.promised = { id, commitment, entropy: newEntropy() };
    }
    return this.promised;
  }

  /**
   * @param {Sent<"open_game">} wish the body of `POST /games`, without the draws
   * @param {import("../people/guest_name.js").Commitment | null} [made] the commitment, when the player has it already
   */
  async open(wish, made = null) {
    const { id: commitment, entropy, commitment: wanted } = await this.#promise(made);
    const hasBots = wish.seats.some(({ kind }) => kind === "bot");
    const delay = hasBots && motionSpeed() ? { bot_delay: BOT_DELAY } : {}; // without motion nothing flies
    const sits = wish.seats.some(({ kind }) => kind === "me");
    const game = await api
      .create({ ...wish, ...delay, commitment, ...(sits ? { entropy } : {}) }, this.key)
      .catch((/** @type {unknown} */ error) => {
        if (error instanceof Problem) {
          this.key = newKey(); // another try is another game
          this.promised = null;
        }
        throw error;
      });
    api.handOnGame(game);
    if (game.status === "running") api.piecesAhead(game.game, game.options);
    // Both at once: on a slow line each of them takes seconds.
    await Promise.all([go(`/games/${game.id}`), mustKeep(game.id, wanted)]);
  }
}

/** Raise `commitment_changed` when a game began with another commitment than the one that was made. @param {string} id @param {string} wanted */
async function mustKeep(id, wanted) {
  const { events } = await api.events(id, 0, { limit: 1 });
  if (events[0].fair?.commitment !== wanted) throw new Problem({ code: "commitment_changed" });
}

/**
 * @param {Offer} offer @param {(module: import("../play/game_module.js").GameModule) => any[]} seatsOf
 * @param {Partial<Sent<"open_game">>} [more]
 */
async function openAtOnce(offer, seatsOf, more = {}) {
  const module = await loadGame(offer.name);
  const opening = new Opening();
  // Not in the lobby: a friend has the link, and no other player waits for such a game.
  /** @type {Sent<"open_game">} */
  const wish = { game: offer.name, seats: seatsOf(module), shuffle_seats: true, visibility: "unlisted", ...more };
  const takeBack = showFrame(offer.name, wish.seats);
  await withPlayer((made) => opening.open(wish, made), { opens: true }).finally(takeBack);
}

/** @param {Offer} offer of the catalogue @param {string} [level] of the bots */
export function playBots(offer, level = usualBot(offer)) {
  const bot = { kind: "bot", bot: level };
  const seatsOf = (/** @type {import("../play/game_module.js").GameModule} */ module) => [
    { kind: "me" },
    ...Array(usualSeats(offer, module) - 1).fill(bot),
  ];
  return openAtOnce(offer, seatsOf, hasHints(offer) ? { hints: true } : {}).catch(explain);
}

/** Open a table with a seat for a friend. @param {Offer} offer of the catalogue */
export function playFriend(offer) {
  return openAtOnce(offer, () => [
    { kind: "me" },
    ...Array(Math.max(USUAL_SEATS, offer.seats.from) - 1).fill({ kind: "open" }),
  ]).catch(explain);
}
