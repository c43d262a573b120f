/** The devices of an account: list and revoke them, bring another one, sign in here, recover. */

import { button } from "../elements/button.js";
import { ask } from "../elements/dialog.js";
import { h, show } from "../elements/dom.js";
import { qrCode } from "../elements/qr.js";
import { t } from "../platform/i18n.js";
import { endLoss } from "../platform/identity.js";
import { by, day } from "../platform/time_words.js";
import { makeCodes } from "../rated/recovery_codes.js";
import { account } from "./account_calls.js";
import { line, loaded, section } from "./form.js";
import { passkeyButton } from "./passkeys.js";
import { deviceName, enter } from "./signing_in.js";

/** @typedef {import("./account_calls.js").Token} Token */

const LINK_CODE = 8; // letters; a recovery code is longer

export function devicesSection() {
  const code = h("div", { class: "code", role: "status" });
  return section(
    "devices",
    loaded(async (again) => {
      const { tokens } = await account.tokens();
      return [
        h(
          "ul",
          { class: "rows" },
          tokens.map((token) => deviceLine(token, again)),
        ),
        tokens.length > 1
          ? button(t("ui.settings.devices.revoke_others"), "revoke-others", () => revokeOthers(again))
          : null,
      ];
    }),
    h("h3", {}, t("ui.settings.devices.add")),
    h("p", { class: "soft" }, t("ui.settings.devices.add_note")),
    button(t("ui.settings.devices.make_code"), "link-code", () => showCode(code), "confirm"),
    code,
  );
}

/** @param {Token} token @param {() => Promise<void>} again */
function deviceLine(token, again) {
  const { id, label, current, created_at: since, last_used_at: used } = token;
  const text = [
    t("ui.settings.devices.since", { day: day(since) }),
    used ? t("ui.settings.devices.used", { day: day(used) }) : "",
  ];
  return h(
    "li",
    { "data-token": id },
    h(
      "span",
      { class: "what" },
      h("b", {}, label || (current && deviceName()) || t("ui.settings.devices.nameless")),
      h("span", { class: "soft" }, text.filter(Boolean).join(" · ")),
    ),
    current
      ? h("span", { class: "badge" }, t("ui.settings.devices.current"))
      : button(t("ui.settings.devices.revoke"), `revoke-${id}`, async () => {
          await account.revoke(id);
          await again();
        }),
  );
}

/** @param {() => Promise<void>} again */
async function revokeOthers(again) {
  const title = t("ui.settings.devices.revoke_others");
  if (!(await ask(title, t("ui.settings.devices.revoke_others_note"), title))) return;
  await account.revokeOthers();
  await again();
}

/** Show a link code: as a QR code for a camera, as letters for a person. @param {HTMLElement} place */
async function showCode(place) {
  const { code, expires_at: end, svg } = await account.linkCode(location.origin);
  show(
    place,
    qrCode(svg, t("ui.settings.devices.qr")),
    h("p", { class: "letters" }, h("code", {}, code)),
    h("p", { class: "soft" }, t("ui.settings.devices.code_note", { by: by(end) })),
  );
}

/** Sign in here as the owner of a code, also from the address of a QR code. @param {string} code */
export function signInSection(code) {
  return section("sign_in", codeLine(code), passkeyButton());
}

/** This browser has lost its token: a code leads back to the games. @param {() => void} dismiss */
export function lostSection(dismiss) {
  const end = () => {
    endLoss();
    dismiss();
  };
  return section(
    "lost",
    codeLine(""),
    passkeyButton(),
    button(t("ui.settings.lost.dismiss"), "dismiss-lost", end, "plain"),
  );
}

/** @param {string} code */
function codeLine(code) {
  return line(
    {
      id: "settings-code",
      label: t("ui.settings.sign_in.code"),
      yes: t("ui.settings.sign_in.go"),
      value: code,
      props: { autocomplete: "one-time-code", autocapitalize: "characters", spellcheck: "false", maxlength: "60" },
    },
    signIn,
  );
}

/** @param {string} code */
async function signIn(code) {
  const letters = code.replace(/[^0-9a-z]/gi, "");
  await enter({ [letters.length > LINK_CODE ? "recovery_code" : "link_code"]: code });
}

/** Codes for the day on which every device is lost. */
export function recoverySection() {
  const place = h("div", { class: "code", role: "status" });
  return section(
    "recovery",
    button(t("ui.settings.recovery.make"), "recovery-codes", async () => {
      show(place, await makeCodes());
    }),
    place,
  );
}
