// The crew member to whom this phone belongs. Each entry is stored with its owner, so that it is sent in the name of
// the member who made it, even if the phone belongs to someone else by then.
//
// The owner is part of the copy of the ride. A phone that was joined again may have lost signal before it received a
// copy: a cookie, which contains the device's id and no secret, shows that the copy still belongs to the previous
// device.

import { getFact } from "./store.js";

export const FACT = "owner"; // written with each copy of the ride
const COOKIE = "tailgunner_phone";
const OVER_TLS = `__Host-${COOKIE}`; // the cookie's name over HTTPS

/** Return whether a device is this phone's current one; without the cookie it is taken to be. */
export function isCurrentDevice(device) {
  const cookies = new Map(document.cookie.split("; ").map((cookie) => cookie.split("=", 2)));
  const current = cookies.get(OVER_TLS) ?? cookies.get(COOKIE);
  return !current || current === device;
}

/** Return the owner, with the time `asked` when the copy was requested by this phone's clock; undefined if unknown. */
export async function getOwner() {
  const owner = await getFact(FACT);
  return owner && isCurrentDevice(owner.device) ? owner : undefined;
}
