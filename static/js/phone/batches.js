// Sends a batch in parts where the server cannot take it as a whole: halves of it, down to the single entries that stand in
// the way. Everything else arrives.
//
// An entry is *refused* where the server says what is wrong with it (4xx), and *failing* where the server itself fails on it
// (5xx). A failure may be the server's own, so it is held against an entry only where the server took something else of
// the same batch, or where there was nothing else.

const REFUSED = new Set([400, 413, 422]);
const AWAY = new Set([502, 503, 504]); // from a proxy, or without a database: about no entry at all
const MARK = "X-Tailgunner"; // on every answer of ours; a hotel's network has error pages as well
const MOST_FAILING = 16; // with nothing taken: then it is the server that fails, and every try costs it more

/** Something in what was sent stands in the way of all of it. */
export class Unsendable extends Error {
  constructor(problem) {
    super(problem?.code ?? "failed");
    this.problem = problem; // what the server says of it; undefined where it failed
  }
}

/** Throw `Unsendable` where an answer says that something in the batch stands in the way: only for a failure of ours. */
export function checkFailed(answer) {
  if (answer.status >= 500 && !AWAY.has(answer.status) && answer.headers.has(MARK)) throw new Unsendable();
}

/** Throw `Unsendable` where an answer refuses the batch. */
export function checkRefused(status, told) {
  if (REFUSED.has(status)) throw new Unsendable({ code: told?.error?.code ?? "refused", message: told?.error?.message ?? "" });
}

/**
 * Send a batch, and what is left of it in parts.
 * @param {object[]} batch
 * @param {(some: object[]) => Promise<void>} send sends some of it and keeps the receipts; it throws `Unsendable` where
 *   something among them stands in the way, and anything else where nobody answers.
 * @param {(one: object, problem: object) => Promise<void>} refuse keeps that one is refused, and why.
 * @returns {Promise<object[]>} the entries that the server fails on, where it is about them.
 */
export async function sendInParts(batch, send, refuse) {
  const failing = [];
  let isAnyTaken = false;

  async function attempt(some) {
    try {
      await send(some);
      isAnyTaken = true;
    } catch (error) {
      if (!(error instanceof Unsendable)) throw error;
      if (some.length > 1) {
        const middle = Math.ceil(some.length / 2);
        await attempt(some.slice(0, middle));
        await attempt(some.slice(middle));
      } else if (error.problem) await refuse(some[0], error.problem);
      else failing.push(some[0]);
      if (!isAnyTaken && failing.length >= MOST_FAILING) throw new Error("the server fails on everything");
    }
  }

  await attempt(batch);
  return isAnyTaken || batch.length === 1 ? failing : [];
}
