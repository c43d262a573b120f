/** What holds on this device: look, language, speed of the moves, sound, vibration, notices. */

import { note } from "../elements/announce.js";
import { button } from "../elements/button.js";
import { h } from "../elements/dom.js";
import { allow, canNotify, notifies } from "../inbox/notices.js";
import { WISHES } from "../panel/confirmation.js";
import { colourChoice } from "../people/colour_choice.js";
import { LANGUAGES, language, t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { prefer, prefs } from "../platform/prefs.js";
import { sound } from "../sound/tones.js";
import { canVibrate, vibrate } from "../sound/wishes.js";
import { check, choice, section } from "./form.js";

const LOOKS = ["auto", "light", "dark"];
const TONES = /** @type {const} */ (["place", "take", "build", "turn"]);
const SPEEDS = ["off", "0.5", "1", "2", "4"];

/** @param {(tag: string) => any} speak change the language of the client */
export function deviceSection(speak) {
  const wanted = prefs();
  return section(
    "device",
    choice("settings-language", t("ui.language"), language(), Object.entries(LANGUAGES), speak),
    choice(
      "settings-look",
      t("ui.settings.device.look"),
      wanted.look,
      LOOKS.map((look) => [look, t(`ui.settings.device.looks.${look}`)]),
      (look) => prefer({ look: /** @type {"auto" | "light" | "dark"} */ (look) }),
    ),
    colourChoice(),
    choice(
      "settings-confirm",
      t("ui.settings.device.confirm"),
      wanted.confirm,
      WISHES.map((wish) => [wish, t(`ui.settings.device.confirms.${wish}`)]),
      (wish) => prefer({ confirm: /** @type {"always" | "costly" | "never"} */ (wish) }),
    ),
    h("p", { class: "soft" }, t("ui.settings.device.confirm_note")),
    choice(
      "settings-motion",
      t("ui.settings.device.motion"),
      wanted.motion,
      SPEEDS.map((speed) => [speed, t(`ui.settings.device.speeds.${speed.replace(".", "_")}`)]),
      (motion) => prefer({ motion }),
    ),
    h(
      "div",
      { class: "pair" },
      check("settings-sound", t("ui.settings.device.sound"), wanted.sound, (isOn) => {
        prefer({ sound: isOn });
        if (isOn) sound("turn");
      }),
      button(t("ui.settings.device.try"), "try-sound", () => playAll()),
    ),
    canVibrate()
      ? check("settings-vibration", t("ui.settings.device.vibration"), wanted.vibration, (isOn) => {
          prefer({ vibration: isOn });
          if (isOn) vibrate("turn");
        })
      : null,
    canNotify() ? notices() : null,
    me() ? h("a", { class: "button", href: "/settings?notices", "data-key": "notices" }, t("ui.notices.all")) : null,
  );
}

/** Let each tone sound, one after the other. */
function playAll() {
  TONES.forEach((tone, number) => {
    sound(tone, number * 0.7);
  });
}

/** Notices need the permission of the browser: it asks when they are turned on. */
function notices() {
  const isRefused = Notification.permission === "denied";
  const label = check("settings-notices", t("ui.settings.device.notices"), notifies(), async (isOn) => {
    if (!isOn) prefer({ notices: false });
    else if (!(await allow())) {
      /** @type {HTMLInputElement} */ (label.querySelector("input")).checked = false;
      note(t("ui.settings.device.refused"), "trouble");
    }
  });
  return [label, isRefused ? h("p", { class: "soft" }, t("ui.settings.device.refused")) : null];
}
