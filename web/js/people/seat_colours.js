/**
 * The colours of the seats as this person wants to see them: the own pieces have the colour that was chosen, and
 * the seat whose colour it is gets that of the own seat. So all seats stay apart, and the shapes stay with the
 * seats. The colour belongs to the person: it holds at every table, a rematch included.
 */

import { me } from "../platform/identity.js";
import { prefs } from "../platform/prefs.js";

/** The colours of the pictures by their number (`pictures/colours.py`). */
export const COLOURS = ["blue", "orange", "yellow", "pink", "black"];

/** What a colour is for: a thing, a sign on a thing, light on a picture, a thin line. */
const USES = { seat: "colour", "on-seat": "on-colour", glow: "light", line: "thin" };

/**
 * The number of the colour of each seat.
 * @param {number | undefined} seat the person's own; undefined: a spectator @param {string} [wanted]
 */
export function shareOut(seat, wanted = prefs().colour) {
  const order = COLOURS.map((_, number) => number);
  const colour = COLOURS.indexOf(wanted);
  if (seat === undefined || colour < 0) return order;
  order[colour] = seat;
  order[seat] = colour;
  return order;
}

/**
 * The wish for a picture that another program shows: nothing when each seat has its usual colour.
 * @param {number | undefined} seat @returns {{colours?: string}}
 */
export function colourWish(seat) {
  const order = shareOut(seat);
  return order.every((colour, number) => colour === number) ? {} : { colours: order.join("") };
}

/** The seat of this person at a table of a list. @param {{seats: Seat[]}} game */
export function ownSeat({ seats }) {
  const id = me()?.id;
  return id ? seats.find(({ player }) => player?.id === id)?.seat : undefined;
}

/** Let what stands in an element have the colours of the seats. @param {HTMLElement} element @param {number | undefined} seat */
export function paint(element, seat) {
  shareOut(seat).forEach((colour, number) => {
    for (const [use, of] of Object.entries(USES)) {
      if (colour === number) element.style.removeProperty(`--${use}-${number}`);
      else element.style.setProperty(`--${use}-${number}`, `var(--${of}-${colour})`);
    }
  });
}
