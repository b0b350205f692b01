// Why the app does not start, where that is known: pages have a text for each reason, in their language.

export class Failure extends Error {
  /**
   * @param {FailureReason} reason
   * @param {string} message for the console.
   */
  constructor(reason, message) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Return why something failed, as a page says it.
 * @param {HTMLElement} texts has the text of each reason, as data.
 * @param {Error} error
 */
export const explain = (texts, error) => (error instanceof Failure ? texts.dataset[error.reason] : undefined) ?? error.message;
