/** What all actions share: where we go, what we tell the user, how refusals are said. */

import { Problem, Unreachable } from "../api.js";
import { t } from "../i18n.js";
import { set, state } from "../store.js";

let toastTimer = 0;

/**
 * Tell the user something, for a while.
 * @param {string} text
 * @param {"note" | "fault"} [kind] a fault stays until it is closed or the next one comes
 */
export function tell(text, kind = "note") {
  clearTimeout(toastTimer);
  set({ toast: { text, kind } });
  if (kind === "note") toastTimer = window.setTimeout(() => set({ toast: null }), 6000);
}

export function closeToast() {
  clearTimeout(toastTimer);
  set({ toast: null });
}

/**
 * Say a sentence to screen readers, without a sign on the page.
 * @param {string} text
 */
export function announce(text) {
  set({ announced: text });
}

/**
 * Run *work*; a refusal is told to the user, and undefined returned.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T | undefined>}
 */
export async function attempt(work) {
  set({ busy: true });
  try {
    return await work();
  } catch (fault) {
    if (fault instanceof Problem) tell(fault.message, "fault");
    else if (fault instanceof Unreachable) tell(t("page.unreachable"), "fault");
    else throw fault;
    return undefined;
  } finally {
    set({ busy: false });
  }
}

/** @param {string} hash where to go: "", "game/k3v9", "history" */
export function go(hash) {
  const wanted = `#/${hash}`;
  if (location.hash === wanted) dispatchEvent(new HashChangeEvent("hashchange"));
  else location.hash = wanted;
}

/** @param {Object<string, any> | null} dialog */
export function showDialog(dialog) {
  set({ dialog, typed: null });
}

export const closeDialog = () => showDialog(null);

/** @param {any} value @returns {any} a copy that can be changed */
export const copy = (value) => JSON.parse(JSON.stringify(value));

/** Whether the state is that of the game on the page. @param {any} game */
export const isOpen = (game) => state.route.view === "game" && state.route.id === game?.game;
