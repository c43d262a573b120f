/** Who has entered, with what has become of those who are gone. The host may remove an entrant before the start. */

import { playerLink } from "../bots/bot_sign.js";
import { button } from "../elements/button.js";
import { ask } from "../elements/dialog.js";
import { h } from "../elements/dom.js";
import { isolate, t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { isHost, present } from "./facts/shown.js";
import { tournaments } from "./facts/tournament_calls.js";

/** @param {import("./facts/shown.js").Shown} shown @param {import("./facts/shown.js").Act} act */
export function drawEntrants(shown, act) {
  const { id, status } = shown.tournament;
  if (status !== "open") return null; // later the standings list them
  const people = present(shown);
  return [
    h("h2", {}, t("ui.tournaments.entrants", { n: people.length })),
    people.length
      ? h(
          "ul",
          { class: "people-list tour-people" },
          people.map((one) => h("li", {}, playerLink(one.player), isHost(shown) ? removeButton(id, one, act) : null)),
        )
      : h("p", { class: "soft" }, t("ui.tournaments.nobody")),
  ];
}

/** @param {string} id @param {import("./facts/shown.js").TournamentEntrant} entrant @param {import("./facts/shown.js").Act} act */
function removeButton(id, { player }, act) {
  if (player.id === me()?.id) return null; // one's own way out is another button
  const name = isolate(player.name);
  const remove = async () => {
    const label = t("ui.tournaments.remove");
    if (await ask(label, t("ui.tournaments.remove_note", { name }), label))
      await act(() => tournaments.remove(id, player.id));
  };
  const made = button("×", `remove-${player.id}`, remove, "plain round");
  made.setAttribute("aria-label", t("ui.tournaments.remove_of", { name }));
  return made;
}
