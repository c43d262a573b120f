"""The endpoint that `bench http` measures against: Flask that returns a small JSON."""

from flask import Flask

app = Flask(__name__)


@app.get("/livez")
@app.post("/api/v1/games/<_game_id>/moves")
def answer(_game_id: str = "") -> dict[str, int]:
    return {"version": 1}
