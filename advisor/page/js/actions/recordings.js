/** Recordings: sent or named, watched while they are read, opened as games. */

import { get, post, remove, upload } from "../api.js";
import { set, state } from "../store.js";
import { attempt, go } from "./common.js";

/** So many players can be named where nobody has said how many there are. */
export const MOST_NAMED = 4;

/** @type {AbortController | null} */
let sending = null;

/** @returns {string} the rules that the recorded game is read by; it may show how many play */
const rules = () =>
  state.draft.recorded ? `${state.draft.preset} players=${state.draft.recorded}` : state.draft.preset;

/** Who plays by seat, as far as it was said; an empty name where nobody said it. */
function names() {
  const { draft } = state;
  const all = draft.names.slice(0, draft.recorded || MOST_NAMED).map((/** @type {string} */ name) => name.trim());
  while (all.length && !all[all.length - 1]) all.pop();
  return all;
}

export async function loadJobs() {
  const answer = await attempt(() => get("/recordings"));
  if (!answer) return;
  const jobs = Array.isArray(answer) ? answer : answer.jobs;
  set({ jobs: Object.fromEntries(jobs.map((/** @type {any} */ job) => [job.job, job])) });
}

/** @param {any} job */
export const takeJob = (job) =>
  set({ jobs: { ...state.jobs, [job.job]: { ...state.jobs[job.job], ...job } } });

/** @param {File} file */
export async function sendRecording(file) {
  const form = new FormData();
  form.append("rules", rules());
  // A comma separates the names in a form.
  form.append("names", names().map((/** @type {string} */ name) => name.replaceAll(",", " ")).join(","));
  if (state.draft.dealer !== null) form.append("dealer", String(state.draft.dealer));
  form.append("file", file);
  sending = new AbortController();
  const signal = sending.signal;
  set({ sending: { name: file.name, share: 0 } });
  const job = await attempt(async () => {
    try {
      return await upload(
        "/recordings",
        form,
        (share) => set({ sending: { name: file.name, share } }),
        signal,
      );
    } catch (fault) {
      if (signal.aborted) return undefined;
      throw fault;
    }
  });
  set({ sending: null });
  if (job) takeJob(job);
}

/** @param {FileList | null | undefined} files one at a time is sent */
export function takeFiles(files) {
  if (files?.length && !state.sending) sendRecording(files[0]);
}

/**
 * Take recordings that are dropped anywhere on the page: where they can be sent they are, from elsewhere
 * the page goes there. The browser alone would leave the page and show the file.
 */
export function listenForFiles() {
  /** @param {DragEvent} event */
  const holdsFiles = (event) => event.dataTransfer?.types.includes("Files");
  /** @param {boolean} dragging */
  const mark = (dragging) => state.dragging !== dragging && set({ dragging });
  addEventListener("dragover", (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    mark(true);
  });
  addEventListener("dragleave", (event) => event.relatedTarget === null && mark(false));
  addEventListener("drop", (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    mark(false);
    if (state.route.view === "recordings") takeFiles(event.dataTransfer?.files);
    else go("recordings");
  });
}

export const stopSending = () => sending?.abort();

/** @param {string} path */
export async function readPath(path) {
  const job = await attempt(() => post("/recordings", { path, rules: rules(), names: names(), dealer: state.draft.dealer }));
  if (job) takeJob(job);
}

/** @param {string} id fetch a job in full, its result included */
export async function loadJob(id) {
  const job = await attempt(() => get(`/recordings/${id}`));
  if (job) takeJob(job);
}

/** @param {string} id */
export async function cancelJob(id) {
  await attempt(() => remove(`/recordings/${id}`));
  await loadJobs();
}

/** @param {string} id */
export async function openJob(id) {
  const game = await attempt(() => post(`/recordings/${id}/game`));
  if (game) go(`game/${game.game}`);
}
