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

/**
 * Deliver operations of former owners.
 * @returns {Promise<number>} how many are no longer pending.
 */
export async function deliverForFormerOwners(operations) {
  const { provable, lost } = await seal(operations);
  const settled = await applyReceipts(lost.map(({ id }) => ({ id, outcome: WITHOUT_KEY, entries: [], problems: [] })), true);
  return settled + await deliverSealed(provable);
}

/**
 * Deliver operations of this phone, which has been signed out; those that cannot be signed stay pending.
 * @returns {Promise<number>} how many are no longer pending.
 */
export const deliverToReview = async (operations) => deliverSealed((await seal(operations)).provable);

async function seal(operations) {
  const signed = await sign(operations);
  const sealed = operations.map((operation, index) => ({ ...operation, envelope: signed[index] }));
  return { provable: sealed.filter(({ envelope }) => envelope), lost: sealed.filter(({ envelope }) => !envelope) };
}

async function deliverSealed(provable) {
  let settled = 0;
  if (provable.length) await recordFailures(await sendBisecting(provable, send, refuse), true);
  return settled;

  async function send(part) {
    const receipts = await post(part.map(({ envelope }) => envelope));
    settled += await applyReceipts(receipts.map((receipt, index) => ({ ...receipt, id: receipt.id ?? part[index].id })), true);
  }

  async function refuse({ id }, problem) {
    settled += await applyReceipts([{ id, outcome: "unreadable", entries: [], problems: [problem] }], true);
  }
}
