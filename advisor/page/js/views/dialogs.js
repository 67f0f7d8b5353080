/** What opens over a game: my hand, one play, choosing a card, a claim, the score, a confirmation. */

import { closeDialog, showDialog } from "../actions/common.js";
import * as game from "../actions/game.js";
import { face, readCards } from "../cards.js";
import { h } from "../dom.js";
import { cardName, clock, decksOf, percent, progress, seatName, t } from "../i18n.js";
import { set, setDraft, state } from "../store.js";
import { playSaid } from "../changes.js";
import { free } from "./entry.js";
import { following } from "./game.js";
import { helpDialog } from "./help.js";
import { scoreDetails } from "./score.js";
import { settingsDialog } from "./settings.js";
import { button, choice, modal, picker, textField } from "./ui.js";

/** @type {Record<string, (state: any) => any>} */
const DIALOGS = {
  hand: handDialog,
  play: playDialog,
  pick: pickDialog,
  claim: claimDialog,
  score: (/** @type {any} */ state) =>
    modal(t("page.score"), closeDialog, scoreDetails(state.game), { wide: true, key: "score" }),
  settings: settingsDialog,
  help: helpDialog,
  remove: removeDialog,
  end: endDialog,
};

/** @param {any} state */
export function dialogView(state) {
  const dialog = state.dialog;
  return dialog ? DIALOGS[dialog.name](state) : null;
}

/** Common parts of a picker in a dialog. @param {any} state */
const typing = (state) => ({
  narrow: state.narrow,
  typed: state.typed,
  type: (/** @type {string | null} */ typed) => set({ typed }),
});

/** @param {any} state */
function handDialog(state) {
  const { dialog, game: shown } = state;
  const mine = shown.hands.find((/** @type {any} */ hand) => hand.seat === shown.me);
  const own = new Set(mine?.cards ?? []);
  const most = mine?.count || 4;
  const open = free(state);
  /** @param {string[]} cards @param {string} [text] */
  const change = (cards, text = cards.join(" ")) => set({ dialog: { ...dialog, cards, text }, typed: null });
  const decks = decksOf(shown);
  const read = readCards(dialog.text ?? "", decks);
  const wrong = read.wrong.length
    ? t("page.not_cards", { words: read.wrong.join(" ") })
    : dialog.cards.length > most
      ? t("page.too_many", { count: most })
      : null;
  return modal(
    t("page.my_hand"),
    closeDialog,
    h(
      "form",
      {
        class: "hand-form",
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          if (!wrong) game.setHand(shown.me, dialog.cards);
        },
      },
      h(
        "div",
        { class: "hand" },
        Array.from({ length: Math.max(most, dialog.cards.length) }, (_, place) => {
          const card = dialog.cards[place];
          return card
            ? h(
                "button",
                {
                  key: `${card}-${place}`,
                  type: "button",
                  class: "hand-card",
                  "aria-label": t("page.put_back", { card: cardName(card) }),
                  onclick: () => change(dialog.cards.toSpliced(place, 1)),
                },
                face(card, { label: "" }),
              )
            : h("span", { key: `place-${place}`, class: "hand-card place" });
        }),
      ),
      textField(
        t("page.type_cards"),
        dialog.text ?? "",
        (text) => set({ dialog: { ...dialog, text, cards: readCards(text, decks).cards } }),
        {
          placeholder: "7S JH 10D 2C",
          id: "hand-text",
          autofocus: true,
          "aria-describedby": "hand-wrong",
        },
      ),
      h("p", { class: "wrong", id: "hand-wrong", role: "status" }, wrong ?? ""),
      picker({
        label: t("page.all_cards"),
        allowed: (card) =>
          dialog.cards.includes(card) || ((open(card) || own.has(card)) && dialog.cards.length < most),
        chosen: dialog.cards,
        pick: (card) =>
          change(
            dialog.cards.includes(card)
              ? dialog.cards.filter((/** @type {string} */ one) => one !== card)
              : [...dialog.cards, card],
          ),
        ...typing(state),
      }),
      h(
        "footer",
        { class: "row" },
        following(state)
          ? button(t("page.read_hand"), game.readHand, { icon: "camera", disabled: state.busy })
          : null,
        h(
          "button",
          {
            type: "submit",
            class: "button primary",
            disabled: Boolean(wrong) || state.busy,
            id: "save-hand",
          },
          h("span", null, t("page.save")),
        ),
      ),
    ),
    { wide: true, key: "hand" },
  );
}

