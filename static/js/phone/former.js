// What is delivered by its signature, since the phone's cookie would not do.
//
// What was recorded while this phone was somebody else's, and is not sent yet, is delivered as that device has signed it,
// so that it counts as theirs. What cannot be proven so is shown under "need attention", and is sent once the phone is
// theirs again. What a phone holds when it is signed out goes to the organiser.

import { sendInParts } from "./batches.js";
import { noteFailing, settle } from "./outbox.js";
import { post } from "./swap/delivering.js";
import { sign } from "./swap/signing.js";

const WITHOUT_KEY = "unproven";

/**
 * Deliver operations of former owners.
 * @returns {Promise<number>} how many no longer wait.
 */
export async function deliverFormer(operations) {
  const { provable, lost } = await seal(operations);
  const settled = await settle(lost.map(({ id }) => ({ id, outcome: WITHOUT_KEY, entries: [], problems: [] })), true);
  return settled + await deliverSealed(provable);
}

/**
 * Deliver operations of this phone, which has been signed out; what cannot be signed stays where it is.
 * @returns {Promise<number>} how many no longer wait.
 */
export const deliverForReview = async (operations) => deliverSealed((await seal(operations)).provable);

async function seal(operations) {
  const signed = await sign(operations);
  const sealed = operations.map((one, place) => ({ ...one, envelope: signed[place] }));
  return { provable: sealed.filter(({ envelope }) => envelope), lost: sealed.filter(({ envelope }) => !envelope) };
}

async function deliverSealed(provable) {
  let settled = 0;
  if (provable.length) await noteFailing(await sendInParts(provable, send, refuse), true);
  return settled;

  async function send(some) {
    const told = await post(some.map(({ envelope }) => envelope));
    settled += await settle(told.map((receipt, place) => ({ ...receipt, id: receipt.id ?? some[place].id })), true);
  }

  async function refuse({ id }, problem) {
    settled += await settle([{ id, outcome: "unreadable", entries: [], problems: [problem] }], true);
  }
}
