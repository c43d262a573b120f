/** Passkeys of an account: add, list and remove them, and sign in with one. The device keeps the keys. */

import { note } from "../elements/announce.js";
import { button } from "../elements/button.js";
import { h } from "../elements/dom.js";
import { Problem } from "../platform/api.js";
import { t } from "../platform/i18n.js";
import { day } from "../platform/time_words.js";
import { account } from "./account_calls.js";
import { line, loaded, section } from "./form.js";
import { deviceName, enter } from "./signing_in.js";

/** @typedef {import("./account_calls.js").Passkey} Passkey */

const ADDRESS = /^[\d.]+$|^\[/; // browsers have passkeys for names only

/** Whether this browser has passkeys for this page, and reads their options itself. */
const isAble = () =>
  "PublicKeyCredential" in window &&
  "parseCreationOptionsFromJSON" in PublicKeyCredential &&
  !ADDRESS.test(location.hostname);

/** The passkeys of the player; null where the browser has none, hidden where the service has none. */
export function passkeysSection() {
  if (!isAble()) return null;
  const element = section(
    "passkeys",
    loaded(async (again) => {
      const passkeys = await findPasskeys();
      element.hidden = passkeys === null;
      const lines = (passkeys ?? []).map((passkey) => passkeyLine(passkey, again));
      return [lines.length ? h("ul", { class: "rows" }, lines) : null, addLine(again)];
    }),
  );
  return element;
}

/** @returns {Promise<Passkey[] | null>} null: the service has none */
async function findPasskeys() {
  try {
    return (await account.passkeys()).passkeys;
  } catch (error) {
    if (error instanceof Problem && error.code === "not_installed") return null;
    throw error;
  }
}

/** @param {Passkey} passkey @param {() => Promise<void>} again */
function passkeyLine({ id, label, created_at: since, last_used_at: used }, again) {
  const text = [
    t("ui.settings.devices.since", { day: day(since) }),
    used ? t("ui.settings.devices.used", { day: day(used) }) : "",
  ];
  return h(
    "li",
    { "data-passkey": id },
    h(
      "span",
      { class: "what" },
      h("b", {}, label || t("ui.settings.passkeys.nameless")),
      h("span", { class: "soft" }, text.filter(Boolean).join(" · ")),
    ),
    button(t("ui.settings.passkeys.remove"), `remove-${id}`, async () => {
      await account.removePasskey(id);
      await again();
    }),
  );
}

/** @param {() => Promise<void>} again */
function addLine(again) {
  return line(
    {
      id: "settings-passkey",
      label: t("ui.settings.passkeys.label"),
      yes: t("ui.settings.passkeys.add"),
      value: deviceName(),
      props: { maxlength: "40" },
    },
    (label) =>
      trying(async () => {
        const { public_key: options } = await account.beginPasskey();
        const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
        const passkey = await navigator.credentials.create({ publicKey });
        await account.addPasskey(/** @type {PublicKeyCredential} */ (passkey).toJSON(), label);
        await again();
      }),
  );
}

/** Sign in with a passkey of this device; null where the browser has none. */
export function passkeyButton() {
  if (!isAble()) return null;
  return button(t("ui.settings.passkeys.sign_in"), "sign-in-passkey", () =>
    trying(async () => {
      const { public_key: options } = await account.beginSession();
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
      const passkey = await navigator.credentials.get({ publicKey });
      await enter({ passkey: /** @type {PublicKeyCredential} */ (passkey).toJSON() });
    }),
  );
}

/** What browser and service say when there is no passkey, by the word for it in `ui.settings.passkeys`. */
const REASONS = {
  NotAllowedError: "cancelled",
  AbortError: "cancelled",
  InvalidStateError: "known",
  SecurityError: "elsewhere",
  code_unknown: "unknown",
  not_installed: "elsewhere",
};

/** Say why there is no passkey, where a person can understand it. @param {() => Promise<void>} act */
async function trying(act) {
  try {
    await act();
  } catch (error) {
    const name = error instanceof Problem ? error.code : error instanceof DOMException ? error.name : "";
    const reason = REASONS[/** @type {keyof typeof REASONS} */ (name)];
    if (!reason) throw error;
    note(t(`ui.settings.passkeys.${reason}`), "trouble");
  }
}
