/** The engine in its worker: started once, then asked with the messages of `offline/messages.py`. */

import { note } from "../elements/announce.js";
import { file, Problem } from "../platform/api.js";
import { t } from "../platform/i18n.js";
import { isKept, keepFiles } from "../platform/kept_files.js";

const WORKER = "/engine.worker.js";
export const LIST = "/built/engine/engine.json";

/** @typedef {Record<string, any> & {type: string}} Message */

export class Engine {
  constructor() {
    this.worker = new Worker(WORKER, { type: "module" });
    this.last = 0;
    /** @type {Map<number, {resolve: (text: string) => void, reject: (error: Error) => void}>} */
    this.waiting = new Map();
    this.worker.addEventListener("message", ({ data }) => this.#hear(data));
    this.worker.addEventListener("error", (event) => this.#break(event.message ?? WORKER));
  }

  /** Load Python and the rooms. Raises `EngineFailed`. */
  async start() {
    await this.#send({ start: JSON.parse(await file(LIST)) });
  }

  /** The answer to a message; raises `Problem` when it is refused. @param {Message} message @returns {Promise<any>} */
  async ask(message) {
    const { answer, problem } = JSON.parse(await this.#send({ message }));
    if (problem) throw new Problem(problem);
    return answer;
  }

  close() {
    this.worker.terminate();
    this.#break("closed");
  }

  /** @param {Record<string, any>} data @returns {Promise<string>} */
  #send(data) {
    this.last += 1;
    const id = this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, ...data });
    });
  }

  /** @param {{id: number, text?: string, failed?: string}} answer */
  #hear({ id, text, failed }) {
    const asked = this.waiting.get(id);
    this.waiting.delete(id);
    if (failed === undefined) asked?.resolve(text ?? "");
    else asked?.reject(new EngineFailed(failed));
  }

  /** @param {string} reason */
  #break(reason) {
    for (const { reject } of this.waiting.values()) reject(new EngineFailed(reason));
    this.waiting.clear();
  }
}

/** Python could not start, or has stopped: a file is missing or damaged, or the memory is used up. */
export class EngineFailed extends Error {}

/** @type {Promise<Engine> | null} */
let running = null;

/** The last start has failed: only what a person does tries again. */
let isBroken = false;

/** The engine of this tab; a failed start is tried again. @returns {Promise<Engine>} */
export function theEngine() {
  isBroken = false;
  running ??= begin().catch((error) => {
    running = null;
    isBroken = true;
    throw error;
  });
  return running;
}

/** The engine, for what the service can answer as well. Raises `EngineFailed` at once where it did not start before. */
export async function theWorkingEngine() {
  if (isBroken) throw new EngineFailed("it did not start");
  return theEngine();
}

/** Start the engine; when a kept file is damaged, it is fetched again, once. */
async function begin() {
  try {
    return await startOne();
  } catch (error) {
    if (!(error instanceof EngineFailed && navigator.onLine && (await isKept()))) throw error;
    note(t("ui.local.damaged"), "trouble");
    await keepFiles(() => {});
    return startOne();
  }
}

async function startOne() {
  const engine = new Engine();
  try {
    await engine.start();
    return engine;
  } catch (error) {
    engine.close();
    throw error;
  }
}
