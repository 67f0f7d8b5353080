/** The camera: which one, where things lie in its picture, whether the picture will do. */

import { get, post, put, remove } from "../api.js";
import { set, state } from "../store.js";
import { attempt, closeToast } from "./common.js";

/** Milliseconds between two looks at a picture that is being set up. */
const LOOK = 1500;
let looking = 0;

export async function loadSources() {
  const sources = await attempt(() => get("/sources"));
  if (!sources) return;
  set({ sources, camera: sources.camera });
  if (sources.open) await loadTable();
}

/** @param {string} source a camera's number, a file, a stream's address */
export async function openSource(source) {
  const opened = await attempt(() => post("/sources", { source }));
  if (!opened) return;
  // What was refused before is of no interest any more.
  closeToast();
  await loadSources();
}

export async function closeSource() {
  await attempt(() => remove("/sources/current"));
  set({ layout: null, proposed: false, check: null });
  await loadSources();
}

/** Where things lie, and what the check says. */
async function loadTable() {
  set({ layout: null, proposed: false, check: null });
  const layout = await get("/sources/current/layout").catch(() => null);
  set({ layout });
  await lookOn();
}

/** While a camera is set up: judge its picture again and again, and propose at first where things lie. */
async function lookOn() {
  clearTimeout(looking);
  if (state.route.view !== "watch") return;
  const { step, sources, camera } = state;
  if (sources?.open && step !== 2 && camera?.status !== "ended") {
    const check = await get(`/sources/current/check?language=${state.language}`).catch(() => null);
    // Another source may have been opened meanwhile.
    if (state.camera?.opened === camera?.opened) set({ check });
    if (state.layout && !isKnown(state.layout)) await propose();
  }
  clearTimeout(looking);
  looking = window.setTimeout(lookOn, LOOK);
}

/** Whether anybody has said where anything lies. @param {any} layout */
const isKnown = (layout) => Boolean(layout.corners || Object.values(layout.zones).some(Boolean));

/** Show where things seem to lie, as soon as the program can tell. */
async function propose() {
  const opened = state.camera?.opened;
  const layout = await get("/sources/current/layout/proposal").catch(() => null);
  if (layout && state.camera?.opened === opened) set({ layout, proposed: true });
}

/** Propose anew what nobody has touched: the table may look otherwise by now. */
export async function proposeAgain() {
  if (state.proposed) await propose();
}

/** Keep what was proposed and nobody had to change. */
export async function saveProposed() {
  if (state.proposed) await saveLayout(state.layout);
}

/** Let the program find the pile and the rest in the picture. */
export async function proposeLayout() {
  const layout = await attempt(() => get("/sources/current/layout/proposal"));
  if (layout) await saveLayout(layout);
}

/** @param {string} game the game that the camera is to watch */
export async function watchGame(game) {
  const camera = await attempt(() => put("/sources/current/game", { game }));
  if (camera) set({ camera });
}

/** @param {any} layout */
export async function saveLayout(layout) {
  set({ layout, proposed: false });
  await attempt(() => put("/sources/current/layout", layout));
}

export async function togglePause() {
  const paused = state.camera?.status === "paused";
  const camera = await attempt(() => post(`/sources/current/${paused ? "resume" : "pause"}`));
  if (camera?.status) set({ camera });
}
