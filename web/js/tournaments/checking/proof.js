/** What a check of the tournament finds: by the service at once, on an own machine by a line to copy. */

import { button } from "../../elements/button.js";
import { h, show } from "../../elements/dom.js";
import { copy } from "../../people/share.js";
import { labelled, t } from "../../platform/i18n.js";
import { tournaments } from "../facts/tournament_calls.js";

/** @typedef {Answer<"verify_tournament_now">} Verification */

/** @param {string} id */
export function proof(id) {
  const found = h("div", { role: "status" });
  const command = `cartulary verify --fair --tournament ${location.origin}/tournaments/${id}`;
  const check = async () => show(found, drawFound(await tournaments.verification(id)), own(command));
  return h(
    "details",
    { class: "tour-more tour-proof" },
    h("summary", {}, t("ui.fair.check")),
    button(t("ui.tournaments.proof.go"), "verify", check),
    found,
  );
}

/** @param {Verification} verification */
function drawFound({ valid, version, problems, pairings, rounds }) {
  const states = [
    [t("ui.tournaments.proof.pairings"), pairings],
    ...rounds.map(({ round, state }) => [t("ui.tournaments.proof.draws", { n: round }), state]),
  ];
  const words = valid ? t("ui.tournaments.proof.valid", { n: version }) : t("ui.tournaments.proof.invalid");
  return [
    h("p", { "data-valid": String(valid) }, words),
    h(
      "ul",
      { class: "tour-found" },
      states.map(([what, state]) => h("li", {}, labelled(what, t(`ui.tournaments.proof.states.${state}`)))),
      problems.map(({ version: at, detail }) =>
        h(
          "li",
          {},
          t("ui.tournaments.proof.version", { n: at }),
          t("ui.signs.colon"),
          h("bdi", { lang: "en" }, detail),
        ),
      ),
    ),
  ];
}

/** The line that does the same on another machine. @param {string} command */
function own(command) {
  return [
    h("p", { class: "soft" }, t("ui.tournaments.proof.own")),
    h("p", { class: "link" }, h("code", {}, command)),
    button(t("ui.tournaments.proof.copy"), "copy-command", () => copy(command)),
  ];
}
