/** The server's API: one function to call it, one error for what it refuses. */

const BASE = "/api/v1";

/** What the server refused, as its problem document says it. */
export class Problem extends Error {
  /** @param {number} status @param {{title?: string, detail?: string, key?: string}} body */
  constructor(status, body) {
    super(body.detail || body.title || String(status));
    this.status = status;
    this.key = body.key;
  }
}

/** The line to the server is down: no answer came. */
export class Unreachable extends Error {}

let language = "en";

/** @param {string} code the language that refusals and explanations come in. */
export function speak(code) {
  language = code;
}

/**
 * Call the API and return its JSON (null where there is none).
 * @param {string} method
 * @param {string} path below /api/v1
 * @param {any} [body] an object sent as JSON, or a FormData
 * @param {{signal?: AbortSignal}} [options]
 * @throws {Problem} the server refuses
 * @throws {Unreachable} no server answers
 */
export async function call(method, path, body, options = {}) {
  const form = body instanceof FormData;
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json", "Accept-Language": language };
  if (body !== undefined && !form) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(BASE + path, {
      method,
      headers,
      body: body === undefined ? undefined : form ? body : JSON.stringify(body),
      signal: options.signal,
      cache: "no-store",
    });
  } catch (fault) {
    if (/** @type {Error} */ (fault).name === "AbortError") throw fault;
    throw new Unreachable();
  }
  const text = await response.text();
  let data = null;
  try {
    data = text ? JSON.parse(text) : null;
  } catch {
    data = { detail: text.slice(0, 200) };
  }
  if (!response.ok) throw new Problem(response.status, data ?? {});
  return data;
}

/** @param {string} path @param {{signal?: AbortSignal}} [options] */
export const get = (path, options) => call("GET", path, undefined, options);
/** @param {string} path @param {any} [body] */
export const post = (path, body = {}) => call("POST", path, body);
/** @param {string} path @param {any} body */
export const put = (path, body) => call("PUT", path, body);
/** @param {string} path */
export const remove = (path) => call("DELETE", path);

/** @param {string} path @returns {string} the address of *path*, for pictures and downloads */
export const address = (path) => BASE + path;

/**
 * Send a file with progress, which fetch cannot report.
 * @param {string} path @param {FormData} form @param {(share: number) => void} progress 0..1
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export function upload(path, form, progress, signal) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", BASE + path);
    request.setRequestHeader("Accept-Language", language);
    request.upload.onprogress = (event) => event.lengthComputable && progress(event.loaded / event.total);
    request.onerror = () => reject(new Unreachable());
    request.onabort = () => reject(new DOMException("", "AbortError"));
    request.onload = () => {
      let data = {};
      try {
        data = JSON.parse(request.responseText);
      } catch {
        data = { detail: request.responseText.slice(0, 200) };
      }
      if (request.status < 400) resolve(data);
      else reject(new Problem(request.status, data));
    };
    signal?.addEventListener("abort", () => request.abort());
    request.send(form);
  });
}
