/** The score, and beside it: the plays so far, what has gone, what should be checked. */

import { showDialog } from "../actions/common.js";
import { openPlay } from "../actions/game.js";
import { mini, RANKS, SUITS, suitShape } from "../cards.js";
import { h } from "../dom.js";
import { cardName, clock, decksOf, number, seatName, sideName, suitName, t } from "../i18n.js";
import { icon } from "../icons.js";
import { button, panel } from "./ui.js";

/** @param {any} state */
export function scorePanel(state) {
  const { game } = state;
  const { score } = game;
  const target = game.rules.target ?? 151;
  const deal = score.deals?.[game.deal];
  const leader = Math.max(...score.totals);
  return panel(
    t("page.score"),
    [
      h(
        "div",
        { class: "scores" },
        score.totals.map((/** @type {number} */ total, /** @type {number} */ side) =>
          h(
            "div",
            { class: `score ${total === leader && total > 0 ? "leads" : ""}`, key: side, "data-side": side },
            h("span", { class: "score-name" }, sideName(game, side)),
            h("b", { class: "score-total" }, number(total)),
            h("span", {
              class: "meter",
              style: { "--share": `${Math.min(100, (100 * total) / target)}%` },
              "aria-hidden": "true",
            }),
            h(
              "small",
              null,
              deal && game.phase !== "setup"
                ? t("page.this_deal", { count: deal.sides[side].points, taken: deal.sides[side].cards })
                : "",
            ),
          ),
        ),
      ),
      h(
        "p",
        { class: "fine" },
        t("page.target_is", { target }),
        deal && !deal.exact ? ` ${t("page.inexact")}` : "",
      ),
    ],
    {
      class: "score-panel",
      key: "score",
      tools: button(t("page.details"), () => showDialog({ name: "score" }), {
        kind: "small",
        id: "score-details",
      }),
    },
  );
}

/** @param {any} state */
export function playsPane(state) {
  const { game } = state;
  if (!game.plays.length) return h("p", { class: "quiet" }, t("page.no_plays"));
  const check = new Set(game.review.map((/** @type {any} */ one) => `${one.deal}-${one.play}`));
  const plays = [...game.plays].reverse();
  return h(
    "ol",
    { class: "plays" },
    plays.map((play) =>
      h(
        "li",
        { key: `${play.deal}-${play.play}` },
        playRow(game, play, check.has(`${play.deal}-${play.play}`)),
      ),
    ),
  );
}

/** @type {Record<string, string[]>} */
const BY = {
  camera: ["camera", "page.by_camera"],
  person: ["hand", "page.by_person"],
  computer: ["computer", "page.by_computer"],
};

/** @param {any} game @param {any} play @param {boolean} check */
function playRow(game, play, check) {
  const unsure =
    check ||
    (play.confidence !== null &&
      play.confidence !== undefined &&
      play.confidence < 0.85 &&
      play.by === "camera");
  const [sign, by] = BY[play.by] ?? BY.person;
  return h(
    "button",
    {
      type: "button",
      class: `play-row ${play.bonus ? "pisti" : play.captured ? "capture" : ""} ${unsure ? "unsure" : ""}`,
      "data-play": `${play.deal}-${play.play}`,
      onclick: () => openPlay(play.deal, play.play),
    },
    h("span", { class: "play-number" }, number(play.play + 1)),
    play.picture
      ? thumb(play)
      : h(
          "span",
          { class: "play-by", title: t(by) },
          icon(/** @type {any} */ (sign)),
          h("span", { class: "for-readers" }, t(by)),
        ),
    mini(play.card),
    play.claim
      ? h(
          "small",
          { class: "claimed" },
          play.claim === "accepted" ? t("page.accepted") : t("page.challenged"),
        )
      : null,
    h("span", { class: "play-who" }, seatName(game, play.seat)),
    play.bonus
      ? h("b", { class: "gain" }, t("page.pisti_points", { points: play.bonus }))
      : play.captured
        ? h("span", { class: "gain" }, t("page.takes", { count: play.captured }))
        : h("span", { class: "gain" }),
    unsure
      ? h(
          "span",
          { class: "doubt", title: t("page.check_this") },
          "?",
          h("span", { class: "for-readers" }, t("page.check_this")),
        )
      : null,
  );
}

/** The pile in the picture in which a play was read, small. @param {any} play */
const thumb = (play) =>
  h("img", {
    class: "thumb",
    src: `${play.picture}?part=pile`,
    alt: "",
    loading: "lazy",
    width: 44,
    height: 44,
  });

