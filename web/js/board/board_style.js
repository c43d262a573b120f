/** The style of the targets on the board. `script/bundle` puts its text in place of this module. */

import { file } from "../platform/api.js";

/** Load the stylesheet for the shadow root of the picture. @returns {Promise<string>} */
export const boardStyle = () => file(new URL("../../css/board.css", import.meta.url).href);
