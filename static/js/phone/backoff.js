// The pause before a request is repeated: it doubles up to a limit. It varies by a quarter, so that phones that lost the
// server at the same moment do not all come back at the same moment.

export class Backoff {
  #first;
  #longest;
  #pause;

  /**
   * @param {number} first the first pause, in milliseconds.
   * @param {number} longest the longest, before it varies.
   */
  constructor(first, longest) {
    this.#first = this.#pause = first;
    this.#longest = longest;
  }

  /** Begin with the first pause again. */
  reset() {
    this.#pause = this.#first;
  }

  /** Return the next pause, in milliseconds. */
  next() {
    const pause = this.#pause * (0.75 + Math.random() / 2);
    this.#pause = Math.min(this.#longest, this.#pause * 2);
    return pause;
  }
}