/** @param {any} state */
export function gonePane(state) {
  const { game } = state;
  const seen = new Map();
  for (const card of game.seen) seen.set(card, (seen.get(card) ?? 0) + 1);
  const decks = decksOf(game);
  const mine = new Set(game.hands.find((/** @type {any} */ hand) => hand.seat === game.me)?.cards ?? []);
  /** @param {string} card */
  const cell = (card) => {
    const times = seen.get(card) ?? 0;
    const gone = times >= decks;
    const kind = gone ? "gone" : mine.has(card) ? "mine" : card === game.bottom ? "bottom" : "";
    const word = gone
      ? t("page.is_gone")
      : mine.has(card)
        ? t("page.is_mine")
        : card === game.bottom
          ? t("page.bottom")
          : times
            ? t("page.is_once")
            : t("page.is_out");
    return h(
      "td",
      { key: card, class: kind, title: `${cardName(card)}: ${word}` },
      h("span", { class: "for-readers" }, `${cardName(card)}: ${word}`),
      h("span", { "aria-hidden": "true" }, gone ? "✕" : times ? "½" : kind ? "●" : ""),
    );
  };
  return h(
    "div",
    { class: "gone-pane" },
    h(
      "table",
      { class: "gone-table" },
      h("caption", { class: "for-readers" }, t("page.gone")),
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("td", null),
          SUITS.map((suit) =>
            h(
              "th",
              { key: suit, scope: "col", class: `suit-${suit}`, title: suitName(suit) },
              suitShape(suit),
              h("small", null, suit),
            ),
          ),
          h("th", { scope: "col" }, t("page.left")),
        ),
      ),
      h(
        "tbody",
        null,
        RANKS.map((rank) => {
          const left = game.left?.[rank] ?? 0;
          return h(
            "tr",
            { key: rank, class: rank === "J" ? "jacks" : "" },
            h("th", { scope: "row" }, rank),
            SUITS.map((suit) => cell(rank + suit)),
            h("td", { class: `left ${left === 0 ? "none" : ""}` }, number(left)),
          );
        }),
      ),
    ),
    h(
      "p",
      { class: "legend fine" },
      h("span", { class: "key gone" }, "✕"),
      ` ${t("page.is_gone")}  `,
      mine.size ? [h("span", { class: "key mine" }, "●"), ` ${t("page.is_mine")}  `] : null,
      game.bottom ? [h("span", { class: "key bottom" }, "●"), ` ${t("page.bottom")}`] : null,
    ),
  );
}

/** @param {any} state */
export function reviewPane(state) {
  const { game } = state;
  if (!game.review?.length) return h("p", { class: "quiet" }, t("page.review_empty"));
  const pictured = new Map(
    game.plays
      .filter((/** @type {any} */ play) => play.picture)
      .map((/** @type {any} */ play) => [`${play.deal}-${play.play}`, play]),
  );
  return h(
    "div",
    null,
    h("p", { class: "quiet" }, t("page.review_note")),
    h(
      "ol",
      { class: "plays" },
      game.review.map((/** @type {any} */ one) =>
        h(
          "li",
          { key: `${one.deal}-${one.play}` },
          h(
            "button",
            { type: "button", class: "play-row unsure", onclick: () => openPlay(one.deal, one.play) },
            h("span", { class: "play-number" }, number(one.play + 1)),
            pictured.has(`${one.deal}-${one.play}`) ? thumb(pictured.get(`${one.deal}-${one.play}`)) : null,
            one.t === null || one.t === undefined ? null : h("span", { class: "play-time" }, clock(one.t)),
            mini(one.read),
            h(
              "span",
              { class: "play-who" },
              one.alternatives?.length
                ? [
                    t("page.or_perhaps"),
                    " ",
                    one.alternatives.slice(0, 3).map((/** @type {string} */ card) => mini(card)),
                  ]
                : t("page.check_this"),
            ),
          ),
        ),
      ),
    ),
  );
}

/** The lines of a score sheet, by the names the score gives them. */
const LINES = {
  cards: "page.line_cards",
  aces: "page.line_aces",
  jacks: "page.line_jacks",
  two_of_clubs: "page.line_two",
  ten_of_diamonds: "page.line_ten",
  pistis: "page.line_pistis",
  double_pistis: "page.line_doubles",
  bonus: "page.line_bonus",
  majority: "page.line_majority",
  points: "page.line_points",
};

/** The score in full, deal by deal. @param {any} game */
export function scoreDetails(game) {
  return h(
    "div",
    { class: "score-details" },
    game.score.deals.map((/** @type {any} */ deal, /** @type {number} */ n) =>
      h(
        "table",
        { key: n, class: "sheet" },
        h(
          "caption",
          null,
          t("page.deal_number", { number: n + 1 }),
          deal.complete || (n === game.deal && ["playing", "waiting"].includes(game.phase))
            ? ""
            : ` · ${t("page.incomplete_short")}`,
          deal.exact ? "" : ` · ${t("page.inexact")}`,
        ),
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            h("td", null),
            deal.sides.map((/** @type {any} */ _, /** @type {number} */ side) =>
              h("th", { scope: "col", key: side }, sideName(game, side)),
            ),
          ),
        ),
        h(
          "tbody",
          null,
          Object.entries(LINES).map(([line, label]) =>
            h(
              "tr",
              { key: line, class: line },
              h("th", { scope: "row" }, t(label)),
              deal.sides.map((/** @type {any} */ side, /** @type {number} */ s) =>
                h("td", { key: s }, number(side[line] ?? 0)),
              ),
            ),
          ),
        ),
      ),
    ),
    h(
      "p",
      { class: "total" },
      t("page.total"),
      ": ",
      game.score.totals.map((/** @type {number} */ total) => number(total)).join(" : "),
    ),
  );
}
