// boardgame.io with its storage in memory: node server.js PORT
const { Server } = require("boardgame.io/server");
const { Append } = require("./game");

console.log = () => {}; // boardgame.io reports the start, and would report every request
const server = Server({ games: [Append], origins: [/.*/] });
server.run({ port: Number(process.argv[2]), callback: () => process.stdout.write("ready\n") });
