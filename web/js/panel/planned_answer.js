/**
 * A planned answer: while another person is asked, one may choose what to answer next. It is sent when the turn
 * comes and everything is as the person saw it; else it is dropped, and the line of notes says why. It waits for
 * this table in this browser, is sent once however many tabs are open, and never after moves were taken back.
 */

import { note } from "../elements/announce.js";
import { h, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { seal } from "../people/seats.js";
import { newKey, Unreachable } from "../platform/api.js";
import { t } from "../platform/i18n.js";
import { gameModule } from "../play/game_module.js";
import { isSame } from "../table/move_queue.js";
import { dropPlan, isPlanOf, keepPlan, readPlan, takePlan } from "../table/plan_store.js";

/**
 * @typedef {import("../table/plan_store.js").Plan} Plan
 * @typedef {{decision: Decision, moves: Move[]}} ForeseenQuestion
 */

export class PlannedAnswer {
  /** @param {import("../table/table.js").Table} table */
  constructor(table) {
    this.table = table;
    /** The panel asks again: set by the panel. */
    this.again = () => {};
    /** The person composes a plan. */
    this.isComposing = false;
    /** A plan is on its way: nothing is asked meanwhile. */
    this.isSending = false;
    this.button = h("button", { class: "plain plan", "data-key": "plan", hidden: true, onclick: () => this.#toggle() });
    this.element = h("p", { class: "talk planned", role: "status", hidden: true });
    this.elsewhere = (/** @type {StorageEvent} */ { key }) => {
      if (isPlanOf(key, table.id)) this.render();
    };
    this.#listen();
    this.#begin();
  }

  #listen() {
    const { table } = this;
    addEventListener("storage", this.elsewhere);
    table.addEventListener("change", () => this.#update());
    table.addEventListener("moved", () => {
      this.isSending = false; // the next question is another one
      dropPlan(table.id); // where the person has answered instead
    });
    table.addEventListener("news", (event) => {
      const { type } = /** @type {CustomEvent} */ (event).detail;
      if (type === "moves_taken_back" && this.plan) this.#drop(this.plan, "taken_back");
    });
  }

  /** The table is opened: a plan whose turn came meanwhile is not made without the person. */
  #begin() {
    if (this.plan && this.table.question) this.#drop(this.plan, "closed");
    this.render();
  }

  close() {
    removeEventListener("storage", this.elsewhere);
  }

  /** The plan that waits, of a seat that this person has. @returns {Plan | null} */
  get plan() {
    const plan = readPlan(this.table.id);
    return plan && this.table.isMine(plan.seat) ? plan : null;
  }

  /** What the panel asks in place of the question: null while nothing is composed. @returns {ForeseenQuestion | null} */
  get asked() {
    return this.isComposing ? this.#foreseen : null;
  }

  /** The next question to this person while another person is asked. @returns {ForeseenQuestion | null} */
  get #foreseen() {
    const { game, playing, question, only } = this.table;
    const { decision, seats, status, view } = game;
    const [own, ...others] = playing;
    if (status !== "running" || !decision || !view || question || only) return null;
    if (!own || others.length || own.stand_in) return null;
    const asked = seats[decision.seat];
    if (!asked.player || asked.stand_in) return null; // a bot answers sooner than a person plans
    return gameModule(game.game).foresee?.(view, decision, own.seat) ?? null;
  }

  /** @param {string} question in words */
  sayQuestion(question) {
    return this.asked ? t("ui.plan.question", { question }) : question;
  }

  /** @param {string} act the words of the button */
  sayAct(act) {
    return this.asked ? t("ui.plan.act", { act }) : act;
  }

  render() {
    const { plan, isComposing } = this;
    this.button.hidden = Boolean(plan) || !this.#foreseen;
    const name = t(isComposing ? "ui.plan.leave" : "ui.plan.open");
    this.button.textContent = isComposing ? "✕" : name;
    this.button.title = name;
    this.button.setAttribute("aria-label", name);
    this.element.hidden = !plan;
    show(this.element, plan ? this.#words(plan) : null);
  }

  /** @param {Plan} plan */
  #words({ seat, title }) {
    const drop = () => {
      dropPlan(this.table.id);
      this.render();
    };
    return [
      seal(seat),
      h("span", {}, t("ui.plan.holds"), " ", h("b", {}, title)),
      h("button", { class: "plain", "data-key": "drop-plan", onclick: drop }, t("ui.plan.drop")),
      h("span", { class: "soft" }, t("ui.plan.when")),
    ];
  }

  #toggle() {
    this.isComposing = !this.isComposing;
    this.render();
    this.again();
  }

  /** Keep what was composed until the turn comes. @param {Move} move @param {string} title the move in words */
  keep(move, title) {
    const { asked, table } = this;
    const view = table.game.view;
    if (!asked || !view) return;
    const { decision } = asked;
    const expects = this.#reliesOn(move, view, decision);
    const { seat, kind } = decision;
    keepPlan(table.id, { seat, kind, move, expects, title, version: table.version, key: newKey() });
    this.#toggle();
  }

  /** @param {Move} move @param {View} view @param {Decision} decision */
  #reliesOn(move, view, decision) {
    return gameModule(this.table.game.game).reliesOn?.(move, view, decision) ?? null;
  }

  /** The table has changed: end what cannot be composed any more, send what was planned for now. */
  #update() {
    const { plan, table } = this;
    if (this.isComposing && !this.#foreseen) this.isComposing = false;
    if (table.finished) dropPlan(table.id);
    else if (plan && table.question && !table.unsent && !this.isSending) this.#send(plan).catch(explain);
    this.render();
  }

  /** @param {Plan} plan */
  async #send(plan) {
    this.isSending = true;
    let isMade = false;
    try {
      isMade = await this.#make(plan);
      if (isMade) note(t("ui.plan.played", { move: plan.title }));
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error; // the plan waits on, and the person is asked
    } finally {
      this.isSending = false;
      this.render();
      if (!isMade) this.again(); // else with the next picture
    }
  }

  /** Make the planned move when everything is as it was; else drop it. @param {Plan} plan @returns {Promise<boolean>} */
  async #make(plan) {
    const { table } = this;
    await table.loadEvents();
    const { question, version } = table;
    const fault = question ? this.#faultOf(plan, question) : "other";
    if (fault) this.#drop(plan, fault);
    if (fault || !takePlan(table.id, plan)) return false;
    const { seat, kind, move, title, key } = plan;
    return table.play(move, null, title, { version, seat, kind }, { key });
  }

  /** Why a plan is not what was meant any more; "": it is. @param {Plan} plan @param {Decision} question */
  #faultOf({ version, seat, kind, move, expects }, question) {
    const { events, game, moves } = this.table;
    const since = events.filter((event) => event.version > version);
    if (since.some(({ type }) => type === "moves_taken_back")) return "taken_back";
    if (since.some((event) => event.type === "move_made" && event.seat === seat)) return "moved";
    if (question.kind !== kind || question.seat !== seat) return "other";
    if (!moves.some((one) => isSame(one, move))) return "illegal";
    const now = game.view && this.#reliesOn(move, game.view, question);
    return isSame({ type: "", now }, { type: "", now: expects }) ? "" : "changed";
  }

  /** @param {Plan} plan @param {string} fault the key of its words */
  #drop({ title }, fault) {
    dropPlan(this.table.id);
    note(t("ui.plan.dropped", { move: title, reason: t(`ui.plan.why.${fault}`) }), "trouble");
    this.render();
  }
}
