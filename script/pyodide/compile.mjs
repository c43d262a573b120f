/**
 * Compiles archives of Python modules with the Python of Pyodide: `node compile.mjs LEVEL IN OUT` for the
 * level of optimisation and two paths of archives. Each `name.py` becomes `name.pyc`, which Python imports
 * without a look for its source; everything else is copied.
 */

import { readFile, writeFile } from "node:fs/promises";
import { loadPyodide } from "pyodide";

const COMPILE = `
import os, py_compile, zipfile

def compile_archive(level):
    with zipfile.ZipFile("/in.zip") as source, zipfile.ZipFile("/out.zip", "w") as made:
        for name in source.namelist():
            if not name.endswith(".py"):
                made.writestr(name, source.read(name))
                continue
            with open("/module.py", "wb") as file:
                file.write(source.read(name))
            py_compile.compile(
                "/module.py", "/module.pyc", dfile=name, doraise=True, optimize=level,
                invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
            )
            with open("/module.pyc", "rb") as file:
                made.writestr(name + "c", file.read())

compile_archive
`;

const [level, source, target] = process.argv.slice(2);
const python = await loadPyodide();
python.FS.writeFile("/in.zip", new Uint8Array(await readFile(source)));
python.runPython(COMPILE)(Number(level));
await writeFile(target, python.FS.readFile("/out.zip"));
