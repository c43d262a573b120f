// Refusals as exceptions. A program looks at `code`; a code of a later release breaks nothing.

/** What went wrong between this client and the service. */
export class ClientError extends Error {}

/** No answer came. What has become of a write is unknown: repeating it with `key` is safe. */
export class ConnectionLost extends ClientError {
  /**
   * @param {string} request
   * @param {string} why
   * @param {string | undefined} key
   */
  constructor(request, why, key) {
    super(`no answer to ${request}: ${why}`);
    this.key = key;
  }
}

/** A refusal of the service (RFC 9457). `retryAfter` are seconds, null where nothing was said. */
export class ApiProblem extends ClientError {
  /**
   * @param {number} status
   * @param {Record<string, any>} problem
   * @param {number | null} retryAfter
   */
  constructor(status, problem, retryAfter) {
    super(`${status} ${problem.code}: ${problem.detail ?? ""}`);
    this.status = status;
    this.problem = problem;
    /** @type {string} */
    this.code = problem.code;
    this.retryAfter = retryAfter;
  }

  /** The legal moves, with `illegal_move`. */
  get legalMoves() {
    return this.problem.legal_moves ?? [];
  }

  /** The version that the game has, with `stale_version`. */
  get currentVersion() {
    return this.problem.current_version ?? null;
  }

  /** Whether the game is not as the request assumes: look again, and choose again. */
  get isConflict() {
    return this.status === 409 || this.status === 412;
  }
}

/**
 * Returns an answer as a refusal, also one that comes from a proxy and is a page.
 * @param {number} status
 * @param {Headers} headers
 * @param {string} body
 */
export function readProblem(status, headers, body) {
  return new ApiProblem(status, parseProblem(status, body), readRetryAfter(headers));
}

/**
 * @param {number} status
 * @param {string} body
 * @returns {Record<string, any>}
 */
function parseProblem(status, body) {
  try {
    const found = JSON.parse(body);
    if (typeof found?.code === "string") return found;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { code: `http_${status}`, detail: body.slice(0, 200) };
}

/** @param {Headers} headers */
export function readRetryAfter(headers) {
  const text = headers.get("Retry-After")?.trim() ?? "";
  return /^\d+$/.test(text) ? Number(text) : null;
}
