/**
 * Sounds, made here rather than played from files. Browsers let a page sound only after the user has
 * touched it, so the first touch wakes the sound.
 */

import { state } from "./store.js";

/** @type {AudioContext | null} */
let audio = null;

/** Notes as [frequency in Hz, start in s, length in s]. */
const TUNES = {
  play: [[320, 0, 0.07]],
  capture: [
    [392, 0, 0.1],
    [523, 0.09, 0.14],
  ],
  pisti: [
    [523, 0, 0.12],
    [659, 0.1, 0.12],
    [784, 0.2, 0.26],
  ],
  turn: [[659, 0, 0.12]],
  warning: [
    [220, 0, 0.16],
    [196, 0.18, 0.2],
  ],
  win: [
    [523, 0, 0.14],
    [659, 0.13, 0.14],
    [784, 0.26, 0.14],
    [1047, 0.39, 0.4],
  ],
};

/** Wake the sound at the user's first touch. */
export function wakeSound() {
  const wake = () => {
    audio ??= new AudioContext();
    if (audio.state === "suspended") audio.resume().catch(() => undefined);
  };
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, wake, { once: true, capture: true });
}

/** @param {keyof typeof TUNES} tune */
export function sound(tune) {
  if (!audio || audio.state !== "running" || state.settings.sound === false) return;
  const now = audio.currentTime;
  for (const [frequency, start, length] of TUNES[tune]) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.type = tune === "warning" ? "triangle" : "sine";
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0, now + start);
    volume.gain.linearRampToValueAtTime(0.16, now + start + 0.012);
    volume.gain.exponentialRampToValueAtTime(0.001, now + start + length);
    tone.connect(volume).connect(audio.destination);
    tone.start(now + start);
    tone.stop(now + start + length + 0.02);
  }
}
