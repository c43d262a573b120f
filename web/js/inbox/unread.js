/**
 * What is new in the inbox. Whose turn it is stands in the list of the games that wait, so an item that
 * says the same is no news: else each turn of a game that was played in one go would be counted.
 */

import { api } from "../platform/api.js";
import { me } from "../platform/identity.js";

/** @typedef {{id: string, type: string, timestamp: string, data: any}} Item */

const PAGE = 100;
const TURNS = new Set(["your_turn", "turn_reminder"]);

/** @param {Item} item */
export function isNews({ type }) {
  return !TURNS.has(type);
}

/** Where this device remembers up to which item this player has read. */
export const readPlace = () => `cartulary.inbox.read.${me()?.id}`;

/**
 * Read all items after a place, and the place after the last item.
 * @param {string} after "" for the oldest item on
 */
export async function readAfter(after) {
  /** @type {Item[]} */
  const items = [];
  for (;;) {
    const page = await api.inbox(after, PAGE);
    items.push(...page.items);
    after = page.next_after ?? after;
    if (page.items.length < PAGE) return { items, after };
  }
}

/** Note that this player has read all items up to a place. @param {string} until */
export async function markRead(until) {
  const kept = readPlace(); // another player may be here when the answer comes
  await api.readInbox(until);
  localStorage.setItem(kept, until);
}

/**
 * Count the news among the unread items. Without news the items are read from now on.
 * @param {() => number} unread how many items are unread; it is asked after the items were read
 */
export async function countNews(unread) {
  if (!unread()) return 0;
  const kept = readPlace();
  const { items, after } = await readAfter(localStorage.getItem(kept) ?? "");
  const news = items.slice(-unread()).filter(isNews).length;
  if (!news && items.length && kept === readPlace()) await markRead(after); // else another player is here by now
  return news;
}
