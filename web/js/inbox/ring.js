/** It is my turn: a tone and a vibration, as this person wants it. */

import { feel, hear } from "../sound/wishes.js";

export function ring() {
  feel("turn");
  hear([{ tone: "turn", at: 0 }]);
}
