// Bots on boardgame.io: node bots.js PORT GAMES
//
// Each line on stdin is a command, answered by a line on stdout:
//   prepare MATCHES   has so many matches of each game ready and connected; answers "ready"
//   play SECONDS      plays for so long; answers the moves a second
// A move counts when the client of the other seat has it from the server. A match ends after LENGTH
// moves, as games of the service end, and the next prepared match of the game begins.
const { Client } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");
const { Append } = require("./game");

const LENGTH = 140;
const [port, number] = process.argv.slice(2).map(Number);
let playing = false;
let moves = 0;
let over = []; // matches whose clients are still connected

class Match {
  constructor(game, name) {
    this.game = game;
    this.turn = 0;
    this.ready = new Promise((resolve) => (this.isReady = resolve));
    this.waiting = new Set(["0", "1"]);
    this.clients = ["0", "1"].map((playerID) => this.join(name, playerID));
  }

  join(name, playerID) {
    const client = Client({
      game: Append,
      numPlayers: 2,
      multiplayer: SocketIO({
        server: `http://127.0.0.1:${port}`,
        socketOpts: { transports: ["websocket"] },
      }),
      matchID: name,
      playerID,
      debug: false,
    });
    client.subscribe((state) => this.look(client, playerID, state));
    client.start();
    return client;
  }

  look(client, playerID, state) {
    if (!state || !state.isConnected) return;
    if (this.waiting.delete(playerID) && !this.waiting.size) this.isReady();
    // The state of a turn of one's own comes from the server: the other seat has moved.
    if (state.ctx.currentPlayer !== playerID || state.ctx.turn <= this.turn) return;
    if (state.ctx.turn > 1) moves += 1;
    this.turn = state.ctx.turn;
    this.mover = client;
    if (playing && this.game.current === this) this.move();
  }

  move() {
    const mover = this.mover;
    if (!mover) return; // the match has yet to be loaded
    if (this.turn > LENGTH) {
      this.game.next();
      return;
    }
    this.mover = null;
    // Not within the notification: the client would be changed while it tells its subscribers.
    setImmediate(() => mover.moves.append(this.turn));
  }
}

class Game {
  constructor(name) {
    this.name = name;
    this.opened = 0;
    this.stock = [];
    this.current = null;
  }

  open() {
    this.opened += 1;
    return new Match(this, `${this.name}-${this.opened}`);
  }

  prepare(matches) {
    while (this.stock.length < matches) this.stock.push(this.open());
    return Promise.all(this.stock.map((match) => match.ready));
  }

  next() {
    if (this.current) over.push(this.current);
    this.current = this.stock.shift() || this.open();
    this.current.move();
  }

  play() {
    if (this.current) this.current.move();
    else this.next();
  }
}

const games = Array.from({ length: number }, (_, index) => new Game(`game-${index}`));

async function prepare(matches) {
  over.forEach((match) => match.clients.forEach((client) => client.stop()));
  over = [];
  for (const game of games) await game.prepare(matches);
  process.stdout.write("ready\n");
}

function play(seconds) {
  const began = process.hrtime.bigint();
  moves = 0;
  playing = true;
  games.forEach((game) => game.play());
  setTimeout(() => {
    const lasted = Number(process.hrtime.bigint() - began) / 1e9;
    playing = false;
    process.stdout.write(`${moves / lasted}\n`);
  }, seconds * 1000);
}

require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const [command, value] = line.split(" ");
    if (command === "prepare") prepare(Number(value));
    else play(Number(value));
  })
  .on("close", () => process.exit(0));
