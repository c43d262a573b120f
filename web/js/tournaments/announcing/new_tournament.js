/** A new tournament: ready to be announced as it stands, so that a host with friends in the room types nothing. */

import { h, show } from "../../elements/dom.js";
import { explain } from "../../elements/errors.js";
import { usualSeats } from "../../home/quick_start.js";
import { withPlayer } from "../../people/guest_name.js";
import { api } from "../../platform/api.js";
import { language, t } from "../../platform/i18n.js";
import { go } from "../../platform/router.js";
import { gameModule, loadGame } from "../../play/game_module.js";
import { check, choice } from "../../settings/form.js";
import { optionFields, readOptions } from "../../settings/game_options.js";
import { hoursWords, minutesWords, paceWords, sizeWords } from "../facts/terms.js";
import { tournaments } from "../facts/tournament_calls.js";
import { TieOrder } from "./tie_order.js";
import { WhoEnters } from "./who_enters.js";

const FORMATS = ["swiss", "duplicate", "round_robin", "arena"];
const LARGEST_TABLE = 5;
const ROUNDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30];
const USUAL_ROUNDS = 3;
const MINUTES = [30, 45, 60, 90, 120, 180];
/** Hours that a round of a tournament over days may last. */
const WINDOWS = [72, 168, 336, 720];
/** Of a live tournament. */
const LIVE_WINDOWS = [1, 2, 3, 4, 6, 12];
const USUAL_LIVE = "3";
const VISIBILITIES = ["public", "unlisted", "private"];
const STARTS = ["by_host", "when_full", "at"];
const PLACES = [2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 64, 100, 200];
const USUAL_PLACES = 4;
const MOST_PLACES = 200;
const LONGEST_NAME = 64;
const HOUR = 3_600_000;

/** @typedef {{name: string, pace: {mode: string, delay: number, bank: number}}} PacePreset */

/** What is chosen, as texts of the fields. */
function usual() {
  return {
    format: "swiss",
    table: "",
    rounds: "",
    minutes: "60",
    pace: "live",
    window: "168",
    live: USUAL_LIVE,
    start: "by_host",
    places: String(USUAL_PLACES),
    most: String(MOST_PLACES),
    least: "",
    seen: "public",
    at: inTwoHours(),
  };
}

/** A full hour in the time of the reader, as a field for a time has it. */
function inTwoHours() {
  const then = new Date(Date.now() + 2 * HOUR);
  then.setMinutes(0);
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const date = [then.getFullYear(), two(then.getMonth() + 1), two(then.getDate())].join("-");
  return `${date}T${two(then.getHours())}:00`;
}

