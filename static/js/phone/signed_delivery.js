// Delivers entries by their signature, where the phone's cookie does not prove whose they are.
//
// - Pending entries that were made while the phone belonged to someone else are delivered with that device's signature,
//   so that they count as that member's. Entries without a signature are shown under "need attention", and are sent
//   once the phone belongs to that member again.
// - Entries that are pending on a phone when it is signed out go to the organiser's review.

import { sendBisecting } from "./batches.js";
import { applyReceipts, recordFailures } from "./outbox.js";
import { post } from "./swap/delivery.js";
import { sign } from "./swap/signing.js";

const WITHOUT_KEY = "unproven";

/** @typedef {WaitingOperation & {envelope: Envelope}} Sealed */

/**
 * Deliver operations of former owners.
 * @param {WaitingOperation[]} operations
 * @returns {Promise<number>} how many are no longer pending.
 */
export async function deliverForFormerOwners(operations) {
  const { provable, lost } = await seal(operations);
  const settled = await applyReceipts(lost.map(({ id }) => ({ id, outcome: WITHOUT_KEY, entries: [], problems: [] })), true);
  return settled + await deliverSealed(provable);
}

/**
 * Deliver operations of this phone, which has been signed out; those that cannot be signed stay pending.
 * @param {WaitingOperation[]} operations
 * @returns {Promise<number>} how many are no longer pending.
 */
export const deliverToReview = async (operations) => deliverSealed((await seal(operations)).provable);

/**
 * Sign operations; return those of which the key is `lost` as they are.
 * @param {WaitingOperation[]} operations
 */
async function seal(operations) {
  const signed = await sign(operations);
  /** @type {Sealed[]} */
  const provable = operations.flatMap((operation, index) => {
    const envelope = signed[index];
    return envelope ? { ...operation, envelope } : [];
  });
  return { provable, lost: operations.filter((_, index) => !signed[index]) };
}

/** @param {Sealed[]} provable */
async function deliverSealed(provable) {
  let settled = 0;
  if (provable.length) await recordFailures(await sendBisecting(provable, send, refuse), true);
  return settled;

  /** @param {Sealed[]} part */
  async function send(part) {
    const receipts = await post(part.map(({ envelope }) => envelope));
    settled += await applyReceipts(receipts.map((receipt, index) => ({ ...receipt, id: receipt.id ?? part[index].id })), true);
  }

  /**
   * @param {Sealed} operation
   * @param {Problem} problem
   */
  async function refuse({ id }, problem) {
    settled += await applyReceipts([{ id, outcome: "unreadable", entries: [], problems: [problem] }], true);
  }
}
