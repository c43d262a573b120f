/** Players: found by the beginning of a name or by id, also those who hide. */

import { h, show } from "../elements/dom.js";
import { t } from "../platform/i18n.js";
import { line } from "../settings/form.js";
import { desk } from "./calls.js";
import { standingCard } from "./decisions.js";

export function playersPart() {
  const place = h("div", { role: "status" });
  const search = async (/** @type {string} */ name) => {
    const { players } = await desk.players(name);
    const again = () => search(name);
    show(
      place,
      players.length
        ? h(
            "ul",
            { class: "rows" },
            players.map((player) => h("li", {}, standingCard(player, "", again))),
          )
        : h("p", { class: "soft" }, t("ui.admin.empty")),
    );
  };
  const words = { id: "operator-search", label: t("ui.admin.search"), yes: t("ui.bots.search") };
  return h("section", { class: "setting" }, h("h2", {}, t("ui.admin.parts.players")), line(words, search), place);
}
