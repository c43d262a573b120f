/** The style of the pages of tournaments. `script/bundle` puts its text in place of this module. */

import { file } from "../platform/api.js";

/** Load the stylesheet. @returns {Promise<string>} */
export const tournamentsStyle = () => file(new URL("../../css/tournaments.css", import.meta.url).href);
