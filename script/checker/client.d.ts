/**
 * Types that the comments of `web/js` name without an import. All but the loose ones come from
 * openapi.yaml.
 */

type Schemas = import("openapi").components["schemas"];
type Operations = import("openapi").operations;

/** The JSON that an operation answers when it succeeds, with games of any kind. */
type Answer<Name extends keyof Operations> = Open<Json<Success<Operations[Name]["responses"]>>>;
type Success<Answers> = Answers[keyof Answers & (200 | 201 | 202)];
type Json<Found> = Found extends { content: { "application/json": infer Content } } ? Content : never;

/** The JSON that an operation is sent. */
type Sent<Name extends keyof Operations> = Operations[Name] extends {
  requestBody?: { content: { "application/json": infer Wish } };
}
  ? Wish
  : never;

/** A union of which every field may be read; a field that a member lacks is undefined. */
type Fields<Union> = Union extends unknown ? keyof Union : never;
type Full<Union, Names extends PropertyKey = Fields<Union>> = Union extends unknown
  ? Union & { [Name in Exclude<Names, keyof Union>]?: undefined }
  : never;

// A service may offer games that this client does not know, and add kinds of decisions, moves, events and facts.

/** What a game shows: the module of the game in `play/` knows its type. */
type View = Record<string, any>;
type Decision = { seat: number; kind: string; context: Record<string, any> };
type Move = Record<string, any> & { type: string };
type GameEvent = Full<OpenEvent<Schemas["Event"]>>;
type OpenEvent<Union> = Union extends unknown
  ? { [Name in keyof Union]: Name extends "facts" ? Fact[] : Name extends "move" ? Move : Union[Name] }
  : never;
type Fact = Record<string, any> & { type: string };

/** Of a game of any kind what is the same for all games. */
type Opened<Described> = Omit<Described, "game" | "options" | "decision" | "view"> & {
  game: string;
  options: Record<string, any>;
  decision: Decision | null;
  view: View | null;
};
type Game = Opened<Schemas["CarcassonneGame"]>;

/** An answer in which games, views, decisions, moves, events and facts are those of any game. */
type Open<Described> = Described extends Schemas["Game"]
  ? Game
  : Described extends Schemas["CarcassonneView"] | Schemas["CaylusView"]
    ? View
    : Described extends Schemas["Decision"]
      ? Decision
      : Described extends Schemas["Move"]
        ? Move
        : Described extends Schemas["Event"]
          ? GameEvent
          : Described extends Schemas["Fact"]
            ? Fact
            : Described extends (infer Item)[]
              ? Open<Item>[]
              : Described extends object
                ? { [Name in keyof Described]: Open<Described[Name]> }
                : Described;

type Seat = Schemas["TableSeat"];
type Result = Schemas["Result"];
/** A game as lists of games show it. */
type Summary = Omit<Game, "view">;
type Offer = Answer<"show_catalogue">["games"][number];
type Piece = Schemas["Piece"];

/** What an element may be filled with: lists are laid out flat, nothing stands for nothing. */
type Child = Leaf | Child[];
type Leaf = Node | string | number | null | undefined | false;

// What the modules of the games know of their views.

type CaylusPlayer = Omit<Schemas["CaylusView"]["players"][number], "cubes" | "favours"> & {
  cubes: Record<string, number>;
  favours: Record<string, number>;
};
type RoadSpace = Schemas["CaylusView"]["road"][number];
type PlacedTile = Schemas["CarcassonneView"]["board"][number];
