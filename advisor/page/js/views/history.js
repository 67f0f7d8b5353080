/** The games played so far. */

import { showDialog } from "../actions/common.js";
import { loadHistory } from "../actions/game.js";
import { h } from "../dom.js";
import { number, sideName, t, when } from "../i18n.js";
import { icon } from "../icons.js";
import { nameList, sidesOf } from "./start.js";
import { button } from "./ui.js";

/** @param {any} state */
export function historyView(state) {
  const { history } = state;
  return h(
    "main",
    { class: "page narrow", id: "main" },
    h("h1", null, t("page.start_history")),
    history === null ? h("p", { class: "loading" }, t("page.loading")) : null,
    history && !history.games.length
      ? h(
          "div",
          { class: "panel" },
          h("p", { class: "quiet" }, t("page.history_empty")),
          h("a", { class: "button primary", href: "#/" }, h("span", null, t("page.new_game"))),
        )
      : null,
    history?.games.length ? tally(history.players) : null,
    h(
      "ul",
      { class: "games" },
      (history?.games ?? []).map((/** @type {any} */ game) => gameRow(state, game)),
    ),
    history && history.games.length < history.total
      ? h(
          "div",
          { class: "row" },
          button(t("page.more"), () => loadHistory(history.games.length), { disabled: state.busy }),
        )
      : null,
  );
}

/** @param {any} state @param {any} game */
function gameRow(state, game) {
  const totals = game.totals;
  const over = game.winner !== null && game.winner !== undefined;
  const names = nameList(game);
  const sides = sidesOf(game);
  return h(
    "li",
    { key: game.id, class: "panel game-row" },
    h(
      "a",
      { class: "game-open", href: `#/game/${game.id}` },
      h(
        "span",
        null,
        h("b", null, names),
        h(
          "small",
          null,
          when(game.changed),
          " · ",
          over ? t("page.won_by", { name: sideName({ ...game, sides }, game.winner) }) : t("page.unfinished"),
        ),
      ),
      h(
        "span",
        { class: "resume-score" },
        totals.map((/** @type {number} */ total) => number(total)).join(" : "),
      ),
      icon("next"),
    ),
    h(
      "div",
      { class: "row" },
      [
        ["pisti", ".pisti"],
        ["json", "JSON"],
        ["csv", "CSV"],
      ].map(([format, label]) =>
        h(
          "a",
          {
            key: format,
            class: "button small",
            href: `/api/v1/games/${game.id}/export?format=${format}`,
            download: true,
            "aria-label": t("page.export_as", { format: label, names }),
          },
          icon("download"),
          h("span", null, label),
        ),
      ),
      h(
        "a",
        {
          key: "sheet",
          class: "button small",
          href: `/api/v1/games/${game.id}/sheet?language=${state.language}`,
          target: "_blank",
          rel: "noopener",
        },
        icon("print"),
        h("span", null, t("page.score_sheet")),
      ),
      button(t("page.delete"), () => showDialog({ name: "remove", id: game.id, names }), {
        icon: "trash",
        quiet: true,
        kind: "small",
        title: t("page.delete"),
      }),
    ),
  );
}

/** What each player has won, over all games. @param {any[]} players */
function tally(players) {
  const finished = players.filter((player) => player.finished && player.name);
  if (!finished.length) return null;
  return h(
    "p",
    { class: "tally" },
    finished
      .sort((a, b) => b.won - a.won)
      .slice(0, 6)
      .map((player) =>
        h(
          "span",
          { key: player.name },
          h("b", null, player.name),
          " ",
          t("page.wins", { count: player.won, games: player.finished }),
        ),
      ),
  );
}
