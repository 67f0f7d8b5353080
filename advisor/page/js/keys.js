/**
 * The keyboard. One table says what every key does; the help is drawn from it. A card is typed as rank,
 * then suit: the rank's key waits for the suit's.
 */

import { closeDialog, showDialog } from "./actions/common.js";
import { nameTop, needsTop, play, redo, undo } from "./actions/game.js";
import { changeSettings } from "./actions/settings.js";
import { togglePause } from "./actions/sources.js";
import { RANKS } from "./cards.js";
import { set, state } from "./store.js";

const inGame = () => state.route.view === "game" && state.game && !state.dialog;

/** @type {Array<{keys: string[], label: string, when?: () => boolean, act?: () => void}>} without `act` a row only explains */
export const SHORTCUTS = [
  { keys: ["A…K", "S H D C"], label: "page.key_card" },
  {
    keys: ["e"],
    label: "page.key_hand",
    when: () => Boolean(inGame() && state.game.me !== null && !state.game.opponent),
    act: () => click("edit-hand"),
  },
  {
    keys: ["i"],
    label: "page.key_hints",
    when: () => Boolean(inGame()),
    act: () => changeSettings({ hints: state.settings.hints === false }),
  },
  { keys: ["w"], label: "page.key_why", when: () => Boolean(inGame()), act: () => set({ why: true }) },
  { keys: ["u"], label: "page.key_undo", when: () => Boolean(inGame() && state.game.can_undo), act: undo },
  { keys: ["r"], label: "page.key_redo", when: () => Boolean(inGame() && state.game.can_redo), act: redo },
  {
    keys: ["n"],
    label: "page.key_next_deal",
    when: () => Boolean(inGame() && ["deal_over", "setup"].includes(state.game.phase)),
    act: () => click("next-deal"),
  },
  {
    keys: ["p"],
    label: "page.key_plays",
    when: () => Boolean(inGame()),
    act: () => set({ pane: "plays", phonePane: "plays" }),
  },
  {
    keys: ["g"],
    label: "page.key_gone",
    when: () => Boolean(inGame()),
    act: () => set({ pane: "gone", phonePane: "gone" }),
  },
  {
    keys: ["v"],
    label: "page.key_review",
    when: () => Boolean(inGame()),
    act: () => set({ pane: "review", phonePane: "review" }),
  },
  {
    keys: ["b"],
    label: "page.key_score",
    when: () => Boolean(inGame()),
    act: () => showDialog({ name: "score" }),
  },
  {
    keys: [" "],
    label: "page.key_pause",
    when: () => ["live", "paused"].includes(state.camera?.status) && !state.dialog,
    act: togglePause,
  },
  { keys: ["f"], label: "page.key_full", act: fullScreen },
  {
    keys: ["m"],
    label: "page.key_mute",
    act: () => changeSettings({ sound: state.settings.sound === false }),
  },
  {
    keys: ["o"],
    label: "page.key_settings",
    when: () => !state.dialog,
    act: () => showDialog({ name: "settings" }),
  },
  { keys: ["?"], label: "page.key_help", when: () => !state.dialog, act: () => showDialog({ name: "help" }) },
  { keys: ["Escape"], label: "page.key_close", when: () => Boolean(state.dialog), act: closeDialog },
];

/** @param {string} id */
const click = (id) => document.getElementById(id)?.click();

function fullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.();
}

/** Whether the user is writing: then letters are letters. @param {EventTarget | null} target */
function writing(target) {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.matches("textarea, select, input:not([type=checkbox]):not([type=radio])")
  );
}

/** Listen to the keyboard. */
export function listen() {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || writing(event.target)) return;
    if (event.key === "Escape" && state.typed) {
      set({ typed: null });
      event.preventDefault();
      return;
    }
    if (!state.prefs.shortcuts) return;
    if (
      event.key === " " &&
      event.target instanceof HTMLElement &&
      event.target.matches("button, a, input, summary, [tabindex]")
    )
      return;
    if (typeCard(event.key)) {
      event.preventDefault();
      return;
    }
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const shortcut = SHORTCUTS.find((one) => one.keys.includes(key) && one.act && (one.when?.() ?? true));
    if (!shortcut?.act || event.repeat || key === "Escape") return;
    event.preventDefault();
    shortcut.act();
  });
}

/**
 * Take *key* as part of a card.
 * @param {string} key
 * @returns {boolean} whether it was one
 */
function typeCard(key) {
  const upper = key.toUpperCase();
  if (state.typed && "SHDC".includes(upper) && upper.length === 1) {
    const card = state.typed + upper;
    set({ typed: null });
    enter(card);
    return true;
  }
  if (!entering()) return false;
  const rank = key === "0" || key === "1" || upper === "T" ? "10" : upper;
  if (!RANKS.includes(rank)) return false;
  set({ typed: rank });
  return true;
}

/** Whether a card can be entered now: in a dialog that has all cards, else as the next play. */
function entering() {
  if (state.dialog) return document.querySelector("dialog .picker") !== null;
  return Boolean(
    inGame() &&
    ["playing", "waiting"].includes(state.game.phase) &&
    !(state.game.opponent && state.game.turn !== state.game.me),
  );
}

/** @param {string} card */
function enter(card) {
  if (!state.dialog) {
    if (needsTop(state.game)) nameTop(card);
    else play(card);
    return;
  }
  // On a phone the suits are drawn only once a rank is chosen; the key chose both.
  set({ typed: card.slice(0, -1) });
  queueMicrotask(() => {
    const cell = document.querySelector(`dialog .picker [data-card="${card}"]`);
    if (cell instanceof HTMLButtonElement) cell.click();
    set({ typed: null });
  });
}
