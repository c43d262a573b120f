/** A tone and a vibration when it is my turn: off by default. */

import { prefs } from "../platform/prefs.js";

/** Two notes, a fourth apart: Hz, start and length in seconds. */
const NOTES = [
  [587, 0, 0.16],
  [784, 0.15, 0.3],
];
const LOUDNESS = 0.12;
const PATTERN = [60, 40, 60]; // ms

/** @type {AudioContext | null} */
let context = null;

/** Let a tone sound; browsers allow it after the first touch of the page. */
export async function sound() {
  context ??= new AudioContext();
  if (context.state === "suspended") await context.resume();
  const now = context.currentTime;
  for (const [pitch, start, length] of NOTES) tone(context, pitch, now + start, length);
}

/** @param {AudioContext} audio @param {number} pitch @param {number} at @param {number} length */
function tone(audio, pitch, at, length) {
  const source = new OscillatorNode(audio, { type: "triangle", frequency: pitch });
  const volume = new GainNode(audio, { gain: 0 });
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(LOUDNESS, at + 0.02);
  volume.gain.exponentialRampToValueAtTime(0.001, at + length);
  source.connect(volume).connect(audio.destination);
  source.start(at);
  source.stop(at + length);
}

export function canVibrate() {
  return "vibrate" in navigator && matchMedia("(pointer: coarse)").matches;
}

export function vibrate() {
  if (canVibrate()) navigator.vibrate(PATTERN);
}

/** It is my turn: as this person wants it. */
export function ring() {
  const wanted = prefs();
  if (wanted.vibration) vibrate();
  // Without a touch of the page since it was opened the browser allows no sound.
  if (wanted.sound && navigator.userActivation?.hasBeenActive !== false) sound();
}
