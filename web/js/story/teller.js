/**
 * The story of a game in words, from the facts of its events.
 *
 * The rules are those of `locales/telling.json`, which come with the words: `locales/telling.py` explains
 * them, and `locales/story.py` tells the same story on the server. A fact (`docs/facts.md`) and a move have
 * phrases in `story.<game>`, other events sentences in `story`; what has no phrase is not told.
 */

import { botName, seatName } from "../people/seats.js";
import { clauses, fillIn, labelled, t, tellingRules, termOf, textAt } from "../platform/i18n.js";
import { bundleWords, signed } from "../play/goods.js";
import { findThread } from "./thread.js";

/** @typedef {Record<string, any>} Scope */

/**
 * The key of a pattern in a scope, null when the pattern does not fit.
 * @param {string} pattern @param {Scope} scope
 */
function keyOf(pattern, scope) {
  let fits = true;
  const key = pattern.replace(/\{(\w+)(\?|=\w+)?\}/g, (_, name, test = "") => {
    const value = scope[name];
    fits &&= test.startsWith("=") ? String(value) === test.slice(1) : Boolean(value);
    return test ? "" : String(value);
  });
  return fits ? key : null;
}

/**
 * The phrase of the first pattern that fits and has words.
 * @param {string} group of phrases @param {string[]} patterns @param {Scope} scope
 */
function choose(group, patterns, scope) {
  for (const pattern of patterns) {
    const key = keyOf(pattern, scope);
    const phrase = key === null ? undefined : textAt(`${group}.${key}`);
    if (phrase !== undefined) return phrase;
  }
  return null;
}

/** What lies at a path such as `player.name`. @param {any} values @param {string} path */
const follow = (values, path) => path.split(".").reduce((found, name) => found?.[name], values);

/** @type {Record<string, (value: any, game: any) => any>} */
const KINDS = {
  name: (seat, game) => seatName(game, seat),
  names: (seats, game) => seats.map((/** @type {number} */ seat) => seatName(game, seat)).join(", "),
  bot: botName,
  bundle: bundleWords,
  percent: (share) => (share >= 0.01 ? `${Math.round(100 * share)} %` : "<1 %"),
  count: (all) => all.length,
  best: ({ scores, winners }) => scores[winners[0]],
  places,
};

/** The ranks of all seats in words, the best first; null when all of them stayed. @param {any} result @param {Game} game */
function places({ ranks, scores, outcomes = [] }, game) {
  const { stayed, place } = tellingRules();
  const hasLeft = (/** @type {string} */ outcome) => !stayed.includes(outcome);
  if (!outcomes.some(hasLeft)) return null;
  const seats = [...outcomes.keys()].sort((one, other) => ranks[one] - ranks[other]);
  const said = seats.map((seat) =>
    fillIn(choose("story", place, { left: hasLeft(outcomes[seat]) }) ?? "", {
      rank: ranks[seat],
      name: seatName(game, seat),
      n: scores[seat],
      outcome: t(`terms.outcomes.${outcomes[seat]}`),
    }),
  );
  return clauses(said);
}

/** What the sentence of an event may hold, in words. @param {Game} game @param {GameEvent} event */
function valuesOf(game, event) {
  /** @type {Scope} */
  const found = { name: "" };
  for (const [name, paths] of Object.entries(tellingRules().values)) {
    for (const rule of paths) {
      const [path, kind] = rule.split(":");
      const value = follow(event, path) ?? null;
      if (value === null) continue;
      found[name] = kind ? KINDS[kind](value, game) : value;
      break;
    }
  }
  return found;
}

/** A member of a fact or a move in words. @param {Game} game @param {string} key @param {any} value */
function inWords(game, key, value) {
  const kind = tellingRules().members[key];
  if (!kind || (kind === "name" && typeof value !== "number")) return value;
  if (kind in KINDS) return KINDS[kind](value, game);
  return typeof value === "string" ? termOf(game.game, kind, value) : value;
}

/** The members of a fact or a move in words. @param {Game} game @param {Scope} values */
function shown(game, values) {
  const words = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, inWords(game, key, value)]));
  return "points" in values ? { ...words, signed: signed(values.points) } : words;
}

/**
 * A fact as a phrase, null when it is not worth one.
 * @param {Game} game @param {Scope} fact @param {string} [group] of phrases, with a point
 */
function phrase(game, fact, group = "") {
  const template = choose(`story.${game.game}${group}`, tellingRules().facts, fact);
  return template && fillIn(template, shown(game, fact));
}

