/** Settings of this browser alone: how the page looks here. They live in the browser's own storage. */

import { set, state } from "./store.js";

const STORED = "pisti.prefs";
const DEFAULTS = {
  /** The look that the server's settings name, kept so that the next visit begins with it. */
  theme: "system",
  fourColours: false,
  /** Single-letter shortcuts. */
  shortcuts: true,
  /** What the table panel shows when there is a camera: "picture" or "table". */
  table: "picture",
  /** Layers drawn over the picture. */
  overlay: ["boxes", "names"],
  /** The last game opened here. */
  game: null,
};

/** Read the settings of this browser. */
export function loadPrefs() {
  let stored = {};
  try {
    stored = JSON.parse(localStorage.getItem(STORED) ?? "{}");
  } catch {
    // Storage is off or holds something else: the defaults serve.
  }
  set({ prefs: { ...DEFAULTS, ...stored } });
  applyPrefs();
}

/** @param {Object<string, any>} changes */
export function setPrefs(changes) {
  const prefs = { ...state.prefs, ...changes };
  set({ prefs });
  try {
    localStorage.setItem(STORED, JSON.stringify(prefs));
  } catch {
    // Storage is off: the settings last as long as the page.
  }
  applyPrefs();
}

function applyPrefs() {
  const root = document.documentElement;
  root.dataset.theme = state.prefs.theme;
  root.dataset.colours = state.prefs.fourColours ? "four" : "two";
}
