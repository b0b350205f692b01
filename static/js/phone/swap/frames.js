// Bytes as numbered pieces that fit into a QR code each, shown round and round; and putting them together again, in
// whatever order they are seen.
//
// A frame: "TG" and a 1; four bytes of the SHA-256 of the whole, which name it and tell whether it came whole; its place
// and how many there are, two bytes each; then the piece.

const MARK = [0x54, 0x47, 1];
const HEAD = 11;
const PIECE = 620; // with the head this fits a code of 85 modules, which a phone's camera reads off another's screen

const hash = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).subarray(0, 4);

/** Return the frames of bytes. */
export async function split(bytes) {
  const name = await hash(bytes);
  const total = Math.max(1, Math.ceil(bytes.length / PIECE));
  if (total > 0xffff) throw new RangeError("it is too large");
  return Array.from({ length: total }, (_, place) => {
    const piece = bytes.subarray(place * PIECE, (place + 1) * PIECE);
    return Uint8Array.from([...MARK, ...name, place >> 8, place & 255, total >> 8, total & 255, ...piece]);
  });
}

/** Puts frames together. */
export class Assembler {
  #name = "";
  #pieces = new Map();
  #total = 0;

  get have() { return this.#pieces.size; }

  get total() { return this.#total; }

  get isWhole() { return this.#total > 0 && this.have === this.#total; }

  /** Take what a code says; false for one that is no frame. Of two bundles the one that was seen last counts. */
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

  /** Return the bytes; null where they are not those that were split, and all is to be seen anew. */
  async join() {
    const pieces = Array.from({ length: this.#total }, (_, place) => this.#pieces.get(place));
    const bytes = new Uint8Array(await new Blob(pieces).arrayBuffer());
    if ((await hash(bytes)).join() === this.#name) return bytes;
    this.#pieces.clear();
    return null;
  }
}
