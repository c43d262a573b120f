import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.jcloisterzone.Expansion;
import com.jcloisterzone.Player;
import com.jcloisterzone.action.MeepleAction;
import com.jcloisterzone.ai.player.LegacyAiPlayer;
import com.jcloisterzone.board.Location;
import com.jcloisterzone.board.Position;
import com.jcloisterzone.board.Rotation;
import com.jcloisterzone.board.Tile;
import com.jcloisterzone.board.TileGroup;
import com.jcloisterzone.board.TilePack;
import com.jcloisterzone.board.TilePackBuilder;
import com.jcloisterzone.board.pointer.FeaturePointer;
import com.jcloisterzone.config.Config;
import com.jcloisterzone.game.GameSetup;
import com.jcloisterzone.game.GameStatePhaseReducer;
import com.jcloisterzone.game.PlayerSlot;
import com.jcloisterzone.game.Rule;
import com.jcloisterzone.game.phase.ActionPhase;
import com.jcloisterzone.game.phase.TilePhase;
import com.jcloisterzone.game.state.GameState;
import com.jcloisterzone.game.state.GameStateBuilder;
import com.jcloisterzone.wsio.message.CommitMessage;
import com.jcloisterzone.wsio.message.DeployMeepleMessage;
import com.jcloisterzone.wsio.message.PassMessage;
import com.jcloisterzone.wsio.message.PlaceTileMessage;
import com.jcloisterzone.wsio.message.WsInGameMessage;

import io.vavr.Predicates;
import io.vavr.collection.HashMap;
import io.vavr.collection.LinkedHashMap;
import io.vavr.collection.Map;
import io.vavr.collection.Seq;
import io.vavr.collection.Vector;

/**
 * Answers the questions of `bridge.py`, one JSON object a line: what LegacyAiPlayer of JCloisterZone plays in a game that
 * is replayed for it.
 *
 * Question: `{"seats":2,"seat":0,"moves":[{"tile":"BA/L","x":0,"y":1,"rotation":90,"place":"W.E"}, …],"bag":["BA/C", …],
 * "tile":"BA/L"}`. `place` is the place of the follower on the tile without a rotation, and is missing for none. With
 * `"tile":null` the last move waits for its follower. Answer: `{"x","y","rotation"}`, or `{"place"}`, null for none. Both
 * with `scores`, by seat.
 */
public class Ask {
    private static final String GROUP = TilePackBuilder.DEFAULT_TILE_GROUP;
    private static final String[] PLACES = {
        "N", "E", "S", "W", "NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR",
    };

    public static void main(String[] arguments) throws IOException {
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Gson gson = new Gson();
        for (String line = questions.readLine(); line != null; line = questions.readLine()) {
            JsonObject question = gson.fromJson(line, JsonObject.class);
            System.out.println(new Ask(question.get("seats").getAsInt()).answer(question));
            System.out.flush();
        }
    }

    private final GameSetup setup;
    private final GameStatePhaseReducer reducer;
    private final java.util.Map<String, Tile> tiles = new java.util.HashMap<>();
    private GameState state;

    private Ask(int seats) {
        Map<Expansion, Integer> expansions = HashMap.of(Expansion.BASIC, 1);
        Map<Rule, Object> rules = HashMap.of(Rule.FARMERS, (Object) Boolean.TRUE);
        setup = new GameSetup(
            expansions, GameSetup.getCapabilitiesForExpansionsAndRules(expansions, rules), rules);
        PlayerSlot[] slots = new PlayerSlot[PlayerSlot.COUNT];
        for (int seat = 0; seat < seats; seat++) {
            slots[seat] = new PlayerSlot(seat);
            slots[seat].setSerial(seat);
            slots[seat].setNickname("seat " + seat);
            slots[seat].setState(PlayerSlot.SlotState.OWN);
        }
        reducer = new GameStatePhaseReducer(setup, 0);
        GameStateBuilder builder = new GameStateBuilder(setup, slots, new Config());
        state = builder.createInitialState();
        state = builder.createReadyState(state);
        listTiles(state.getTilePack()).forEach(tile -> tiles.put(tile.getId(), tile));
        state.getPlacedTiles().values().forEach(placed -> tiles.put(placed.getTile().getId(), placed.getTile()));
    }

