/** The settings of notices as the page has them; each change is sent with all the others. */

import { note } from "../elements/announce.js";
import { explain } from "../elements/errors.js";
import { t } from "../platform/i18n.js";
import { noticeCalls } from "./calls.js";

const SERVICE_ZONE = "UTC"; // until a player chooses another

export class SettingsKeeper {
  /** @param {import("./calls.js").NoticeSettings} settings */
  constructor(settings) {
    this.settings = settings;
    /** @type {Promise<void>} */
    this.sent = Promise.resolve();
  }

  /** The types of notices. */
  get types() {
    return Object.keys(this.settings).filter((name) => this.settings[name]?.push !== undefined);
  }

  /** Send a change after those before it. @param {Partial<import("./calls.js").NoticeSettings>} change */
  change(change) {
    this.settings = { ...this.settings, ...change };
    this.sent = this.sent.then(() => this.#send());
    return this.sent;
  }

  /** Whether the player has chosen the zone of the hours, or hours in it. */
  get hasZone() {
    const { timezone, quiet, digest } = this.settings;
    return timezone !== SERVICE_ZONE || quiet !== null || digest !== null;
  }

  /** Times of the day are those of the zone: without a choice it is that of this browser. @param {Partial<import("./calls.js").NoticeSettings>} change */
  changeHours(change) {
    return this.change({ ...(this.hasZone ? {} : { timezone: hereZone() }), ...change });
  }

  async #send() {
    try {
      await noticeCalls.choose(this.settings);
      note(t("ui.settings.saved"));
    } catch (error) {
      explain(error);
    }
  }
}

/** The time zone of this browser. */
export function hereZone() {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