/** One play: the picture that was read, and what else it may have been. @param {any} state */
function playDialog(state) {
  const { dialog, game: shown } = state;
  const play = shown.plays.find(
    (/** @type {any} */ one) => one.deal === dialog.deal && one.play === dialog.play,
  );
  if (!play) return null;
  const review = shown.review.find(
    (/** @type {any} */ one) => one.deal === dialog.deal && one.play === dialog.play,
  );
  const ranked = (dialog.alternatives ?? play.alternatives ?? []).map((/** @type {any} */ one) =>
    typeof one === "string" ? { card: one } : one,
  );
  const others = ranked.filter((/** @type {any} */ one) => one.card !== play.card);
  // What the camera took for possible comes as pictures; all others are in the picker.
  const guesses = others.filter((/** @type {any} */ one) => one.probability > 0).slice(0, 6);
  const legal = new Set(others.map((/** @type {any} */ one) => one.card));
  const was = play.claim ?? "open";
  const how = dialog.how ?? was;
  const choose = (/** @type {string} */ card) =>
    game.correct(dialog.deal, dialog.play, card, how === was ? null : how);
  return modal(
    t("page.play_number", { number: dialog.play + 1 }),
    closeDialog,
    h(
      "div",
      { class: "play-dialog" },
      h(
        "div",
        { class: "play-read" },
        play.picture
          ? h("img", { class: "play-picture", src: play.picture, alt: t("page.play_picture") })
          : null,
        h(
          "div",
          { class: "play-card" },
          face(play.card),
          h("p", null, playSaid(shown, play)),
          play.t === null || play.t === undefined
            ? null
            : h("p", { class: "quiet" }, t("page.play_time", { time: clock(play.t) })),
          play.confidence !== null && play.confidence !== undefined && play.by === "camera"
            ? h("p", { class: "quiet" }, t("page.confidence", { share: percent(play.confidence) }))
            : null,
          play.by === "person" && !play.picture ? h("p", { class: "quiet" }, t("page.by_person")) : null,
          review
            ? button(t("page.is_right"), () => choose(play.card), { icon: "check", kind: "primary" })
            : null,
        ),
      ),
      shown.opponent
        ? null
        : [
            shown.rules.bluff ? laidHow(shown, play, how, choose) : null,
            h("h3", null, t("page.was_other")),
            dialog.alternatives === null
              ? h("p", { class: "quiet waiting" }, t("page.loading"))
              : h(
                  "div",
                  { class: "likely" },
                  guesses.map((/** @type {any} */ one) =>
                    h(
                      "button",
                      {
                        key: one.card,
                        type: "button",
                        class: "hand-card small",
                        "data-card": one.card,
                        "aria-label": t("page.correct_to", { card: cardName(one.card) }),
                        onclick: () => choose(one.card),
                      },
                      face(one.card, { label: "" }),
                      one.probability ? h("small", null, percent(one.probability)) : null,
                    ),
                  ),
                ),
            dialog.alternatives !== null
              ? picker({
                  label: t("page.all_cards"),
                  allowed: (card) => legal.has(card) && !state.busy,
                  pick: choose,
                  ...typing(state),
                })
              : null,
          ],
    ),
    { wide: true, key: "play" },
  );
}

/**
 * How a card was laid, where a pişti can be claimed: face up, or face down and answered so.
 * @param {any} shown @param {any} play @param {string} how what is chosen @param {(card: string) => void} choose
 */
