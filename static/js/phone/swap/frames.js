// Splits bytes into numbered pieces that fit into a QR code each, shown in a loop, and assembles them again in whatever
// order they are scanned.
//
// A frame: "TG" and a 1; four bytes of the SHA-256 of all bytes, which identify them and verify that they are complete;
// the piece's index and the number of pieces, two bytes each; then the piece.

const MARK = [0x54, 0x47, 1];
const HEAD = 11;
const PIECE = 620; // with the head it fits a code of 85 modules, which a camera can read from a phone's screen

/** @param {Uint8Array<ArrayBuffer>} bytes */
const hash = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).subarray(0, 4);

/**
 * Split bytes into frames.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @throws {RangeError} there are too many.
 */
export async function split(bytes) {
  const name = await hash(bytes);
  const total = Math.max(1, Math.ceil(bytes.length / PIECE));
  if (total > 0xffff) throw new RangeError("it is too large");
  return Array.from({ length: total }, (_, place) => {
    const piece = bytes.subarray(place * PIECE, (place + 1) * PIECE);
    return Uint8Array.from([...MARK, ...name, place >> 8, place & 255, total >> 8, total & 255, ...piece]);
  });
}

/** Assembles frames. */
export class Assembler {
  #name = "";
  /** @type {Map<number, Uint8Array<ArrayBuffer>>} */
  #pieces = new Map();
  #total = 0;

  get have() { return this.#pieces.size; }

  get total() { return this.#total; }

  get isWhole() { return this.#total > 0 && this.have === this.#total; }

  /**
   * Add a code's content; return false if it is not a frame. The bundle that was scanned last replaces any other.
   * @param {Iterable<number>} data
   */
  add(data) {
    const frame = Uint8Array.from(data);
    if (frame.length < HEAD || MARK.some((byte, place) => frame[place] !== byte)) return false;
    const [place, total] = [frame[7] * 256 + frame[8], frame[9] * 256 + frame[10]];
    if (total === 0 || place >= total) return false;
    const name = frame.subarray(3, 7).join();
    if (name !== this.#name || total !== this.#total) {
      this.#name = name;
      this.#total = total;
      this.#pieces.clear();
    }
    this.#pieces.set(place, frame.subarray(HEAD));
    return true;
  }

  /** Return the bytes; null if they are not the bytes that were split, and all frames have to be scanned again. */
  async join() {
    const pieces = Array.from({ length: this.#total }, (_, place) => this.#pieces.get(place) ?? new Uint8Array());
    const bytes = new Uint8Array(await new Blob(pieces).arrayBuffer());
    if ((await hash(bytes)).join() === this.#name) return bytes;
    this.#pieces.clear();
    return null;
  }
}
