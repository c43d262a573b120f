/**
 * The worker that runs the engine: the rules, bots and pictures of the service, in Python.
 *
 * A message is `{id, start}` with the list of files (`/built/engine/engine.json`) once, then
 * `{id, message}` with a message of `offline/messages.py`. The answer is `{id, text}`, canonical JSON as
 * the engine writes it, or `{id, failed}` when Python could not start or has stopped.
 */

const ROOT = "/built/engine/";
const SITE = "/engine";
const START = `
import sys
sys.path.insert(0, "${SITE}")
from cartulary.games import OFFERS
from cartulary.offline.messages import Engine
engine = Engine(OFFERS)
lambda text: engine.handle(text).decode()
`;

/** @typedef {{path: string, sha256: string, bytes: number, sent: number}} EngineFile */
/** @typedef {{files: Record<string, EngineFile>}} EngineList */

/** Answers a message, both JSON text. @type {Promise<(text: string) => string> | null} */
let engine = null;

/** @param {EngineList} list */
async function start({ files }) {
  const source = ROOT + files["pyodide.mjs"].path;
  const [{ loadPyodide }, archive] = await Promise.all([import(source), load(files["cartulary.zip"])]);
  const python = await loadPyodide({ indexURL: source.slice(0, source.lastIndexOf("/") + 1) });
  python.unpackArchive(archive, "zip", { extractDir: SITE });
  return python.runPython(START);
}

/** @param {EngineFile} file */
async function load({ path }) {
  const answer = await fetch(ROOT + path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.arrayBuffer();
}

addEventListener("message", async ({ data: { id, start: list, message } }) => {
  try {
    if (list) engine = start(list);
    const handle = await engine;
    if (!handle) throw new Error("the engine has not been started");
    postMessage({ id, text: message ? handle(JSON.stringify(message)) : "{}" });
  } catch (error) {
    postMessage({ id, failed: String(error) });
  }
});
