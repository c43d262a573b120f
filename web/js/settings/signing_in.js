/** A browser gets a token of a player, by a code or by a passkey, and plays as that player. */

import { note } from "../elements/announce.js";
import { ask } from "../elements/dialog.js";
import { sayWhy } from "../elements/errors.js";
import { matchColour } from "../people/colour_choice.js";
import { t } from "../platform/i18n.js";
import { endLoss, me, remember } from "../platform/identity.js";
import { go } from "../platform/router.js";
import { account } from "./account_calls.js";

/** @param {import("./account_calls.js").SessionProof} proof */
export async function enter(proof) {
  const guest = me();
  const { player, token } = await account.signIn({ ...proof, label: deviceName() });
  endLoss();
  remember({ ...player, token });
  document.dispatchEvent(new Event("player"));
  if (guest && guest.id !== player.id) await bringAlong(guest, player.name);
  await matchColour((await account.show()).preferences.colour);
  note(t("ui.settings.sign_in.done", { name: player.name }));
  await go("/", { replace: true });
}

/**
 * The player who was here has games of its own, perhaps. When they do not come along the question is asked once more: no
 * other place has the token of a guest.
 * @param {import("../platform/identity.js").Player} guest @param {string} name
 */
async function bringAlong(guest, name) {
  const values = { guest: guest.name, name };
  const about = t("ui.settings.sign_in.merge_note", values);
  const title = t("ui.settings.sign_in.merge", values);
  for (let text = about; await ask(title, text, t("ui.settings.sign_in.merge_yes")); ) {
    try {
      await account.merge(guest.token);
      return;
    } catch (error) {
      text = `${sayWhy(error)} ${about}`;
    }
  }
}

/** What this device is called in the list: the browser and the system, as far as they say. */
export function deviceName() {
  const { userAgent: agent } = navigator;
  const find = (/** @type {string[][]} */ names) => names.find(([sign]) => agent.includes(sign))?.[1] ?? "";
  const browser = find([
    ["Edg/", "Edge"],
    ["Firefox/", "Firefox"],
    ["Chrome/", "Chrome"],
    ["Safari/", "Safari"],
  ]);
  const system = find([
    ["Android", "Android"],
    ["iPhone", "iPhone"],
    ["iPad", "iPad"],
    ["Windows", "Windows"],
    ["Mac OS", "Mac"],
    ["Linux", "Linux"],
  ]);
  return [browser, system].filter(Boolean).join(", ");
}
