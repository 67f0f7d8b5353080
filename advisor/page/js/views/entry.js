/** What comes next: the next play, or the next deal. */

import { showDialog } from "../actions/common.js";
import * as game from "../actions/game.js";
import { face, mini } from "../cards.js";
import { h } from "../dom.js";
import { cardName, decksOf, progress, seatName, seatsOf, sideName, t } from "../i18n.js";
import { set, setDraft } from "../store.js";
import { following, watching } from "./game.js";
import { button, panel, picker, select } from "./ui.js";

/** @param {any} state */
export function entryPanel(state) {
  const shown = state.game;
  if (shown.phase === "match_over") return null;
  if (shown.phase === "deal_over" || shown.phase === "setup") return dealPanel(state);
  if (shown.opponent && shown.turn !== shown.me) {
    return panel(
      t("page.next_play"),
      h("p", { class: "quiet waiting" }, t("page.computer_thinks", { name: seatName(shown, shown.turn) })),
      { key: "entry" },
    );
  }
  if (shown.claim) return answerPanel(shown);
  if (game.needsTop(shown)) return topPanel(state);
  const hand = shown.hands.find((/** @type {any} */ one) => one.seat === shown.turn)?.cards;
  const known = hand?.length && !hand.includes("??");
  // My own cards lie in my hand, ready to be clicked.
  if (known && shown.turn === shown.me) return claimButton(state, true);
  const legal = new Set(shown.legal);
  // Where the hand is known, its cards come as pictures.
  const likely = known ? shown.legal.slice(0, 4) : [];
  return panel(
    shown.turn === shown.me
      ? t("page.what_mine")
      : t("page.what_played", { name: seatName(shown, shown.turn) }),
    [
      likely.length
        ? h(
            "div",
            { class: "likely" },
            likely.map((/** @type {string} */ card) =>
              h(
                "button",
                {
                  key: card,
                  type: "button",
                  class: "hand-card small",
                  "aria-label": cardName(card),
                  onclick: () => game.play(card),
                },
                face(card, { label: "" }),
              ),
            ),
          )
        : null,
      picker({
        label: t("page.all_cards"),
        allowed: (card) => legal.has(card) && !state.busy,
        pick: game.play,
        narrow: state.narrow,
        typed: state.typed,
        type: (typed) => set({ typed }),
      }),
      h("p", { class: "quiet" }, state.narrow ? t("page.entry_touch") : t("page.entry_keys")),
      claimButton(state, false),
    ],
    { class: "entry-panel", key: "entry" },
  );
}

/** The face-up card that nobody has named: before that, nothing can be said of a play. @param {any} state */
function topPanel(state) {
  return panel(
    t("page.centre_up"),
    [
      h("p", null, t("page.needs_top")),
      watched(state, "page.camera_finds"),
      h(
        "div",
        { class: "row" },
        button(t("page.name_top"), () => showDialog({ name: "pick", purpose: "top" }), {
          icon: "plus",
          kind: "primary",
          disabled: state.busy,
          id: "name-top",
        }),
      ),
    ],
    { class: "top-panel", key: "entry" },
  );
}

/** What comes of the camera by itself. @param {any} state @param {string} looks what it does while it looks */
function watched(state, looks) {
  if (!watching(state)) return null;
  return following(state)
    ? h("p", { class: "watching" }, t(looks))
    : h("p", { class: "notice" }, t("page.recording_over"));
}

/** The claim that waits for its answer. @param {any} shown */
function answerPanel(shown) {
  return panel(
    t("page.claim_answer"),
    h(
      "div",
      null,
      h(
        "p",
        null,
        t("page.claim_said", { name: seatName(shown, shown.claim.seat), card: cardName(shown.pile.top) }),
      ),
      h(
        "div",
        { class: "row" },
        button(t("page.accept"), () => game.answer("accepted")),
        button(t("page.challenge"), () => game.answer("challenged")),
      ),
    ),
    { key: "entry" },
  );
}

/** Where the rules have bluff pişti and one card lies on the table. @param {any} state @param {boolean} alone */
function claimButton(state, alone) {
  const shown = state.game;
  if (!shown.may_claim) return null;
  const tool = h(
    "div",
    { class: "row" },
    button(t("page.claim"), () => showDialog({ name: "claim" }), { kind: "small" }),
    h("span", { class: "quiet" }, t("page.claim_note")),
  );
  return alone ? panel(t("page.claim"), tool, { key: "entry" }) : tool;
}

