/** The camera: which one, where things lie in its picture, whether the picture will do. */

import { get, post, put, remove } from "../api.js";
import { set, state } from "../store.js";
import { attempt } from "./common.js";

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
  await loadSources();
}

export async function closeSource() {
  await attempt(() => remove("/sources/current"));
  set({ layout: null, check: null });
  await loadSources();
}

/** Where things lie, and what the check says. */
export async function loadTable() {
  const [layout, check] = await Promise.all([
    get("/sources/current/layout").catch(() => null),
    get(`/sources/current/check?language=${state.language}`).catch(() => null),
  ]);
  set({ layout, check });
}

export async function checkPicture() {
  const check = await get(`/sources/current/check?language=${state.language}`).catch(() => null);
  set({ check });
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
  set({ layout });
  await attempt(() => put("/sources/current/layout", layout));
}

export async function togglePause() {
  const paused = state.camera?.status === "paused";
  const camera = await attempt(() => post(`/sources/current/${paused ? "resume" : "pause"}`));
  if (camera?.status) set({ camera });
}
