/** The camera: which one, where things lie in its picture, whether the picture will do. */

import { get, post, put, remove } from "../api.js";
import { set, state } from "../store.js";
import { attempt } from "./common.js";

export async function loadSources() {
  const sources = await attempt(() => get("/sources"));
  if (sources) set({ sources });
  if (sources?.current ?? sources?.open) await loadTable();
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
