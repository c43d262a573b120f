/** People whom this player has met at tables: to them a seat can be offered by name. */

import { isBot } from "../bots/bot_sign.js";
import { note } from "../elements/announce.js";
import { choose } from "../elements/dialog.js";
import { explain } from "../elements/errors.js";
import { api } from "../platform/api.js";
import { t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";

const MANY = 60; // games that are looked through

/** @typedef {{id: string, name: string}} Person */

/** The people of my newest games, those met last first. @returns {Promise<Person[]>} */
export async function knownPeople() {
  if (!me()) return [];
  const { games } = await api.games({ player: "me", limit: MANY });
  /** @type {Map<string, Person>} */
  const people = new Map();
  for (const { seats } of games)
    for (const { player, offer } of seats) {
      const person = player ?? offer?.player;
      if (person && !isBot(person) && person.id !== me()?.id && !people.has(person.id)) people.set(person.id, person);
    }
  return [...people.values()];
}

/** Let the host choose a person for a seat. @param {import("../table/table.js").Table} table @param {number} seat */
export async function inviteTo(table, seat) {
  const present = new Set(table.game.seats.map(({ player, offer }) => player?.id ?? offer?.player.id));
  const people = (await knownPeople()).filter(({ id }) => !present.has(id));
  if (!people.length) {
    note(t("ui.home.invite.nobody"));
    return;
  }
  const chosen = await choose(
    t("ui.home.invite.title"),
    t("ui.home.invite.note"),
    people.map(({ id, name }) => [id, name]),
    t("ui.home.invite.go"),
  );
  if (!chosen) return;
  await table.act(() => api.arrange(table.id, seat, { kind: "invite", player: chosen })).catch(explain);
}
