/**
 * Makes the files that the service sends to browsers: `web/built/app.<hash>.js` of the modules in
 * `web/js` that home and a table need at once, `later.<hash>.js` of those that only an `import()`
 * reaches, `tournaments.<hash>.js`, `puzzles.<hash>.js` and `studies.<hash>.js` of those that only an `import()` of these folders
 * reaches,
 * `app.<hash>.css` of the stylesheets that `web/index.html` links, `early.<hash>.js` of
 * `web/js/early.js`, which the service writes into the page, and `built.json`, which names them and
 * holds the digest of the sources (`service/api/site/built_client.py` computes the same digest).
 *
 * `later` imports nothing: it finds what it shares with `app` in `globalThis.cartularyShared`. A page of
 * an earlier release gets the `app` of today at its old address; a file that imported `app` at the address
 * of today would run the client a second time. `tournaments`, `puzzles` and `studies` do the same, and import what
 * they need of `later`, which all ask for at the same address.
 *
 *     node bundle.mjs WEB OUT
 */

import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));
const TARGET = "es2022";
const [web, out] = process.argv.slice(2);
/** The module that knows where the controls of a game lie. */
const GAMES = /[\\/]js[\\/]play[\\/]import_game\.js$/;
/** The modules that ask for the text of a stylesheet: `board_style.js` for `css/board.css`. */
const STYLES = /[\\/]js[\\/]\w+[\\/](\w+)_style\.js$/;
/** The modules of files of their own: few visits open them, and they are not few. */
const OWN = {
  tournaments: /[\\/]js[\\/]tournaments[\\/]/,
  puzzles: /[\\/]js[\\/]puzzles[\\/]/,
  studies: /[\\/]js[\\/]studies[\\/]/,
};

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

/** Some modules ask the server for files; in the bundle these files are part of the code. */
const inlined = {
  name: "inlined",
  setup({ onLoad }) {
    onLoad({ filter: GAMES }, async () => ({ contents: await gamesModule() }));
    onLoad({ filter: STYLES }, async ({ path }) => {
      const [, name] = STYLES.exec(path);
      const style = await readFile(join(web, "css", `${name}.css`), "utf8");
      const { code } = await transform(style, { loader: "css", minify: true });
      return { contents: `export const ${name}Style = async () => ${JSON.stringify(code)};` };
    });
  },
};

/**
 * An `import()` leads to another file, but to the controls of a game.
 * @param {(module: string) => string | null} choose the address of the file that has a module, null: this one
 * @param {Set<string>} [found] gets the modules that are imported so
 */
const apart = (choose, found = new Set()) => ({
  name: "apart",
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ kind, importer, resolveDir, path }) => {
      const module = resolve(resolveDir, path);
      const address = kind === "dynamic-import" && !GAMES.test(importer) ? choose(module) : null;
      if (address === null) return null;
      found.add(module);
      return { path: address, external: true };
    });
  },
});

/** Modules of the later file stay there. @param {Set<string>} modules @param {string} later the address of that file */
const fromLater = (modules, later) => ({
  name: "from-later",
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ resolveDir, path }) =>
      modules.has(resolve(resolveDir, path)) ? { path: later, external: true } : null,
    );
  },
});

/** A module of the first file, as another file sees it. @param {Map<string, Map<string, string>>} shared */
const fromFirst = (shared) => ({
  name: "from-first",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\./ }, ({ resolveDir, path }) =>
      shared.has(resolve(resolveDir, path)) ? { path: resolve(resolveDir, path), namespace: "shared" } : null,
    );
    onLoad({ filter: /.*/, namespace: "shared" }, ({ path }) => {
      const names = [...shared.get(path)].map(([name, key]) => `${key}: ${name}`);
      return { contents: `export const { ${names.join(", ")} } = globalThis.cartularyShared;` };
    });
  },
});

/**
 * What modules import from the modules of the first file: by module, each name with the key under which it is shared.
 * @param {string[]} modules those of the later file @param {Set<string>} first
 */
