/** The settings. */

import { closeDialog } from "../actions/common.js";
import { changeSettings } from "../actions/settings.js";
import { h } from "../dom.js";
import { LANGUAGES, t } from "../i18n.js";
import { setPrefs } from "../prefs.js";
import { choice, modal, select, toggle } from "./ui.js";

/** @param {any} state */
export function settingsDialog(state) {
  const { settings, prefs } = state;
  return modal(
    t("page.settings"),
    closeDialog,
    h(
      "div",
      { class: "settings" },
      select(
        t("page.language"),
        LANGUAGES.map(([code, name]) => [code, name]),
        state.language,
        (language) => changeSettings({ language }),
      ),
      choice(
        t("page.theme"),
        [
          ["system", t("page.theme_auto")],
          ["light", t("page.theme_light")],
          ["dark", t("page.theme_dark")],
          ["contrast", t("page.theme_contrast")],
        ],
        settings.theme ?? "system",
        (theme) => changeSettings({ theme }),
      ),
      toggle(
        t("page.four_colours"),
        prefs.fourColours,
        (fourColours) => setPrefs({ fourColours }),
        t("page.four_colours_note"),
      ),
      toggle(t("page.sounds"), settings.sound !== false, (sound) => changeSettings({ sound })),
      toggle(t("page.hints"), settings.hints !== false, (hints) => changeSettings({ hints })),
      toggle(
        t("page.two_step"),
        Boolean(settings.two_step),
        (two_step) => changeSettings({ two_step }),
        t("page.two_step_note"),
      ),
      toggle(
        t("page.single_keys"),
        prefs.shortcuts,
        (shortcuts) => setPrefs({ shortcuts }),
        t("page.single_keys_note"),
      ),
      toggle(
        t("page.record_frames"),
        Boolean(settings.record_frames),
        (record_frames) => changeSettings({ record_frames }),
        t("page.record_frames_note"),
      ),
    ),
    { key: "settings" },
  );
}