/** The next deal: who deals, what lies face up. @param {any} state */
function dealPanel(state) {
  const shown = state.game;
  const first = shown.phase === "setup";
  const computer = Boolean(shown.opponent);
  const last = shown.score.deals?.[shown.score.deals.length - 1];
  const dealer = state.draft.nextDealer ?? shown.next_dealer;
  const centre = state.draft.centre ?? [];
  const bottom = state.draft.bottom ?? null;
  const hidden = state.rules && bottomRule(state) === "hidden";
  const begin = () => {
    /** @type {Object<string, any>} */
    const deal = {};
    if (!computer) {
      deal.dealer = Number(dealer);
      if (centre.length) {
        deal.centre = [...Array.from({ length: Math.max(0, 4 - centre.length) }, () => "??"), ...centre];
        deal.centre_up = centre.length;
      }
      if (bottom) deal.bottom = bottom;
    }
    setDraft({ centre: [], bottom: null, nextDealer: undefined });
    game.nextDeal(deal);
  };
  return panel(
    first ? t("page.first_deal") : t("page.deal_over"),
    [
      last && !first ? dealResult(shown, last) : null,
      last && !first && !last.complete ? h("p", { class: "notice" }, t("page.incomplete", progress(shown))) : null,
      watched(state, "page.camera_looks"),
      computer
        ? null
        : h(
            "div",
            { class: "deal-form" },
            select(
              t("page.dealer"),
              seatsOf(shown).map((seat) => [seat, seatName(shown, seat)]),
              dealer,
              (seat) => setDraft({ nextDealer: Number(seat) }),
            ),
            cardSlot(
              t("page.centre_up"),
              centre,
              () => showDialog({ name: "pick", purpose: "centre" }),
              () => setDraft({ centre: [] }),
              "centre",
            ),
            hidden
              ? null
              : cardSlot(
                  t("page.bottom"),
                  bottom ? [bottom] : [],
                  () => showDialog({ name: "pick", purpose: "bottom" }),
                  () => setDraft({ bottom: null }),
                  "bottom",
                ),
            h("p", { class: "quiet" }, t("page.deal_note")),
          ),
      h(
        "div",
        { class: "row" },
        button(first ? t("page.begin") : t("page.next_deal"), begin, {
          kind: "primary large",
          disabled: state.busy,
          id: "next-deal",
        }),
      ),
    ],
    { class: "deal-panel", key: "entry" },
  );
}

/** @param {any} state @returns {string} whether the game's rules show the bottom card */
function bottomRule(state) {
  const { rules } = state.game;
  return rules.bottom_card ?? state.rules.presets?.[rules.preset]?.bottom_card ?? "shown";
}

/** @param {string} label @param {string[]} cards @param {() => void} pick @param {() => void} clear @param {string} id */
function cardSlot(label, cards, pick, clear, id) {
  return h(
    "div",
    { class: "slot", role: "group", "aria-label": label },
    h("span", { class: "slot-label" }, label),
    h(
      "div",
      { class: "row" },
      cards.map((card) => mini(card)),
      button(cards.length ? t("page.add_card") : t("page.choose_card"), pick, {
        icon: "plus",
        kind: "small",
        id: `slot-${id}`,
      }),
      cards.length ? button(t("page.clear"), clear, { icon: "close", quiet: true, kind: "small" }) : null,
    ),
  );
}

/** @param {any} shown @param {any} deal */
function dealResult(shown, deal) {
  return h(
    "div",
    { class: "deal-result" },
    deal.sides.map((/** @type {any} */ side, /** @type {number} */ n) =>
      h(
        "div",
        { key: n },
        h("span", null, sideName(shown, n)),
        h("b", null, t("page.plus_points", { count: side.points })),
        h("small", null, t("page.taken", { count: side.cards })),
      ),
    ),
  );
}

/** Which cards may be chosen for a purpose. @param {any} state @returns {(card: string) => boolean} */
export function free(state) {
  const { game, draft } = state;
  const between = ["deal_over", "setup"].includes(game.phase);
  const taken = between ? [...(draft.centre ?? []), draft.bottom] : game.seen;
  return (card) => taken.filter((/** @type {string} */ one) => one === card).length < decksOf(game);
}
