// Whose phone this is. Each note is kept with its owner, so that it is sent in the name of whoever noted it, whoever the
// phone belongs to by then.
//
// The copy of the ride tells it. A phone that was joined anew may have lost signal before it got a copy: a cookie, which
// holds the device's id and no secret, tells that the copy here is of the one before.

import { getFact } from "./store.js";

export const FACT = "owner"; // written with each copy of the ride
const COOKIE = "tailgunner_phone";
const OVER_TLS = `__Host-${COOKIE}`; // what the server calls it there

/** Whether a device is the one that this phone is now; without the cookie nobody says otherwise. */
export function isPresent(device) {
  const cookies = new Map(document.cookie.split("; ").map((one) => one.split("=", 2)));
  const said = cookies.get(OVER_TLS) ?? cookies.get(COOKIE);
  return !said || said === device;
}

/** Return whose phone this is, and when that was `asked` by its own clock; undefined while it does not know. */
export async function getOwner() {
  const owner = await getFact(FACT);
  return owner && isPresent(owner.device) ? owner : undefined;
}
