/** Codes for the day on which every device is lost; they make a guest an account. */

import { note } from "../elements/announce.js";
import { button } from "../elements/button.js";
import { h } from "../elements/dom.js";
import { call } from "../platform/api.js";
import { t } from "../platform/i18n.js";

/** Make new codes, in place of the old ones. @returns {Promise<Child[]>} the codes, to be shown once */
export async function makeCodes() {
  /** @type {{codes: string[]}} */
  const { codes } = await call("/players/me/recovery_codes", "POST", {});
  const copy = async () => {
    await navigator.clipboard.writeText(codes.join("\n"));
    note(t("ui.settings.recovery.copied"));
  };
  return [
    h(
      "ul",
      { class: "codes" },
      codes.map((code) => h("li", {}, h("code", {}, code))),
    ),
    h("p", { class: "soft" }, t("ui.settings.recovery.once")),
    navigator.clipboard ? button(t("ui.settings.recovery.copy"), "copy-codes", copy) : null,
  ];
}
