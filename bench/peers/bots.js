// Bots on boardgame.io: node bots.js PORT GAMES
//
// Each line on stdin is a number of seconds; for so long the bots play, and a line on stdout has the
// moves a second. A move counts when the client of the other seat has it from the server. A match
// ends after LENGTH moves and another one begins, as games of the service end.
const { Client } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");
const { Append } = require("./game");

const LENGTH = 140;
const [port, games] = process.argv.slice(2).map(Number);
let playing = false;
let moves = 0;

class Match {
  constructor(name) {
    this.name = name;
    this.number = 0;
    this.begin();
  }

  begin() {
    this.number += 1;
    this.turn = 0;
    this.clients = ["0", "1"].map((playerID) => this.join(playerID));
  }

  join(playerID) {
    const client = Client({
      game: Append,
      numPlayers: 2,
      multiplayer: SocketIO({
        server: `http://127.0.0.1:${port}`,
        socketOpts: { transports: ["websocket"] },
      }),
      matchID: `${this.name}-${this.number}`,
      playerID,
      debug: false,
    });
    client.subscribe((state) => this.look(client, playerID, state));
    client.start();
    return client;
  }

  look(client, playerID, state) {
    // The state of a turn of one's own comes from the server: the other seat has moved.
    if (!state || !state.isConnected || state.ctx.currentPlayer !== playerID) return;
    if (state.ctx.turn <= this.turn) return;
    if (state.ctx.turn > 1) moves += 1;
    this.turn = state.ctx.turn;
    this.mover = client;
    if (playing) this.move();
  }

  move() {
    const mover = this.mover;
    if (!mover) return; // the match has yet to be loaded
    this.mover = null;
    if (this.turn > LENGTH) {
      this.clients.forEach((client) => client.stop());
      this.begin();
    } else {
      // Not within the notification: the client would be changed while it tells its subscribers.
      setImmediate(() => mover.moves.append(this.turn));
    }
  }
}

const matches = Array.from({ length: games }, (_, number) => new Match(`match-${number}`));

require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const began = process.hrtime.bigint();
    moves = 0;
    playing = true;
    matches.forEach((match) => match.move());
    setTimeout(() => {
      const seconds = Number(process.hrtime.bigint() - began) / 1e9;
      playing = false;
      process.stdout.write(`${moves / seconds}\n`);
    }, Number(line) * 1000);
  })
  .on("close", () => process.exit(0));
