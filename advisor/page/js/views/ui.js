/** Parts that all views are made of. */

import { closeToast } from "../actions/common.js";
import { mini, rankOf, RANKS, suitOf, SUITS, suitShape } from "../cards.js";
import { h } from "../dom.js";
import { cardName, rankName, suitName, t } from "../i18n.js";
import { icon } from "../icons.js";
import { state } from "../store.js";

/**
 * A button with an icon, a text, or both.
 * @param {string} label
 * @param {() => void} act
 * @param {{icon?: any, kind?: string, quiet?: boolean, disabled?: boolean, key?: any, pressed?: boolean, title?: string, id?: string}} [options]
 *   `quiet` shows the icon alone; the label is then read out and shown on hovering
 */
export function button(label, act, options = {}) {
  const bare = Boolean(options.quiet && options.icon);
  return h(
    "button",
    {
      key: options.key,
      id: options.id,
      type: "button",
      class: `button ${options.kind ?? ""} ${bare ? "bare" : ""}`,
      disabled: options.disabled ?? false,
      "aria-label": bare ? label : undefined,
      "aria-pressed": options.pressed === undefined ? undefined : String(options.pressed),
      title: options.title ?? (bare ? label : undefined),
      onclick: act,
    },
    options.icon ? icon(options.icon) : null,
    bare ? null : h("span", null, label),
  );
}

/**
 * One of a few choices, as a row of buttons.
 * @param {string} label what is chosen
 * @param {Array<[any, any]>} choices [value, text or node]
 * @param {any} value
 * @param {(value: any) => void} choose
 * @param {{hideLabel?: boolean}} [options]
 */
export function choice(label, choices, value, choose, options = {}) {
  return h(
    "fieldset",
    { class: "choice" },
    h("legend", { class: options.hideLabel ? "for-readers" : "" }, label),
    h(
      "div",
      { class: "choices" },
      choices.map(([option, text]) =>
        h(
          "button",
          {
            key: String(option),
            type: "button",
            class: "choice-button",
            "aria-pressed": String(option === value),
            onclick: () => choose(option),
          },
          text,
        ),
      ),
    ),
  );
}

/**
 * A switch with its text.
 * @param {string} label
 * @param {boolean} on
 * @param {(on: boolean) => void} change
 * @param {string} [note]
 */
export function toggle(label, on, change, note) {
  return h(
    "label",
    { class: "toggle" },
    h("input", {
      type: "checkbox",
      role: "switch",
      checked: on,
      onchange: (/** @type {any} */ event) => change(event.target.checked),
    }),
    h("span", { class: "toggle-text" }, h("span", null, label), note ? h("small", null, note) : null),
  );
}

/**
 * A labelled field of text.
 * @param {string} label
 * @param {string} value
 * @param {(text: string) => void} change
 * @param {Object<string, any>} [props]
 */
export function textField(label, value, change, props = {}) {
  return h(
    "label",
    { class: "field" },
    h("span", null, label),
    h("input", {
      type: "text",
      autocomplete: "off",
      spellcheck: "false",
      value,
      oninput: (/** @type {any} */ event) => change(event.target.value),
      ...props,
    }),
  );
}

/**
 * A labelled list to choose from.
 * @param {string} label
 * @param {Array<[any, string]>} options
 * @param {any} value
 * @param {(value: string) => void} change
 */
export function select(label, options, value, change) {
  return h(
    "label",
    { class: "field" },
    h("span", null, label),
    h(
      "select",
      { value: String(value), onchange: (/** @type {any} */ event) => change(event.target.value) },
      options.map(([option, text]) => h("option", { key: String(option), value: String(option) }, text)),
    ),
  );
}

/**
 * Choose cards out of all 52: a grid of suits by ranks where there is room, rank then suit on a phone.
 * @param {{allowed: (card: string) => boolean, chosen?: string[], pick: (card: string) => void,
 *   narrow: boolean, typed: string | null, type: (rank: string | null) => void, label: string}} options
 */
