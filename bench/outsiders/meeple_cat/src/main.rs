//! Answers the questions of `bridge.py`, one JSON object a line: what the tiles of meeple_cat look
//! like, and which move its search makes in a game that is replayed for it.
//!
//! `{"ask":"tiles"}` → for each letter the parts of the tile without a rotation.
//! `{"ask":"place_tile"|"place_meeple","seats":2,"seat":0,"moves":[…],"tile":"K","bag":["A",…],
//! "ms":500}` → the payload of the action, how many there were, and how many games were imagined. A move is `{"tile","x","y","rotation","spot"}`, the last
//! one of a question for a meeple without `spot`; `spot` is null for none.

use std::io::{self, BufRead, Write};
use std::path::Path;

use meeple_game_engine::engine::bot_profiles::{load_profiles, BotProfile};
use meeple_game_engine::engine::mcts::mcts_search;
use meeple_game_engine::engine::models::{Action, GameConfig, Phase, Player};
use meeple_game_engine::engine::plugin::TypedGamePlugin;
use meeple_game_engine::games::carcassonne::evaluator::{
    make_carcassonne_eval, make_carcassonne_eval_owned, DEFAULT_WEIGHTS,
};
use meeple_game_engine::games::carcassonne::plugin::CarcassonnePlugin;
use meeple_game_engine::games::carcassonne::tiles::TILE_CATALOG;
use meeple_game_engine::games::carcassonne::types::{tile_type_to_index, CarcassonneState};
use serde_json::{json, Value};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let profiles = arguments.next().expect("the path of bot_profiles.toml");
    let name = arguments.next().unwrap_or_else(|| "hard".into());
    let file = load_profiles(Path::new(&profiles)).expect("bot_profiles.toml");
    let profile = file.profiles.get(&name).expect("a profile of bot_profiles.toml");
    for line in io::stdin().lock().lines() {
        let question: Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
        let answer = match question["ask"].as_str() {
            Some("tiles") => list_tiles(),
            _ => choose(&question, profile),
        };
        println!("{answer}");
        io::stdout().flush().expect("a reader");
    }
}

fn list_tiles() -> Value {
    TILE_CATALOG
        .iter()
        .map(|tile| (tile.tile_type_id.clone(), json!(tile.features)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// Replays the game and returns the payload of the action that the search chooses.
fn choose(question: &Value, profile: &BotProfile) -> Value {
    let plugin = CarcassonnePlugin;
    let seats = question["seats"].as_u64().expect("seats") as usize;
    let players: Vec<Player> = (0..seats).map(player).collect();
    let config = GameConfig { options: json!({}), random_seed: Some(0) };
    let (mut state, mut phase, _) = plugin.create_initial_state(&players, &config);
    let moves = question["moves"].as_array().expect("moves");
    let asks_meeple = question["ask"] == "place_meeple";
    let mut bag: Vec<u8> = question["bag"].as_array().expect("bag").iter().map(index).collect();
    for (at, made) in moves.iter().enumerate() {
        let is_last = at + 1 == moves.len();
        // The bag counts in the search alone, so a move that is replayed has its tile and one more.
        state.tile_bag = vec![index(&made["tile"]), 0];
        if is_last && asks_meeple {
            state.tile_bag.truncate(1);
            state.tile_bag.append(&mut bag);
        }
        (state, phase) = step(&plugin, state, &phase, json!({}), &players);
        let place = json!({"x": made["x"], "y": made["y"], "rotation": made["rotation"]});
        (state, phase) = step(&plugin, state, &phase, place, &players);
        if is_last && asks_meeple {
            return search(&plugin, &state, &phase, &players, question, profile);
        }
        let meeple = match made["spot"].as_str() {
            Some(spot) => json!({"meeple_spot": spot}),
            None => json!({"skip": true}),
        };
        (state, phase) = step(&plugin, state, &phase, meeple, &players);
        (state, phase) = step(&plugin, state, &phase, json!({}), &players);
    }
    state.tile_bag = vec![index(&question["tile"])];
    state.tile_bag.append(&mut bag);
    (state, phase) = step(&plugin, state, &phase, json!({}), &players);
    search(&plugin, &state, &phase, &players, question, profile)
}

fn search(
    plugin: &CarcassonnePlugin,
    state: &CarcassonneState,
    phase: &Phase,
    players: &[Player],
    question: &Value,
    profile: &BotProfile,
) -> Value {
    let mut params = profile.to_mcts_params();
    if let Some(ms) = question["ms"].as_f64() {
        params.time_limit_ms = ms;
    }
    let eval = match (profile.eval_weights, profile.effective_eval_profile()) {
        (Some(weights), _) => Some(make_carcassonne_eval_owned(weights)),
        (None, "") => None,
        (None, _) => Some(make_carcassonne_eval(&DEFAULT_WEIGHTS)),
    };
    let seat = question["seat"].as_u64().expect("seat") as usize;
    let rate = eval.as_deref().map(|rate| {
        rate as &(dyn Fn(&CarcassonneState, &Phase, &str, &[Player]) -> f64 + Sync)
    });
    let (action, simulations) =
        mcts_search(state, phase, &players[seat].player_id, plugin, players, &params, rate);
    let actions = plugin.get_valid_actions(state, phase, &players[seat].player_id).len();
    json!({"action": action, "actions": actions, "simulations": simulations})
}

fn step(
    plugin: &CarcassonnePlugin,
    state: CarcassonneState,
    phase: &Phase,
    payload: Value,
    players: &[Player],
) -> (CarcassonneState, Phase) {
    let seat = phase.metadata["player_index"].as_u64().unwrap_or(0) as usize;
    let action = Action {
        action_type: phase.name.clone(),
        player_id: players[seat].player_id.clone(),
        payload,
    };
    let next = plugin.apply_action(&state, phase, &action, players);
    (next.state, next.next_phase)
}

fn player(seat: usize) -> Player {
    Player {
        player_id: format!("seat{seat}"),
        display_name: format!("Seat {seat}"),
        seat_index: seat as i32,
        is_bot: true,
        bot_id: None,
    }
}

fn index(letter: &Value) -> u8 {
    tile_type_to_index(letter.as_str().expect("a letter"))
}
