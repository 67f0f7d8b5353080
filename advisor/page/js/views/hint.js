/** The hint: the best card, then why. */

import { advise, hasNoChoice, needsTop, wantsAdvice } from "../actions/game.js";
import { changeSettings } from "../actions/settings.js";
import { face, mini } from "../cards.js";
import { h } from "../dom.js";
import { cardName, number, percent, points, seatName, t } from "../i18n.js";
import { set } from "../store.js";
import { button, panel } from "./ui.js";

/** @param {any} state */
export function hintPanel(state) {
  const hints = state.settings.hints !== false;
  const tools = [
    button(hints ? t("page.hide_hints") : t("page.show_hints"), () => changeSettings({ hints: !hints }), {
      icon: hints ? "hidden" : "eye",
      kind: "small",
      pressed: !hints,
      id: "toggle-hints",
    }),
  ];
  return panel(t("page.hint"), hints ? content(state) : h("p", { class: "quiet" }, t("page.hints_hidden")), {
    class: "hint-panel",
    tools,
    key: "hint",
  });
}

/** @param {any} state */
function content(state) {
  const { game, advice } = state;
  if (!wantsAdvice(game)) {
    const said =
      game.turn !== game.me
        ? t("page.hint_waits", { name: seatName(game, game.turn) })
        : needsTop(game)
          ? t("page.hint_needs_top")
          : hasNoChoice(game)
            ? t("page.hint_only")
            : t("page.hint_needs_hand");
    return h("p", { class: "quiet" }, said);
  }
  if (state.adviceFault) {
    return h(
      "div",
      null,
      h("p", { class: "quiet" }, state.adviceFault),
      button(t("page.again"), advise, { kind: "small" }),
    );
  }
  if (!advice) return h("p", { class: "quiet waiting" }, t("page.hint_thinking"));
  const stepwise = state.settings.two_step && !state.why;
  const best = advice.moves.find((/** @type {any} */ move) => isBest(advice, move));
  if (!advice.best) {
    return h(
      "div",
      { class: "hint" },
      h(
        "p",
        { class: "hint-play", id: "hint-best" },
        t(advice.challenge ? "advise.challenge" : "advise.accept"),
      ),
      stepwise ? button(t("page.why"), () => set({ why: true }), { kind: "primary", id: "why" }) : null,
      stepwise ? null : reasons(advice),
    );
  }
  const words = advice.claim
    ? t("page.hint_claim", { card: cardName(advice.best) })
    : t("page.hint_play", { card: cardName(advice.best) });
  return h(
    "div",
    { class: "hint" },
    h(
      "div",
      { class: "hint-best" },
      face(advice.best, { key: advice.best, class: "hint-card", label: "" }),
      h(
        "div",
        { class: "hint-words" },
        h("p", { class: "hint-play", id: "hint-best" }, words),
        stepwise || !best ? null : figures(best),
        stepwise ? button(t("page.why"), () => set({ why: true }), { kind: "primary", id: "why" }) : null,
      ),
    ),
    stepwise ? null : reasons(advice),
    stepwise ? null : bars(advice),
    stepwise
      ? null
      : h(
          "p",
          { class: "fine" },
          advice.exact ? t("page.exact") : t("page.sampled", { count: advice.limit?.samples ?? 0 }),
        ),
  );
}

/** Whether *move* is the best: the same card can be laid openly or as a claim. @param {any} advice @param {any} move */
const isBest = (advice, move) => move.card === advice.best && Boolean(move.claim) === Boolean(advice.claim);

/** @param {any} advice */
const reasons = (advice) =>
  h(
    "ul",
    { class: "why", id: "why-list" },
    advice.why.map((/** @type {string} */ line, /** @type {number} */ n) => h("li", { key: n }, line)),
  );

/** @param {any} move */
function figures(move) {
  return h(
    "dl",
    { class: "figures" },
    h(
      "div",
      null,
      h("dt", null, t("page.expected")),
      h(
        "dd",
        null,
        points(move.points),
        h("small", null, ` ± ${number(2 * move.stderr, { maximumFractionDigits: 1 })}`),
      ),
    ),
    h("div", null, h("dt", null, t("page.win_chance")), h("dd", null, percent(move.win))),
    h(
      "div",
      null,
      h("dt", null, t("page.risk")),
      h(
        "dd",
        null,
        percent(move.risk.captured),
        move.risk.pisti >= 0.005
          ? h("small", null, ` ${t("page.risk_pisti", { share: percent(move.risk.pisti) })}`)
          : null,
      ),
    ),
  );
}

/** All moves as bars on one scale, with what is unsure about them. @param {any} advice */
function bars(advice) {
  const moves = [...advice.moves].sort((a, b) => b.points - a.points);
  const low = Math.min(0, ...moves.map((move) => move.points - 2 * move.stderr));
  const high = Math.max(0, ...moves.map((move) => move.points + 2 * move.stderr));
  const span = high - low || 1;
  /** @param {number} value */
  const at = (value) => (100 * (value - low)) / span;
  return h(
    "ol",
    { class: "bars", "aria-label": t("page.all_moves") },
    moves.map((move) => {
      const [from, to] = move.points < 0 ? [at(move.points), at(0)] : [at(0), at(move.points)];
      const risk = t("page.risk_said", { share: percent(move.risk.captured) });
      return h(
        "li",
        { key: `${move.card}${move.claim ? "-claim" : ""}`, class: isBest(advice, move) ? "best" : "" },
        h(
          "span",
          null,
          mini(move.card),
          move.claim
            ? h(
                "small",
                { title: t("page.claim") },
                " ⇩",
                h("span", { class: "for-readers" }, t("page.claim")),
              )
            : null,
        ),
        h(
          "span",
          {
            class: "bar",
            "aria-hidden": "true",
            style: {
              "--from": `${from}%`,
              "--to": `${to}%`,
              "--zero": `${at(0)}%`,
              "--low": `${at(move.points - 2 * move.stderr)}%`,
              "--high": `${at(move.points + 2 * move.stderr)}%`,
            },
          },
          h("i", { class: "bar-fill" }),
          h("i", { class: "bar-zero" }),
          h("i", { class: "bar-doubt" }),
        ),
        h("b", null, points(move.points)),
        h(
          "small",
          { title: risk },
          percent(move.risk.captured),
          h("span", { class: "for-readers" }, `, ${risk}`),
        ),
      );
    }),
  );
}