export function picker(options) {
  const chosen = options.chosen ?? [];
  /** @param {string} card @param {any} text */
  const cell = (card, text) =>
    h(
      "button",
      {
        key: card,
        type: "button",
        class: `pick suit-${suitOf(card)}`,
        disabled: !options.allowed(card),
        "aria-label": cardName(card),
        "aria-pressed": chosen.length ? String(chosen.includes(card)) : undefined,
        "data-card": card,
        onclick: () => options.pick(card),
      },
      text,
    );
  if (!options.narrow) {
    return h(
      "div",
      { class: "picker", role: "group", "aria-label": options.label },
      SUITS.map((suit) =>
        h(
          "div",
          { class: "picker-row", key: suit },
          h(
            "span",
            { class: `picker-suit suit-${suit}`, title: suitName(suit) },
            suitShape(suit),
            h("small", null, suit),
          ),
          RANKS.map((rank) =>
            cell(rank + suit, h("b", { class: rank === options.typed ? "typed" : "" }, rank)),
          ),
        ),
      ),
    );
  }
  const rank = options.typed;
  return h(
    "div",
    { class: "picker picker-narrow", role: "group", "aria-label": options.label },
    h(
      "div",
      { class: "picker-ranks" },
      RANKS.map((one) =>
        h(
          "button",
          {
            key: one,
            type: "button",
            class: "pick",
            "aria-pressed": String(one === rank),
            "aria-label": rankName(one),
            "data-rank": one,
            disabled: !SUITS.some((suit) => options.allowed(one + suit)),
            onclick: () => options.type(one === rank ? null : one),
          },
          h("b", null, one),
        ),
      ),
    ),
    h(
      "div",
      { class: "picker-suits" },
      SUITS.map((suit) =>
        rank
          ? cell(rank + suit, mini(rank + suit))
          : h(
              "button",
              {
                key: suit,
                type: "button",
                class: `pick suit-${suit}`,
                disabled: true,
                "aria-label": suitName(suit),
              },
              suitShape(suit),
            ),
      ),
    ),
  );
}

/**
 * A dialog that opens as it is drawn.
 * @param {string} title
 * @param {() => void} close
 * @param {any} content
 * @param {{wide?: boolean, key?: string}} [options]
 */
export function modal(title, close, content, options = {}) {
  return h(
    "dialog",
    {
      key: `dialog-${options.key ?? title}`,
      class: options.wide ? "wide" : "",
      "aria-labelledby": "dialog-title",
      created: (/** @type {HTMLDialogElement} */ element) => element.isConnected && element.showModal(),
      removed: (/** @type {HTMLDialogElement} */ element) => element.open && element.close(),
      oncancel: (/** @type {Event} */ event) => {
        event.preventDefault();
        close();
      },
      onclick: (/** @type {any} */ event) => event.target.localName === "dialog" && close(),
    },
    h(
      "div",
      { class: "dialog-body" },
      h(
        "header",
        null,
        h("h2", { id: "dialog-title", tabindex: "-1" }, title),
        button(t("page.close"), close, { icon: "close", quiet: true, kind: "plain" }),
      ),
      content,
    ),
    toast(state),
  );
}

/** @param {string} name @param {any} content @param {{class?: string, tools?: any, key?: string}} [options] a panel of the page */
export function panel(name, content, options = {}) {
  return h(
    "section",
    { key: options.key, class: `panel ${options.class ?? ""}`, "aria-label": name },
    h(
      "header",
      { class: "panel-head" },
      h("h2", null, name),
      options.tools ? h("div", { class: "tools" }, options.tools) : null,
    ),
    content,
  );
}

/** @param {string} card @returns {string} for sorting: rank before suit */
export const order = (card) =>
  String(100 * RANKS.indexOf(rankOf(card)) + SUITS.indexOf(suitOf(card))).padStart(4, "0");

/** What the program has to say; over a dialog it must stand in the dialog. @param {any} now */
export function toast(now) {
  return h(
    "div",
    { class: "toasts", key: "toasts", role: "alert" },
    now.toast
      ? h(
          "div",
          { class: `toast ${now.toast.kind}`, key: now.toast.text },
          h("span", null, now.toast.text),
          button(t("page.close"), closeToast, { icon: "close", quiet: true, kind: "plain" }),
        )
      : null,
  );
}
