/**
 * Cards: reading what people type, and drawing faces. Indexes and pips are drawn here; the pictures of
 * the courts lie in cards/ (see cards/LICENCE.txt).
 */

import { h } from "./dom.js";
import { cardName } from "./i18n.js";

export const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
export const SUITS = ["S", "H", "D", "C"];
/** Every card once, suit by suit. */
export const DECK = SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit));
/** @type {Record<string, string>} */
const SYMBOLS = { "♠": "S", "♥": "H", "♦": "D", "♣": "C", "♤": "S", "♡": "H", "♢": "D", "♧": "C" };

/** @param {string} card @returns {string} */
export const rankOf = (card) => card.slice(0, -1);
/** @param {string} card @returns {string} */
export const suitOf = (card) => card.slice(-1);

/**
 * Read cards as people type them: `7S JH`, `7s,jh`, `T♦`.
 * @param {string} text
 * @param {number} [decks] how often each card may be there
 * @returns {{cards: string[], wrong: string[]}} the cards, and the words that are none
 */
export function readCards(text, decks = 1) {
  /** @type {string[]} */
  const cards = [];
  const wrong = [];
  for (const word of text.split(/[\s,;]+/).filter(Boolean)) {
    const found = word.match(/^(10|[2-9]|[tajqk])([shdc♠♥♦♣♤♡♢♧])\ufe0f?$/i);
    if (!found) {
      wrong.push(word);
      continue;
    }
    const rank = found[1].toUpperCase() === "T" ? "10" : found[1].toUpperCase();
    const card = rank + (SYMBOLS[found[2]] ?? found[2].toUpperCase());
    if (cards.filter((one) => one === card).length < decks) cards.push(card);
  }
  return { cards, wrong };
}

/** Suits in a box of 100 by 100. @type {Record<string, string>} */
const SHAPES = {
  S: "M50 5C34 27 11 40 11 61c0 13 9 21 20 21 7 0 12-3 15-8-1 9-4 15-10 21h28c-6-6-9-12-10-21 3 5 8 8 15 8 11 0 20-8 20-21C89 40 66 27 50 5Z",
  H: "M50 93C38 74 9 58 9 32 9 17 20 7 32 7c8 0 15 5 18 14C53 12 60 7 68 7c12 0 23 10 23 25 0 26-29 42-41 61Z",
  D: "M50 4C60 22 73 38 88 50 73 62 60 78 50 96 40 78 27 62 12 50 27 38 40 22 50 4Z",
  C: "M50 5c12 0 21 9 21 20 0 6-3 11-7 15 3-2 6-2 9-2 11 0 20 9 20 20s-9 21-20 21c-8 0-15-5-18-12 0 13 4 21 11 28H34c7-7 11-15 11-28-3 7-10 12-18 12C16 79 7 69 7 58s9-20 20-20c3 0 6 0 9 2-4-4-7-9-7-15C29 14 38 5 50 5Z",
};

/**
 * Draw the shape of a suit.
 * @param {string} suit
 */
export const suitShape = (suit) =>
  h(
    "svg",
    { class: `suit suit-${suit}`, viewBox: "0 0 100 100", "aria-hidden": "true", focusable: "false" },
    h("path", { d: SHAPES[suit] }),
  );

/** Where the pips lie, in hundredths of the art box; those below the middle stand on their heads. @type {Record<string, number[][]>} */
const PIPS = {
  A: [[50, 50]],
  2: [
    [50, 8],
    [50, 92],
  ],
  3: [
    [50, 8],
    [50, 50],
    [50, 92],
  ],
  4: [
    [18, 8],
    [82, 8],
    [18, 92],
    [82, 92],
  ],
  5: [
    [18, 8],
    [82, 8],
    [50, 50],
    [18, 92],
    [82, 92],
  ],
  6: [
    [18, 8],
    [82, 8],
    [18, 50],
    [82, 50],
    [18, 92],
    [82, 92],
  ],
  7: [
    [18, 8],
    [82, 8],
    [50, 29],
    [18, 50],
    [82, 50],
    [18, 92],
    [82, 92],
  ],
  8: [
    [18, 8],
    [82, 8],
    [50, 29],
    [18, 50],
    [82, 50],
    [50, 71],
    [18, 92],
    [82, 92],
  ],
  9: [
    [18, 8],
    [82, 8],
    [18, 36],
    [82, 36],
    [50, 50],
    [18, 64],
    [82, 64],
    [18, 92],
    [82, 92],
  ],
  10: [
    [18, 8],
    [82, 8],
    [50, 22],
    [18, 36],
    [82, 36],
    [18, 64],
    [82, 64],
    [50, 78],
    [18, 92],
    [82, 92],
  ],
};

