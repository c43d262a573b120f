/** Public tables that wait for players, those that have waited longest last. */

import { h } from "../elements/dom.js";
import { api } from "../platform/api.js";
import { ago, t, titleOf } from "../platform/i18n.js";
import { pagedList } from "./pieces.js";

export function tablesPart() {
  return h(
    "section",
    { class: "setting" },
    h("h2", {}, t("ui.admin.parts.tables")),
    pagedList(t("ui.admin.empty"), async (cursor) => {
      const { games, next_cursor: next } = await api.games({ status: "open", limit: 50, cursor });
      return { rows: games.map(tableRow), next };
    }),
  );
}

/** @param {any} game a summary */
function tableRow({ id, game, title, seats, created_at: at }) {
  const names = seats.map((/** @type {Seat} */ { player, bot }) => player?.name ?? bot).filter(Boolean);
  return h(
    "li",
    {},
    h(
      "a",
      { class: "what", href: `/games/${id}` },
      h("b", {}, titleOf(game ?? title)),
      h("span", { class: "soft" }, [names.join(", "), ago(at)].filter(Boolean).join(" · ")),
    ),
  );
}
