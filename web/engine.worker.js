/**
 * The worker that runs the engine: the rules, bots and pictures of the service, in Python.
 *
 * A message is `{id, start}` with the list of files (`/built/engine/engine.json`) once, then
 * `{id, message}` with a message of `offline/messages.py`. The answer is `{id, text}`, canonical JSON as
 * the engine writes it, or `{id, failed}` when Python could not start or has stopped.
 */

const ROOT = "/built/engine/";
const SITE = "/engine";
/** How an entry of a zip archive begins, and how long its head is without the name. */
const ENTRY = 0x04034b50;
const HEAD = 30;
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
  unpack(python.FS, new Uint8Array(archive));
  return python.runPython(START);
}

/**
 * Write the files of the package below SITE. Its archive has no compression and no other parts; the way of
 * Python would import half of the library for it.
 * @param {any} files the file system of Pyodide @param {Uint8Array} archive
 */
function unpack(files, archive) {
  const view = new DataView(archive.buffer);
  const folders = new Set();
  for (let at = 0; view.getUint32(at, true) === ENTRY; ) {
    const [size, name, extra] = [
      view.getUint32(at + 18, true),
      view.getUint16(at + 26, true),
      view.getUint16(at + 28, true),
    ];
    const path = `${SITE}/${new TextDecoder().decode(archive.subarray(at + HEAD, at + HEAD + name))}`;
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (!folders.has(folder)) files.mkdirTree(folder);
    folders.add(folder);
    const body = at + HEAD + name + extra;
    files.writeFile(path, archive.subarray(body, body + size));
    at = body + size;
  }
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
