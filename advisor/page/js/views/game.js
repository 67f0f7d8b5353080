/** A game: the state at a glance, the table, my hand, the hint, and what comes next. */

import * as game from "../actions/game.js";
import { showDialog } from "../actions/common.js";
import { face, mini } from "../cards.js";
import { h } from "../dom.js";
import { cardName, number, seatName, seatsOf, sideName, t } from "../i18n.js";
import { icon } from "../icons.js";
import { set } from "../store.js";
import { entryPanel } from "./entry.js";
import { hintPanel } from "./hint.js";
import { gonePane, playsPane, reviewPane, scorePanel } from "./score.js";
import { tablePanel } from "./table.js";
import { button, panel } from "./ui.js";

/** @param {any} state */
export function gameView(state) {
  const shown = state.game;
  if (!shown || shown.game !== state.route.id) {
    return h("main", { class: "page", id: "main" }, h("p", { class: "loading" }, t("page.loading")));
  }
  const over = shown.phase === "deal_over" || shown.phase === "match_over" || shown.phase === "setup";
  return h(
    "main",
    {
      class: "page game",
      id: "main",
      "data-pane": state.phonePane ?? "table",
      "data-turn": shown.turn === shown.me ? "mine" : "other",
    },
    h(
      "h1",
      { class: "for-readers" },
      seatsOf(shown)
        .map((seat) => seatName(shown, seat))
        .join(", "),
    ),
    stateLine(shown),
    shown.notice ? h("p", { class: "notice", key: "notice" }, shown.notice) : null,
    shown.phase === "match_over" ? winner(shown) : null,
    h(
      "div",
      { class: shown.phase === "match_over" ? "columns ended" : "columns" },
      h(
        "div",
        { class: "column column-table", key: "table" },
        tablePanel(state),
        over || shown.me === null ? null : handPanel(state),
      ),
      shown.phase === "match_over"
        ? null
        : h(
            "div",
            { class: "column column-play", key: "play" },
            over || shown.me === null ? null : hintPanel(state),
            entryPanel(state),
          ),
      h("div", { class: "column column-score", key: "score" }, scorePanel(state), tabs(state)),
    ),
    paneBar(state),
  );
}

/** What everybody at the table asks: how big the pile is, what lies on top, how many Jacks are left, whose turn it is. @param {any} shown */
function stateLine(shown) {
  const turn =
    shown.phase === "match_over"
      ? t("page.match_over")
      : shown.phase === "deal_over"
        ? t("page.deal_over")
        : shown.phase === "setup"
          ? t("page.before_deal")
          : shown.turn === shown.me
            ? t("page.your_turn")
            : t("page.turn_of", { name: seatName(shown, shown.turn) });
  /** @param {string} label @param {any} value @param {string} [kind] */
  const fact = (label, value, kind = "") =>
    h("div", { class: `fact ${kind}` }, h("dt", null, label), h("dd", null, value));
  return h(
    "dl",
    { class: `state-line ${shown.turn === shown.me && shown.phase === "playing" ? "mine" : ""}` },
    fact(t("page.pile"), h("span", { class: "big", id: "pile-size" }, number(shown.pile.size))),
    fact(t("page.top"), shown.pile.top ? mini(shown.pile.top) : h("span", { class: "big" }, "–")),
    fact(
      t("page.jacks_left"),
      h(
        "span",
        { class: `big ${shown.jacks.left ? "" : "none"}`, id: "jacks-left" },
        number(shown.jacks.left),
      ),
    ),
    fact(t("page.stock"), h("span", { class: "big" }, number(shown.stock))),
    fact(t("page.turn"), h("span", { class: "turn", id: "turn" }, turn), "fact-turn"),
  );
}

/** Whether the camera watches this game. @param {any} state */
export const watching = (state) =>
  Boolean(state.camera && state.camera.status !== "none" && state.camera.game === state.game?.game);

/** Whether the camera still tells what happens in this game: a recording that has ended does not. @param {any} state */
export const following = (state) => watching(state) && state.camera.status !== "ended";

