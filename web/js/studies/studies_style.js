/** The style of the pages of studies. `script/bundle` puts its text in place of this module. */

import { file } from "../platform/api.js";

/** Load the stylesheet. @returns {Promise<string>} */
export const studiesStyle = () => file(new URL("../../css/studies.css", import.meta.url).href);
