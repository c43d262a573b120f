/** What was sent to this player, and why something was not. */

import { button } from "../elements/button.js";
import { h } from "../elements/dom.js";
import { region, t } from "../platform/i18n.js";
import { loaded, section } from "../settings/form.js";
import { noticeCalls } from "./calls.js";
import { lineWords, MOVE, moment } from "./words.js";

export function logSection() {
  return section(
    "notice_log",
    loaded(async (again) => {
      const { notices } = await noticeCalls.log();
      return [
        notices.length
          ? h(
              "ul",
              { class: "rows" },
              notices.map((line) => logLine(line)),
            )
          : h("p", { class: "soft" }, t("ui.notices.nothing_yet")),
        button(t("ui.notices.look_again"), "notice-log-again", again),
      ];
    }),
  );
}

/** @param {import("./calls.js").NoticeLine} line @param {Child} [act] */
export function logLine(line, act = null) {
  const { head, outcome } = lineWords(line);
  const next = line.next_at ? t("ui.notices.next", { time: moment(line.next_at, region()) }) : "";
  const facts = [moment(line.at, region()), t(`ui.notices.channels.${line.channel}`), next].filter(Boolean);
  const { url } = line.data;
  return h(
    "li",
    { "data-outcome": line.outcome },
    h(
      "span",
      { class: "what" },
      url && url !== "/" ? h("a", { href: url }, head) : h("b", {}, head),
      h("span", {}, outcome),
      h("span", { class: "soft" }, facts.join(" · ")),
      line.type === MOVE && line.error ? h("span", { class: "soft", lang: "en" }, line.error) : null,
    ),
    act,
  );
}
