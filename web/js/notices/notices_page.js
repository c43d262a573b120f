/** The page of notices: what they are about and when they come, in which browsers, at which address, by which webhooks, and what became of it. */

import { h, show } from "../elements/dom.js";
import { t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { newcomerSection } from "../settings/account.js";
import { browsersSection } from "./browsers.js";
import { noticeCalls } from "./calls.js";
import { emailSection } from "./email.js";
import { hoursSection } from "./hours.js";
import { SettingsKeeper } from "./keeper.js";
import { logSection } from "./log.js";
import { typesSection } from "./types.js";
import { webhooksSection } from "./webhooks.js";

/** @returns {Promise<import("../platform/router.js").Page>} */
export async function noticesPage() {
  const title = t("ui.notices.title");
  const back = h("a", { class: "button", href: "/settings" }, t("ui.settings.title"));
  const head = h("h1", {}, title);
  if (!me()) return { element: h("div", { class: "settings" }, head, newcomerSection()), title };
  const [settings, email] = await Promise.all([noticeCalls.settings(), noticeCalls.email()]);
  const keeper = new SettingsKeeper(settings);
  const withEmail = email.state !== "none";
  const types = h("div");
  let hadWebhook = false;
  const offerTypes = (/** @type {boolean} */ webhook) => {
    if (types.firstChild && webhook === hadWebhook) return;
    hadWebhook = webhook;
    show(types, typesSection(keeper, { email: withEmail, webhook }));
  };
  offerTypes(false);
  const sections = [
    browsersSection(),
    emailSection(email, keeper),
    types,
    hoursSection(keeper, withEmail),
    webhooksSection(keeper.types, offerTypes),
    logSection(),
  ];
  return { element: h("div", { class: "settings notices" }, head, back, sections), title };
}
