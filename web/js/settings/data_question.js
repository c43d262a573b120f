/** Whether one's games may be in the open data: asked once; the settings can change the answer. */

import { note } from "../elements/announce.js";
import { button } from "../elements/button.js";
import { t } from "../platform/i18n.js";
import { account } from "./account_calls.js";
import { section } from "./form.js";

/** @param {() => void} dismiss takes the question away */
export function dataQuestion(dismiss) {
  const say = (/** @type {string} */ open_data) => async () => {
    await account.change({ preferences: { open_data } });
    note(t("ui.settings.saved"));
    dismiss();
  };
  return section(
    "ask_data",
    button(t("ui.settings.ask_data.yes"), "data-yes", say("yes")),
    button(t("ui.settings.ask_data.no"), "data-no", say("no")),
  );
}
