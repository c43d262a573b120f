/** Ask for the name once on a device, before the first seat. */

import { api } from "../api.js";
import { h } from "../dom.js";
import { explain, isForgotten } from "../explain.js";
import { t } from "../i18n.js";
import { me, remember } from "../identity.js";

/**
 * Do something that needs a player; ask for the name first when it is missing, or when the
 * server does not know the player any more. Explain errors.
 * @param {() => Promise<any>} act
 */
export async function withPlayer(act) {
  if (!me() && !(await askName())) return;
  try {
    await act();
  } catch (error) {
    explain(error);
    if (isForgotten(error)) await withPlayer(act);
  }
}

/** @returns {Promise<boolean>} false: the person did not want to say */
function askName() {
  return new Promise((resolve) => {
    const input = /** @type {HTMLInputElement} */ (
      h("input", {
        id: "name",
        name: "name",
        required: true,
        maxlength: "40",
        autocomplete: "nickname",
        "aria-describedby": "name-note",
      })
    );
    const trouble = h("p", { class: "trouble", role: "alert" });
    const form = h(
      "form",
      { method: "dialog" },
      h("h2", { id: "name-title" }, t("ui.name.title")),
      h("label", { for: "name" }, t("ui.name.label")),
      input,
      h("p", { id: "name-note", class: "soft" }, t("ui.name.note")),
      trouble,
      h(
        "div",
        { class: "buttons" },
        h(
          "button",
          { type: "button", class: "plain", onclick: () => dialog.close() },
          t("ui.cancel"),
        ),
        h("button", { type: "submit", class: "confirm" }, t("ui.name.go")),
      ),
    );
    const dialog = /** @type {HTMLDialogElement} */ (
      h("dialog", { "aria-labelledby": "name-title" }, form)
    );
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      try {
        remember(await api.signUp(input.value.trim()));
        dialog.close();
      } catch (error) {
        trouble.textContent = /** @type {Error} */ (error).message;
      }
    });
    dialog.addEventListener("close", () => {
      dialog.remove();
      document.dispatchEvent(new Event("player"));
      resolve(me() !== null);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
