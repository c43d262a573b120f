/** The pages of studies: which one an address opens. Their style comes with their code. */

import { listPage } from "./list_page.js";
import { studiesStyle } from "./studies_style.js";
import { studyPage } from "./study_page.js";

let isDressed = false;

/** Give the document the style of these pages, once. */
async function dress() {
  if (isDressed) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(await studiesStyle()); // the policy of the page allows no other style
  document.adoptedStyleSheets.push(sheet);
  isDressed = true;
}

/**
 * `/studies`, and `/studies/<id>` with `#7` a position of it.
 * @param {URL} url @returns {Promise<import("../platform/router.js").Page>}
 */
export async function openStudies(url) {
  await dress();
  const id = decodeURIComponent(url.pathname.split("/")[2] ?? "");
  return id ? studyPage(id, Number(url.hash.slice(1))) : listPage();
}
