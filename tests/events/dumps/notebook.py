"""The notebook of the examples: run as Jupyter does, without Jupyter.

`python -m tests.events.dumps.notebook FOLDER` runs it on a dump and keeps what it shows: what its
cells print, the value of their last line, their figures.
"""

from __future__ import annotations

import ast
import base64
import io
import json
import os
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).parents[3] / "examples" / "open_data.ipynb"
DOTS_PER_INCH = 72

Cell = dict[str, Any]


def read_notebook() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(NOTEBOOK.read_text("utf-8"))
    return found


def list_code(notebook: dict[str, Any]) -> list[Cell]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def run_notebook(folder: Path, names: dict[str, Any]) -> list[list[Cell]]:
    """Run all code on a folder of a dump; returns what each cell shows. `names` are its variables.

    Needs polars and matplotlib. `OPEN_DATA` stays set.
    """
    import matplotlib

    matplotlib.use("Agg")
    os.environ["OPEN_DATA"] = str(folder)
    shown = []
    for number, cell in enumerate(list_code(read_notebook()), start=1):
        shown.append(_run("".join(cell["source"]), number, names))
    return shown


def _run(source: str, number: int, names: dict[str, Any]) -> list[Cell]:
    *lines, last = ast.parse(source).body
    printed, value = io.StringIO(), None
    with redirect_stdout(printed):
        exec(compile(ast.Module(lines, []), "cell", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
        else:
            exec(compile(ast.Module([last], []), "cell", "exec"), names)
    shown: list[Cell] = []
    if printed.getvalue():
        shown.append({"name": "stdout", "output_type": "stream", "text": _cut(printed.getvalue())})
    if value is not None:
        data = {"text/plain": _cut(repr(value))}
        shown.append(_show("execute_result", data) | {"execution_count": number})
    return shown + _take_figures(names["plt"])


def _take_figures(plt: Any) -> list[Cell]:
    """Return the figures that are open as pictures, and close them."""
    shown = []
    for figure in map(plt.figure, plt.get_fignums()):
        file = io.BytesIO()
        figure.savefig(file, format="png", dpi=DOTS_PER_INCH, metadata={"Software": None})
        picture = base64.b64encode(file.getvalue()).decode()
        shown.append(_show("display_data", {"image/png": picture}))
    plt.close("all")
    return shown


def _show(kind: str, data: Cell) -> Cell:
    return {"data": data, "metadata": {}, "output_type": kind}


def _cut(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def main(folder: str) -> None:
    notebook = read_notebook()
    shown = run_notebook(Path(folder), {})
    for number, (cell, outputs) in enumerate(zip(list_code(notebook), shown, strict=True), 1):
        cell["outputs"], cell["execution_count"] = outputs, number
    text = json.dumps(notebook, indent=1, ensure_ascii=False)
    NOTEBOOK.write_text(f"{text}\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
