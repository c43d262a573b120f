/** What begins when the first page is shown: games of this device go to the account, notices are kept up. */

import { sendNew } from "./local/sending.js";
import { startNotices } from "./notices/keeping.js";

/** Called again when the network is back. */
export async function startLate() {
  startNotices();
  await sendNew(); // the page of these games says what is wrong
}
