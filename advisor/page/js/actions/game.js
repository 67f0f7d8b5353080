/** Playing: everything that changes the game on the page. */

import { get, post, Problem, put, remove } from "../api.js";
import { changes, follow } from "../changes.js";
import { cardName, t } from "../i18n.js";
import { setPrefs } from "../prefs.js";
import { sound } from "../sound.js";
import { set, state } from "../store.js";
import { changeSettings } from "./settings.js";
import { announce, attempt, closeDialog, go, isOpen, tell } from "./common.js";
import { watchGame } from "./sources.js";

/** @type {AbortController | null} */
let asking = null;

/** The hint that the server told last, by itself. @type {any} */
let told = null;

/** The best card as it was said to screen readers. @type {string | null} */
let saidBest = null;

/**
 * Show the game in the state *game*, telling what is new.
 * @param {any} game
 * @param {boolean} [changed] whether the game has changed just now: then the server tells the hint by itself
 */
export function showGame(game, changed = true) {
  if (!isOpen(game)) return;
  const before = state.game;
  // Answers and events cross on their way: an older state never replaces a newer one.
  if (before?.game === game.game && game.revision < before.revision) return;
  const moved = before?.game !== game.game || before.revision !== game.revision;
  const turned = before?.game !== game.game || position(before) !== position(game);
  set({
    game,
    ...(game.camera ? { camera: game.camera } : {}),
    ...(turned ? { why: false, typed: null } : {}),
  });
  if (before?.game === game.game && moved) {
    const { said, tune, cut } = changes(before, game);
    if (cut) tell(t("page.camera_next"));
    if (said.length) announce(said.join(" "));
    if (tune) sound(tune);
  }
  if (turned || !wantsAdvice(game)) {
    asking?.abort();
    saidBest = null;
    set({ advice: null, adviceFault: null });
  }
  if (!takeTold() && !changed && !state.advice) advise();
}

/**
 * Show what a notice says of the game; where something between is missing, ask for all of it.
 * @param {any} notice
 */
export function showNotice(notice) {
  if (!isOpen(notice)) return;
  const game = follow(state.game, notice);
  if (game) showGame(game);
  else refresh();
}

/** What advice depends on: the camera may be surer of a play without a change of the game. @param {any} game */
const position = (game) =>
  JSON.stringify([
    game.deal,
    game.turn,
    game.centre,
    game.bottom,
    game.claim,
    game.hands[game.me]?.cards,
    game.score.totals,
    game.plays.filter((/** @type {any} */ play) => play.deal === game.deal).map((play) => [play.card, play.claim]),
  ]);

/** Whether the card that lies face up as the deal begins is still to be named. @param {any} game */
export const needsTop = (game) =>
  ["playing", "waiting"].includes(game.phase) &&
  game.centre[game.centre.length - 1] === "??" &&
  !game.plays.some((/** @type {any} */ play) => play.deal === game.deal);

/** The cards of my hand, as far as they are known. @param {any} game */
const myCards = (game) => game.hands?.find((/** @type {any} */ one) => one.seat === game.me)?.cards;

/** Whether I am on turn with one card, so that there is nothing to choose. @param {any} game */
export const hasNoChoice = (game) =>
  game.phase === "playing" &&
  game.turn === game.me &&
  !game.claim &&
  !game.may_claim &&
  myCards(game)?.length === 1;

/** Whether there is advice for what the page shows. @param {any} game */
export function wantsAdvice(game) {
  if (!game || game.phase !== "playing" || game.me === null || game.turn !== game.me) return false;
  if (state.settings.hints === false) return false;
  if (needsTop(game) || hasNoChoice(game)) return false;
  const cards = myCards(game);
  return Boolean(cards?.length) && !cards.includes("??");
}

