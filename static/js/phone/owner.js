// The crew member to whom this phone belongs. Each entry is stored with its owner, so that it is sent in the name of
// the member who made it, even if the phone belongs to someone else by then.
//
// The owner is part of the copy of the ride. A phone that was joined again may have lost signal before it received a
// copy: a cookie, which contains the device's id and no secret, shows that the copy still belongs to the previous
// device.
//
// A phone that switches between a ride and its practice is a device of each. A second cookie contains the id of the
// other one, which pages are not for at the moment.

import { getFact } from "./store.js";

export const FACT = "owner"; // written with each copy of the ride
const COOKIE = "tailgunner_phone";
const OTHER_COOKIE = "tailgunner_other_phone";
// How cookies' names begin. Over HTTPS, another host of the domain can have set those without the prefix.
const PREFIX = location.protocol === "https:" ? "__Host-" : "";
export const DEVICE_HEADER = "X-Tailgunner-Device"; // says from which of the phone's devices entries are

/** @param {string} name */
function readCookie(name) {
  const cookies = new Map(document.cookie.split("; ").map((cookie) => /** @type {[string, string]} */ (cookie.split("=", 2))));
  return cookies.get(`${PREFIX}${name}`);
}

/**
 * Return whether a device is this phone's current one; without the cookie it is taken to be.
 * @param {string} [device]
 */
export function isCurrentDevice(device) {
  const current = readCookie(COOKIE);
  return !current || current === device;
}

/**
 * Return whether a device is this phone's other one: it is in the ride while the phone practises, or the reverse.
 * @param {string} [device]
 */
export const isOtherDevice = (device) => Boolean(device) && readCookie(OTHER_COOKIE) === device;

/** Return whether the phone has another device to switch to. */
export const hasOtherDevice = () => Boolean(readCookie(OTHER_COOKIE));

/**
 * Return whether a device is one of this phone's two, as far as its cookies say.
 * @param {string} [device]
 */
export const isOwnDevice = (device) => Boolean(device) && [COOKIE, OTHER_COOKIE].some((name) => readCookie(name) === device);

/** Return the owner, with the time `asked` when the copy was requested by this phone's clock; undefined if unknown. */
export async function getOwner() {
  const owner = await getFact(FACT);
  return owner && isCurrentDevice(owner.device) ? owner : undefined;
}
