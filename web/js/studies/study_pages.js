/** The pages of studies: which one an address opens. Their style comes with their code. */

import { addStyle } from "../elements/dom.js";
import { listPage } from "./list_page.js";
import { studiesStyle } from "./studies_style.js";
import { studyPage } from "./study_page.js";

/**
 * `/studies`, and `/studies/<id>` with `#7` a position of it.
 * @param {URL} url @returns {Promise<import("../platform/router.js").Page>}
 */
export async function openStudies(url) {
  await addStyle(studiesStyle);
  const id = decodeURIComponent(url.pathname.split("/")[2] ?? "");
  return id ? studyPage(id, Number(url.hash.slice(1))) : listPage();
}
