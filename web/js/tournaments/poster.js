/** The poster of a tournament: the link as a picture for the cameras in the room, and handed on to those elsewhere. */

import { button } from "../elements/button.js";
import { h } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { qrCode } from "../elements/qr.js";
import { share } from "../people/share.js";
import { file } from "../platform/api.js";
import { t } from "../platform/i18n.js";

/** @param {string} id */
export function poster(id) {
  const url = `${location.origin}/tournaments/${id}`;
  const picture = h("div", { class: "qr-place" });
  file(`/tournaments/${id}/qr.svg?origin=${encodeURIComponent(location.origin)}`)
    .then((drawn) => picture.replaceChildren(qrCode(drawn, t("ui.home.share.qr"))))
    .catch(explain);
  return h(
    "div",
    { class: "invitation" },
    h("h2", {}, t("ui.home.share.title")),
    picture,
    h("p", {}, t("ui.home.share.note")),
    h("p", { class: "link" }, h("code", {}, url)),
    button(t("ui.share"), "share", () => share(url), "confirm"),
  );
}
