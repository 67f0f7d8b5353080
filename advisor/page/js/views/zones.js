/** The table's corners and zones over a picture of it, moved by pointer or arrow keys. */

import { proposeLayout, saveLayout } from "../actions/sources.js";
import { address } from "../api.js";
import { copy } from "../actions/common.js";
import { h } from "../dom.js";
import { percent, t } from "../i18n.js";
import { set, state } from "../store.js";
import { button } from "./ui.js";

/** @type {Record<string, string>} */
const NAMES = {
  corners: "page.zone_corners",
  pile: "page.zone_pile",
  stock: "page.zone_stock",
  hand: "page.zone_hand",
};
/** Where a zone starts that was not there. @type {Record<string, number[][]>} */
const FRESH = {
  corners: [
    [0.1, 0.1],
    [0.9, 0.1],
    [0.95, 0.95],
    [0.05, 0.95],
  ],
  pile: [
    [0.38, 0.35],
    [0.62, 0.35],
    [0.62, 0.65],
    [0.38, 0.65],
  ],
  stock: [
    [0.12, 0.38],
    [0.28, 0.38],
    [0.28, 0.62],
    [0.12, 0.62],
  ],
  hand: [
    [0.3, 0.74],
    [0.7, 0.74],
    [0.74, 0.98],
    [0.26, 0.98],
  ],
};

/** @param {any} layout @param {string} zone @returns {number[][] | null} */
const quad = (layout, zone) => (zone === "corners" ? layout?.corners : layout?.zones?.[zone]) ?? null;

/** @param {any} layout @param {string} zone @param {number[][] | null} points @returns {any} a layout with that zone */
function changed(layout, zone, points) {
  const next = copy(layout ?? { zones: {} });
  if (zone === "corners") next.corners = points;
  else next.zones = { ...next.zones, [zone]: points };
  return next;
}

/** @param {number} value */
const inside = (value) => Math.min(1, Math.max(0, Math.round(value * 1000) / 1000));

/** @param {any} state */
export function zonesEditor(state) {
  const { layout } = state;
  const present = Object.keys(NAMES).filter((zone) => quad(layout, zone));
  return h(
    "div",
    { class: "zones" },
    h(
      "div",
      { class: "zones-frame" },
      // The live picture, not a still one: the program lets go of a camera that nobody looks at.
      h("img", {
        key: `zones-${state.camera?.opened}-${state.connection}`,
        class: "zones-picture",
        src: address(`/sources/current/video?opened=${state.camera?.opened}`),
        alt: t("page.picture_alt"),
        removed: (/** @type {HTMLImageElement} */ image) => image.removeAttribute("src"),
      }),
      h(
        "svg",
        {
          class: "zones-shapes",
          viewBox: "0 0 1000 1000",
          preserveAspectRatio: "none",
          "aria-hidden": "true",
        },
        present.map((zone) =>
          h("polygon", {
            key: zone,
            class: `zone zone-${zone}`,
            points: quad(layout, zone)
              ?.map(([x, y]) => `${x * 1000},${y * 1000}`)
              .join(" "),
          }),
        ),
      ),
      present.map((zone) => quad(layout, zone)?.map((point, corner) => handle(zone, corner, point))),
      present.map((zone) => label(zone, /** @type {number[][]} */ (quad(layout, zone)))),
    ),
    h(
      "div",
      { class: "row" },
      Object.entries(NAMES).map(([zone, name]) =>
        h(
          "button",
          {
            key: zone,
            type: "button",
            class: `tag zone-tag zone-${zone}`,
            "aria-pressed": String(Boolean(quad(layout, zone))),
            onclick: () => saveLayout(changed(layout, zone, quad(layout, zone) ? null : FRESH[zone])),
          },
          t(name),
        ),
      ),
      button(t("page.zones_again"), proposeLayout, { kind: "small", icon: "star", id: "propose-zones" }),
    ),
    h("p", { class: "fine" }, t("page.zones_keys")),
  );
}

/** @param {string} zone @param {number[][]} points */
function label(zone, points) {
  const x = points.reduce((sum, [one]) => sum + one, 0) / 4;
  const top = Math.min(...points.map(([, y]) => y));
  const y = zone === "corners" ? top : points.reduce((sum, [, one]) => sum + one, 0) / 4;
  return h(
    "span",
    {
      key: `label-${zone}`,
      class: `zone-label zone-${zone}`,
      style: { "--x": `${x * 100}%`, "--y": `${y * 100}%` },
      "aria-hidden": "true",
    },
    t(NAMES[zone]),
  );
}

/** @param {string} zone @param {number} corner @param {number[]} point */
function handle(zone, corner, point) {
  /** @param {number} x @param {number} y */
  const move = (x, y) => {
    const points = copy(quad(state.layout, zone));
    points[corner] = [inside(x), inside(y)];
    return changed(state.layout, zone, points);
  };
  return h("button", {
    key: `${zone}-${corner}`,
    type: "button",
    class: `handle zone-${zone}`,
    style: { "--x": `${point[0] * 100}%`, "--y": `${point[1] * 100}%` },
    "aria-label": t("page.corner_said", {
      zone: t(NAMES[zone]),
      corner: corner + 1,
      x: percent(point[0]),
      y: percent(point[1]),
    }),
    onpointerdown: (/** @type {any} */ event) => {
      event.preventDefault();
      event.target.focus();
      event.target.setPointerCapture(event.pointerId);
    },
    onpointermove: (/** @type {any} */ event) => {
      if (!event.target.hasPointerCapture(event.pointerId)) return;
      const frame = event.target.parentElement.getBoundingClientRect();
      set({
        layout: move((event.clientX - frame.left) / frame.width, (event.clientY - frame.top) / frame.height),
      });
    },
    onpointerup: () => saveLayout(state.layout),
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      const step = event.shiftKey ? 0.05 : 0.005;
      const [x, y] = quad(state.layout, zone)?.[corner] ?? point;
      const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[
        event.key
      ];
      if (!by) return;
      event.preventDefault();
      set({ layout: move(x + by[0], y + by[1]) });
    },
    onkeyup: (/** @type {KeyboardEvent} */ event) =>
      event.key.startsWith("Arrow") && saveLayout(state.layout),
  });
}
