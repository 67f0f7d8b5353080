/** What happened between two states of a game: said to screen readers, and the sound that goes with it. */

import { cardName, seatName, sideName, t } from "./i18n.js";

/**
 * @param {any} before
 * @param {any} after
 * @returns {{said: string[], tune: "play" | "capture" | "pisti" | "turn" | "win" | null}}
 */
export function changes(before, after) {
  /** @type {string[]} */
  const said = [];
  /** @type {any} */
  let tune = null;
  const grown = after.plays.length > before.plays.length;
  const fresh = grown ? after.plays.slice(before.plays.length) : [];
  for (const play of fresh.slice(-4)) {
    said.push(playSaid(after, play));
    tune = play.bonus ? "pisti" : play.captured && tune !== "pisti" ? "capture" : (tune ?? "play");
  }
  if (!grown && after.plays.length < before.plays.length) said.push(t("page.said_undone"));
  if (after.phase === "match_over" && before.phase !== "match_over") {
    said.push(t("page.match_won", { name: sideName(after, after.score.winner) }));
    tune = "win";
  } else if (after.phase === "deal_over" && before.phase !== "deal_over") {
    said.push(t("page.deal_over"));
  } else if (after.phase === "playing" && after.turn !== before.turn) {
    const mine = after.turn === after.me;
    said.push(mine ? t("page.your_turn") : t("page.turn_of", { name: seatName(after, after.turn) }));
    if (mine && !tune) tune = "turn";
  }
  return { said, tune };
}

/** @param {any} game @param {any} play @returns {string} the play as a sentence */
export function playSaid(game, play) {
  const values = {
    name: seatName(game, play.seat),
    card: cardName(play.card),
    count: play.captured,
    points: play.bonus,
  };
  if (play.bonus) return t("page.said_pisti", values);
  if (play.captured) return t("page.said_capture", values);
  return t("page.said_play", values);
}
