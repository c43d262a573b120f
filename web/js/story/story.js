/**
 * The story of a game in words, from the facts of its events.
 *
 * A fact (`docs/facts.md`) has a phrase `story.<game>.<type>` in the words of the language; where
 * it makes a difference `<type>_<reason>`, `<type>_<feature>` or, with a building, `<type>_building`.
 * A fact without a phrase is not worth telling. A move may have a phrase `moves.<type>` itself, also
 * by what it answers (`move_phrases.js`). A phrase may hold the members of the fact, in words:
 * seats as names, spaces and buildings as terms, goods as bundles. `locales/story.py` tells the same
 * story on the server. The sentences of other events come from
 * `table_events.js`.
 */

import { h, show, spoken } from "../elements/dom.js";
import { seatName } from "../people/seats.js";
import { has, list, t, term } from "../platform/i18n.js";
import { bundleWords, signed } from "../play/goods.js";
import { findPhraseKeys } from "./move_phrases.js";
import { moverName, tellTableEvent } from "./table_events.js";

/** Members of facts and moves by the group of terms that names their values. */
const GROUPS = {
  building: "buildings",
  replaced: "buildings",
  line: "lines",
  section: "sections",
  phase: "phases",
  feature: "features",
  source: "sources",
  reason: "reasons",
  tile: "tiles",
};
const SEATS = new Set(["seat", "by"]);
const BUNDLES = new Set(["goods", "give", "get", "pay"]);

/**
 * The members of a fact in words.
 * @param {any} game @param {Record<string, any>} fact
 */
function inWords(game, fact) {
  /** @type {Record<string, any>} */
  const words = { ...fact };
  if ("points" in fact) words.signed = signed(fact.points);
  if ("chance" in fact) words.chance = fact.chance >= 0.01 ? `${Math.round(100 * fact.chance)} %` : "<1 %";
  for (const [key, value] of Object.entries(fact)) {
    if (SEATS.has(key) && typeof value === "number") words[key] = seatName(game, value);
    else if (BUNDLES.has(key)) words[key] = bundleWords(value);
    else if (key === "space") words.space = spaceWords(game.game, value);
    else if (key === "segment") words.segment = term(game.game, "roles", String(value)[0]);
    else if (key === "turn_order")
      words.turn_order = list(value.map((/** @type {number} */ seat) => seatName(game, seat)));
    else if (key in GROUPS && typeof value === "string")
      words[key] = term(game.game, GROUPS[/** @type {keyof GROUPS} */ (key)], value);
  }
  return words;
}

/** @param {string} game @param {string} space */
function spaceWords(game, space) {
  const number = /^road-(\d+)$/.exec(space)?.[1];
  return number ? t(`terms.${game}.spaces.road`, { n: number }) : term(game, "spaces", space);
}

/**
 * A fact as a phrase, null when it is not worth one.
 * @param {any} game @param {Record<string, any>} fact @param {string} [group] of phrases, with a point
 */
function phrase(game, fact, group = "") {
  const place = fact.building ? "_building" : "";
  const names = [
    `${fact.type}_${fact.reason}`,
    `${fact.type}_${fact.feature}`,
    `${fact.type}${place}`,
    fact.type,
  ];
  const key = names.map((name) => `story.${game.game}.${group}${name}`).find(has);
  return key ? t(key, inWords(game, fact)) : null;
}

/** So many phrases make a sentence at most. */
const REASONS = 4;

/**
 * Why a move is good, in one sentence without its subject (`locales/reasoning.py` says the same).
 * @param {any} game @param {Record<string, any>[]} facts
 */
export function sayReasons(game, facts) {
  const reasons = facts.map((fact) => phrase(game, fact, "reasons.")).filter((text) => text !== null);
  const found = reasons.length ? reasons : facts.map((fact) => phrase(game, fact)).filter((text) => text !== null);
  const said = found.slice(0, REASONS);
  const last = said.pop() ?? "";
  return said.length ? t("story.more.joined", { first: said.join(", "), last }) : last;
}

/**
 * A move as a phrase, null when its facts alone tell it.
 * @param {any} game @param {any} event @param {any[]} events
 */
function movePhrase(game, event, events) {
  for (const [key, more] of findPhraseKeys(event, events)) {
    const path = `story.${game.game}.moves.${key}`;
    if (has(path)) return t(path, inWords(game, { ...event.move, ...more }));
  }
  return null;
}

/**
 * What an event consists of: the seat that acts or gains, if there is one, and the phrase.
 * @param {any} game @param {any} event @param {any[]} events
 * @returns {{seat: number | undefined, text: string}[]}
 */
