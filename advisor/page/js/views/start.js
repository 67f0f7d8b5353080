/** The start: what would you like to do? */

import { h } from "../dom.js";
import { number, seatsOf, sideName, t, when } from "../i18n.js";
import { icon } from "../icons.js";
import { suitShape, face } from "../cards.js";

const WAYS = [
  ["watch", "camera", "page.start_watch", "page.start_watch_note"],
  ["new/hand", "hand", "page.start_hand", "page.start_hand_note"],
  ["new/computer", "computer", "page.start_computer", "page.start_computer_note"],
  ["recordings", "film", "page.start_recording", "page.start_recording_note"],
  ["history", "history", "page.start_history", "page.start_history_note"],
];

/** @param {any} state */
export function startView(state) {
  const games = state.history?.games ?? [];
  const open = games.find((/** @type {any} */ game) => game.winner === null || game.winner === undefined);
  return h(
    "main",
    { class: "page start", id: "main" },
    h(
      "div",
      { class: "hello" },
      h(
        "div",
        { class: "fan", "aria-hidden": "true" },
        ["2C", "JS", "10D", "AH"].map((card, n) => face(card, { key: card, label: "", class: `fan-${n}` })),
      ),
      h("div", null, h("h1", null, "Pişti"), h("p", { class: "lead" }, t("page.start_lead"))),
    ),
    open ? resume(open) : null,
    h(
      "nav",
      { class: "ways", "aria-label": t("page.start_ways") },
      WAYS.map(([where, sign, title, note], n) =>
        h(
          "a",
          { key: where, class: `way ${n === 0 ? "first" : ""}`, href: `#/${where}` },
          h("span", { class: "way-icon" }, icon(/** @type {any} */ (sign))),
          h("span", { class: "way-text" }, h("b", null, t(title)), h("small", null, t(note))),
          icon("next"),
        ),
      ),
    ),
    h(
      "p",
      { class: "promise" },
      h(
        "span",
        { class: "promise-suits", "aria-hidden": "true" },
        ["S", "H", "D", "C"].map((suit) => suitShape(suit)),
      ),
      t("page.promise"),
    ),
  );
}

/** @param {any} game an entry of the history that is not finished */
function resume(game) {
  const totals = game.totals;
  return h(
    "a",
    { class: "resume", href: `#/game/${game.id}`, key: "resume" },
    h(
      "span",
      null,
      h("b", null, t("page.go_on")),
      h("small", null, nameList(game), ` · ${when(game.changed)}`),
    ),
    h(
      "span",
      { class: "resume-score" },
      totals.map((/** @type {number} */ total) => number(total)).join(" : "),
    ),
    icon("next"),
  );
}

/** @param {any} game @returns {number[][]} the seats of each side, from the number of totals */
export function sidesOf(game) {
  const seats = seatsOf(game);
  const count = game.totals?.length || seats.length;
  return Array.from({ length: count }, (_, side) => seats.filter((seat) => seat % count === side));
}

/** @param {any} game @returns {string} who plays, side by side */
export function nameList(game) {
  const sides = sidesOf(game);
  return sides.map((_, side) => sideName({ ...game, sides }, side)).join(" – ");
}
