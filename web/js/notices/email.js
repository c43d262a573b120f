/** The address of the e-mail of the day: asked for, confirmed by its reader, removed. */

import { note } from "../elements/announce.js";
import { button } from "../elements/button.js";
import { h } from "../elements/dom.js";
import { t } from "../platform/i18n.js";
import { line, loaded, section } from "../settings/form.js";
import { noticeCalls } from "./calls.js";

/** @typedef {import("./calls.js").EmailState} EmailState */

/**
 * Nothing where the service sends no e-mail and has no address.
 * @param {EmailState} now @param {import("./keeper.js").SettingsKeeper} keeper
 */
export function emailSection(now, keeper) {
  if (!now.offered && now.state === "none") return null;
  let known = /** @type {EmailState | null} */ (now);
  const load = async (/** @type {() => Promise<void>} */ again) => {
    const state = known ?? (await noticeCalls.email());
    known = null;
    return show(state, keeper, again);
  };
  return section("notice_email", loaded(load));
}

/** @param {EmailState} email @param {import("./keeper.js").SettingsKeeper} keeper @param {() => Promise<void>} again */
function show({ offered, state, address, off }, keeper, again) {
  const isOn = state === "confirmed" && !off;
  const text = address && t(`ui.notices.email.${off ?? state}`, { address });
  return [
    text ? h("p", { class: "state", "data-email": off ?? state }, text) : null,
    isOn || !offered ? null : askForm(address ?? "", keeper, again),
    h("div", { class: "buttons" }, isOn && offered ? tryButton() : null, address ? removeButton(again) : null),
  ];
}

/** @param {string} address @param {import("./keeper.js").SettingsKeeper} keeper @param {() => Promise<void>} again */
function askForm(address, keeper, again) {
  const words = { id: "email-address", label: t("ui.notices.email.address"), yes: t("ui.notices.email.send") };
  const props = { type: "email", autocomplete: "email", maxlength: 254 };
  return line({ ...words, value: address, props }, async (wish) => {
    await noticeCalls.askForEmail(wish);
    if (!keeper.hasZone) await keeper.changeHours({}); // it comes at a time of the day
    note(t("ui.notices.email.asked"));
    await again();
  });
}

function tryButton() {
  return button(t("ui.notices.try"), "try-email", async () => {
    await noticeCalls.tryEmail();
    note(t("ui.notices.on_its_way"));
  });
}

/** @param {() => Promise<void>} again */
function removeButton(again) {
  return button(t("ui.notices.remove"), "remove-email", async () => {
    await noticeCalls.removeEmail();
    await again();
  });
}
