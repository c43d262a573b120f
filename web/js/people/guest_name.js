/**
 * The name of the player. Who wants to play needs none: a guest's name is made up, and can be changed at
 * any time by touching it.
 */

import { note } from "../elements/announce.js";
import { h } from "../elements/dom.js";
import { explain, isForgotten, sayWhy } from "../elements/errors.js";
import { api, call } from "../platform/api.js";
import { t } from "../platform/i18n.js";
import { me, nameBefore, remember, rememberName } from "../platform/identity.js";

const GUESTS = 9990;
const FIRST_GUEST = 10;

/** @typedef {Answer<"make_commitment">} Commitment */

/**
 * The registration that is under way: a second touch waits for it, else its player would replace the first, who sits
 * at a table by then. @type {Promise<Commitment | null> | null}
 */
let registering = null;

/**
 * Do something that needs a player; register a guest first when there is no player yet, and again
 * when the server does not know the player any more. Explain errors.
 * @param {(commitment: Commitment | null) => Promise<any>} act with `opens`, a new guest brings a commitment along
 * @param {{opens?: boolean}} [how] opens: a game is opened, with a commitment to its draws
 */
export async function withPlayer(act, how = {}) {
  try {
    const commitment = me() ? null : await registerGuest(how);
    await act(commitment);
  } catch (error) {
    explain(error);
    if (isForgotten(error)) await withPlayer(act, how);
  }
}

/**
 * Register under the name that the person had, else under a name that is made up, and say how to change it. Who waits for
 * a registration that is under way gets no commitment: it belongs to the game that is opened first.
 * @param {{opens?: boolean}} how
 */
async function registerGuest({ opens = false }) {
  if (registering) {
    await registering;
    return null;
  }
  const name = nameBefore() || t("ui.home.guest", { n: FIRST_GUEST + Math.floor(Math.random() * GUESTS) });
  const commitment = await register(name, opens);
  note(t("ui.home.guest_note", { name: me()?.name ?? name }));
  return commitment;
}

/** @param {string} name @param {boolean} [commit] */
function register(name, commit = false) {
  registering = signUp(name, commit).finally(() => {
    registering = null;
  });
  return registering;
}

/**
 * Where another tab has registered a guest within the same trip, that guest plays in all tabs: the token of a guest who
 * sits at a table would be lost.
 * @param {string} name @param {boolean} commit @returns {Promise<Commitment | null>}
 */
async function signUp(name, commit) {
  const { commitment = null, ...player } = await api.signUp(name, commit);
  if (me()) return null;
  remember(player);
  document.dispatchEvent(new Event("player"));
  return commitment;
}

/** @param {string} name */
async function rename(name) {
  await registering; // a guest, who gets the name then
  if (!me()) await register(name);
  if (me()?.name === name) return;
  const changed = await call("/players/me", "PATCH", { name });
  rememberName(changed);
}

/**
 * Ask for the name: a new one, or the first one.
 * @returns {Promise<boolean>} false: the person did not want to say
 */
export function askName() {
  return new Promise((resolve) => {
    /** @type {HTMLInputElement} */
    const input = h("input", {
      id: "name",
      name: "name",
      required: true,
      maxlength: "40",
      autocomplete: "nickname",
      value: me()?.name ?? "",
      "aria-describedby": "name-note",
    });
    const leave = (/** @type {string} */ href, /** @type {string} */ text) =>
      h("a", { class: "button plain", href, onclick: () => dialog.close() }, text);
    const trouble = h("p", { class: "trouble", role: "alert" });
    const form = h(
      "form",
      { method: "dialog" },
      h("h2", { id: "name-title" }, t("ui.name.title")),
      h("label", { for: "name" }, t("ui.name.label")),
      input,
      h("p", { id: "name-note", class: "soft" }, t(me() ? "ui.home.rename_note" : "ui.name.note")),
      trouble,
      h(
        "div",
        { class: "buttons" },
        me() ? leave(`/players/${me()?.id}`, t("ui.profile.own")) : null,
        leave("/settings", t("ui.settings.title")),
        h("button", { class: "plain", onclick: () => dialog.close() }, t("ui.cancel")),
        h("button", { type: "submit", class: "confirm" }, t("ui.settings.save")),
      ),
    );
    /** @type {HTMLDialogElement} */
    const dialog = h("dialog", { "aria-labelledby": "name-title" }, form);
    let isSaid = false;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      try {
        await rename(input.value.trim());
        isSaid = true;
        dialog.close();
      } catch (error) {
        trouble.textContent = sayWhy(error);
      }
    });
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(isSaid);
    });
    document.body.append(dialog);
    dialog.showModal();
    input.select();
  });
}
