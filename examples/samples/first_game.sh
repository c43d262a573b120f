# A game against a bot, from the first call to the last: sh examples/samples/first_game.sh URL
set -eu
URL=${1:-http://127.0.0.1:8000}
key() { python3 -c "import uuid; print(uuid.uuid4())"; }
pick() { python3 -c "import json, sys; d = json.load(sys.stdin); print($1)"; }

# [register_player]
TOKEN=$(curl -s "$URL/api/v1/players" --json '{"name": "Ada"}' | pick 'd["token"]')
# [show_catalogue]
curl -s "$URL/api/v1/catalogue" | pick '[game["name"] for game in d["games"]]'
# [open_game]
GAME=$(curl -s "$URL/api/v1/games" \
  -H "Authorization: Bearer $TOKEN" -H "Idempotency-Key: $(key)" \
  --json '{"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "bot", "bot": "random"}]}' |
  pick 'd["id"]')
# [show_game]
curl -s "$URL/api/v1/games/$GAME" | pick 'd["version"], d["decision"]'
# [end]
until [ "$(curl -s "$URL/api/v1/games/$GAME" | pick 'd["decision"] and d["decision"]["seat"]')" = 0 ]; do
  sleep 0.2
done
# [list_moves]
MOVE=$(curl -s "$URL/api/v1/games/$GAME/moves" | pick 'json.dumps(d["moves"][0])')
# [preview_move]
curl -s "$URL/api/v1/games/$GAME/preview" -H "Authorization: Bearer $TOKEN" \
  --json "{\"move\": $MOVE}" | pick 'd["facts"]'
# [make_move]
curl -s "$URL/api/v1/games/$GAME/moves" \
  -H "Authorization: Bearer $TOKEN" -H "Idempotency-Key: $(key)" \
  --json "{\"move\": $MOVE}" |
  pick 'd["version"], d["event"]["type"]'
# [list_events]
curl -s "$URL/api/v1/games/$GAME/events?after=0&limit=500" |
  pick '[event["type"] for event in d["events"]]'
# [stream_events]
curl -s -N --max-time 2 "$URL/api/v1/games/$GAME/events/stream?after=0" \
  -H "Accept: application/x-ndjson" || true
# [show_state]
curl -s "$URL/api/v1/games/$GAME/states/3" | pick 'd["version"]'
# [show_board]
curl -s "$URL/api/v1/games/$GAME/board.svg?style=plain" | head -c 60
# [show_story]
curl -s "$URL/api/v1/games/$GAME/story" -H "Accept-Language: fr" |
  pick '[line["text"] for line in d["lines"]]'
# [send_message]
curl -s "$URL/api/v1/games/$GAME/messages" -H "Authorization: Bearer $TOKEN" \
  --json '{"room": "players", "phrase": "good_luck"}' |
  pick 'd["text"]'
# [show_inbox]
curl -s "$URL/api/v1/players/me/inbox" -H "Authorization: Bearer $TOKEN" |
  pick '[item["type"] for item in d["items"]]'
# [resign]
curl -s "$URL/api/v1/games/$GAME/resignation" -H "Authorization: Bearer $TOKEN" --json '{}' |
  pick 'd["version"]'
# [verify_game]
curl -s "$URL/api/v1/games/$GAME/verification" | pick 'd["valid"]'
# [show_transcript]
curl -s "$URL/api/v1/games/$GAME/transcript" | pick 'len(d["moves"])'
