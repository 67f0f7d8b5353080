/**
 * The line on which the server tells of changes. It resumes after the last event seen, and comes back
 * after a break with growing pauses.
 */

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 5000;
/** With no event for this long the server is asked whether it still lives. */
const QUIET = 8000;

/**
 * Open the line, and keep it open.
 * @param {(event: {sequence: number, type: string, data: any}) => void} onEvent
 * @param {(status: "connecting" | "open" | "closed") => void} onStatus
 * @returns {{retry: () => void}} `retry` tries at once instead of waiting
 */
export function connect(onEvent, onStatus) {
  /** @type {WebSocket | null} */
  let socket = null;
  /** @type {number | null} */
  let since = null;
  let pause = FIRST_PAUSE;
  let timer = 0;
  let heard = Date.now();

  function open() {
    clearTimeout(timer);
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const query = since === null ? "" : `?since=${since}`;
    const current = new WebSocket(`${scheme}//${location.host}/api/v1/ws${query}`);
    socket = current;
    current.onopen = () => {
      pause = FIRST_PAUSE;
      heard = Date.now();
      onStatus("open");
    };
    current.onmessage = (message) => {
      heard = Date.now();
      const event = JSON.parse(message.data);
      // A restarted server counts anew, so the last number is kept even when it is smaller.
      if (typeof event.sequence === "number") since = event.sequence;
      onEvent(event);
    };
    current.onclose = () => {
      if (socket !== current) return;
      socket = null;
      onStatus("closed");
      timer = window.setTimeout(open, pause * (0.8 + 0.4 * Math.random()));
      pause = Math.min(LONGEST_PAUSE, pause * 2);
    };
  }

  // A line can die without a sign (a laptop that slept): ask, and start anew when no answer comes.
  setInterval(async () => {
    if (!socket || socket.readyState !== WebSocket.OPEN || Date.now() - heard < QUIET) return;
    try {
      await fetch("/api/v1/health", { signal: AbortSignal.timeout(4000), cache: "no-store" });
      heard = Date.now();
    } catch {
      socket?.close();
    }
  }, QUIET / 2);

  open();
  return {
    retry() {
      if (!socket) open();
    },
  };
}
