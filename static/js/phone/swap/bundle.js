// The bundle that one phone gives to another: envelopes, and the names of their phones' owners, compressed. The codes
// on the screen and the file contain the same bytes.

import { decodeBase64, encodeBase64 } from "./base64.js";

const FORMAT = 1;
const MAX_UNPACKED = 20_000_000; // bytes
const FIRST_LINE = "Tailgunner notes";

/** The data is not a bundle that this version can read. */
export class InvalidBundle extends Error {}

/** @param {BundleContent} content */
export async function pack({ envelopes, names }) {
  const text = JSON.stringify({ format: FORMAT, names, envelopes });
  return run(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw")), Infinity);
}

/**
 * Return the content that was given to `pack`.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @throws {InvalidBundle}
 * @returns {Promise<BundleContent>}
 */
export async function unpack(bytes) {
  try {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const { format, names, envelopes } = JSON.parse(new TextDecoder().decode(await run(stream, MAX_UNPACKED)));
    if (format !== FORMAT || typeof names !== "object" || !Array.isArray(envelopes)) throw new InvalidBundle(format);
    return { names: names ?? {}, envelopes };
  } catch (error) {
    throw error instanceof InvalidBundle ? error : new InvalidBundle(error.message);
  }
}

/**
 * @param {ReadableStream<Uint8Array<ArrayBuffer>>} stream
 * @param {number} limit in bytes.
 * @throws {InvalidBundle} there is more in the stream.
 */
async function run(stream, limit) {
  const pieces = [];
  let size = 0;
  for (const reader = stream.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > limit) throw new InvalidBundle("it is too large");
    pieces.push(value);
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

/**
 * Return a text file: browsers do not share files of an unknown type with other apps.
 * @param {Uint8Array} bytes
 * @param {string} name
 */
export const makeFile = (bytes, name) => new File([`${FIRST_LINE} ${FORMAT}\n${encodeBase64(bytes)}\n`], name, { type: "text/plain" });

/**
 * Return the bytes from which a file was made.
 * @param {Blob} file
 * @throws {InvalidBundle}
 */
export async function readFile(file) {
  const [first, text = ""] = (await file.text()).trim().split(/\s*\n/);
  if (!first.startsWith(FIRST_LINE)) throw new InvalidBundle("it is not a bundle");
  try {
    return decodeBase64(text);
  } catch (error) {
    throw new InvalidBundle(error.message);
  }
}
