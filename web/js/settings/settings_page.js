/** The page of settings: this device, the account and its devices, vacation, data. */

import { h } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { matchColour } from "../people/colour_choice.js";
import { t } from "../platform/i18n.js";
import { hasLost, me } from "../platform/identity.js";
import { reload, rewrite } from "../platform/router.js";
import { blocksSection, dataSection, newcomerSection, personSection } from "./account.js";
import { account } from "./account_calls.js";
import { deviceSection } from "./device.js";
import { devicesSection, lostSection, recoverySection, signInSection } from "./devices.js";
import { ownBotsSection } from "./own_bots.js";
import { passkeysSection } from "./passkeys.js";
import { vacationSection } from "./vacations.js";

/**
 * @param {URL} url with `#code=…` from a QR code @param {(tag: string) => any} speak
 * @returns {Promise<import("../platform/router.js").Page>}
 */
export async function settingsPage(url, speak) {
  const code = new URLSearchParams(url.hash.slice(1)).get("code") ?? "";
  const player = me();
  const own = player && (await account.show());
  if (own) await matchColour(own.preferences.colour);
  const signIn = signInSection(code);
  const sections = player
    ? [
        personSection(player, own),
        deviceSection(speak),
        devicesSection(),
        passkeysSection(),
        recoverySection(),
        ownBotsSection(),
        signIn,
        vacationSection(),
        blocksSection(),
        dataSection(own),
      ]
    : [
        ...(hasLost() && !code ? [lostSection(reload), newcomerSection()] : [newcomerSection(), signIn]),
        deviceSection(speak),
      ];
  if (code) sections.unshift(...sections.splice(sections.indexOf(signIn), 1));
  const again = () => reload().catch(explain); // what the page shows is of the former player
  return {
    element: h("div", { class: "settings" }, h("h1", {}, t("ui.settings.title")), sections),
    title: t("ui.settings.title"),
    shown: () => {
      if (code) rewrite("/settings"); // no secret in the history; a page that did not come is asked for again with it
      document.addEventListener("player", again);
    },
    close: () => document.removeEventListener("player", again),
  };
}