/** Show the advice for the state shown: as the server told it, or else as it answers. */
export async function advise() {
  asking?.abort();
  const game = state.game;
  set({ advice: null, adviceFault: null });
  if (takeTold() || !wantsAdvice(game)) return;
  const asked = new AbortController();
  asking = asked;
  try {
    const query = `?seat=${game.me}&language=${state.language}`;
    const advice = await get(`/games/${game.game}/advice${query}`, { signal: asked.signal });
    if (!asked.signal.aborted) takeAdvice(advice, true);
  } catch (fault) {
    if (asked.signal.aborted) return;
    if (fault instanceof Problem && fault.status === 429) {
      // Many ask at once. The hint is thought of all the same; it is asked for again in a moment.
      setTimeout(() => asked === asking && !asked.signal.aborted && advise(), 1000);
      return;
    }
    set({ adviceFault: fault instanceof Problem ? fault.message : t("page.unreachable") });
  }
}

/** @param {any} hint what the server tells of a game: its advice, or that it has none */
export function takeHint(hint) {
  told = hint;
  takeTold();
}

/** Show what the server told, where it is for the state shown; return whether it is. */
function takeTold() {
  const { game } = state;
  if (told?.game !== game?.game || told?.revision !== game?.revision || !wantsAdvice(game)) return false;
  asking?.abort();
  if (told.advice) takeAdvice({ ...told.advice, why: told.why[state.language] }, told.final);
  else set({ advice: null, adviceFault: t("page.hint_failed") });
  return true;
}

/** @param {any} advice @param {boolean} final whether no better one follows */
function takeAdvice(advice, final) {
  set({ advice, adviceFault: null });
  if (!final || !advice.best || saidBest === advice.best || state.settings.two_step) return;
  saidBest = advice.best;
  announce(t("page.hint_said", { card: cardName(advice.best) }));
}

/** @param {string} id */
export async function openGame(id) {
  if (state.game?.game !== id) set({ game: null, advice: null, pane: "plays" });
  const game = await attempt(() => get(`/games/${id}/state?language=${state.language}`));
  if (game) {
    setPrefs({ game: id });
    showGame(game, false);
  } else if (!state.game) go("");
}

/** Fetch the state anew; for when events may have been missed. */
export async function refresh() {
  if (state.route.view !== "game") return;
  try {
    showGame(await get(`/games/${state.route.id}/state?language=${state.language}`), false);
  } catch (fault) {
    if (fault instanceof Problem && fault.status === 404) go("");
  }
}

/**
 * Change the game; when somebody else was first, show what they did instead.
 * @param {(id: string) => Promise<any>} work
 * @param {() => boolean} [stands] whether the change means the same after what they did: then it is made once more
 * @returns {Promise<boolean>}
 */
async function change(work, stands = () => false) {
  const id = state.game.game;
  set({ busy: true });
  try {
    const game = await work(id);
    if (game?.phase) showGame(game);
    return true;
  } catch (fault) {
    if (fault instanceof Problem && fault.status === 409) {
      await refresh();
      if (stands()) return change(work);
    }
    if (!(fault instanceof Problem)) tell(t("page.unreachable"), "fault");
    else {
      tell(fault.message, "fault");
      sound("warning");
    }
    return false;
  } finally {
    set({ busy: false });
  }
}

/** @param {string} card @param {"accepted" | "challenged"} [claim] */
export const play = (card, claim) =>
  change((id) =>
    post(`/games/${id}/plays`, { card, revision: state.game.revision, ...(claim ? { claim } : {}) }),
  );

/** Lays a card face down against the computer, which answers. @param {string} card */
export const claim = (card) =>
  change((id) => post(`/games/${id}/claims`, { card, revision: state.game.revision }));

/** @param {"accepted" | "challenged"} said */
export const answer = (said) =>
  change((id) => post(`/games/${id}/claims/answer`, { claim: said, revision: state.game.revision }));

export const undo = () => change((id) => post(`/games/${id}/undo`, { revision: state.game.revision }));
export const redo = () => change((id) => post(`/games/${id}/redo`, { revision: state.game.revision }));

/**
 * @param {number} deal @param {number} number @param {string} card
 * @param {"open" | "accepted" | "challenged" | null} how how it was laid; null where that was right
 */
