API=${1:-http://127.0.0.1:8000}/api/v1
pick() { python3 -c "import json, random, sys; d = json.load(sys.stdin); print($1)"; }
TOKEN=$(curl -s $API/players --json '{"name": "Ada"}' | pick 'd["token"]')
GAME=$(curl -s $API/games -H "Authorization: Bearer $TOKEN" --json '{"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "bot", "bot": "medium"}]}' | pick 'd["id"]')
until [ "$(curl -s $API/games/$GAME | pick 'd["status"]')" = over ]; do
  MOVE=$(curl -s $API/games/$GAME/moves | pick 'json.dumps({"move": random.choice(d["moves"])}) if d["decision"] and d["decision"]["seat"] == 0 else ""')
  if [ "$MOVE" ]; then curl -s $API/games/$GAME/moves -H "Authorization: Bearer $TOKEN" --json "$MOVE" | pick 'd["version"], d["event"]["move"]'; else sleep 0.1; fi
done
curl -s $API/games/$GAME | pick 'd["result"]'
curl -s "$API/games/$GAME/events?limit=1000" | pick '"\n".join(str((e["version"], e["type"], e.get("move"))) for e in d["events"])'
