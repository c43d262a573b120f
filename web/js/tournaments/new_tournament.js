/** A new tournament: ready to be announced as it stands, so that a host with friends in the room types nothing. */

import { h, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { usualSeats } from "../home/quick_start.js";
import { withPlayer } from "../people/guest_name.js";
import { api } from "../platform/api.js";
import { language, t } from "../platform/i18n.js";
import { go } from "../platform/router.js";
import { gameModule, loadGame } from "../play/game_module.js";
import { check, choice } from "../settings/form.js";
import { hoursWords, minutesWords, paceWords, sizeWords } from "./terms.js";
import { tournaments } from "./tournament_calls.js";

const FORMATS = ["swiss", "duplicate", "round_robin", "arena"];
const LARGEST_TABLE = 5;
const MOST_ROUNDS = 9;
const USUAL_ROUNDS = 3;
const MINUTES = [30, 45, 60, 90, 120, 180];
/** Hours that a round of a tournament over days may last. */
const WINDOWS = [72, 168, 336, 720];
const STARTS = ["by_host", "when_full", "at"];
const PLACES = [3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 64, 100, 200];
const USUAL_PLACES = 4;
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
    start: "by_host",
    places: String(USUAL_PLACES),
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
    this.wishes = { play: true, rated: false, unlisted: false };
    /** @type {HTMLInputElement} */
    this.name = h("input", {
      id: "tour-name",
      required: true,
      maxlength: String(LONGEST_NAME),
      value: this.#usualName(),
    });
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
      this.#isLive
        ? null
        : this.#select(
            "window",
            t("ui.tournaments.window"),
            WINDOWS.map((n) => [String(n), hoursWords(n)]),
          ),
      this.#select(
        "start",
        t("ui.tournaments.begin"),
        STARTS.map((name) => [name, t(`ui.tournaments.starts.${name}`)]),
      ),
      this.#startDetail(),
      h(
        "div",
        {},
        this.#check("play", t("ui.tournaments.play_too")),
        this.#check("unlisted", t("ui.tournaments.unlisted")),
        this.#check("rated", t("ui.tournaments.rated")),
      ),
      h("button", { class: "confirm large", type: "submit", "data-key": "announce" }, t("ui.tournaments.announce")),
    );
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
    const counts = Array.from({ length: MOST_ROUNDS }, (_, more) => [String(more + 1), String(more + 1)]);
    const all = format === "duplicate" ? counts : [["", t("ui.tournaments.rounds_auto")], ...counts];
    return this.#select("rounds", t("ui.tournaments.rounds"), all);
  }

  #startDetail() {
    const { start, at } = this.chosen;
    if (start === "when_full")
      return this.#select(
        "places",
        t("ui.tournaments.places"),
        PLACES.map((n) => [String(n), String(n)]),
      );
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

  /** @param {"play" | "rated" | "unlisted"} name @param {string} label */
  #check(name, label) {
    return check(`tour-${name}`, label, this.wishes[name], (wanted) => {
      this.wishes[name] = wanted;
    });
  }

  #wish() {
    const { format, table, rounds, minutes, window, start, places, at } = this.chosen;
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
      ...(isArena || this.#isLive ? {} : { window: Number(window) }),
      ...(start === "when_full" ? { entrants: { max: Number(places) } } : {}),
      start: start === "at" ? { at: new Date(at).toISOString() } : { [start]: true },
      rated: this.wishes.rated,
      visibility: this.wishes.unlisted ? "unlisted" : "public",
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

/** @returns {Promise<import("../platform/router.js").Page>} */
export async function newTournamentPage() {
  const { games, paces = [] } = await api.catalogue();
  await Promise.all(games.map(({ name }) => loadGame(name)));
  const timed = /** @type {PacePreset[]} */ (paces.filter(({ pace }) => pace));
  return { element: new NewTournament(games, timed).element, title: t("ui.tournaments.new") };
}
