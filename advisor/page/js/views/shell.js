/** What is around every view: the head with its signs, messages, dialogs. */

import { showDialog } from "../actions/common.js";
import { redo, undo } from "../actions/game.js";
import { changeSettings } from "../actions/settings.js";
import { h } from "../dom.js";
import { number, t } from "../i18n.js";
import { icon } from "../icons.js";
import { suitShape } from "../cards.js";
import { dialogView } from "./dialogs.js";
import { gameView, watching } from "./game.js";
import { historyView } from "./history.js";
import { recordingsView } from "./recordings.js";
import { setupView } from "./setup.js";
import { startView } from "./start.js";
import { STATUS } from "./table.js";
import { watchView } from "./watch.js";
import { button, toast } from "./ui.js";

/** @type {Record<string, (state: any) => any>} */
const VIEWS = {
  start: startView,
  game: gameView,
  new: setupView,
  watch: watchView,
  recordings: recordingsView,
  history: historyView,
};
/** Slower than this, in milliseconds a picture, and plays may be missed. */
const SLOW = 500;

/** The whole page. @param {any} state */
export function pageView(state) {
  if (!Object.keys(state.messages).length)
    return h("main", { class: "page", id: "main" }, h("p", { class: "loading" }, "Pişti"));
  const view = VIEWS[state.route.view] ?? startView;
  return [
    h("a", { class: "skip", href: "#main", key: "skip", onclick: skip }, t("page.skip")),
    head(state),
    h(
      "div",
      { key: state.route.view, class: `view ${state.connection === "closed" ? "offline" : ""}` },
      view(state),
    ),
    h("div", { class: "for-readers", "aria-live": "polite", id: "said", key: "said" }, state.announced ?? ""),
    state.dialog ? null : toast(state),
    dialogView(state),
  ];
}

/** @param {Event} event */
function skip(event) {
  event.preventDefault();
  const main = document.getElementById("main");
  main?.setAttribute("tabindex", "-1");
  main?.focus();
}

/** @param {any} state */
function head(state) {
  const { settings, game } = state;
  const playing = state.route.view === "game" && game;
  const sound = settings.sound !== false;
  return h(
    "header",
    { class: "head", key: "head" },
    h(
      "a",
      { class: "brand", href: "#/", "aria-label": t("page.home") },
      suitShape("C"),
      h("span", null, "Pişti"),
    ),
    h("div", { class: "chips", role: "status", "aria-label": t("page.status") }, chips(state)),
    h(
      "div",
      { class: "head-tools" },
      playing
        ? [
            button(t("page.undo"), undo, {
              icon: "undo",
              quiet: true,
              disabled: !game.can_undo || state.busy,
              id: "undo",
            }),
            button(t("page.redo"), redo, {
              icon: "redo",
              quiet: true,
              disabled: !game.can_redo || state.busy,
              id: "redo",
            }),
          ]
        : null,
      button(sound ? t("page.mute") : t("page.unmute"), () => changeSettings({ sound: !sound }), {
        icon: sound ? "sound" : "mute",
        quiet: true,
      }),
      button(t("page.settings"), () => showDialog({ name: "settings" }), {
        icon: "settings",
        quiet: true,
        id: "open-settings",
      }),
      button(t("page.help"), () => showDialog({ name: "help" }), {
        icon: "help",
        quiet: true,
        id: "open-help",
      }),
    ),
  );
}

/** @type {Record<string, string>} */
const LIGHT = { low: "page.light_low", glare: "page.light_glare", blurred: "page.light_blurred" };

/** How things stand: the line to the server, the store, the camera, the light, the speed. @param {any} state */
function chips(state) {
  /** @param {string} key @param {string} text @param {string} kind @param {any} [sign] */
  const chip = (key, text, kind, sign) =>
    h(
      "span",
      { key, class: `chip ${kind}`, "data-chip": key },
      sign ? icon(sign) : h("i", { class: "dot" }),
      text,
    );
  if (state.connection === "closed")
    return [chip("disconnected", t("page.chip_disconnected"), "bad", "warning")];
  const shown = [];
  if (state.route.view === "game" && state.game?.unsaved)
    shown.push(chip("unsaved", t("page.chip_unsaved", { reason: state.game.unsaved }), "bad", "warning"));
  const camera = state.camera;
  const elsewhere = state.route.view === "game" && !watching(state);
  if (camera && camera.status !== "none" && !elsewhere) {
    const good = camera.status === "live";
    shown.push(
      chip(
        "camera",
        t(STATUS[camera.status] ?? "page.camera_lost"),
        good || camera.status === "waiting" ? "good" : camera.status === "lost" ? "bad" : "poor",
      ),
    );
    if (good && LIGHT[camera.light]) shown.push(chip("light", t(LIGHT[camera.light]), "poor", "light"));
    if (good && camera.reading_ms > SLOW)
      shown.push(
        chip("slow", t("page.chip_slow", { ms: number(Math.round(camera.reading_ms)) }), "poor", "warning"),
      );
  }
  return shown;
}
