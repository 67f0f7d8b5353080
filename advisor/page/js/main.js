/** The beginning: read the settings, open the line to the server, draw the page at every change. */

import { refresh, showNotice, takeHint, takeTotals, openGame, loadHistory } from "./actions/game.js";
import { listenForFiles, loadJob, loadJobs, takeJob } from "./actions/recordings.js";
import { loadSettings, takeSettings } from "./actions/settings.js";
import { loadSources } from "./actions/sources.js";
import { get } from "./api.js";
import { patch } from "./dom.js";
import { listen } from "./keys.js";
import { loadPrefs } from "./prefs.js";
import { connect } from "./socket.js";
import { wakeSound } from "./sound.js";
import { set, state, subscribe } from "./store.js";
import { freshDraft } from "./views/setup.js";
import { pageView } from "./views/shell.js";

const root = /** @type {HTMLElement} */ (document.getElementById("page"));

/** Go where the address says. */
async function route() {
  const [view = "", id = null] = location.hash.replace(/^#\/?/, "").split("/");
  const known = ["game", "new", "watch", "recordings", "history"].includes(view) ? view : "start";
  const moved = known !== state.route.view || id !== state.route.id;
  set({
    route: { view: known, id },
    dialog: null,
    typed: null,
    toast: moved ? null : state.toast,
    phonePane: "table",
    why: false,
  });
  if (moved) scrollTo({ top: 0 });
  if (known === "game" && id) await Promise.all([openGame(id), loadGround()]);
  if (known === "start" || known === "history") await loadHistory();
  if (known === "new" || known === "watch") {
    await loadGround();
    set({ draft: freshDraft(known === "watch" ? "watch" : (id ?? "hand")), step: 0 });
  }
  if (known === "watch") await loadSources();
  if (known === "recordings") {
    // Who played in a recording is another matter than who plays here.
    set({ draft: { ...freshDraft("hand"), names: [], dealer: null } });
    await loadJobs();
  }
}

/** What a new game is chosen from: the rules there are, and who can be played against. */
async function loadGround() {
  if (state.rules) return;
  const [rules, health] = await Promise.all(
    [get("/rules"), get("/health")].map((answer) => answer.catch(() => null)),
  );
  set({ rules, opponents: health?.opponents ?? [] });
}

/** @param {{type: string, data: any}} event what the server tells */
function take(event) {
  const { type, data } = event;
  if (type === "state") {
    showNotice(data);
    takeTotals(data);
  } else if (type === "advice") takeHint(data);
  else if (type === "camera") set({ camera: data });
  else if (type === "settings") takeSettings(data);
  else if (type === "job") {
    takeJob(data);
    if (data.status === "done" && !data.result) loadJob(data.job);
  }
}

async function begin() {
  loadPrefs();
  wakeSound();
  listen();
  listenForFiles();
  subscribe((now) => patch(root, pageView(now)));
  const narrow = matchMedia("(max-width: 700px)");
  narrow.addEventListener("change", () => set({ narrow: narrow.matches }));
  set({ narrow: narrow.matches });
  // The server may be on its way up: ask until it answers.
  for (let pause = 250; ; pause = Math.min(4000, pause * 2)) {
    try {
      await loadSettings();
      break;
    } catch {
      await new Promise((done) => setTimeout(done, pause));
    }
  }
  addEventListener("hashchange", route);
  const line = connect(take, (connection) => {
    const back = connection === "open" && state.connection === "closed";
    set({ connection });
    if (!back) return;
    refresh();
    if (state.route.view === "watch") loadSources();
  });
  addEventListener("online", line.retry);
  document.addEventListener("visibilitychange", () => !document.hidden && line.retry());
  await route();
}

begin();