function phrases(game, event, events) {
  const said = [];
  if (event.type === "move_made") {
    const text = movePhrase(game, event, events);
    if (text) said.push({ seat: event.seat, text });
  } else {
    for (const text of tellTableEvent(game, event)) said.push({ seat: undefined, text });
  }
  for (const fact of event.facts ?? []) {
    const text = phrase(game, fact);
    if (text) said.push({ seat: fact.seat, text });
  }
  return said;
}

/**
 * An event as sentences: what one seat did or got in a row makes one sentence.
 * @param {any} game @param {any} event
 * @param {any[]} [events] all events that are loaded: a move may refer to those before it
 * @returns {string[]}
 */
export function tell(game, event, events = []) {
  /** @type {{seat: number | undefined, parts: string[]}[]} */
  const sentences = [];
  for (const { seat, text } of phrases(game, event, events)) {
    const last = sentences.at(-1);
    if (last && seat !== undefined && last.seat === seat) last.parts.push(text);
    else sentences.push({ seat, parts: [text] });
  }
  return sentences.map(({ seat, parts }) => {
    const said = parts.join("; ");
    if (seat === event.seat && seat !== undefined) return `${moverName(game, event)}: ${said}.`;
    if (seat !== undefined) return `${seatName(game, seat)}: ${said}.`;
    return `${said.charAt(0).toUpperCase()}${said.slice(1)}.`;
  });
}

/**
 * The game with the players who sat there at the time of an event.
 * @param {any} game @param {any[]} takeovers all events by which a seat got another owner
 * @param {any} event
 */
function asOf(game, takeovers, event) {
  const later = takeovers.filter((one) => event.version < one.version);
  if (!later.length) return game;
  const seats = game.seats.map((/** @type {any} */ seat, /** @type {number} */ number) => {
    const next = later.find((one) => one.seat === number);
    return next ? { ...seat, player: next.from.player, bot: null } : seat;
  });
  return { ...game, seats };
}

/**
 * What happened at a version, as sentences, with the names of that time.
 * @param {any} game @param {any[]} events all events up to that version at least @param {number} version
 */
export function tellAt(game, events, version) {
  const event = events[version - 1];
  const takeovers = events.filter(({ type }) => type === "seat_taken_over");
  return event ? tell(asOf(game, takeovers, event), event, events) : [];
}

export class Story {
  /** @param {any} game @param {(version: number) => void} jump */
  constructor(game, jump) {
    this.game = game;
    this.jump = jump;
    this.told = 0;
    /** What stands behind the words of a line. @type {(version: number) => Node | null} */
    this.remark = () => null;
    this.lines = h("ol", { class: "lines" });
    this.element = h("div", { class: "story" }, this.lines);
  }

  /** Add what is new; the newest line stands first. @param {any[]} events */
  update(events) {
    const takeovers = events.filter((event) => event.type === "seat_taken_over");
    for (const event of events.slice(this.told)) {
      const sentences = tell(asOf(this.game, takeovers, event), event, events);
      if (sentences.length) this.lines.prepend(this.#line(event, sentences));
      if (event.type === "moves_taken_back") event.moves.forEach(this.#strike, this);
    }
    this.told = events.length;
  }

  /** @param {any} event @param {string[]} sentences */
  #line(event, sentences) {
    const jump = h(
      "button",
      {
        class: `jump${event.seat === undefined ? "" : ` seat-${event.seat}`}`,
        "aria-label": t("ui.story.jump", { n: event.version }),
        onclick: () => this.jump(event.version),
      },
      String(event.version),
    );
    const told = h("p", {}, sentences.join(" "));
    return h("li", { "data-version": event.version }, jump, told, this.remark(event.version));
  }

  /** Put something behind the words of each line. @param {(version: number) => HTMLElement | null} remark */
  annotate(remark) {
    this.remark = remark;
    for (const line of this.lines.children) {
      line.querySelector(":scope > .mark")?.remove();
      const made = remark(Number(line.getAttribute("data-version")));
      if (made) line.append(made);
    }
  }

  /** @param {number} version */
  #strike(version) {
    const line = this.lines.querySelector(`[data-version="${version}"] p`);
    if (line) show(line, h("s", {}, line.textContent), spoken(` (${t("ui.story.taken_back")})`));
  }

  /** @param {number | null} version */
  mark(version) {
    for (const line of this.lines.children) {
      const here = line.getAttribute("data-version") === String(version);
      if (here) line.setAttribute("aria-current", "true");
      else line.removeAttribute("aria-current");
    }
  }
}
