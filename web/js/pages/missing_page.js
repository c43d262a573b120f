/** An address that does not exist, in words, with ways home. */

import { h } from "../elements/dom.js";
import { t } from "../platform/i18n.js";

/** @param {URL} url @returns {import("../platform/router.js").Page} */
export function missingPage(url) {
  const title = t("ui.home.missing.title");
  return {
    title,
    element: h(
      "div",
      { class: "sorry missing" },
      h("h1", {}, title),
      h("p", {}, t("ui.home.missing.text")),
      h("p", {}, h("code", {}, url.pathname)),
      h(
        "div",
        { class: "buttons" },
        h("a", { class: "button confirm", href: "/" }, t("ui.lobby.title")),
        h("a", { class: "button", href: "/lobby" }, t("ui.home.all_tables")),
        h("a", { class: "button", href: "/new" }, t("ui.lobby.new")),
      ),
    ),
  };
}
