/** Settings shared by all browsers, and the language of the page. */

import { get, put, speak } from "../api.js";
import { LANGUAGES } from "../i18n.js";
import { setPrefs } from "../prefs.js";
import { set, state } from "../store.js";
import { advise } from "./game.js";
import { attempt } from "./common.js";

/** What the address asks for, until a language is chosen here. @type {string | undefined} */
let asked = LANGUAGES.map(([code]) => code).find(
  (code) => code === new URLSearchParams(location.search).get("language"),
);

/** @returns {string} the language of the browser, where the page speaks it */
function browserLanguage() {
  const known = LANGUAGES.map(([code]) => code);
  return navigator.languages.map((tag) => tag.slice(0, 2)).find((code) => known.includes(code)) ?? "en";
}

/** Read the settings and the sentences; before that the page has nothing to say. */
export async function loadSettings() {
  const settings = await get("/settings");
  await takeSettings(settings);
}

/** @param {any} settings as the server sends them */
export async function takeSettings(settings) {
  const language = asked ?? settings.language ?? browserLanguage();
  if (language !== state.language || !Object.keys(state.messages).length) {
    const { messages } = await get(`/messages/${language}`);
    speak(language);
    document.documentElement.lang = language;
    set({ messages, language });
  }
  const hints = state.settings.hints;
  set({ settings });
  if (settings.theme !== state.prefs.theme) setPrefs({ theme: settings.theme });
  if (hints !== undefined && hints !== settings.hints) advise();
}

/** What was sent last; the next waits for it, so that the last change wins. @type {Promise<any>} */
let sent = Promise.resolve();

/**
 * Change settings: here at once, on the server as soon as it can be.
 * @param {Object<string, any>} changes
 */
export async function changeSettings(changes) {
  const spoke = state.language;
  if ("language" in changes) asked = undefined;
  const wanted = { ...state.settings, ...changes };
  await takeSettings(wanted);
  sent = sent.then(() => attempt(() => put("/settings", wanted)));
  const kept = await sent;
  if (!kept) await loadSettings().catch(() => undefined);
  // What the server explains, it explains in the new language.
  if (spoke !== state.language && state.route.view === "game") advise();
}
