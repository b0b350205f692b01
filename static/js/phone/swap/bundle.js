// What one phone hands another: envelopes, and whose phones they are of, packed small. The same bytes go by the codes on
// the screen and by a file.

import { read, spell } from "./base64.js";

const FORMAT = 1;
const MOST_UNPACKED = 20_000_000; // bytes
const FIRST_LINE = "Tailgunner notes";

/** Whatever was given is no bundle that this version reads. */
export class BadBundle extends Error {}

/** @param {{envelopes: object[], names: Object<string, string>}} content `names` are those of devices' owners. */
export async function pack({ envelopes, names }) {
  const text = JSON.stringify({ format: FORMAT, names, envelopes });
  return run(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw")), Infinity);
}

/** Return what `pack` was given. */
export async function unpack(bytes) {
  try {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const { format, names, envelopes } = JSON.parse(new TextDecoder().decode(await run(stream, MOST_UNPACKED)));
    if (format !== FORMAT || typeof names !== "object" || !Array.isArray(envelopes)) throw new BadBundle(format);
    return { names: names ?? {}, envelopes };
  } catch (error) {
    throw error instanceof BadBundle ? error : new BadBundle(error.message);
  }
}

async function run(stream, most) {
  const pieces = [];
  let size = 0;
  for (const reader = stream.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) throw new BadBundle("it is too large");
    pieces.push(value);
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

// Text: what browsers hand to other apps may be no file of an unknown kind.
export const makeFile = (bytes, name) => new File([`${FIRST_LINE} ${FORMAT}\n${spell(bytes)}\n`], name, { type: "text/plain" });

export async function readFile(file) {
  const [first, text = ""] = (await file.text()).trim().split(/\s*\n/);
  if (!first.startsWith(FIRST_LINE)) throw new BadBundle("it is another file");
  try {
    return read(text);
  } catch (error) {
    throw new BadBundle(error.message);
  }
}
