/** What this person can do now, the most likely thing first; and how the tournament stands. */

import { button } from "../elements/button.js";
import { ask } from "../elements/dialog.js";
import { h } from "../elements/dom.js";
import { withPlayer } from "../people/guest_name.js";
import { isolate, list, t } from "../platform/i18n.js";
import { at, by, until } from "../platform/time_words.js";
import { isHost, ownEntrant } from "./facts/shown.js";
import { enteredWords } from "./facts/terms.js";
import { tournaments } from "./facts/tournament_calls.js";

/** @typedef {import("./facts/shown.js").Shown} Shown */
/** @typedef {import("./facts/shown.js").Act} Act */
/** @typedef {import("./facts/tournament_calls.js").Tournament} Tournament */

const MINUTE = 60_000;

/** @param {Shown} shown @param {Act} act */
export function drawActions(shown, act) {
  const { tournament } = shown;
  const own = ownEntrant(shown);
  return [
    h("p", { class: "tour-state" }, stateWords(shown)),
    tournament.status === "open" && own ? h("p", { class: "tour-in" }, t("ui.tournaments.you_are_in")) : null,
    h(
      "div",
      { class: "tour-buttons" },
      tournament.status === "open" && !own ? entryButton(tournament, act) : null,
      tournament.status === "running" && own ? tableLink(shown) : null,
      isHost(shown) && tournament.status === "open" ? startButton(tournament, act) : null,
      own && isUnfinished(tournament) ? leaveButton(tournament, act) : null,
      isHost(shown) && isUnfinished(tournament) ? cancelButton(tournament, act) : null,
    ),
  ];
}

/** @param {{status: string}} tournament */
const isUnfinished = ({ status }) => status === "open" || status === "running";

/** @param {Shown} shown */
function stateWords({ tournament, round, standings }) {
  const { status, entrants, format } = tournament;
  if (status === "open") {
    const count = enteredWords(entrants.count, tournament.start.when_full ? entrants.max : null);
    return `${count} · ${beginWords(tournament)}`;
  }
  const state = t(`ui.tournaments.states.${status}`);
  if (status === "cancelled") return `${state}. ${cancelWords(tournament)}`;
  if (status === "over") return t("ui.lobby.won", { names: list(winners(standings)) });
  if (format === "arena") return `${state}, ${until(endOfArena(tournament))}`;
  if (!tournament.round) return state;
  const where = t("ui.tournaments.round_of", { n: tournament.round, of: tournament.rounds });
  return round?.ends_at && round.status === "open" ? `${where}, ${by(round.ends_at)}` : where;
}

/** Who has called it off, and what operators have said. @param {Tournament} tournament */
function cancelWords({ code, explanation }) {
  const words = t(`ui.tournaments.codes.${code}`);
  return explanation ? `${words} ${isolate(explanation)}` : words;
}

/** @param {Tournament} tournament */
function beginWords({ start }) {
  if (start.at) return t("ui.tournaments.begins.at", { time: at(start.at) });
  return t(`ui.tournaments.begins.${start.when_full ? "when_full" : "by_host"}`);
}

/** @param {Tournament} tournament */
function endOfArena({ started_at, minutes }) {
  return new Date(Date.parse(started_at ?? "") + MINUTE * (minutes ?? 0)).toISOString();
}

/** @param {Shown["standings"]} standings */
function winners(standings) {
  return standings.flatMap(({ rank, player }) => (rank === 1 ? [isolate(player.name)] : []));
}

/** @param {Tournament} tournament @param {Act} act */
function entryButton({ id, entrants }, act) {
  if (entrants.count >= entrants.max) return h("p", { class: "soft" }, t("ui.tournaments.full"));
  const enter = () => withPlayer(() => act(() => tournaments.enter(id)));
  return button(t("ui.tournaments.enter"), "enter", enter, "confirm large");
}

/** The way to one's own table, or why the person waits. @param {Shown} shown */
function tableLink({ tournament, ownGame }) {
  const missing = tournament.format === "arena" ? "ui.tournaments.wait_arena" : "ui.tournaments.wait";
  if (!ownGame) return h("p", { class: "soft" }, t(ownGame === null ? "ui.home.setting_up" : missing));
  const address = { href: `/games/${ownGame}`, "data-key": "to-table" };
  return h("a", { class: "button confirm large", ...address }, t("ui.tournaments.to_table"));
}

/** @param {Tournament} tournament @param {Act} act */
function startButton({ id, entrants, pace }, act) {
  const lacking = entrants.min - entrants.count;
  if (lacking > 0) return h("p", { class: "soft" }, t("ui.tournaments.lacking", { n: lacking }));
  const start = async () => {
    const label = t("ui.tournaments.start");
    const isLive = pace.mode === "live";
    const note = [t("ui.tournaments.start_note"), isLive ? t("ui.tournaments.start_live") : ""].join(" ").trim();
    const isSure = await ask(label, note, label);
    if (isSure) await act(() => tournaments.start(id));
  };
  return button(t("ui.tournaments.start"), "start", start, "confirm large");
}

/** @param {Tournament} tournament @param {Act} act */
function leaveButton({ id, status }, act) {
  const leave = async () => {
    const isSure =
      status === "open" ||
      (await ask(t("ui.tournaments.leave"), t("ui.tournaments.leave_note"), t("ui.tournaments.leave")));
    if (isSure) await act(() => tournaments.leave(id));
  };
  return button(t("ui.tournaments.leave"), "leave", leave);
}

/** @param {Tournament} tournament @param {Act} act */
function cancelButton({ id }, act) {
  const cancel = async () => {
    const isSure = await ask(t("ui.tournaments.cancel"), t("ui.tournaments.cancel_note"), t("ui.tournaments.cancel"));
    if (isSure) await act(() => tournaments.cancel(id));
  };
  return button(t("ui.tournaments.cancel"), "cancel", cancel);
}
