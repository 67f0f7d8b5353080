/** A new game: who plays, by which rules. */

import { createGame } from "../actions/game.js";
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { setDraft, state } from "../store.js";
import { button, choice, select, textField } from "./ui.js";

/** House rules, in the order in which they are asked, with their names. */
const FIELDS = {
  bottom_card: "page.rule_bottom_card",
  jack_on_centre: "page.rule_jack_on_centre",
  centre_seen_by: "page.rule_centre_seen_by",
  last_play_pisti: "page.rule_last_play_pisti",
  double_pisti: "page.rule_double_pisti",
  jack_on_single: "page.rule_jack_on_single",
  ten_of_diamonds_bonus: "page.rule_ten_of_diamonds_bonus",
  majority_points: "page.rule_majority_points",
  no_capture_at_all: "page.rule_no_capture_at_all",
  win_by: "page.rule_win_by",
  bluff: "page.rule_bluff",
  bluff_jack_doubles: "page.rule_bluff_jack_doubles",
};
/** Words that values are written in. @type {Record<string, string>} */
const WORDS = {
  shown: "page.value_shown",
  hidden: "page.value_hidden",
  turn_next: "page.value_turn_next",
  bury: "page.value_bury",
  bottom: "page.value_bottom",
  first_capturer: "page.value_first_capturer",
  all: "page.value_all",
  nobody: "page.value_nobody",
  dealer: "page.value_dealer",
  allowed: "page.value_allowed",
  not: "page.value_not",
  on: "page.value_on",
  off: "page.value_off",
};
/** What a rule takes, where the server's list does not say. @type {Record<string, Array<string | number>>} */
const CHOICES = {
  bottom_card: ["shown", "hidden"],
  jack_on_centre: ["turn_next", "bury", "bottom"],
  centre_seen_by: ["first_capturer", "all", "nobody"],
  last_play_pisti: ["allowed", "not"],
  double_pisti: [20, 10, 0],
  jack_on_single: [0, 10],
  ten_of_diamonds_bonus: [0, 3],
  majority_points: [3, 2, 1, 0],
  no_capture_at_all: ["dealer", "nobody"],
  win_by: [0, 2, 5, 10],
  bluff: ["off", "on"],
  bluff_jack_doubles: ["off", "on"],
};
/** What the players of the computer are called here. @type {Record<string, string>} */
const LEVELS = { simple: "page.level_easy", advisor: "page.level_strong" };

/** @param {string} mode "hand" | "computer" | "watch" @returns {Object<string, any>} what is asked first */
export function freshDraft(mode) {
  const { settings } = state;
  const [preset, ...words] = String(settings.rules ?? "classic").split(" ");
  const said = Object.fromEntries(words.map((word) => word.split("=")));
  const usual = state.rules?.presets?.[preset]?.players ?? 2;
  const players = mode === "computer" || !settings.names?.length ? 2 : Number(said.players ?? usual);
  const names =
    mode === "computer" ? [settings.names?.[0] ?? "", t("page.computer")] : [...(settings.names ?? [])];
  const fields = Object.fromEntries(Object.entries(said).filter(([name]) => name in FIELDS));
  return {
    mode,
    preset,
    players,
    names,
    dealer: players - 1,
    me: 0,
    target: Number(said.target ?? 151),
    fields,
    level: null,
  };
}

/** @param {any} draft @returns {Object<string, any>} the game to ask the server for */
export function gameOf(draft) {
  const names = Array.from(
    { length: draft.players },
    (_, seat) => (draft.names[seat] ?? "").trim() || t("page.seat", { number: seat + 1 }),
  );
  return {
    rules: {
      preset: draft.preset,
      players: draft.players,
      target: Number(draft.target) || 151,
      ...draft.fields,
    },
    names,
    dealer: Math.min(draft.dealer, draft.players - 1),
    me: draft.me === null ? null : Math.min(draft.me, draft.players - 1),
    ...(draft.mode === "computer" ? { opponent: draft.level ?? state.opponents?.[0] } : {}),
  };
}

/** @param {any} state */
export function setupView(state) {
  const { draft } = state;
  if (!draft.mode)
    return h("main", { class: "page", id: "main" }, h("p", { class: "loading" }, t("page.loading")));
  return h(
    "main",
    { class: "page narrow", id: "main" },
    h("h1", null, draft.mode === "computer" ? t("page.start_computer") : t("page.start_hand")),
    h(
      "p",
      { class: "lead" },
      draft.mode === "computer" ? t("page.start_computer_note") : t("page.start_hand_note"),
    ),
    gameForm(state),
  );
}

