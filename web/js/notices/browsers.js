/** The browsers that get notices, this one first of all. */

import { note } from "../elements/announce.js";
import { button } from "../elements/button.js";
import { h } from "../elements/dom.js";
import { allow, canNotify, notifies } from "../inbox/notices.js";
import { t } from "../platform/i18n.js";
import { prefer } from "../platform/prefs.js";
import { day } from "../platform/time_words.js";
import { loaded, section } from "../settings/form.js";
import { noticeCalls } from "./calls.js";
import { keepSubscribed, ownId } from "./subscribing.js";

export function browsersSection() {
  return section(
    "notice_browsers",
    loaded(async (again) => {
      const state = await keepSubscribed();
      const { push_subscriptions: browsers } = await noticeCalls.browsers();
      const own = await ownId();
      return [
        here(state, again),
        browsers.length
          ? h(
              "ul",
              { class: "rows" },
              browsers.map((one) => browserLine(one, one.id === own, again)),
            )
          : null,
      ];
    }),
  );
}

/** This browser: switch it on or off, and what it can. @param {import("./subscribing.js").PushState} state @param {() => Promise<void>} again */
function here(state, again) {
  if (!canNotify()) return h("p", { class: "soft" }, t("ui.notices.states.open_only"));
  // The browser asks once: who has refused there can switch on nothing here.
  const isRefused = Notification.permission === "denied";
  const on = () => button(t("ui.notices.on_here"), "notices-on", () => turnOn(again), "confirm");
  return [
    h(
      "p",
      { class: "state", "data-state": state },
      t(isRefused ? "ui.settings.device.refused" : `ui.notices.states.${state}`),
    ),
    notifies() ? button(t("ui.notices.off_here"), "notices-off", () => turnOff(again)) : isRefused ? null : on(),
  ];
}

/** @param {() => Promise<void>} again */
async function turnOn(again) {
  if (!(await allow())) note(t("ui.settings.device.refused"), "trouble");
  await again();
}

/** @param {() => Promise<void>} again */
async function turnOff(again) {
  prefer({ notices: false });
  await again();
}

/** @param {import("./calls.js").NoticeBrowser} browser @param {boolean} isOwn @param {() => Promise<void>} again */
function browserLine({ id, label, origin, created_at: since }, isOwn, again) {
  const remove = async () => {
    if (isOwn) prefer({ notices: false });
    else await noticeCalls.removeBrowser(id);
    await again();
  };
  return h(
    "li",
    { "data-browser": id },
    h(
      "span",
      { class: "what" },
      h("b", {}, label || t("ui.settings.devices.nameless"), isOwn ? ` (${t("ui.settings.devices.current")})` : ""),
      h("span", { class: "soft" }, [new URL(origin).host, day(since)].join(" · ")),
    ),
    h(
      "span",
      { class: "buttons" },
      button(t("ui.notices.try"), `try-${id}`, async () => {
        await noticeCalls.tryBrowser(id);
        note(t("ui.notices.on_its_way"));
      }),
      button(t("ui.notices.remove"), `remove-${id}`, remove),
    ),
  );
}
