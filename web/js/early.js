/**
 * What is asked before anything else. The service writes the built form of this module into the page
 * itself, so that the questions need not wait for the code of the client; it imports little.
 */

import { me } from "./platform/identity.js";
import { preferred, wordsAt } from "./platform/languages.js";
import { askAhead } from "./platform/prefetch.js";
import { headersFor, ROOT, SVG } from "./platform/request_headers.js";

/** So long an answer may take, in ms: what does not come is asked for again. */
const IN_TIME = 8000;

const language = preferred();
const words = wordsAt(language);

/** @param {string} path below the root of the API, or where the words lie */
async function ask(path) {
  const headers = headersFor("GET", language, path.includes("/board.svg") ? { Accept: SVG } : {});
  const signal = AbortSignal.timeout(IN_TIME);
  try {
    const answer = await (path === words ? fetch(path, { signal }) : fetch(ROOT + path, { headers, signal }));
    return answer.ok ? { text: await answer.text(), tag: answer.headers.get("ETag") ?? "" } : null;
  } catch {
    return null; // the page asks again and says what is wrong
  }
}

/** Ask at once for the code of a page that needs more than the first file: else it would come a trip later. */
function loadLater() {
  const { pathname } = location;
  if (/^\/(games\/(?!local-)[^/]+)?$/.test(pathname)) return; // the first file alone
  for (const link of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('link[rel="later"]')))
    if (pathname.startsWith(link.dataset.below ?? "")) link.setAttribute("rel", "modulepreload");
}

askAhead(ask, words, !me());
loadLater();
