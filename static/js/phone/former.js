// What was noted while this phone was somebody else's, and is not sent yet: it is delivered as that device has signed it,
// so that it counts as theirs. What cannot be proven so is shown under "need attention", and is sent once the phone is
// theirs again.

import { settle } from "./outbox.js";
import { post } from "./swap/delivering.js";
import { sign } from "./swap/signing.js";

const WITHOUT_KEY = "unproven";

/**
 * Deliver operations of former owners.
 * @returns {Promise<number>} how many no longer wait.
 */
export async function deliverFormer(operations) {
  const signed = await sign(operations);
  const provable = operations.filter((_one, place) => signed[place]);
  const lost = operations.filter((_one, place) => !signed[place]);
  const receipts = lost.map(({ id }) => ({ id, outcome: WITHOUT_KEY, entries: [], problems: [] }));
  if (provable.length) {
    const told = await post(signed.filter(Boolean));
    receipts.push(...told.map((receipt, place) => ({ ...receipt, id: receipt.id ?? provable[place].id })));
  }
  return settle(receipts, true);
}
