/**
 * What is left of a person's time: the answer of `GET /games/{id}/clock` and the clocks of this
 * device. The server measures; this device only counts on from the last answer.
 */

const JUMP = 2000; // ms by which the two clocks of the device may drift apart between two answers
const LONGEST_TRIP = 1000; // ms of a request that count as the way of the answer

/** The answer of the server for a game with clocks. @typedef {Required<Schemas["Clock"]>} Clock */

/** `performance.now()` stands still while some machines sleep; `Date` jumps when it is set. */
const read = () => ({ wall: Date.now(), steady: performance.now() });

/** One answer of the server, and the moment at which it came. */
export class ClockReading {
  /** @param {Clock} clock @param {number} trip ms from the request to the answer */
  constructor(clock, trip = 0) {
    this.clock = clock;
    this.at = read();
    this.server = Date.parse(clock.now) + Math.min(trip, LONGEST_TRIP) / 2;
  }

  get #passed() {
    const now = read();
    return { wall: now.wall - this.at.wall, steady: now.steady - this.at.steady };
  }

  /** Did the device sleep, or was its clock set? Then the server has to be asked again. */
  get hasJumped() {
    const { wall, steady } = this.#passed;
    return Math.abs(wall - steady) > JUMP;
  }

  /** The time of the server now, in ms; after a sleep the larger of the two clocks is right. */
  get now() {
    const { wall, steady } = this.#passed;
    return this.server + Math.max(0, wall, steady);
  }

  get stands() {
    return this.clock.stopped_by !== null;
  }

  /** ms until the deadline of the seat that is asked; null: there is no deadline. */
  get left() {
    const { deadline_at: deadline } = this.clock;
    return deadline ? Date.parse(deadline) - this.now : null;
  }

  /**
   * What a seat has, in ms: the rest of the delay, which is free, and the reserve. The reserve is
   * used last, so whatever of it the deadline leaves is still there.
   * @param {number} seat
   */
  of(seat) {
    const bank = this.clock.banks[seat] ?? 0;
    const { left } = this;
    if (seat !== this.clock.seat || left === null || this.stands) return { delay: null, bank };
    return { delay: Math.max(0, left - bank), bank: Math.max(0, Math.min(bank, left)) };
  }
}