/** The form of a new game, also the last step of watching a table. @param {any} state */
export function gameForm(state) {
  const { draft } = state;
  const computer = draft.mode === "computer";
  const seats = Array.from({ length: draft.players }, (_, seat) => seat);
  const name = (/** @type {number} */ seat) =>
    (draft.names[seat] ?? "").trim() || t("page.seat", { number: seat + 1 });
  return h(
    "form",
    {
      class: "panel form",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        createGame(gameOf(draft), draft.mode === "watch");
      },
    },
    choice(
      t("page.players"),
      (computer ? [2, 3, 4] : [2, 3, 4, 5, 6]).map((count) => [count, String(count)]),
      draft.players,
      (players) =>
        setDraft({
          players,
          dealer: players - 1,
          names: computer
            ? [
                draft.names[0] ?? "",
                ...Array.from({ length: players - 1 }, (_, n) =>
                  players > 2 ? `${t("page.computer")} ${n + 1}` : t("page.computer"),
                ),
              ]
            : draft.names,
        }),
    ),
    draft.players === 4 ? h("p", { class: "quiet" }, t("page.partners_note")) : null,
    nameFields(draft, seats, "name"),
    h(
      "div",
      { class: "pair" },
      computer
        ? null
        : select(
            t("page.me"),
            [
              ...seats.map((seat) => /** @type {[any, string]} */ ([seat, name(seat)])),
              ["", t("page.nobody")],
            ],
            draft.me ?? "",
            (me) => setDraft({ me: me === "" ? null : Number(me) }),
          ),
      select(
        t("page.first_dealer"),
        seats.map((seat) => [seat, name(seat)]),
        draft.dealer,
        (dealer) => setDraft({ dealer: Number(dealer) }),
      ),
    ),
    computer && state.opponents?.length > 1
      ? choice(
          t("page.level"),
          state.opponents.map((/** @type {string} */ level) => [
            level,
            LEVELS[level] ? t(LEVELS[level]) : level,
          ]),
          draft.level ?? state.opponents[0],
          (level) => setDraft({ level }),
        )
      : null,
    choice(
      t("page.rules"),
      [
        ["classic", t("page.rules_classic")],
        ["modern", t("page.rules_modern")],
      ],
      draft.preset,
      (preset) => setDraft({ preset, fields: {} }),
    ),
    h(
      "p",
      { class: "quiet" },
      draft.preset === "classic" ? t("page.rules_classic_note") : t("page.rules_modern_note"),
    ),
    choice(
      t("page.target"),
      [
        [101, "101"],
        [151, "151"],
        [201, "201"],
      ],
      Number(draft.target),
      (target) => setDraft({ target }),
    ),
    houseRules(state),
    h(
      "footer",
      { class: "row" },
      h(
        "button",
        { type: "submit", class: "button primary large", disabled: state.busy, id: "create-game" },
        h("span", null, t("page.begin")),
      ),
    ),
  );
}

/** @param {any} state */
function houseRules(state) {
  const { draft, rules } = state;
  const base = rules?.presets?.[draft.preset] ?? {};
  /** @param {any} value */
  const said = (value) => (value === true ? "on" : value === false ? "off" : value);
  return h(
    "details",
    { class: "house" },
    h("summary", null, t("page.house_rules")),
    h(
      "div",
      { class: "pairs" },
      Object.entries(FIELDS).map(([field, label]) => {
        const choices = CHOICES[field];
        const standard = said(base[field]);
        const usual = choices.includes(/** @type {never} */ (standard))
          ? standard
          : standard === "on"
            ? "allowed"
            : standard === "off"
              ? "not"
              : choices[0];
        const value = draft.fields[field] ?? usual;
        return select(
          t(label),
          choices.map((one) => [one, WORDS[one] ? t(WORDS[one]) : String(one)]),
          value,
          (text) => {
            const chosen = choices.find((one) => String(one) === text);
            const fields = { ...draft.fields, [field]: chosen };
            if (chosen === usual) delete fields[field];
            setDraft({ fields });
          },
        );
      }),
    ),
    button(t("page.house_reset"), () => setDraft({ fields: {} }), {
      kind: "small",
      disabled: !Object.keys(draft.fields).length,
    }),
  );
}

/**
 * The fields of the players' names.
 * @param {any} draft
 * @param {number[]} seats
 * @param {string} id what the fields' own names begin with
 */
export const nameFields = (draft, seats, id) =>
  h(
    "div",
    { class: "names" },
    seats.map((seat) =>
      textField(
        t("page.player_name", { number: seat + 1 }),
        draft.names[seat] ?? "",
        (text) => {
          const length = Math.max(draft.names.length, seats.length);
          const names = Array.from({ length }, (_, one) => draft.names[one] ?? "");
          names[seat] = text;
          setDraft({ names });
        },
        { placeholder: t("page.seat", { number: seat + 1 }), maxlength: 40, id: `${id}-${seat}` },
      ),
    ),
  );
