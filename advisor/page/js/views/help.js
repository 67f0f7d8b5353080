/** The help: what the keys do (from the table that also makes them work), and how to begin. */

import { closeDialog } from "../actions/common.js";
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { SHORTCUTS } from "../keys.js";
import { modal } from "./ui.js";

export function helpDialog() {
  return modal(
    t("page.help"),
    closeDialog,
    h(
      "div",
      { class: "help" },
      h(
        "section",
        null,
        h("h3", null, t("page.help_start")),
        h(
          "ol",
          null,
          [t("page.help_one"), t("page.help_two"), t("page.help_three")].map((line, n) =>
            h("li", { key: n }, line),
          ),
        ),
      ),
      h(
        "section",
        null,
        h("h3", null, t("page.keys")),
        h(
          "dl",
          { class: "keys" },
          SHORTCUTS.map((shortcut) =>
            h(
              "div",
              { key: shortcut.label },
              h(
                "dt",
                null,
                shortcut.keys.map((key) =>
                  h(
                    "kbd",
                    { key },
                    KEY_NAMES[key] ? t(KEY_NAMES[key]) : key.length === 1 ? key.toUpperCase() : key,
                  ),
                ),
              ),
              h("dd", null, t(shortcut.label)),
            ),
          ),
        ),
      ),
      h("section", null, h("h3", null, t("page.fair")), h("p", null, t("page.fair_note"))),
      h("section", null, h("h3", null, t("page.privacy")), h("p", null, t("page.privacy_note"))),
    ),
    { wide: true, key: "help" },
  );
}

/** @type {Record<string, string>} */
const KEY_NAMES = { " ": "page.space_key", Escape: "page.escape_key" };