/**
 * A suit as part of a face.
 * @param {string} suit @param {number} x @param {number} y its centre @param {number} size @param {boolean} [turned]
 */
function pip(suit, x, y, size, turned) {
  const scale = size / 100;
  const turn = turned ? " rotate(180)" : "";
  return h("path", {
    d: SHAPES[suit],
    transform: `translate(${x} ${y})${turn} scale(${scale}) translate(-50 -50)`,
  });
}

/** @param {string} rank @param {string} suit @param {boolean} turned */
function index(rank, suit, turned) {
  return h(
    "g",
    { transform: turned ? "rotate(180 125 175)" : "translate(0 0)" },
    h(
      "text",
      {
        class: "face-rank",
        x: 33,
        y: 57,
        "text-anchor": "middle",
        ...(rank === "10" ? { textLength: 50, lengthAdjust: "spacingAndGlyphs" } : {}),
      },
      rank,
    ),
    pip(suit, 33, 88, 42),
    h("text", { class: "face-letter", x: 33, y: 131, "text-anchor": "middle" }, suit),
  );
}

/** @param {string} rank @param {string} suit */
function art(rank, suit) {
  if ("JQK".includes(rank)) {
    return [
      // The pictures are drawn wide and meant to be pressed into this frame.
      h("image", {
        href: `cards/${rank}${suit}.svg`,
        x: 57,
        y: 45,
        width: 136,
        height: 260,
        preserveAspectRatio: "none",
      }),
      h("rect", { class: "face-frame", x: 57, y: 45, width: 136, height: 260, rx: 3 }),
    ];
  }
  const size = rank === "A" ? 120 : 48;
  return PIPS[rank].map(([x, y]) => pip(suit, 64 + (x * 122) / 100, 48 + (y * 254) / 100, size, y > 50));
}

/** A drawn back: a lattice of small diamonds in a frame. */
function back() {
  const marks = [];
  for (let row = 0; row < 9; row++) {
    for (let column = 0; column < 6; column++) {
      marks.push(pip("D", 45 + column * 32, 47 + row * 32, 20));
    }
  }
  return [
    h("rect", { class: "back-field", x: 16, y: 16, width: 218, height: 318, rx: 10 }),
    h("g", { class: "back-marks" }, marks),
  ];
}

/**
 * Draw a card. Without a name of its own (`label: ""`) it is for the eyes only.
 * @param {string | null} card "7S", "7?" or "??"; null is a face-down card
 * @param {{key?: any, label?: string, class?: string, style?: Object<string, any>}} [options]
 */
export function face(card, options = {}) {
  const label = options.label ?? cardName(card);
  const known = card && card !== "??";
  const rank = known ? rankOf(card) : "";
  const suit = known ? suitOf(card) : "";
  let inside;
  if (!known) inside = back();
  else if (suit === "?")
    inside = [h("text", { class: "face-only", x: 125, y: 215, "text-anchor": "middle" }, rank)];
  else inside = [index(rank, suit, false), index(rank, suit, true), art(rank, suit)];
  return h(
    "svg",
    {
      key: options.key,
      class: `card ${known ? `suit-${suit}` : "card-back"} ${options.class ?? ""}`,
      viewBox: "0 0 250 350",
      style: options.style,
      focusable: "false",
      ...(label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" }),
    },
    h("rect", { class: "face-paper", x: 1.5, y: 1.5, width: 247, height: 347, rx: 20 }),
    inside,
  );
}

/**
 * A card in a line of text: rank, shape and letter, read out as one name.
 * @param {string | null | undefined} card
 */
export function mini(card) {
  if (!card || card === "??") {
    return h("span", { class: "mini mini-unknown", role: "img", "aria-label": cardName("??") }, "?");
  }
  const suit = suitOf(card);
  return h(
    "span",
    { class: `mini suit-${suit}`, role: "img", "aria-label": cardName(card) },
    h("b", null, rankOf(card)),
    suit === "?" ? null : [suitShape(suit), h("small", null, suit)],
  );
}
