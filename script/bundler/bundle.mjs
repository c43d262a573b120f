/**
 * Makes the files that the service sends to browsers: `web/built/app.<hash>.js` of the modules in
 * `web/js`, `app.<hash>.css` of the stylesheets that `web/index.html` links, `early.<hash>.js` of
 * `web/js/early.js`, which the service writes into the page, and `built.json`, which names them and
 * holds the digest of the sources (`service/api/site/built_client.py` computes the same digest).
 *
 * All code is in one file: a part that a browser would load later could be missing after an update.
 *
 *     node bundle.mjs WEB OUT
 */

import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));
const TARGET = "es2022";
const [web, out] = process.argv.slice(2);

/** The files below a folder, as paths with slashes, in the order of their bytes. */
async function filesBelow(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return paths.map((path) => relative(web, path).split(sep).join("/"));
}

/** The digest of files: each by its name, its length and its bytes. */
async function digest(root, names) {
  const hash = createHash("sha256");
  for (const name of names.sort()) {
    const body = await readFile(join(root, name));
    hash.update(`${name}\0${body.length}\0`).update(body);
  }
  return hash.digest("hex");
}

async function sources() {
  const named = [...(await filesBelow(join(web, "js"))), ...(await filesBelow(join(web, "css")))];
  return [...named.filter((name) => /\.(js|css)$/.test(name)), "index.html"];
}

/** The controls of every game that has its own; another game gets those of `general`. */
async function gamesModule() {
  const folders = await readdir(join(web, "js", "play"), { withFileTypes: true });
  const games = folders
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  const lines = games.map((name) => `  ${JSON.stringify(name)}: () => import("./${name}/index.js"),`);
  return `const games = {\n${lines.join("\n")}\n};\nexport const importGame = (game) => (games[game] ?? games.general)();\n`;
}

/** Two modules ask the server for files; in the bundle these files are part of the code. */
const inlined = {
  name: "inlined",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]js[\\/]play[\\/]import_game\.js$/ }, async () => ({ contents: await gamesModule() }));
    onLoad({ filter: /[\\/]js[\\/]board[\\/]board_style\.js$/ }, async () => {
      const style = await readFile(join(web, "css", "board.css"), "utf8");
      const { code } = await transform(style, { loader: "css", minify: true });
      return { contents: `export const boardStyle = async () => ${JSON.stringify(code)};` };
    });
  },
};

/** What is the same for code and style; `hash` in the names is the hash of the content. */
const common = {
  bundle: true,
  minify: true,
  target: TARGET,
  legalComments: "inline",
  outdir: out,
  entryNames: "app.[hash]",
  metafile: true,
  logLevel: "warning",
};

/** Build, and return the name of the file and the names of its inputs. */
async function make(options) {
  const { metafile } = await build({ ...common, ...options });
  const [name] = Object.keys(metafile.outputs);
  return [name.slice(name.lastIndexOf("/") + 1), Object.keys(metafile.inputs)];
}

/** Say which modules the page never reaches: no part of the page needs them. */
function sayUnused(modules, inputs) {
  const used = new Set(inputs.map((path) => relative(web, path).split(sep).join("/")));
  for (const name of modules)
    if (name.endsWith(".js") && !used.has(name)) console.warn(`bundle: nothing imports web/${name}`);
}

const page = await readFile(join(web, "index.html"), "utf8");
const linked = [...page.matchAll(/<link rel="stylesheet" href="\/(css\/[^"]+)">/g)].map(([, name]) => name);
const named = await sources();
await mkdir(out, { recursive: true });
for (const { name } of (await readdir(out, { withFileTypes: true })).filter((entry) => entry.isFile()))
  await rm(join(out, name)); // the folder of the engine is made by script/engine
const [style] = await make({
  stdin: { contents: linked.map((name) => `@import "./${name}";`).join("\n"), loader: "css", resolveDir: web },
});
const [script, inputs] = await make({
  entryPoints: [join(web, "js", "main.js")],
  format: "esm",
  plugins: [inlined],
});
const [early] = await make({
  entryPoints: [join(web, "js", "early.js")],
  format: "iife",
  entryNames: "early.[hash]",
});
sayUnused(named, inputs);
const bundler = await digest(HERE, ["bundle.mjs", "package-lock.json"]);
const record = { script, style, early, sources: await digest(web, named), bundler };
await writeFile(join(out, "built.json"), `${JSON.stringify(record, null, 2)}\n`);
