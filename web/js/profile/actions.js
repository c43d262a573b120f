/** What one may do with another player: play together, follow, block. Others learn of none of it. */

import { button } from "../elements/button.js";
import { ask } from "../elements/dialog.js";
import { h, show } from "../elements/dom.js";
import { reportButton } from "../order/report_button.js";
import { withPlayer } from "../people/guest_name.js";
import { t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { account } from "../settings/account_calls.js";
import { profiles } from "./profile_calls.js";

/** @typedef {{follows: boolean, blocks: boolean}} Ties */

/** What this player thinks of another one. @param {string} id @returns {Promise<Ties>} */
export async function loadTies(id) {
  if (!me()) return { follows: false, blocks: false };
  const [{ follows }, { blocks }] = await Promise.all([profiles.follows(), account.blocks()]);
  const has = (/** @type {{id: string}[]} */ ties) => ties.some((tie) => tie.id === id);
  return { follows: has(follows), blocks: has(blocks) };
}

/** The buttons for a player. @param {{id: string, name: string}} player @param {Ties} ties */
export function actions({ id, name }, ties) {
  const place = h("div", { class: "buttons actions" });
  const change = (/** @type {Partial<Ties>} */ now) => {
    Object.assign(ties, now);
    draw();
  };
  const follow = () =>
    withPlayer(async () => {
      await (ties.follows ? profiles.unfollow(id) : profiles.follow(id));
      change({ follows: !ties.follows });
    });
  const block = () => withPlayer(() => (ties.blocks ? lift() : shut()));
  const lift = async () => {
    await account.unblock(id);
    change({ blocks: false });
  };
  const shut = async () => {
    const title = t("ui.profile.block");
    if (!(await ask(title, t("ui.profile.block_note", { name }), title))) return;
    await profiles.block(id);
    change({ blocks: true });
  };
  const together = { class: "button confirm", href: `/new?invite=${id}`, "data-key": "together" };
  const draw = () =>
    show(
      place,
      ties.blocks ? null : h("a", together, t("ui.profile.together")),
      ties.blocks ? null : button(t(ties.follows ? "ui.profile.unfollow" : "ui.profile.follow"), "follow", follow),
      button(t(ties.blocks ? "ui.settings.blocks.lift" : "ui.profile.block"), "block", block),
      reportButton(id, name),
    );
  draw();
  return place;
}
