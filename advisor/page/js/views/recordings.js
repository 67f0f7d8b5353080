/** Recordings: choose a file, watch it being read, look at the result. */

import { cancelJob, MOST_NAMED, openJob, readPath, stopSending, takeFiles } from "../actions/recordings.js";
import { mini } from "../cards.js";
import { h } from "../dom.js";
import { clock, number, percent, t } from "../i18n.js";
import { icon } from "../icons.js";
import { setDraft } from "../store.js";
import { nameFields } from "./setup.js";
import { nameList } from "./start.js";
import { button, choice, select, textField } from "./ui.js";

/** @param {any} state */
export function recordingsView(state) {
  const jobs = Object.values(state.jobs).reverse();
  return h(
    "main",
    {
      class: `page narrow ${state.dragging && !state.sending ? "dragging" : ""}`,
      id: "main",
    },
    h("h1", null, t("page.start_recording")),
    h("p", { class: "lead" }, t("page.recording_note")),
    h(
      "section",
      { class: "panel", key: "choose", "aria-label": t("page.choose_file") },
      state.sending ? sendingRow(state.sending) : [about(state), drop()],
      byPath(state),
    ),
    jobs.map((job) => jobPanel(state, job)),
  );
}

/** What the reader must know of the game: it cannot see the rules, nor who plays. @param {any} state */
function about(state) {
  const { draft } = state;
  return h(
    "div",
    { class: "about", key: "about" },
    h("div", { class: "row" }, ruleChoices(draft)),
    people(draft),
  );
}

/** @param {any} draft */
function people(draft) {
  const seats = Array.from({ length: draft.recorded || MOST_NAMED }, (_, seat) => seat);
  const unnamed = (/** @type {number} */ seat) => t("page.seat", { number: seat + 1 });
  return [
    nameFields(draft, seats, "recorded-name"),
    h("p", { class: "fine" }, t("page.names_order")),
    select(
      t("page.first_dealer"),
      [
        ["", t("page.dealer_last")],
        ...seats.map((seat) => /** @type {[any, string]} */ ([seat, (draft.names[seat] ?? "").trim() || unnamed(seat)])),
      ],
      draft.dealer ?? "",
      (dealer) => setDraft({ dealer: dealer === "" ? null : Number(dealer) }),
    ),
  ];
}

/** @param {any} draft */
function ruleChoices(draft) {
  return [
    choice(
      t("page.players"),
      [[0, t("page.players_seen")], ...[2, 3, 4, 5, 6].map((count) => [count, String(count)])],
      draft.recorded ?? 0,
      (recorded) =>
        setDraft({
          recorded,
          dealer: draft.dealer !== null && draft.dealer < (recorded || MOST_NAMED) ? draft.dealer : null,
        }),
    ),
    choice(
      t("page.rules"),
      [
        ["classic", t("page.rules_classic")],
        ["modern", t("page.rules_modern")],
      ],
      draft.preset,
      (preset) => setDraft({ preset }),
    ),
  ];
}

function drop() {
  return h(
    "label",
    { class: "drop", key: "drop" },
    icon("film"),
    h("b", null, t("page.choose_file")),
    h("small", null, t("page.drop_file")),
    h("input", {
      type: "file",
      accept: "video/*,.mp4,.mkv,.mov,.avi,.webm",
      class: "for-readers",
      id: "recording-file",
      onchange: (/** @type {any} */ event) => takeFiles(event.target.files),
    }),
  );
}

/** @param {{name: string, share: number}} sending */
function sendingRow(sending) {
  return h(
    "div",
    { class: "job", key: "sending" },
    h("p", null, t("page.sending", { name: sending.name })),
    bar(sending.share, sending.name),
    button(t("page.cancel"), stopSending, { kind: "small" }),
  );
}

/** @param {any} state */
function byPath(state) {
  return h(
    "details",
    { key: "path" },
    h("summary", null, t("page.by_path")),
    h(
      "form",
      {
        class: "row",
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          if (state.draft.path) readPath(state.draft.path);
        },
      },
      textField(t("page.path"), state.draft.path ?? "", (path) => setDraft({ path }), {
        placeholder: "/home/…/game.mp4",
        id: "recording-path",
      }),
      h(
        "button",
        { type: "submit", class: "button", disabled: state.busy || !state.draft.path, id: "read-path" },
        h("span", null, t("page.read")),
      ),
    ),
  );
}

/** @param {number} share @param {string} label */
const bar = (share, label) =>
  h("progress", { max: "1", value: String(share), "aria-label": label }, percent(share));

/** @param {any} state @param {any} job */
function jobPanel(state, job) {
  const name =
    job.name ??
    String(job.source ?? job.path ?? job.job)
      .split(/[\\/]/)
      .pop();
  const running = ["queued", "waiting", "running"].includes(job.status);
  return h(
    "section",
    { class: "panel job", key: job.job, "aria-label": name },
    h(
      "header",
      { class: "panel-head" },
      h("h2", null, name),
      running
        ? button(t("page.cancel"), () => cancelJob(job.job), { kind: "small", icon: "close" })
        : button(t("page.remove"), () => cancelJob(job.job), { kind: "small", icon: "trash", quiet: true }),
    ),
    running
      ? [
          bar(job.progress ?? 0, name),
          h(
            "p",
            { class: "quiet" },
            percent(job.progress ?? 0),
            job.eta === null || job.eta === undefined ? "" : ` · ${t("page.eta", { time: clock(job.eta) })}`,
          ),
        ]
      : null,
    job.error ? h("p", { class: "wrong" }, job.error) : null,
    job.status === "cancelled" ? h("p", { class: "quiet" }, t("page.cancelled")) : null,
    job.result ? result(state, job) : null,
  );
}

/** @param {any} state @param {any} job */
function result(state, job) {
  const { score, record, review } = job.result;
  const plays = score.deals.reduce(
    (/** @type {number} */ sum, /** @type {any} */ deal) => sum + deal.plays.length,
    0,
  );
  return h(
    "div",
    { class: "result" },
    h(
      "p",
      { class: "result-score" },
      h("span", null, nameList({ ...record, names: record.names ?? [], totals: score.totals })),
      h("b", null, score.totals.map((/** @type {number} */ total) => number(total)).join(" : ")),
    ),
    h(
      "p",
      { class: "quiet" },
      t("page.plays_found", { count: plays }),
      ". ",
      review.length ? t("page.to_check", { count: review.length }) : t("page.nothing_to_check"),
    ),
    review.length
      ? h(
          "ul",
          { class: "review-list" },
          review
            .slice(0, 8)
            .map((/** @type {any} */ one, /** @type {number} */ n) =>
              h(
                "li",
                { key: n },
                h("span", { class: "play-time" }, clock(one.t)),
                mini(one.read),
                one.alternatives.length
                  ? [
                      h("span", { class: "quiet" }, t("page.or_perhaps")),
                      one.alternatives.slice(0, 3).map((/** @type {string} */ card) => mini(card)),
                    ]
                  : null,
              ),
            ),
        )
      : null,
    button(t("page.open_as_game"), () => openJob(job.job), { kind: "primary", disabled: state.busy }),
  );
}
