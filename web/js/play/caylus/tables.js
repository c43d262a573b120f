/**
 * What the tiles of Caylus cost, bring and do (rules 1.1 to 1.7), for showing only: what is legal
 * and what it costs at the table always comes from the server.
 */

/**
 * @typedef {Record<string, number>} Bundle
 * @typedef {object} Effect
 * @property {Bundle[]} [take] one of these is produced
 * @property {Bundle[]} [owner] what its owner takes when another seat works here
 * @property {[Bundle, Bundle][]} [trade] one of these exchanges
 * @property {"wood" | "stone" | "prestige" | "residence"} [builds]
 * @property {Bundle} [income] at the start of each round
 * @property {string} [special] a text of its own
 *
 * @typedef {object} Building
 * @property {"neutral" | "fixed" | "wood" | "stone" | "residence" | "prestige"} kind
 * @property {Bundle} [cost]
 * @property {number} [points]
 * @property {number} [favours]
 * @property {Effect} does
 */

/** @type {Record<string, Building>} */
export const BUILDINGS = {
  neutral_carpenter: { kind: "neutral", does: { builds: "wood" } },
  neutral_farm: { kind: "neutral", does: { take: [{ food: 1 }, { cloth: 1 }] } },
  neutral_forest: { kind: "neutral", does: { take: [{ food: 1 }, { wood: 1 }] } },
  neutral_sawmill: { kind: "neutral", does: { take: [{ wood: 1 }] } },
  neutral_quarry: { kind: "neutral", does: { take: [{ stone: 1 }] } },
  neutral_marketplace: { kind: "neutral", does: { trade: [[{ any: 1 }, { deniers: 4 }]] } },
  fixed_peddler: { kind: "fixed", does: { trade: [[{ deniers: 2 }, { mixed: 1 }]] } },
  fixed_carpenter: { kind: "fixed", does: { builds: "wood" } },
  gold_mine: { kind: "fixed", does: { take: [{ gold: 1 }] } },
  wood_farm_food: {
    kind: "wood",
    cost: { wood: 1, food: 1 },
    points: 2,
    does: { take: [{ food: 2 }, { cloth: 1 }] },
  },
  wood_farm_cloth: {
    kind: "wood",
    cost: { wood: 1, food: 1 },
    points: 2,
    does: { take: [{ cloth: 2 }, { food: 1 }] },
  },
  wood_sawmill: {
    kind: "wood",
    cost: { wood: 1, food: 1 },
    points: 2,
    does: { take: [{ wood: 2 }] },
  },
  wood_quarry: {
    kind: "wood",
    cost: { wood: 1, food: 1 },
    points: 2,
    does: { take: [{ stone: 2 }] },
  },
  wood_marketplace: {
    kind: "wood",
    cost: { wood: 1, any: 1 },
    points: 4,
    does: { trade: [[{ any: 1 }, { deniers: 6 }]] },
  },
  wood_peddler: {
    kind: "wood",
    cost: { wood: 1, any: 1 },
    points: 4,
    does: {
      trade: [
        [{ deniers: 1 }, { mixed: 1 }],
        [{ deniers: 2 }, { mixed: 2 }],
      ],
    },
  },
  mason: { kind: "wood", cost: { wood: 1, food: 1 }, points: 4, does: { builds: "stone" } },
  lawyer: { kind: "wood", cost: { wood: 1, cloth: 1 }, points: 4, does: { builds: "residence" } },
  stone_farm: {
    kind: "stone",
    cost: { stone: 1, food: 1 },
    points: 3,
    does: { take: [{ food: 2, cloth: 1 }], owner: [{ food: 1 }, { cloth: 1 }] },
  },
  park: {
    kind: "stone",
    cost: { stone: 1, food: 1 },
    points: 3,
    does: { take: [{ wood: 2, food: 1 }], owner: [{ wood: 1 }, { food: 1 }] },
  },
  workshop: {
    kind: "stone",
    cost: { stone: 1, food: 1 },
    points: 3,
    does: { take: [{ stone: 2, cloth: 1 }], owner: [{ stone: 1 }, { cloth: 1 }] },
  },
  church: {
    kind: "stone",
    cost: { stone: 1, cloth: 1 },
    points: 3,
    favours: 1,
    does: {
      trade: [
        [{ deniers: 2 }, { prestige: 3 }],
        [{ deniers: 4 }, { prestige: 5 }],
      ],
    },
  },
  tailor: {
    kind: "stone",
    cost: { stone: 1, wood: 1 },
    points: 6,
    does: {
      trade: [
        [{ cloth: 2 }, { prestige: 4 }],
        [{ cloth: 3 }, { prestige: 6 }],
      ],
    },
  },
  bank: {
    kind: "stone",
    cost: { stone: 1, wood: 1 },
    points: 6,
    does: {
      trade: [
        [{ deniers: 2 }, { gold: 1 }],
        [{ deniers: 5 }, { gold: 2 }],
      ],
    },
  },
  alchemist: {
    kind: "stone",
    cost: { stone: 1, food: 1 },
    points: 6,
    does: {
      trade: [
        [{ mixed: 2 }, { gold: 1 }],
        [{ mixed: 4 }, { gold: 2 }],
      ],
    },
  },
  architect_1: {
    kind: "stone",
    cost: { stone: 1, food: 1 },
    points: 6,
    does: { builds: "prestige" },
  },
  architect_2: {
    kind: "stone",
    cost: { stone: 1, food: 1 },
    points: 6,
    does: { builds: "prestige" },
  },
  jeweller: {
    kind: "stone",
    cost: { stone: 1, cloth: 1 },
    points: 6,
    does: {
      trade: [
        [{ gold: 1 }, { prestige: 5 }],
        [{ gold: 2 }, { prestige: 9 }],
      ],
    },
  },
  residence: { kind: "residence", points: 2, does: { income: { deniers: 1 } } },
  statue: { kind: "prestige", cost: { stone: 2, gold: 1 }, points: 7, favours: 1, does: {} },
  granary: { kind: "prestige", cost: { food: 3, gold: 1 }, points: 10, does: {} },
  library: {
    kind: "prestige",
    cost: { wood: 3, gold: 1 },
    points: 10,
    does: { income: { deniers: 1 } },
  },
  weaver: { kind: "prestige", cost: { cloth: 3, gold: 1 }, points: 12, does: {} },
  theatre: { kind: "prestige", cost: { wood: 3, gold: 2 }, points: 14, favours: 1, does: {} },
  university: { kind: "prestige", cost: { stone: 3, gold: 2 }, points: 14, favours: 1, does: {} },
  monument: { kind: "prestige", cost: { stone: 4, gold: 2 }, points: 14, favours: 2, does: {} },
  hotel: {
    kind: "prestige",
    cost: { stone: 3, gold: 2 },
    points: 16,
    does: { income: { deniers: 2 } },
  },
  cathedral: { kind: "prestige", cost: { stone: 5, gold: 3 }, points: 25, does: {} },
};

/** The special buildings before the bridge (rules 1.1). @type {Record<string, Effect>} */
export const SPECIAL = {
  gate: { special: "gate" },
  trading_post: { take: [{ deniers: 3 }] },
  merchants_guild: { special: "merchants_guild" },
  joust_field: { trade: [[{ deniers: 1, cloth: 1 }, { favour: 1 }]] },
  stables: { special: "stables" },
  inn: { special: "inn" },
  castle: { special: "castle" },
};

/** The favour table (rules 2), columns 1 to 5. @type {Record<string, (Bundle | Effect)[]>} */
export const FAVOURS = {
  prestige: [1, 2, 3, 4, 5].map((prestige) => ({ prestige })),
  deniers: [3, 4, 5, 6, 7].map((deniers) => ({ deniers })),
  cubes: [
    { take: [{ food: 1 }] },
    { take: [{ wood: 1 }, { stone: 1 }] },
    { take: [{ cloth: 1 }] },
    { trade: [[{ any: 1 }, { mixed: 2 }]] },
    { take: [{ gold: 1 }] },
  ],
  buildings: [
    {},
    { builds: "wood" },
    { builds: "stone" },
    { builds: "residence" },
    { builds: "prestige" },
  ],
};

export const COLUMNS = 5;
