// Sends a batch in parts if the server cannot accept it as a whole: it is halved repeatedly, down to the single entries
// that block the rest. Everything else is recorded.
//
// An entry is *refused* if the server reports what is wrong with it (4xx), and *failing* if the server itself fails on
// it (5xx). A failure can be the server's own fault, so it counts against an entry only if the server accepted another
// entry of the same batch, or if there was no other.

const REFUSED = new Set([400, 413, 422]);
const UNAVAILABLE = new Set([502, 503, 504]); // from a proxy, or without a database: not about an entry
const MARK = "X-Tailgunner"; // on every response of our server; a hotel's network has error pages as well
const MAX_FAILING = 16; // with nothing accepted: then the server itself fails, and further attempts only add load

/** Something in the batch keeps the server from accepting any of it. */
export class Unsendable extends Error {
  /** @param {Problem} [problem] as the server reports it; none if the server failed. */
  constructor(problem) {
    super(problem?.code ?? "failed");
    this.problem = problem;
  }
}

/**
 * Throw `Unsendable` if our own server failed on the batch.
 * @param {Response} answer
 */
export function throwIfFailed(answer) {
  if (answer.status >= 500 && !UNAVAILABLE.has(answer.status) && answer.headers.has(MARK)) throw new Unsendable();
}

/**
 * Throw `Unsendable` if the server refuses the batch.
 * @param {number} status
 * @param {ServerReply | null} reply
 */
export function throwIfRefused(status, reply) {
  if (REFUSED.has(status)) throw new Unsendable({ code: reply?.error?.code ?? "refused", message: reply?.error?.message ?? "" });
}

/**
 * Send a batch; if the server cannot accept it as a whole, send it in parts.
 * @template E
 * @param {E[]} batch
 * @param {(part: E[]) => Promise<void>} send sends a part of it and stores the receipts. It throws `Unsendable` if
 *   an entry blocks the part, and any other error if the server does not respond.
 * @param {(entry: E, problem: Problem) => Promise<void>} refuse records that an entry is refused, and why.
 * @returns {Promise<E[]>} the entries that the server fails on, unless it fails on everything.
 */
export async function sendBisecting(batch, send, refuse) {
  /** @type {E[]} */
  const failing = [];
  let hasAccepted = false;

  /** @param {E[]} part */
  async function attempt(part) {
    try {
      await send(part);
      hasAccepted = true;
    } catch (error) {
      if (!(error instanceof Unsendable)) throw error;
      if (part.length > 1) {
        const middle = Math.ceil(part.length / 2);
        await attempt(part.slice(0, middle));
        await attempt(part.slice(middle));
      } else if (error.problem) await refuse(part[0], error.problem);
      else failing.push(part[0]);
      if (!hasAccepted && failing.length >= MAX_FAILING) throw new Error("the server fails on everything", { cause: error });
    }
  }

  await attempt(batch);
  return hasAccepted || batch.length === 1 ? failing : [];
}
