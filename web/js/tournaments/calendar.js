/** The address at which a calendar program finds when this person plays. */

import { button } from "../elements/button.js";
import { tell } from "../elements/dialog.js";
import { h } from "../elements/dom.js";
import { share } from "../people/share.js";
import { t } from "../platform/i18n.js";
import { tournaments } from "./facts/tournament_calls.js";

/** Make an address, which voids the one before, and show it: the service shows it this once. */
export async function showCalendar() {
  const { url } = await tournaments.openCalendar();
  const address = new URL(url, location.origin).href;
  const over = h("p", { class: "soft", role: "status" });
  const close = async () => {
    await tournaments.closeCalendar();
    over.textContent = t("ui.tournaments.calendar_void");
  };
  tell(
    t("ui.tournaments.calendar"),
    [
      h("p", {}, t("ui.tournaments.calendar_note")),
      h("p", { class: "link" }, h("code", {}, address)),
      button(t("ui.home.share.copy"), "calendar-share", () => share(address)),
      button(t("ui.notices.remove"), "calendar-close", close),
      over,
    ],
    t("ui.seek.close"),
  );
}
