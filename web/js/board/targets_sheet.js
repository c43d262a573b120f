/** The stylesheet of the targets, which all pictures share. */

import { boardStyle } from "./board_style.js";

/** @type {Promise<CSSStyleSheet> | undefined} */
let ownStyle;

/** Return the stylesheet; a failed one is loaded again for the next picture. */
export function targetStyle() {
  ownStyle ??= boardStyle().then((text) => new CSSStyleSheet().replace(text));
  ownStyle.catch(() => {
    ownStyle = undefined; // the next picture asks again
  });
  return ownStyle;
}
