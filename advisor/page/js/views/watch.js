/** Watching a table: choose the camera, look whether its picture will do, say where things lie, begin. */

import { closeSource, openSource, proposeAgain, saveProposed } from "../actions/sources.js";
import { address } from "../api.js";
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { icon } from "../icons.js";
import { set, setDraft } from "../store.js";
import { gameForm } from "./setup.js";
import { button, panel, textField } from "./ui.js";
import { zonesEditor } from "./zones.js";

const STEPS = ["page.step_camera", "page.step_table", "page.step_players"];

/** @param {any} state */
export function watchView(state) {
  const open = opened(state);
  const step = open ? (state.step ?? 0) : 0;
  return h(
    "main",
    { class: "page watch", id: "main" },
    h("h1", null, t("page.start_watch")),
    h(
      "ol",
      { class: "steps" },
      STEPS.map((label, n) =>
        h(
          "li",
          {
            key: n,
            class: n === step ? "now" : n < step ? "done" : "",
            "aria-current": n === step ? "step" : undefined,
          },
          h("span", null, n < step ? icon("check") : String(n + 1)),
          t(label),
        ),
      ),
    ),
    step === 0
      ? cameraStep(state, open)
      : step === 1
        ? tableStep(state)
        : h(
            "div",
            { class: "two", key: "players" },
            gameForm(state),
            panel(t("page.preview"), [preview(state), waits(state)], { key: "preview" }),
          ),
    h(
      "div",
      { class: "row step-row" },
      step > 0 ? button(t("page.back"), () => goTo(step - 1), { icon: "back", kind: "large" }) : null,
      step < 2
        ? button(t("page.next"), () => goTo(step + 1), {
            kind: "primary large",
            disabled: !open || ended(state),
            id: "next-step",
          })
        : null,
    ),
  );
}

/** @param {number} step */
function goTo(step) {
  // What was proposed is shown as the table looks now, and counts once it was seen.
  if (step === 1) proposeAgain();
  if (step === 2) saveProposed();
  set({ step });
  scrollTo({ top: 0 });
}

/** @param {any} state @returns {string | null} the source that is open */
function opened(state) {
  return state.sources?.open ?? null;
}

/** @param {any} state @param {string | null} open */
function cameraStep(state, open) {
  const cameras = state.sources?.cameras ?? [];
  return h(
    "div",
    { class: "two", key: "camera" },
    panel(
      t("page.cameras"),
      [
        state.sources === null ? h("p", { class: "quiet waiting" }, t("page.loading")) : null,
        h(
          "div",
          { class: "cameras" },
          cameras.map((/** @type {any} */ camera) =>
            h(
              "button",
              {
                key: camera.source,
                type: "button",
                class: "camera",
                "aria-pressed": String(String(camera.source) === String(open)),
                disabled: state.busy,
                onclick: () => openSource(String(camera.source)),
              },
              icon("camera"),
              h("span", null, camera.name || t("page.camera_number", { number: camera.source })),
            ),
          ),
        ),
        state.sources && !cameras.length && !open ? h("p", { class: "quiet" }, t("page.no_cameras")) : null,
        h(
          "details",
          null,
          h("summary", null, t("page.other_source")),
          h(
            "form",
            {
              class: "row",
              onsubmit: (/** @type {Event} */ event) => {
                event.preventDefault();
                if (state.draft.source) openSource(state.draft.source);
              },
            },
            textField(t("page.source_address"), state.draft.source ?? "", (source) => setDraft({ source }), {
              placeholder: "rtsp://…  /home/…/game.mp4",
              id: "source",
            }),
            h(
              "button",
              {
                type: "submit",
                class: "button",
                disabled: state.busy || !state.draft.source,
                id: "open-source",
              },
              h("span", null, t("page.open")),
            ),
          ),
        ),
        h("p", { class: "fine" }, t("page.camera_privacy")),
      ],
      { key: "cameras" },
    ),
    panel(
      t("page.preview"),
      open
        ? [
            preview(state),
            ended(state) ? null : checks(state),
            h("p", { class: "quiet" }, t("page.framing_note")),
            h(
              "div",
              { class: "row" },
              ended(state)
                ? button(t("page.from_beginning"), () => openSource(open), {
                    icon: "play",
                    kind: "primary",
                    id: "from-beginning",
                  })
                : null,
              button(t("page.close_camera"), closeSource, { kind: "small", icon: "close" }),
            ),
            state.camera?.message ? h("p", { class: "advice" }, state.camera.message) : null,
          ]
        : h("p", { class: "quiet" }, t("page.preview_none")),
      { key: "preview" },
    ),
  );
}

/**
 * The live picture; as long as it is shown, the camera stays open. The address tells the opening: a browser
 * shows a picture that it has of an address again.
 * @param {any} state
 */
const preview = (state) =>
  h(
    "div",
    { class: `live-frame ${ended(state) ? "stale" : ""}` },
    h("img", {
      key: `preview-${state.camera?.opened}-${state.connection}`,
      class: "live-picture",
      src: address(`/sources/current/video?overlay=names&opened=${state.camera?.opened}`),
      alt: t("page.picture_alt"),
      removed: (/** @type {HTMLImageElement} */ image) => image.removeAttribute("src"),
    }),
    ended(state) ? h("p", { class: "live-cover" }, t("page.camera_ended")) : null,
  );

/** Whether a recording was played to its end. @param {any} state */
const ended = (state) => state.camera?.status === "ended";

/** @param {any} state */
const waits = (state) =>
  state.camera?.status === "waiting" ? h("p", { class: "watching" }, t("page.recording_waits")) : null;

const CHECKS = { light: "page.check_light", focus: "page.check_focus", framing: "page.check_framing" };
const FOUND = { good: "page.check_good", poor: "page.check_poor", looking: "page.check_looking" };

/** @param {any} state */
function checks(state) {
  return h(
    "div",
    { class: "checks", role: "status" },
    h(
      "ul",
      { class: "check-list" },
      Object.entries(CHECKS).map(([part, label]) => {
        const found = state.check?.[part] ?? null;
        // Without a card nobody can say how large cards are.
        const kind = found === null || found === "none" ? "looking" : found === "ok" ? "good" : "poor";
        return h(
          "li",
          { key: part, class: kind, "data-check": part },
          icon(kind === "good" ? "check" : kind === "poor" ? "warning" : "eye"),
          h("span", null, t(label)),
          h("b", null, t(FOUND[kind])),
        );
      }),
    ),
    (state.check?.advice ?? []).map((/** @type {string} */ line, /** @type {number} */ n) =>
      h("p", { class: "advice", key: n }, line),
    ),
  );
}

/** @param {any} state */
function tableStep(state) {
  return h(
    "div",
    { key: "zones" },
    panel(t("page.zones"), [h("p", null, t("page.zones_note")), zonesEditor(state)], { key: "zones" }),
  );
}
