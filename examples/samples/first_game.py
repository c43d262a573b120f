"""A game against a bot, from the first call to the last: first_game.py URL."""

import sys

from cartulary.client import Client

url = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"
with Client(url) as client:
    # [register_player]
    token = client.create_player("Ada")["token"]  # the client sends it from now on
    # [open_game]
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
    game = client.create_game("carcassonne", seats)["id"]
    # [show_game]
    shown = client.read_game(game)
    print(shown["version"], shown["decision"])
    # [stream_events]
    for line in client.follow_game(game):
        print(line)
        decision = client.read_game(game)["decision"]
        if decision is not None and decision["seat"] == 0:
            break
    # [list_moves]
    moves = client.list_moves(game)["moves"]
    # [make_move]
    written = client.make_move(game, moves[0])
    print(written["version"], written["event"]["type"])
    # [list_events]
    for event in client.read_all_events(game):
        print(event["version"], event["type"])
    # [show_state]
    print(client.read_state(game, 3)["version"])
    # [show_story]
    print([line["text"] for line in client.read_story(game)["lines"]])
    # [show_inbox]
    print([item["type"] for item in client.read_inbox()["items"]])
    # [resign]
    print(client.resign(game)["version"])
    # [end]
