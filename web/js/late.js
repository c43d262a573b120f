/**
 * What begins when the first page is shown: games and answers of this device go to the account, notices are kept up, and the bar of a
 * search for players is there in every tab.
 */

import { sendAttempts } from "./local/packs.js";
import { sendNew } from "./local/sending.js";
import { startNotices } from "./notices/keeping.js";
import { followSeek } from "./seeking/seek_bar.js";

/** Called again when the network is back. */
export async function startLate() {
  startNotices();
  followSeek();
  await sendNew(); // the page of these games says what is wrong
  await sendAttempts();
}