/** @param {any} state */
function handPanel(state) {
  const shown = state.game;
  const mine = shown.hands.find((/** @type {any} */ hand) => hand.seat === shown.me);
  const cards = mine?.cards;
  const count = mine?.count ?? 0;
  const turn = shown.turn === shown.me && shown.phase === "playing";
  const edit = () =>
    showDialog({
      name: "hand",
      cards: (cards ?? []).filter((/** @type {string} */ card) => card !== "??"),
      text: (cards ?? []).join(" "),
    });
  const best = state.settings.hints !== false && turn ? state.advice?.best : null;
  const places = cards?.length ? cards : Array.from({ length: count }, () => "??");
  const tools = shown.opponent
    ? null
    : [
        following(state)
          ? button(t("page.read_hand"), game.readHand, {
              icon: "camera",
              quiet: true,
              kind: "small",
              disabled: state.busy,
            })
          : null,
        button(t("page.edit_hand"), edit, { icon: "edit", kind: "small", id: "edit-hand" }),
      ];
  return panel(
    t("page.my_hand"),
    [
      h(
        "div",
        { class: "hand" },
        places.map((/** @type {string} */ card, /** @type {number} */ place) => {
          const known = card !== "??";
          const label = !known
            ? t("page.edit_hand")
            : turn
              ? t("page.play_card", { card: cardName(card) })
              : cardName(card);
          return h(
            "button",
            {
              key: known && places.indexOf(card) === place ? card : `place-${place}`,
              type: "button",
              class: `hand-card ${card === best ? "best" : ""}`,
              "data-card": card,
              "aria-label": card === best ? `${label}, ${t("page.best_card")}` : label,
              disabled: state.busy || (known && !turn && Boolean(shown.opponent)),
              onclick: () => (known && turn ? game.play(card) : shown.opponent ? undefined : edit()),
            },
            face(card, { label: "" }),
          );
        }),
      ),
      places.length ? null : h("p", { class: "quiet" }, t("page.hand_empty")),
      turn && cards?.length
        ? h("p", { class: "quiet" }, state.narrow ? t("page.tap_to_play") : t("page.click_to_play"))
        : null,
      !cards?.length && count && !shown.opponent ? h("p", { class: "quiet" }, t("page.hand_unknown")) : null,
    ],
    { class: "hand-panel", tools, key: "hand" },
  );
}

/** @param {any} shown */
function winner(shown) {
  const side = shown.score.winner;
  const totals = shown.score.totals;
  return h(
    "section",
    { class: "winner", "aria-label": t("page.match_over"), key: "winner" },
    h(
      "div",
      { class: "winner-suits", "aria-hidden": "true" },
      ["S", "H", "D", "C"].map((suit) => h("span", { class: `suit-${suit}` }, mini(`A${suit}`))),
    ),
    h(
      "h2",
      null,
      side === null ? t("page.match_over") : t("page.match_won", { name: sideName(shown, side) }),
    ),
    h("p", null, totals.map((/** @type {number} */ total) => number(total)).join(" : ")),
    h(
      "div",
      { class: "row" },
      h(
        "a",
        { class: "button", href: `/api/v1/games/${shown.game}/export?format=pisti`, download: true },
        icon("download"),
        h("span", null, t("page.export")),
      ),
      h(
        "a",
        {
          class: "button",
          href: `/api/v1/games/${shown.game}/sheet?language=${document.documentElement.lang}`,
          target: "_blank",
          rel: "noopener",
        },
        icon("print"),
        h("span", null, t("page.score_sheet")),
      ),
      h("a", { class: "button primary", href: "#/" }, h("span", null, t("page.new_game"))),
    ),
  );
}

/** @type {Record<string, string>} */
const PANES = { plays: "page.plays", gone: "page.gone_short", review: "page.review" };

/** @param {any} state */
function tabs(state) {
  const pane = state.pane in PANES ? state.pane : "plays";
  const count = state.game.review?.length ?? 0;
  const names = Object.keys(PANES);
  /** @param {KeyboardEvent} event */
  const move = (event) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    const next = names[(names.indexOf(pane) + step + names.length) % names.length];
    set({ pane: next });
    document.getElementById(`tab-${next}`)?.focus();
  };
  const content = pane === "gone" ? gonePane : pane === "review" ? reviewPane : playsPane;
  return h(
    "section",
    { class: "panel tabs-panel", key: "tabs", "aria-label": t(PANES[pane]) },
    h(
      "div",
      { class: "tabs", role: "tablist", "aria-label": t("page.game"), onkeydown: move },
      names.map((name) =>
        h(
          "button",
          {
            key: name,
            id: `tab-${name}`,
            type: "button",
            role: "tab",
            "aria-selected": String(name === pane),
            "aria-controls": "pane",
            tabindex: name === pane ? "0" : "-1",
            onclick: () => set({ pane: name }),
          },
          t(PANES[name]),
          name === "review" && count ? h("span", { class: "badge" }, number(count)) : null,
        ),
      ),
    ),
    h(
      "div",
      { class: "pane", id: "pane", role: "tabpanel", "aria-labelledby": `tab-${pane}`, tabindex: "0" },
      content(state),
    ),
  );
}

/** On a phone: what the page shows, one thing at a time. @param {any} state */
function paneBar(state) {
  const choices = [
    ["table", "page.play_pane", "hand"],
    ["score", "page.score", "star"],
    ["plays", "page.plays", "history"],
    ["gone", "page.gone_short", "zones"],
  ];
  const current = state.phonePane ?? "table";
  return h(
    "nav",
    { class: "pane-bar", "aria-label": t("page.game"), key: "pane-bar" },
    choices.map(([name, label, sign]) =>
      h(
        "button",
        {
          key: name,
          type: "button",
          "aria-pressed": String(current === name),
          onclick: () => {
            set({ phonePane: name, ...(name in PANES ? { pane: name } : {}) });
            scrollTo({ top: 0 });
          },
        },
        icon(/** @type {any} */ (sign)),
        h("span", null, t(label)),
        name === "plays" && state.game.review?.length
          ? h("span", { class: "badge" }, number(state.game.review.length))
          : null,
      ),
    ),
  );
}