export async function correct(deal, number, card, how) {
  const read = () =>
    state.game.plays.find((/** @type {any} */ one) => one.deal === deal && one.play === number)?.card;
  const before = read();
  // The camera may see the next play meanwhile.
  const done = await change(
    (id) => put(`/games/${id}/plays/${deal}/${number}`, { card, how, revision: state.game.revision }),
    () => read() === before,
  );
  if (done) {
    closeDialog();
    announce(t("page.corrected", { card: cardName(card) }));
  }
}

/** @param {number} seat @param {string[]} cards */
export async function setHand(seat, cards) {
  if (await change((id) => put(`/games/${id}/hand`, { seat, cards, revision: state.game.revision })))
    closeDialog();
}

/** Read my hand from the camera, into the hand being edited. */
export async function readHand() {
  const read = await attempt(() => post(`/games/${state.game.game}/hand/read`));
  if (!read) return;
  if (read.phase) showGame(read);
  const cards = read.cards ?? state.game.hands[state.game.me]?.cards ?? [];
  if (state.dialog?.name === "hand") set({ dialog: { ...state.dialog, cards, text: cards.join(" ") } });
}

/** Name the card that lies face up as the deal begins. @param {string} card */
export const nameTop = (card) =>
  change((id) =>
    put(`/games/${id}/deals/${state.game.deal}/centre`, {
      centre: [...state.game.centre.slice(0, -1), card],
      bottom: state.game.bottom,
      revision: state.game.revision,
    }),
  );

/** @param {Object<string, any>} deal what is known of the deal that begins */
export const nextDeal = (deal) => change((id) => post(`/games/${id}/deals`, deal));

/** @param {boolean} keep whether what was seen of the deal in play counts; otherwise it is dealt again */
export async function endDeal(keep) {
  const done = await change((id) =>
    post(`/games/${id}/deals/end`, { keep, revision: state.game.revision }),
  );
  if (done) closeDialog();
}

/** @param {Object<string, any>} game @param {boolean} [watched] whether the camera is to watch it @returns {Promise<void>} */
export async function createGame(game, watched = false) {
  const made = await attempt(() => post("/games", game));
  if (made) {
    // The next game begins with these names and rules.
    const names = made.opponent ? state.settings.names : made.names;
    changeSettings({ names, rules: made.rules.line });
    if (watched) await watchGame(made.game);
    set({ game: made });
    go(`game/${made.game}`);
  }
}

/** @param {number} deal @param {number} number */
export async function openPlay(deal, number) {
  set({ dialog: { name: "play", deal, play: number, alternatives: null }, typed: null });
  try {
    const answer = await get(`/games/${state.game.game}/plays/${deal}/${number}/alternatives`);
    const alternatives = Array.isArray(answer) ? answer : answer.alternatives;
    if (state.dialog?.name === "play" && state.dialog.play === number && state.dialog.deal === deal) {
      set({ dialog: { ...state.dialog, alternatives } });
    }
  } catch {
    if (state.dialog?.name === "play") set({ dialog: { ...state.dialog, alternatives: [] } });
  }
}

/** @param {number} [offset] */
export async function loadHistory(offset = 0) {
  const answer = await attempt(() => get(`/games?offset=${offset}&limit=20`));
  if (!answer) return;
  const games = offset ? [...(state.history?.games ?? []), ...answer.games] : answer.games;
  set({ history: { games, total: answer.total, players: answer.players } });
}

/**
 * Show in the list of games what a notice tells of one of them.
 * @param {any} notice
 */
export function takeTotals({ game, score }) {
  const { history } = state;
  if (!history) return;
  const games = history.games.map((/** @type {any} */ one) =>
    one.id === game ? { ...one, totals: score.totals, winner: score.winner } : one,
  );
  set({ history: { ...history, games } });
}

/** @param {string} id */
export async function deleteGame(id) {
  closeDialog();
  const done = await attempt(async () => {
    await remove(`/games/${id}`);
    return true;
  });
  if (!done) return;
  if (state.prefs.game === id) setPrefs({ game: null });
  await loadHistory();
}
