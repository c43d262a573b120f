/** The person: name, taking back, blocked players, export, deletion. */

import { note } from "../announce.js";
import { prompt } from "../dialog.js";
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { forget, me, remember } from "../identity.js";
import { withPlayer } from "../pages/name.js";
import { go, reload } from "../router.js";
import { account } from "./calls.js";
import { button, choice, line, loaded, section } from "./parts.js";

const TAKEBACKS = ["ask", "always", "misclick", "never"];

/** Nobody plays here yet: say a name. */
export function newcomerSection() {
  return section(
    "newcomer",
    button(t("ui.settings.newcomer.say"), "say-name", () => withPlayer(reload), "confirm"),
  );
}

/** @param {import("../identity.js").Player} player */
export function personSection(player) {
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
      async (name) => {
        const changed = await account.change({ name });
        remember({ ...player, name: changed.name });
        document.dispatchEvent(new Event("renamed"));
        note(t("ui.settings.saved"));
      },
    ),
    loaded(async () => {
      const { preferences } = await account.show();
      return choice(
        "settings-takebacks",
        t("ui.settings.person.takebacks"),
        preferences?.takebacks ?? "ask",
        TAKEBACKS.map((word) => [word, t(`ui.settings.person.takeback.${word}`)]),
        async (takebacks) => {
          await account.change({ preferences: { takebacks } });
          note(t("ui.settings.saved"));
        },
      );
    }),
  );
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

export function dataSection() {
  return section(
    "data",
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
  document.dispatchEvent(new Event("player"));
  note(t("ui.settings.data.deleted"));
  await go("/", { replace: true });
}
