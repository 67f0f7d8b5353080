/** From one state of a game to the next: the state itself, what is said of it, and the sound that goes with it. */

import { cardName, seatName, sideName, t } from "./i18n.js";

/**
 * The state of a game that a notice leads to: it holds only the deals that have changed.
 * @param {any} before the state shown; null where none is
 * @param {any} notice what the server tells
 * @returns {any} null where the notice does not follow the state shown
 */
export function follow(before, notice) {
  const { since, ...after } = notice;
  if (!since) return after;
  if (before?.game !== after.game) return null;
  if (after.revision < before.revision) return before;
  if (before.revision !== since.revision && before.revision !== after.revision) return null;
  /** @param {any} one */
  const same = (one) => one.deal < since.deal;
  return {
    ...after,
    plays: [...before.plays.filter(same), ...after.plays],
    review: [...before.review.filter(same), ...after.review],
    score: { ...after.score, deals: [...before.score.deals.slice(0, since.deal), ...after.score.deals] },
  };
}

/**
 * What happened between two states of a game.
 * @param {any} before
 * @param {any} after
 * @returns {{said: string[], tune: "play" | "capture" | "pisti" | "turn" | "win" | null, cut: boolean}} `cut`
 *   where the camera saw a deal begin although the one before was not over
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
  const cut =
    before.phase !== "deal_over" && after.deal > before.deal && !after.score.deals[after.deal - 1].complete;
  return { said, tune, cut };
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
