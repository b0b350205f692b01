// Compares this phone's parts of the ride with the server's, in the same way as scorekeeper/offline/buckets.py. Parts
// are assigned to buckets by the checksums of their keys, and the phone sends one number for each bucket. The server
// responds with all parts in the buckets that differ.

const MIN_BUCKETS = 64;
const MAX_BUCKETS = 16_384;
const DIGITS = 4; // of a fingerprint that are combined into its bucket's number
const POLYNOMIAL = 0xEDB88320; // of CRC-32

const CHECKSUMS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ POLYNOMIAL : sum >>> 1;
  return sum;
});

/**
 * @param {string} key
 * @param {number} count of buckets, a power of two.
 */
function findBucket(key, count) {
  let sum = 0xFFFFFFFF;
  for (const byte of new TextEncoder().encode(key)) sum = CHECKSUMS[(sum ^ byte) & 0xFF] ^ (sum >>> 8);
  return ((sum ^ 0xFFFFFFFF) >>> 0) & (count - 1);
}

/** @param {number} parts */
const countBuckets = (parts) => Math.min(Math.max(MIN_BUCKETS, 2 ** Math.ceil(Math.log2(parts || 1))), MAX_BUCKETS);

/**
 * Return the bucket numbers as they are sent.
 * @param {Fingerprints} fingerprints of all parts.
 */
export function fillBuckets(fingerprints) {
  const keys = Object.keys(fingerprints);
  const count = countBuckets(keys.length);
  const numbers = new DataView(new ArrayBuffer(2 * count));
  for (const key of keys) {
    const at = 2 * findBucket(key, count);
    numbers.setUint16(at, numbers.getUint16(at) ^ parseInt(fingerprints[key].slice(0, DIGITS), 16));
  }
  return numbers.buffer;
}

/**
 * Return the fingerprints of all parts after a response, and the keys of the deleted parts.
 * @param {Fingerprints} fingerprints of the parts before the response.
 * @param {Pick<PartsReply, "parts" | "buckets">} response to the numbers that `fillBuckets` made of them.
 */
export function merge(fingerprints, { parts, buckets }) {
  const keys = Object.keys(fingerprints);
  const count = countBuckets(keys.length);
  const sent = new Set(buckets);
  const gone = keys.filter((key) => sent.has(findBucket(key, count)) && !(key in parts));
  const after = { ...fingerprints, ...readFingerprints(parts) };
  for (const key of gone) delete after[key];
  return { after, gone };
}

/**
 * @param {Parts} parts
 * @returns {Fingerprints}
 */
export const readFingerprints = (parts) => Object.fromEntries(Object.entries(parts).map(([key, [fingerprint]]) => [key, fingerprint]));

/**
 * Return the digest of the whole ride, which must equal the server's.
 * @param {Fingerprints} fingerprints
 */
export async function makeDigest(fingerprints) {
  const lines = Object.keys(fingerprints).sort().map((key) => `${key} ${fingerprints[key]}\n`);
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(lines.join(""))));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
