/**
 * The one store of state. Views read it, actions change it; every change draws the page once, in the
 * next microtask, however many changes were made.
 */

/** @type {Set<(state: any) => void>} */
const listeners = new Set();
let scheduled = false;

/** All that the page shows. Written by `set` alone. @type {Object<string, any>} */
export const state = {
  /** Where we are: {view, id}. */
  route: { view: "start", id: null },
  language: "en",
  /** Sentences of the language, by key. */
  messages: {},
  /** Settings kept by the server, shared by all browsers. */
  settings: {},
  /** Settings of this browser alone (prefs.js). */
  prefs: {},
  /** "connecting" | "open" | "closed": the line to the server. */
  connection: "connecting",
  /** The game's state as the server sends it; null when none is open. */
  game: null,
  /** The advice for the position shown; why there is none. */
  advice: null,
  adviceFault: null,
  camera: null,
  sources: null,
  layout: null,
  /** Whether the layout is what the program proposes, which nobody has touched yet. */
  proposed: false,
  check: null,
  rules: null,
  history: null,
  jobs: {},
  /** Whether a file is being dragged over the page. */
  dragging: false,
  /** The dialog that is open: {name, ...} or null. */
  dialog: null,
  toast: null,
  /** The pane shown beside or, on a phone, instead of the table. */
  pane: "plays",
  /** Whether the second step of the hint (why) is shown. */
  why: false,
  /** A rank typed, waiting for its suit. */
  typed: null,
  /** What is being filled in: the new game, the hand, a path. */
  draft: {},
  busy: false,
};

/**
 * Change the state.
 * @param {Object<string, any>} changes
 */
export function set(changes) {
  Object.assign(state, changes);
  if (scheduled) return;
  scheduled = true;
  queueMicrotask(() => {
    scheduled = false;
    for (const listener of listeners) listener(state);
  });
}

/**
 * Call *listener* after every change; returns the function that ends it.
 * @param {(state: any) => void} listener
 */
export function subscribe(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Change the draft of what is being filled in.
 * @param {Object<string, any>} changes
 */
export function setDraft(changes) {
  set({ draft: { ...state.draft, ...changes } });
}