/**
 * A move as a phrase, null when its facts alone tell it.
 * @param {Game} game @param {Extract<GameEvent, {type: "move_made"}>} event @param {GameEvent[]} events
 */
function movePhrase(game, event, events) {
  const thread = findThread(event, events);
  const scope = { ...thread, type: event.move.type };
  const template = choose(`story.${game.game}.moves`, tellingRules().moves, scope);
  return template && fillIn(template, shown(game, { ...event.move, ...thread }));
}

/** The sentences of an event that is no move, without their full stops. @param {Game} game @param {GameEvent} event */
function tableSentences(game, event) {
  if (textAt(`story.${event.type}`) === undefined) return [];
  const values = valuesOf(game, event);
  const templates = tellingRules().events.map((patterns) => choose("story", patterns, { ...event, ...values }));
  return templates.flatMap((template) => (template ? [fillIn(template, values)] : []));
}

/** @typedef {{seat: number | undefined, text: string | null}} Said the seat that acts or gains, and the phrase */

/** @param {Game} game @param {Fact[]} [facts] @returns {Said[]} */
const sayFacts = (game, facts = []) => facts.map((fact) => ({ seat: fact.seat, text: phrase(game, fact) }));

/** @param {Game} game @param {GameEvent} event @param {GameEvent[]} events @returns {Said[]} */
function sayEvent(game, event, events) {
  if (event.type === "move_made") return [{ seat: event.seat, text: movePhrase(game, event, events) }];
  return tableSentences(game, event).map((text) => ({ seat: undefined, text }));
}

/** Who did something; a stand-in is named together with its owner. @param {Game} game @param {number} seat @param {GameEvent} event */
function moverName(game, seat, event) {
  const values = { ...valuesOf(game, event), name: seatName(game, seat) };
  const template = choose("story", tellingRules().mover, { ...event, ...values });
  return template ? fillIn(template, values) : values.name;
}

/**
 * Phrases as sentences: what one seat did or got in a row makes one sentence.
 * @param {Said[]} said @param {(seat: number) => string} name
 */
function join(said, name) {
  /** @type {{seat: number | undefined, parts: string[]}[]} */
  const sentences = [];
  for (const { seat, text } of said) {
    if (!text) continue;
    const last = sentences.at(-1);
    if (last && seat !== undefined && last.seat === seat) last.parts.push(text);
    else sentences.push({ seat, parts: [text] });
  }
  return sentences.map(({ seat, parts }) => {
    const all = clauses(parts);
    return seat === undefined ? `${all.charAt(0).toUpperCase()}${all.slice(1)}.` : `${labelled(name(seat), all)}.`;
  });
}

/** What a move would lead to, as sentences. @param {Game} game @param {Fact[]} facts */
export const tellFacts = (game, facts) => join(sayFacts(game, facts), (seat) => seatName(game, seat));

/**
 * An event as sentences.
 * @param {Game} game @param {GameEvent} event
 * @param {GameEvent[]} [events] all events that are loaded: a move may refer to those before it
 */
export function tell(game, event, events = []) {
  return join([...sayEvent(game, event, events), ...sayFacts(game, event.facts)], (seat) =>
    seat === event.seat ? moverName(game, seat, event) : seatName(game, seat),
  );
}

/**
 * The game with the players who sat there at the time of an event.
 * @param {Game} game @param {GameEvent[]} events @param {GameEvent} event
 */
function asOf(game, events, event) {
  const later = events.flatMap((one) => (one.type === "seat_taken_over" && event.version < one.version ? [one] : []));
  if (!later.length) return game;
  const seats = game.seats.map((seat, number) => {
    const next = later.find((one) => one.seat === number);
    return next ? { ...seat, player: next.from.player ?? null, bot: next.from.bot ?? null } : seat;
  });
  return { ...game, seats };
}

/**
 * What happened at a version, as sentences, with the names of that time.
 * @param {Game} game @param {GameEvent[]} events all events up to that version at least @param {number} version
 */
export function tellAt(game, events, version) {
  const event = events[version - 1];
  return event ? tell(asOf(game, events, event), event, events) : [];
}

/**
 * Why a move is good, in one sentence without its subject (`locales/reasoning.py` says the same).
 * @param {Game} game @param {Scope[]} facts
 */
export function sayReasons(game, facts) {
  const say = (/** @type {string} */ group) =>
    facts.map((fact) => phrase(game, fact, group)).filter((text) => text !== null);
  const reasons = say(".reasons");
  const said = (reasons.length ? reasons : say("")).slice(0, tellingRules().reasons);
  const last = said.pop() ?? "";
  return said.length ? t("story.more.joined", { first: said.join(", "), last }) : last;
}
