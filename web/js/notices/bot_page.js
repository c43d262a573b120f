/** The page of a bot of this player: where the service asks it for its moves, and what became of the questions. */

import { h } from "../elements/dom.js";
import { t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { newcomerSection } from "../settings/account.js";
import { account } from "../settings/account_calls.js";
import { botWebhooksSection } from "./webhooks.js";

const GUIDE = "/docs/your-bot#without-a-connection-a-webhook";

/** @param {string} id of the bot @returns {Promise<import("../platform/router.js").Page>} */
export async function botPage(id) {
  const back = h("a", { class: "button", href: "/settings" }, t("ui.settings.title"));
  const { bots } = me() ? await account.bots() : { bots: [] };
  const bot = bots.find((one) => one.id === id);
  const title = bot?.name ?? t("ui.settings.bots.title");
  const head = h("h1", {}, h("bdi", {}, title));
  const content = bot
    ? [
        botWebhooksSection(id),
        h("p", {}, h("a", { href: GUIDE, target: "_blank", rel: "noopener" }, t("ui.settings.bots.guide"))),
      ]
    : me()
      ? h("p", { role: "status" }, t("ui.settings.bots.unknown"))
      : newcomerSection();
  return { element: h("div", { class: "settings notices" }, head, back, content), title };
}
