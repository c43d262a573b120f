/**
 * Soft tones, made by the browser: no file is loaded. A tone is a few notes, each a pitch in Hz, a
 * start and a length in seconds, a loudness from 0 to 1, and the shape of its wave.
 */

/** @typedef {"turn" | "place" | "take" | "build"} Tone */
/** @typedef {[pitch: number, start: number, length: number, loudness: number, shape: OscillatorType]} Note */

/** @type {Record<Tone, Note[]>} */
const TONES = {
  // two notes, a fourth apart
  turn: [
    [587, 0, 0.16, 0.12, "triangle"],
    [784, 0.15, 0.3, 0.12, "triangle"],
  ],
  // wood on a table
  place: [
    [196, 0, 0.09, 0.16, "sine"],
    [392, 0, 0.03, 0.05, "triangle"],
  ],
  // two quick high notes
  take: [
    [880, 0, 0.07, 0.04, "sine"],
    [1175, 0.06, 0.09, 0.04, "sine"],
  ],
  // two low knocks
  build: [
    [147, 0, 0.1, 0.18, "sine"],
    [165, 0.11, 0.14, 0.16, "sine"],
  ],
};

/** @type {AudioContext | null} */
let context = null;

/**
 * Let a tone sound; browsers allow it after the first touch of the page.
 * @param {Tone} name @param {number} [delay] seconds from now
 * @returns {Promise<() => void>} ends the tone, also before it has begun
 */
export async function sound(name, delay = 0) {
  context ??= new AudioContext();
  if (context.state === "suspended") await context.resume();
  const now = context.currentTime + delay;
  const playing = TONES[name].map((each) => play(/** @type {AudioContext} */ (context), each, now));
  return () => {
    for (const source of playing) source.disconnect();
  };
}

/** @param {AudioContext} audio @param {Note} note @param {number} at */
function play(audio, [pitch, start, length, loudness, shape], at) {
  const source = new OscillatorNode(audio, { type: shape, frequency: pitch });
  const volume = new GainNode(audio, { gain: 0 });
  const begin = at + start;
  volume.gain.setValueAtTime(0, begin);
  volume.gain.linearRampToValueAtTime(loudness, begin + 0.015);
  volume.gain.exponentialRampToValueAtTime(0.001, begin + length);
  source.connect(volume).connect(audio.destination);
  source.start(begin);
  source.stop(begin + length);
  return volume;
}
