/** The table: as the camera sees it, or drawn. */

import { showDialog } from "../actions/common.js";
import { togglePause, watchGame } from "../actions/sources.js";
import { address } from "../api.js";
import { face } from "../cards.js";
import { h } from "../dom.js";
import { cardName, seatName, seatsOf, t } from "../i18n.js";
import { setPrefs } from "../prefs.js";
import { button, choice, panel } from "./ui.js";

const LAYERS = { boxes: "page.layer_boxes", names: "page.layer_names", zones: "page.layer_zones" };

/** @param {any} state */
export function tablePanel(state) {
  const camera = state.camera;
  const open = camera && camera.status !== "none";
  const seen = open && camera.game === state.game.game;
  const picture = seen && state.prefs.table === "picture";
  const tools = seen
    ? [
        choice(
          t("page.table"),
          [
            ["picture", t("page.picture")],
            ["table", t("page.drawn")],
          ],
          state.prefs.table,
          (table) => setPrefs({ table }),
          { hideLabel: true },
        ),
        button(camera.status === "paused" ? t("page.resume") : t("page.pause"), togglePause, {
          icon: camera.status === "paused" ? "play" : "pause",
          quiet: true,
          disabled: !["live", "paused"].includes(camera.status),
        }),
      ]
    : open && !state.game.opponent && state.game.phase !== "match_over"
      ? button(t("page.watch_this"), () => watchGame(state.game.game), {
          icon: "camera",
          kind: "small",
          id: "watch-this",
        })
      : null;
  // What is wrong with the camera is said whether its picture is shown or not.
  const wrong = seen && camera.message ? h("p", { class: "notice", key: "wrong" }, camera.message) : null;
  const playing = ["playing", "waiting"].includes(state.game.phase);
  const end = playing
    ? h(
        "div",
        { class: "row table-foot", key: "foot" },
        button(t("page.end_deal"), () => showDialog({ name: "end" }), { kind: "small plain", id: "end-deal" }),
      )
    : null;
  return panel(t("page.table"), [picture ? livePicture(state) : felt(state), wrong, end], {
    class: "table-panel",
    tools,
    key: "table",
  });
}

/**
 * The live picture; a sign lies over it when it is not live.
 * @param {any} state
 */
function livePicture(state) {
  const { camera, prefs } = state;
  const overlay = prefs.overlay.join(",");
  const cover =
    state.connection !== "open"
      ? t("page.chip_disconnected")
      : camera.status === "live"
        ? null
        : t(STATUS[camera.status] ?? "page.camera_lost");
  return h(
    "div",
    { class: "live" },
    h(
      "div",
      { class: `live-frame ${cover ? "stale" : ""}` },
      h("img", {
        // A new connection after a break: the old stream ended with it.
        key: `video-${overlay}-${camera.opened}-${state.connection}`,
        class: "live-picture",
        src: address(`/sources/current/video?overlay=${overlay}&opened=${camera.opened}`),
        alt: t("page.picture_alt"),
        removed: (/** @type {HTMLImageElement} */ image) => image.removeAttribute("src"),
      }),
      cover ? h("p", { class: "live-cover" }, cover) : null,
      layers(prefs),
    ),
  );
}

/** What is drawn over the picture. @param {any} prefs */
function layers({ overlay }) {
  return h(
    "div",
    { class: "row layers", role: "group", "aria-label": t("page.layers") },
    Object.entries(LAYERS).map(([layer, label]) =>
      h(
        "button",
        {
          key: layer,
          type: "button",
          class: "tag",
          "aria-pressed": String(overlay.includes(layer)),
          onclick: () =>
            setPrefs({
              overlay: overlay.includes(layer)
                ? overlay.filter((/** @type {string} */ one) => one !== layer)
                : [...overlay, layer],
            }),
        },
        t(label),
      ),
    ),
  );
}