function laidHow(shown, play, how, choose) {
  // Of an accepted claim nobody but who laid it has seen the card.
  const card = how === "accepted" && play.seat !== shown.me ? "??" : play.card;
  const changed = how !== (play.claim ?? "open");
  return h(
    "div",
    { class: "laid-how", key: "how" },
    choice(
      t("page.laid_how"),
      [
        ["open", t("page.laid_open")],
        ["accepted", t("page.laid_accepted")],
        ["challenged", t("page.laid_challenged")],
      ],
      how,
      (value) => set({ dialog: { ...state.dialog, how: value } }),
    ),
    !changed
      ? null
      : card === "??" && how !== "accepted"
        ? h("p", { class: "quiet" }, t("page.laid_which"))
        : button(t("page.save"), () => choose(card), { kind: "primary", id: "save-how" }),
  );
}

/** Choose one card for the form of the next deal. @param {any} state */
function pickDialog(state) {
  const { dialog, draft } = state;
  const open = free(state);
  const title = dialog.purpose === "bottom" ? t("page.bottom") : t("page.centre_up");
  const pick = (/** @type {string} */ card) => {
    if (dialog.purpose === "top") game.nameTop(card);
    else setDraft(dialog.purpose === "centre" ? { centre: [...(draft.centre ?? []), card] } : { bottom: card });
    closeDialog();
  };
  return modal(
    title,
    closeDialog,
    [
      picker({
        label: title,
        allowed: (card) => open(card) && !(dialog.purpose !== "centre" && card.startsWith("J")),
        pick,
        ...typing(state),
      }),
      h("p", { class: "quiet" }, state.narrow ? t("page.entry_touch") : t("page.entry_keys")),
    ],
    { wide: true, key: "pick" },
  );
}

/** A card laid face down on a single card, and the answer to it. @param {any} state */
function claimDialog(state) {
  const { game: shown, dialog } = state;
  const legal = new Set(shown.legal);
  const answer = dialog.answer ?? "accepted";
  const mine = shown.turn === shown.me;
  const needsCard = answer === "challenged" || mine;
  const play = async (/** @type {string} */ card) => {
    if (await (shown.opponent ? game.claim(card) : game.play(card, answer))) closeDialog();
  };
  return modal(
    t("page.claim"),
    closeDialog,
    h(
      "div",
      null,
      h(
        "p",
        null,
        t("page.claim_said", { name: seatName(shown, shown.turn), card: cardName(shown.pile.top) }),
      ),
      shown.opponent
        ? null
        : choice(
            t("page.claim_answer"),
            [
              ["accepted", t("page.accepted")],
              ["challenged", t("page.challenged")],
            ],
            answer,
            (value) => showDialog({ ...dialog, answer: value }),
          ),
      needsCard
        ? [
            h("h3", null, t("page.which_card")),
            picker({
              label: t("page.which_card"),
              allowed: (card) => legal.has(card),
              pick: play,
              ...typing(state),
            }),
          ]
        : h(
            "div",
            { class: "row" },
            button(t("page.save"), () => play("??"), { kind: "primary" }),
          ),
    ),
    { wide: true, key: "claim" },
  );
}

/** A deal of which plays were missed, or that is given up. @param {any} state */
function endDialog({ game: shown, busy }) {
  const { played, all } = progress(shown);
  /** @param {boolean} keep @param {string} label @param {string} note @param {string} id */
  const way = (keep, label, note, id) =>
    h(
      "div",
      { class: "ending" },
      button(label, () => game.endDeal(keep), { disabled: busy, id }),
      h("p", { class: "quiet" }, note),
    );
  return modal(
    t("page.end_title"),
    closeDialog,
    [
      h("p", null, t("page.end_why", { played, all })),
      way(true, t("page.end_keep"), t("page.end_keep_note"), "end-keep"),
      way(false, t("page.end_again"), t("page.end_again_note"), "end-again"),
      h("footer", { class: "row" }, button(t("page.end_not"), closeDialog, { kind: "primary" })),
    ],
    { key: "end" },
  );
}

/** @param {any} state */
function removeDialog(state) {
  return modal(
    t("page.delete_game"),
    closeDialog,
    [
      h("p", null, t("page.delete_sure", { names: state.dialog.names })),
      h(
        "footer",
        { class: "row" },
        button(t("page.keep"), closeDialog),
        button(t("page.delete"), () => game.deleteGame(state.dialog.id), {
          kind: "danger",
          icon: "trash",
          id: "delete-sure",
        }),
      ),
    ],
    { key: "remove" },
  );
}
