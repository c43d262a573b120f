/** Rated games are for accounts: what a guest reads there, with the one touch that makes an account. */

import { button } from "../elements/button.js";
import { h, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { withPlayer } from "../people/guest_name.js";
import { call } from "../platform/api.js";
import { t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { makeCodes } from "./recovery_codes.js";

/** The accounts that this page knows: an account stays one. @type {Set<string>} */
const accounts = new Set();

/** Whether the player of this page has recovery codes. */
export async function isAccount() {
  const player = me();
  if (!player) return false;
  if (!accounts.has(player.id) && (await call("/players/me")).claimed_at) accounts.add(player.id);
  return accounts.has(player.id);
}

/**
 * A place that says to a guest what is missing; empty for an account.
 * @param {() => void} [done] the guest has an account now
 */
export function accountNeeded(done = () => {}) {
  const place = h("div", { class: "account-needed" });
  const make = () =>
    withPlayer(async () => {
      const codes = await makeCodes();
      accounts.add(me()?.id ?? "");
      show(place, h("p", { role: "status" }, t("ui.rated.is_account")), codes);
      done();
    });
  isAccount()
    .then((known) => {
      if (known) return;
      show(
        place,
        h("p", { class: "trouble" }, t("ui.rated.needs_account")),
        button(t("ui.settings.recovery.make"), "become-account", make, "second"),
      );
    })
    .catch(explain);
  return place;
}
