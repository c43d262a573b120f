/** The bots of this player: make one, start it, give it another token, close it; its webhook has a page of its own. */

import { botSign } from "../bots/bot_sign.js";
import { sayAccepts, sayPace, sayStrength } from "../bots/bot_words.js";
import { note } from "../elements/announce.js";
import { button } from "../elements/button.js";
import { ask } from "../elements/dialog.js";
import { h, show } from "../elements/dom.js";
import { isolate, t } from "../platform/i18n.js";
import { account } from "./account_calls.js";
import { loaded, onSubmit, section } from "./form.js";

/** @typedef {import("../bots/bot_words.js").Bot} Bot */
/** @typedef {Bot & {token: string}} NewBot the token is shown this once */

const LONGEST = 300; // letters of what a bot says about itself
const EXAMPLE = "mybot:think"; // as in the guide
const GUIDE = "/docs/your-bot";

export function ownBotsSection() {
  const secret = h("div", { class: "code", role: "status" });
  /** @type {() => Promise<void>} */
  let again = async () => {};
  const list = loaded(async (repeat) => {
    again = repeat;
    const { bots } = await account.bots();
    if (!bots.length) return h("p", { class: "soft" }, t("ui.settings.bots.empty"));
    return h(
      "ul",
      { class: "rows" },
      bots.map((bot) => botLine(bot, secret, repeat)),
    );
  });
  const made = async (/** @type {NewBot} */ bot) => {
    tellToken(secret, bot);
    await again();
  };
  return section("bots", list, maker(made), secret);
}

/** @param {Bot} bot @param {HTMLElement} secret @param {() => Promise<void>} again */
function botLine(bot, secret, again) {
  const { id, name, about, accepts, online } = bot;
  const renew = async () => {
    const title = t("ui.settings.bots.renew");
    if (!(await ask(title, t("ui.settings.bots.renew_note", { name: isolate(name) }), title))) return;
    tellToken(secret, await account.renewBot(id));
    await again();
  };
  const close = async () => {
    const title = t("ui.settings.bots.close");
    if (!(await ask(title, t("ui.settings.bots.close_note", { name: isolate(name) }), title))) return;
    await account.closeBot(id);
    show(secret);
    await again();
  };
  return h(
    "li",
    { "data-bot": id },
    h(
      "span",
      { class: "what" },
      h("b", {}, h("bdi", {}, name), botSign(bot)),
      about ? h("span", { dir: "auto" }, about) : null,
      h("span", { class: "soft accepts" }, sayAccepts(accepts)),
      h("span", { class: "soft" }, [sayStrength(bot), sayPace(bot)].filter(Boolean).join(" · ")),
    ),
    h("span", { class: "badge" }, t(`ui.settings.bots.${online ? "online" : "offline"}`)),
    h(
      "a",
      { class: "button", href: `/settings?bot=${id}`, "data-key": `webhook-${id}` },
      t("ui.settings.bots.webhook"),
    ),
    button(t("ui.settings.bots.renew"), `renew-${id}`, renew),
    button(t("ui.settings.bots.close"), `close-${id}`, close),
  );
}

/** The form for a new bot. @param {(bot: NewBot) => Promise<void>} made */
function maker(made) {
  /** @type {HTMLInputElement} */
  const name = h("input", { id: "bot-name", required: true, maxlength: 64, autocomplete: "off" });
  /** @type {HTMLInputElement} */
  const about = h("input", { id: "bot-about", maxlength: LONGEST, autocomplete: "off" });
  const form = h(
    "form",
    { class: "line make-bot" },
    h("label", { for: name.id }, t("ui.settings.bots.name")),
    name,
    h("label", { for: about.id }, t("ui.settings.bots.about")),
    about,
    h("button", { type: "submit", class: "confirm", "data-key": "make-bot" }, t("ui.settings.bots.make")),
  );
  onSubmit(form, async () => {
    await made(await account.makeBot({ name: name.value.trim(), about: about.value.trim() }));
    form.reset();
  });
  return form;
}

/** Show a token, and the command that starts the bot with it. @param {HTMLElement} place @param {NewBot} bot */
function tellToken(place, { name, token }) {
  const copy = async () => {
    await navigator.clipboard.writeText(token);
    note(t("ui.settings.recovery.copied"));
  };
  const command = `cartulary bot run ${EXAMPLE} --url ${location.origin} --token-file bot.token`;
  show(
    place,
    h("p", {}, t("ui.settings.bots.token", { name: isolate(name) })),
    h("p", { class: "letters token" }, h("code", {}, token)),
    navigator.clipboard ? button(t("ui.settings.recovery.copy"), "copy-token", copy) : null,
    h("p", { class: "soft" }, t("ui.settings.bots.start")),
    h("p", {}, h("code", { class: "command" }, command)),
    h("p", {}, h("a", { href: GUIDE, target: "_blank", rel: "noopener" }, t("ui.settings.bots.guide"))),
  );
}
