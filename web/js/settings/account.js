/** The person: name, taking back, blocked players, export, deletion. */

import { note } from "../elements/announce.js";
import { button } from "../elements/button.js";
import { prompt } from "../elements/dialog.js";
import { h } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { askName } from "../people/guest_name.js";
import { t } from "../platform/i18n.js";
import { forget, me, rememberName } from "../platform/identity.js";
import { go } from "../platform/router.js";
import { account } from "./account_calls.js";
import { check, choice, line, loaded, section } from "./form.js";

const VISIBILITIES = ["public", "hidden"];
const TAKEBACKS = ["ask", "always", "misclick", "never"];

/** No player on this device yet: ask for a name. */
export function newcomerSection() {
  return section(
    "newcomer",
    button(t("ui.settings.newcomer.say"), "say-name", () => askName(), "confirm"),
  );
}

/** @param {import("../platform/identity.js").Player} player @param {any} own the answer of `GET /players/me` */
export function personSection(player, { preferences }) {
  return section(
    "person",
    line(
      {
        id: "settings-name",
        label: t("ui.name.label"),
        yes: t("ui.settings.save"),
        value: player.name,
        props: { maxlength: "40", autocomplete: "nickname" },
      },
      async (name) => rememberName(await change({ name })),
    ),
    choice(
      "settings-takebacks",
      t("ui.settings.person.takebacks"),
      preferences?.takebacks ?? "ask",
      TAKEBACKS.map((word) => [word, t(`ui.settings.person.takeback.${word}`)]),
      (takebacks) => change({ preferences: { takebacks } }).catch(explain),
    ),
    choice(
      "settings-visibility",
      t("ui.settings.person.visibility"),
      preferences?.visibility ?? "public",
      VISIBILITIES.map((word) => [word, t(`ui.settings.person.visibilities.${word}`)]),
      (visibility) => change({ preferences: { visibility } }).catch(explain),
    ),
    h("p", {}, h("a", { class: "button plain", href: `/players/${player.id}` }, t("ui.profile.own"))),
  );
}

/** @param {{name?: string, preferences?: Record<string, string>}} wish */
async function change(wish) {
  const changed = await account.change(wish);
  note(t("ui.settings.saved"));
  return changed;
}

export function blocksSection() {
  return section(
    "blocks",
    loaded(async (again) => {
      const { blocks } = await account.blocks();
      if (!blocks.length) return h("p", {}, t("ui.settings.blocks.nobody"));
      const lift = (/** @type {string} */ id) => async () => {
        await account.unblock(id);
        await again();
      };
      return h(
        "ul",
        { class: "rows" },
        blocks.map(({ id, name }) =>
          h("li", {}, h("b", { class: "what" }, name), button(t("ui.settings.blocks.lift"), `unblock-${id}`, lift(id))),
        ),
      );
    }),
  );
}

/** @param {any} own the answer of `GET /players/me` */
export function dataSection({ preferences }) {
  return section(
    "data",
    check("settings-open-data", t("ui.settings.data.open"), preferences?.open_data === "yes", (yes) =>
      change({ preferences: { open_data: yes ? "yes" : "no" } }).catch(explain),
    ),
    button(t("ui.settings.data.export"), "export", download),
    button(t("ui.settings.data.delete"), "delete", remove),
  );
}

async function download() {
  const file = new Blob([await account.export()], { type: "application/x-ndjson" });
  const address = URL.createObjectURL(file);
  h("a", { href: address, download: "cartulary.ndjson", target: "_blank" }).click();
  URL.revokeObjectURL(address);
}

async function remove() {
  const name = me()?.name ?? "";
  const title = t("ui.settings.data.delete");
  const typed = await prompt(title, t("ui.settings.data.delete_note", { name }), title, { autocomplete: "off" });
  if (!typed) return;
  await account.remove(typed);
  forget();
  note(t("ui.settings.data.deleted"));
  await go("/", { replace: true });
}
