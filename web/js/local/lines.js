/**
 * The lines of an analysis board: courses of play from one beginning. A move that was taken back stays in its
 * line; another move in its place begins a line of its own.
 */

/**
 * @typedef {{seat: number, move: Record<string, any>}} LineMove
 * @typedef {{moves: LineMove[], draws: string[], bag?: Record<string, number>}} Line as in a transcript
 */

/** What a transcript says of the course of play. @param {any} transcript @returns {Line} */
export function lineOf({ moves, draws, bag }) {
  return bag ? { moves, draws, bag } : { moves, draws };
}

/** @param {LineMove} one @param {LineMove} other */
function isSame(one, other) {
  return one.seat === other.seat && JSON.stringify(one.move) === JSON.stringify(other.move);
}

/** How many moves two lines have in common, with the draws that led to them. @param {Line} one @param {Line} other */
function shared(one, other) {
  const differs = one.moves.findIndex((move, at) => !other.moves[at] || !isSame(move, other.moves[at]));
  return differs < 0 ? one.moves.length : differs;
}

/** Whether a line goes on where another one stops. @param {Line} short @param {Line} long */
function goesOn(short, long) {
  return (
    short.moves.length <= long.moves.length &&
    shared(short, long) === short.moves.length &&
    short.draws.every((draw, at) => draw === long.draws[at])
  );
}

/**
 * The lines after a move, a move taken back or another draw; a line that the course is part of stays as it is.
 * @param {Line[]} lines @param {Line} course
 */
export function addCourse(lines, course) {
  if (lines.some((line) => goesOn(course, line))) return lines;
  const before = lines.findIndex((line) => goesOn(line, course));
  return before < 0 ? [...lines, course] : lines.with(before, course);
}

/**
 * What a list of the lines says: how many moves each has, after how many it leaves the line before it, and whether
 * the board stands in it.
 * @param {Line[]} lines @param {Line} course
 */
export function tellLines(lines, course) {
  const at = lines.findIndex((line) => goesOn(course, line));
  return lines.map((line, number) => ({
    moves: line.moves.length,
    from: number ? Math.max(...lines.slice(0, number).map((earlier) => shared(line, earlier))) : 0,
    here: number === at,
  }));
}

/**
 * The transcript of the first moves of a line: the draws after them are those of the line.
 * @param {any} transcript of the board @param {Line} line @param {number} count
 */
export function cutAt(transcript, line, count) {
  const { result, ending, players, bag, ...rest } = transcript;
  return { ...rest, ...line, moves: line.moves.slice(0, count) };
}