    private String answer(JsonObject question) {
        JsonArray moves = question.getAsJsonArray("moves");
        boolean asksTile = !question.get("tile").isJsonNull();
        TilePack bag = fillBag(question.getAsJsonArray("bag"));
        TilePack plenty = state.getTilePack(); // an empty one would end the game that is replayed
        for (int number = 0; number < moves.size(); number++) {
            JsonObject move = moves.get(number).getAsJsonObject();
            boolean waits = number + 1 == moves.size() && !asksTile;
            replay(move, waits ? bag : plenty, waits);
        }
        if (asksTile) {
            takeTile(question.get("tile").getAsString(), bag);
        }
        Player me = state.getPlayers().getPlayer(question.get("seat").getAsInt());
        LegacyAiPlayer opponent = new LegacyAiPlayer();
        opponent.onGameStart(setup, me);
        return tell(opponent.apply(state));
    }

    private static Seq<Tile> listTiles(TilePack pack) {
        return pack.getGroups().values().flatMap(TileGroup::getTiles);
    }

    /** Their pack with the tiles of the bag: how many there are of each is not theirs to say. */
    private TilePack fillBag(JsonArray ids) {
        Vector<Tile> bag = Vector.ofAll(ids).map(id -> tiles.get(id.getAsString())).sortBy(Tile::getId);
        return new TilePack(LinkedHashMap.of(GROUP, new TileGroup(GROUP, bag, true)), 0);
    }

    /** Lets the seat in turn hold the tile: what the reducer drew for it by lot does not count. */
    private void takeTile(String id, TilePack bag) {
        state = state.setTilePack(bag).setDrawnTile(tiles.get(id)).setPhase(TilePhase.class);
        state = reducer.applyStepResult(reducer.getPhase(TilePhase.class).enter(state));
    }

    private void replay(JsonObject move, TilePack bag, boolean waits) {
        String tile = move.get("tile").getAsString();
        takeTile(tile, bag);
        Position position = new Position(move.get("x").getAsInt(), move.get("y").getAsInt());
        Rotation rotation = Rotation.values()[move.get("rotation").getAsInt() / 90];
        apply(new PlaceTileMessage(tile, rotation, position));
        if (waits) {
            return;
        }
        if (move.has("place")) {
            Location place = Location.valueOf(move.get("place").getAsString()).rotateCW(rotation);
            MeepleAction action = (MeepleAction) state.getPlayerActions().getActions()
                .find(Predicates.instanceOf(MeepleAction.class)).get();
            apply(action.select(new FeaturePointer(position, place)));
        } else if (state.getPhase() == ActionPhase.class) {
            apply(new PassMessage());
        }
        apply(new CommitMessage());
    }

    private void apply(WsInGameMessage message) {
        state = reducer.apply(state, message);
    }

    private String tell(WsInGameMessage chosen) {
        JsonObject answer = new JsonObject();
        if (chosen instanceof PlaceTileMessage) {
            PlaceTileMessage placement = (PlaceTileMessage) chosen;
            answer.addProperty("x", placement.getPosition().x);
            answer.addProperty("y", placement.getPosition().y);
            answer.addProperty("rotation", placement.getRotation().ordinal() * 90);
        } else if (chosen instanceof DeployMeepleMessage) {
            FeaturePointer pointer = ((DeployMeepleMessage) chosen).getPointer();
            answer.addProperty("place", name(pointer.getLocation().rotateCCW(state.getLastPlaced().getRotation())));
        }
        JsonArray scores = new JsonArray();
        state.getPlayers().getScore().forEach(score -> scores.add(score.getPoints()));
        answer.add("scores", scores);
        return answer.toString();
    }

    private static String name(Location location) {
        if (location.equals(Location.CLOISTER)) {
            return "CLOISTER";
        }
        StringBuilder names = new StringBuilder();
        for (String place : PLACES) {
            if (Location.valueOf(place).isPartOf(location)) {
                names.append(names.length() == 0 ? "" : ".").append(place);
            }
        }
        return names.toString();
    }
}