/** @type {Record<string, string>} */
export const STATUS = {
  starting: "page.camera_starting",
  waiting: "page.camera_waiting",
  live: "page.camera_live",
  paused: "page.camera_paused",
  lost: "page.camera_lost",
  ended: "page.camera_ended",
};

/** A number between 0 and 1 that is always the same for the same place in the pile. @param {number} n */
const scatter = (n) => {
  const x = Math.sin(n * 127.1 + 11.7) * 43758.5453;
  return x - Math.floor(x);
};

/** The table drawn: the pile, the stock, who sits where. @param {any} state */
function felt(state) {
  const game = state.game;
  const shown = game.pile.cards.slice(-7);
  const first = game.pile.cards.length - shown.length;
  const others = seatsOf(game).filter((/** @type {number} */ seat) => seat !== game.me);
  const pileName = game.pile.top
    ? t("page.pile_said", { count: game.pile.size, card: cardName(game.pile.top) })
    : t("page.pile_empty");
  return h(
    "div",
    { class: "felt" },
    h(
      "div",
      { class: `seats ${others.length > 1 ? "many" : ""}` },
      others.map((/** @type {number} */ seat) => seatBadge(game, seat)),
    ),
    h(
      "div",
      { class: "middle" },
      stock(game),
      h(
        "div",
        { class: "pile", role: "img", "aria-label": pileName },
        shown.length
          ? shown.map((/** @type {string} */ card, /** @type {number} */ place) => {
              const n = first + place;
              const top = place === shown.length - 1;
              return face(card, {
                key: `${game.deal}-${n}-${card}`,
                label: "",
                class: top ? "pile-card top" : "pile-card",
                style: {
                  "--turn": `${((scatter(n + game.deal) - 0.5) * (top ? 10 : 46)).toFixed(1)}deg`,
                  "--right": `${((scatter(n + 31) - 0.5) * (top ? 4 : 34)).toFixed(1)}%`,
                  "--down": `${((scatter(n + 57) - 0.5) * (top ? 3 : 12)).toFixed(1)}%`,
                },
              });
            })
          : h("span", { class: "pile-none" }, t("page.pile_empty")),
      ),
      h(
        "div",
        { class: "pile-count" },
        game.pile.size > 1 ? h("span", null, t("page.cards_count", { count: game.pile.size })) : null,
      ),
    ),
    h("div", { class: "seats" }, game.me === null ? null : seatBadge(game, game.me)),
  );
}

/** @param {any} game */
function stock(game) {
  return h(
    "div",
    { class: "stock" },
    game.stock > 0
      ? [
          game.bottom
            ? face(game.bottom, {
                class: "stock-bottom",
                label: t("page.bottom_said", { card: cardName(game.bottom) }),
              })
            : null,
          face(null, { class: "stock-card", label: "" }),
        ]
      : null,
    h("span", { class: "stock-count" }, t("page.stock_count", { count: game.stock })),
  );
}

/** @param {any} game @param {number} seat */
function seatBadge(game, seat) {
  const hand = game.hands.find((/** @type {any} */ one) => one.seat === seat);
  const side = game.sides.findIndex((/** @type {number[]} */ seats) => seats.includes(seat));
  const taken = game.score.deals?.[game.deal]?.sides?.[side]?.cards ?? 0;
  const turn = game.turn === seat && game.phase === "playing";
  return h(
    "div",
    { class: `seat ${turn ? "on-turn" : ""}`, key: seat },
    h(
      "span",
      { class: "seat-name" },
      seatName(game, seat),
      game.dealer === seat
        ? h("span", { class: "dealer", title: t("page.dealer") }, t("page.dealer_mark"))
        : null,
    ),
    h(
      "span",
      { class: "seat-cards" },
      Array.from({ length: hand?.count ?? 0 }, (_, n) => h("i", { key: n, class: "tiny-back" })),
    ),
    h(
      "small",
      null,
      t("page.taken", { count: taken }),
      hand ? h("span", { class: "for-readers" }, `, ${t("page.in_hand", { count: hand.count })}`) : null,
    ),
  );
}
