// Tells events with the code of the client: `node tell.mjs WEB` reads what to tell from the standard input
// and writes the sentences. There is no browser: these are the few parts of it that the modules touch when
// they are loaded.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

globalThis.window = globalThis;
globalThis.location = { pathname: "/" };
globalThis.document = { documentElement: { dataset: {} } };
globalThis.localStorage = { getItem: () => null };

const load = (name) => import(`${pathToFileURL(process.argv[2])}/js/${name}`);
const { language, words, stories, reasons } = JSON.parse(readFileSync(0, "utf8"));
globalThis.fetch = async () => new Response(JSON.stringify(words));

const { speak } = await load("platform/i18n.js");
const { sayReasons, tell } = await load("story/teller.js");
await speak(language);
const games = Object.fromEntries(stories.map(({ game }) => [game.game, game]));
const told = {
  stories: stories.map(({ game, events }) => events.map((event) => tell(game, event, events))),
  reasons: Object.fromEntries(Object.entries(games).map(([name, game]) => [name, sayReasons(game, reasons)])),
};
process.stdout.write(JSON.stringify(told));