class NewTournament {
  /** @param {Offer[]} offers @param {PacePreset[]} paces */
  constructor(offers, paces) {
    this.offers = offers;
    this.paces = paces;
    this.offer = offers[0];
    this.chosen = usual();
    this.wishes = { play: true, rated: false };
    /** @type {HTMLInputElement} */
    this.name = h("input", {
      id: "tour-name",
      required: true,
      maxlength: String(LONGEST_NAME),
      value: this.#usualName(),
    });
    this.who = new WhoEnters(() => this.render());
    this.ties = new TieOrder();
    this.options = h("div", {}, optionFields(this.offer));
    this.more = h("details", { class: "options" });
    this.fields = h("div", { class: "fields" });
    this.element = h("form", { class: "new-game new-tournament" }, h("h1", {}, t("ui.tournaments.new")), this.fields);
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      withPlayer(() => this.#announce());
    });
    this.render();
  }

  #usualName() {
    const date = new Intl.DateTimeFormat(language(), { day: "numeric", month: "long" }).format(new Date());
    return `${this.offer.title}, ${date}`;
  }

  render() {
    const { chosen } = this;
    this.#settle();
    this.#drawMore();
    this.who.render();
    this.#needOthers();
    show(
      this.fields,
      h(
        "fieldset",
        { class: "games" },
        h("legend", {}, t("ui.new.game")),
        this.offers.map((offer) => this.#game(offer)),
      ),
      row(this.name, t("ui.tournaments.name")),
      this.#select("format", t("ui.tournaments.format"), this.#formats),
      h("p", { class: "soft" }, t(`ui.tournaments.formats.${chosen.format}.note`)),
      this.#isPaired ? null : this.#select("table", t("ui.tournaments.table"), this.#sizes),
      this.#length(),
      this.#select("pace", t("ui.pace.title"), this.#presets.map(optionOfPace)),
      this.#isLive ? null : this.#window(),
      this.#select(
        "start",
        t("ui.tournaments.begin"),
        STARTS.map((name) => [name, t(`ui.tournaments.starts.${name}`)]),
      ),
      this.#startDetail(),
      this.who.element,
      h("div", {}, this.#check("play", t("ui.tournaments.play_too")), this.#check("rated", t("ui.tournaments.rated"))),
      this.more,
      h("button", { class: "confirm large", type: "submit", "data-key": "announce" }, t("ui.tournaments.announce")),
    );
  }

  /** What most hosts leave as it is. */
  #drawMore() {
    show(
      this.more,
      h("summary", {}, t("ui.new.options")),
      this.#select(
        "seen",
        t("ui.tournaments.seen"),
        this.#visibilities.map((name) => [name, t(`ui.tournaments.seen_by.${name}`)]),
      ),
      this.#select("least", t("ui.tournaments.least"), this.#counts(this.#needed, this.#most)),
      this.#hasPlaces || this.who.isInvited
        ? null
        : this.#select("most", t("ui.tournaments.most"), this.#counts(Number(this.chosen.least), MOST_PLACES)),
      this.#isLive && this.chosen.format !== "arena" ? this.#window() : null,
      this.options,
      this.ties.element,
    );
  }

  /** So long a round may last. */
  #window() {
    const all = this.#isLive ? LIVE_WINDOWS : WINDOWS;
    return this.#select(
      this.#isLive ? "live" : "window",
      t("ui.tournaments.window"),
      all.map((n) => [String(n), hoursWords(n)]),
    );
  }

  /** Numbers of entrants. @param {number} from @param {number} to */
  #counts(from, to) {
    const all = new Set([from, ...PLACES.filter((n) => n > from && n <= to)]);
    return [...all].map((n) => [String(n), String(n)]);
  }

  /** So many entrants a tournament needs: a table, a duplicate two. */
  get #needed() {
    const [smallest] = this.#isPaired ? [2] : this.chosen.table.split(",").map(Number);
    return smallest * (this.chosen.format === "duplicate" ? 2 : 1);
  }

  /** The number of places is a field of the start. */
  get #hasPlaces() {
    return this.chosen.start === "when_full" && !this.who.isInvited;
  }

  /** So many may enter; of invited players as many as the host likes. */
  get #most() {
    if (this.who.isInvited) return MOST_PLACES;
    return Number(this.#hasPlaces ? this.chosen.places : this.chosen.most);
  }

  /** Only those who are invited can enter a tournament that others do not see. */
  get #visibilities() {
    return VISIBILITIES.filter((name) => name !== "private" || this.who.isInvited);
  }

  /** Tables of two: the format needs them. */
  get #isPaired() {
    return this.chosen.format === "round_robin" || this.chosen.format === "arena";
  }

  get #isLive() {
    return this.#pace.mode === "live";
  }

  get #pace() {
    return (this.#presets.find(({ name }) => name === this.chosen.pace) ?? this.#presets[0]).pace;
  }

  /** An arena is live: its players are there until the time is over. */
  get #presets() {
    return this.paces.filter(({ pace }) => this.chosen.format !== "arena" || pace.mode === "live");
  }

  get #formats() {
    const fits = this.offer.seats.from <= 2;
    return FORMATS.filter((name) => fits || !["round_robin", "arena"].includes(name)).map((name) => [
      name,
      t(`ui.tournaments.formats.${name}.name`),
    ]);
  }

  /** How many sit at a table: two sizes next to each other let nearly any number of entrants play at once. */
  get #sizes() {
    const { from, to } = this.offer.seats;
    const last = Math.min(to, LARGEST_TABLE);
    const single = Array.from({ length: last - from + 1 }, (_, more) => [from + more]);
    const pairs = single.slice(0, -1).map(([size]) => [size, size + 1]);
    const all = this.chosen.format === "duplicate" ? single : [...pairs, ...single];
    return all.map((sizes) => [sizes.join(), sizeWords(sizes)]);
  }

  /** Let what is chosen be one of what can be chosen. */
  #settle() {
    const { chosen, offer } = this;
    const size = usualSeats(offer, gameModule(offer.name));
    const sizes = this.#sizes.map(([value]) => value);
    const wanted = [chosen.table, `${size},${size + 1}`, String(size), sizes[0]];
    chosen.table = wanted.find((value) => sizes.includes(value)) ?? "";
    if (!this.#presets.some(({ name }) => name === chosen.pace)) chosen.pace = this.#presets[0].name;
    if (chosen.format === "duplicate") chosen.rounds ||= String(USUAL_ROUNDS);
    if (!this.#visibilities.includes(chosen.seen)) chosen.seen = VISIBILITIES[0];
    this.#settleCounts();
  }

  /** At least a table, at most as many as there are places. */
  #settleCounts() {
    const { chosen } = this;
    const needed = this.#needed;
    chosen.places = String(Math.max(needed, Number(chosen.places)));
    chosen.most = String(Math.max(needed, Number(chosen.most)));
    chosen.least = String(Math.min(this.#most, Math.max(needed, Number(chosen.least))));
  }

  #needOthers() {
    this.who.need(Number(this.chosen.least) - (this.wishes.play ? 1 : 0));
  }

  #length() {
    const { format } = this.chosen;
    if (format === "arena")
      return this.#select(
        "minutes",
        t("ui.tournaments.length"),
        MINUTES.map((n) => [String(n), minutesWords(n)]),
      );
    if (format === "round_robin") return null; // it follows from the entrants
    const counts = ROUNDS.map((n) => [String(n), String(n)]);
    const all = format === "duplicate" ? counts : [["", t("ui.tournaments.rounds_auto")], ...counts];
    return this.#select("rounds", t("ui.tournaments.rounds"), all);
  }

  #startDetail() {
    const { start, at } = this.chosen;
    if (this.#hasPlaces)
      return this.#select("places", t("ui.tournaments.places"), this.#counts(this.#needed, MOST_PLACES));
    if (start !== "at") return null;
    /** @type {HTMLInputElement} */
    const input = h("input", {
      id: "tour-at",
      type: "datetime-local",
      required: true,
      value: at,
      onchange: () => {
        this.chosen.at = input.value;
      },
    });
    return row(input, t("ui.tournaments.start_at"));
  }

  /** @param {Offer} offer */
  #game(offer) {
    const pick = () => {
      const isUsual = this.name.value === this.#usualName();
      this.offer = offer;
      this.chosen.table = "";
      show(this.options, optionFields(offer));
      if (isUsual) this.name.value = this.#usualName();
      this.render();
    };
    const { name, title } = offer;
    const radio = { type: "radio", name: "game", value: name, checked: offer === this.offer, "data-key": name };
    return h(
      "label",
      { class: `choice game-${name}` },
      h("input", { ...radio, onchange: pick }),
      h("span", { class: "face" }, h("span", { class: "name" }, title)),
    );
  }

  /** @param {keyof ReturnType<typeof usual>} name @param {string} label @param {string[][]} options */
  #select(name, label, options) {
    const changed = (/** @type {string} */ value) => {
      this.chosen[name] = value;
      this.render();
    };
    return choice(`tour-${name}`, label, this.chosen[name], options, changed);
  }

  /** @param {"play" | "rated"} name @param {string} label */
  #check(name, label) {
    return check(`tour-${name}`, label, this.wishes[name], (wanted) => {
      this.wishes[name] = wanted;
      this.#needOthers();
    });
  }

  #wish() {
    const { format, table, rounds, minutes, window, live, start, at, least, seen } = this.chosen;
    const isDuplicate = format === "duplicate";
    const isArena = format === "arena";
    return /** @type {Sent<"announce_tournament">} */ ({
      name: this.name.value.trim(),
      game: this.offer.name,
      format: isDuplicate ? "swiss" : format,
      duplicate: isDuplicate,
      table: this.#isPaired ? [2] : table.split(",").map(Number),
      pace: this.#pace,
      ...(isArena ? { minutes: Number(minutes) } : {}),
      ...(!this.#isPaired && rounds ? { rounds: Number(rounds) } : {}),
      ...(isArena ? {} : { window: Number(this.#isLive ? live : window) }),
      options: readOptions(this.offer, new FormData(this.element)),
      entrants: {
        min: Number(least),
        ...(this.who.isInvited ? {} : { max: this.#most }),
        ...this.who.wish(this.wishes.play),
      },
      tiebreaks: this.ties.wish,
      start: start === "at" ? { at: new Date(at).toISOString() } : { [start]: true },
      rated: this.wishes.rated,
      visibility: seen,
    });
  }

  async #announce() {
    const { id } = await tournaments.create(this.#wish());
    if (this.wishes.play) await tournaments.enter(id).catch(explain); // the tournament is there: its page has the button
    await go(`/tournaments/${id}`, { replace: true });
  }
}

/** @param {HTMLInputElement} input @param {string} label */
function row(input, label) {
  return h("div", { class: "row" }, h("label", { for: input.id }, label), input);
}

/** @param {PacePreset} preset */
function optionOfPace({ name, pace }) {
  return [name, `${t(`ui.pace.presets.${name}`)} (${paceWords(pace)})`];
}

/** @returns {Promise<import("../../platform/router.js").Page>} */
export async function newTournamentPage() {
  const { games, paces = [] } = await api.catalogue();
  await Promise.all(games.map(({ name }) => loadGame(name)));
  const timed = /** @type {PacePreset[]} */ (paces.filter(({ pace }) => pace));
  return { element: new NewTournament(games, timed).element, title: t("ui.tournaments.new") };
}
