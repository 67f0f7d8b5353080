/**
 * Sentences, numbers and names in the language of the page. A sentence with a `|` has a form for one
 * and a form for other counts, chosen by the value `count`.
 */

import { state } from "./store.js";

export const LANGUAGES = [
  ["en", "English"],
  ["tr", "Türkçe"],
  ["fr", "Français"],
  ["pt", "Português"],
  ["es", "Español"],
];

/**
 * Return the sentence *key* with *values* filled in; numbers are written as the language writes them.
 * @param {string} key
 * @param {Object<string, any>} [values]
 * @returns {string}
 */
export function t(key, values = {}) {
  let sentence = state.messages[key] ?? key;
  if (sentence.includes("|")) {
    const forms = sentence.split("|");
    const one = new Intl.PluralRules(state.language).select(values.count ?? 0) === "one";
    sentence = one ? forms[0] : forms[forms.length - 1];
  }
  return sentence.replace(/\{(\w+)\}/g, (/** @type {string} */ whole, /** @type {string} */ name) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === "number" ? number(value) : String(value);
  });
}

/**
 * @param {number} value
 * @param {Intl.NumberFormatOptions} [options]
 * @returns {string}
 */
export function number(value, options) {
  return new Intl.NumberFormat(state.language, options).format(value);
}

/** @param {number} value points, with a sign and one decimal @returns {string} */
export const points = (value) =>
  number(value, { minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: "exceptZero" });

/** @param {number} share 0..1 @returns {string} */
export const percent = (share) => number(share, { style: "percent", maximumFractionDigits: 0 });

/** @param {string} iso @returns {string} */
export function when(iso) {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return "";
  return new Intl.DateTimeFormat(state.language, { dateStyle: "medium", timeStyle: "short" }).format(date);
}

/** @param {number} seconds @returns {string} 75 as 1:15 */
export function clock(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const tail = `${String(minutes).padStart(hours ? 2 : 1, "0")}:${String(rest).padStart(2, "0")}`;
  return hours ? `${hours}:${tail}` : tail;
}

/** @type {Record<string, string>} */
const SUIT_NAMES = { S: "page.spades", H: "page.hearts", D: "page.diamonds", C: "page.clubs" };
/** @type {Record<string, string>} */
const RANK_NAMES = { A: "page.ace", J: "page.jack", Q: "page.queen", K: "page.king" };

/** @param {string} suit S H D C @returns {string} */
export const suitName = (suit) => t(SUIT_NAMES[suit]);

/** @param {string} rank @returns {string} */
export const rankName = (rank) => (RANK_NAMES[rank] ? t(RANK_NAMES[rank]) : rank);

/** @param {string | null | undefined} card "7S", "7?" or "??" @returns {string} its name in words */
export function cardName(card) {
  if (!card || card === "??") return t("page.unknown_card");
  const rank = card.slice(0, -1);
  const suit = card.slice(-1);
  if (suit === "?") return rankName(rank);
  return t("page.card_name", { rank: rankName(rank), suit: suitName(suit) });
}

/** @param {any} game @returns {number[]} its seats; names may be missing */
export const seatsOf = (game) =>
  Array.from({ length: game.rules?.players ?? game.names.length }, (_, seat) => seat);

/** @param {any} game @returns {number} how often each card is there */
export const decksOf = (game) => game.rules.decks ?? (game.rules.players >= 5 ? 2 : 1);

/** How many plays the last deal has, and how many it has when it is complete. @param {any} game */
export const progress = (game) => ({
  played: game.plays.filter((/** @type {any} */ play) => play.deal === game.deal).length,
  all: game.hand_deals * game.rules.players * 4,
});

/** @param {any} game @param {number} seat @returns {string} the name of who sits there */
export function seatName(game, seat) {
  return game?.names?.[seat] || t("page.seat", { number: seat + 1 });
}

/** @param {any} game @param {number} side @returns {string} the names of a side */
export function sideName(game, side) {
  return (game.sides?.[side] ?? [side]).map((/** @type {number} */ seat) => seatName(game, seat)).join(" & ");
}