async function findShared(modules, first) {
  /** @type {Map<string, Map<string, string>>} */
  const shared = new Map([...first].map((path) => [path, new Map()]));
  const keys = new Set();
  for (const module of modules.sort()) {
    const text = await readFile(module, "utf8");
    for (const [, names, from] of text.matchAll(/^(?:import|export) ([^;"]*?) from "([^"]+)";$/gm)) {
      const path = resolve(dirname(module), from);
      if (!first.has(path)) continue;
      if (!/^\{[^*]*\}$/.test(names)) throw new Error(`${module}: name what you import from ${from}`);
      for (const name of names
        .slice(1, -1)
        .split(",")
        .map((one) => one.trim().split(" as ")[0])) {
        if (!name || shared.get(path).has(name)) continue;
        if (new RegExp(`^export let ${name}\\b`, "m").test(await readFile(path, "utf8")))
          throw new Error(`${module}: ${name} changes, so it cannot be shared`);
        const key = keys.has(name) ? `${name}${keys.size}` : name;
        keys.add(key);
        shared.get(path).set(name, key);
      }
    }
  }
  return shared;
}

/** The module that shares what the later file needs. @param {Map<string, Map<string, string>>} shared */
function sharingModule(shared) {
  const used = [...shared].filter(([, names]) => names.size);
  const imports = used.map(
    ([path, names]) =>
      `import { ${[...names].map(([name, key]) => `${name} as ${key}`).join(", ")} } from ${JSON.stringify(path)};`,
  );
  const keys = used.flatMap(([, names]) => [...names.values()]);
  return `${imports.join("\n")}\nglobalThis.cartularyShared = { ${keys.join(", ")} };\n`;
}

/** What is the same for code and style. */
const common = {
  bundle: true,
  minify: true,
  target: TARGET,
  legalComments: "inline",
  outdir: out,
  metafile: true,
  logLevel: "warning",
};

/**
 * Build a file, and return its name and the absolute paths of its inputs. The name has the hash of the content alone: the
 * hash of esbuild has the paths of this checkout in it. @param {string} kind the begin of the name, none for a trial
 */
async function make(kind, options) {
  const { metafile, outputFiles } = await build({ ...common, ...options, write: false });
  const [{ path, contents }] = outputFiles;
  const hash = createHash("sha256").update(contents).digest("hex").slice(0, 8).toUpperCase();
  const name = `${kind}.${hash}${path.slice(path.lastIndexOf("."))}`;
  if (kind) await writeFile(join(out, name), contents);
  const inputs = Object.keys(metafile.inputs).filter((input) => !/^(shared:|<)/.test(input));
  return [name, inputs.map((input) => resolve(input))];
}

/** Say which modules the page never reaches: no part of the page needs them. */
function sayUnused(modules, inputs) {
  const used = new Set(inputs.map((path) => relative(web, path).split(sep).join("/")));
  for (const name of modules)
    if (name.endsWith(".js") && !used.has(name)) console.warn(`bundle: nothing imports web/${name}`);
}

/** The modules that are reached while an `import()` of these is not followed. @param {(module: string) => string | null} choose @param {Set<string>} [found] */
async function reach(choose, found) {
  const [, modules] = await make("", {
    entryPoints: [resolve(web, "js", "main.js")],
    format: "esm",
    plugins: [inlined, apart(choose, found)],
  });
  return new Set(modules);
}

/** The first file and those that come later: their names, and what they are made of. */
async function makeScripts() {
  const opened = new Set();
  const first = await reach(() => "./later.js", opened);
  const ownOf = (module) => Object.keys(OWN).find((name) => OWN[name].test(module)) ?? null;
  const inLater = await reach(ownOf);
  const all = await reach(() => null);
  const shared = await findShared(
    [...all].filter((path) => !first.has(path)),
    first,
  );
  const rest = [...all].filter((path) => !inLater.has(path));
  const borrowed = await findImported(rest, (path) => inLater.has(path) && !first.has(path));
  const exported = [...new Set([...opened, ...borrowed])].filter((path) => !first.has(path));
  const plugins = [fromFirst(shared), inlined];
  const [later] = await makeOpened(
    "later",
    exported.filter((path) => inLater.has(path)),
    plugins,
  );
  const known = fromLater(borrowed, `./${later}`);
  /** @type {Record<string, string>} */
  const own = {};
  const placed = new Set();
  for (const name of Object.keys(OWN)) {
    const modules = exported.filter((path) => !inLater.has(path) && ownOf(path) === name);
    const [file, parts] = await makeOpened(name, modules, [known, ...plugins]);
    own[name] = file;
    for (const path of parts.filter((path) => !path.endsWith(".css"))) {
      if (placed.has(path)) throw new Error(`${path} would run twice: in two files of their own`);
      placed.add(path);
    }
  }
  const addresses = apart((module) => `./${inLater.has(module) ? later : own[ownOf(module)]}`);
  const [script] = await make("app", {
    stdin: { contents: `import "sharing";\nimport ${JSON.stringify(resolve(web, "js", "main.js"))};`, resolveDir: web },
    format: "esm",
    plugins: [inlined, addresses, virtual("sharing", sharingModule(shared))],
  });
  return { script, later, ...own, inputs: [...all] };
}

/** A file of modules that export what others import. @param {string} kind @param {string[]} modules */
async function makeOpened(kind, modules, plugins) {
  const contents = modules
    .sort()
    .map((path) => `export * from ${JSON.stringify(path)};`)
    .join("\n");
  const made = await make(kind, { stdin: { contents, resolveDir: web }, format: "esm", plugins });
  await checkNames(modules);
  return made;
}

/** Which modules of some kind these import. @param {string[]} modules @param {(module: string) => boolean} isWanted */
async function findImported(modules, isWanted) {
  const texts = await Promise.all(modules.map(async (module) => [module, await readFile(module, "utf8")]));
  const paths = texts.flatMap(([module, text]) =>
    [...text.matchAll(/^(?:import|export) [^;"]*?from "([^"]+)";$/gm)].map(([, from]) =>
      resolve(dirname(module), from),
    ),
  );
  return new Set(paths.filter(isWanted));
}

/** Two modules of a file that export one name would both lose it. @param {string[]} modules */
async function checkNames(modules) {
  const { metafile } = await build({ ...common, entryPoints: modules, bundle: false, write: false });
  const names = Object.values(metafile.outputs).flatMap(({ exports }) => exports);
  const twice = names.filter((name, at) => names.indexOf(name) < at);
  if (twice.length) throw new Error(`what is imported later is exported twice: ${twice.join(", ")}`);
}

/** A module that is in no file. @param {string} name @param {string} contents */
const virtual = (name, contents) => ({
  name,
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: name, namespace: "shared" }));
    onLoad({ filter: /.*/, namespace: "shared" }, () => ({ contents, resolveDir: web }));
  },
});

const page = await readFile(join(web, "index.html"), "utf8");
const linked = [...page.matchAll(/<link rel="stylesheet" href="\/(css\/[^"]+)">/g)].map(([, name]) => name);
const named = await sources();
await mkdir(out, { recursive: true });
for (const { name } of (await readdir(out, { withFileTypes: true })).filter((entry) => entry.isFile()))
  await rm(join(out, name)); // the folder of the engine is made by script/engine
const [style] = await make("app", {
  stdin: { contents: linked.map((name) => `@import "./${name}";`).join("\n"), loader: "css", resolveDir: web },
});
const { inputs, ...scripts } = await makeScripts();
const [early] = await make("early", {
  entryPoints: [join(web, "js", "early.js")],
  format: "iife",
});
sayUnused(named, inputs);
const bundler = await digest(HERE, ["bundle.mjs", "package-lock.json"]);
const record = { ...scripts, style, early, sources: await digest(web, named), bundler };
await writeFile(join(out, "built.json"), `${JSON.stringify(record, null, 2)}\n`);
