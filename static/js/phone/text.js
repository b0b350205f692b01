// Fills in the texts that pages contain for scripts, and asks for those that the server sends.

/**
 * Return a text with `{name}` replaced by the word of that name, whatever characters the words consist of.
 * @param {string} text
 * @param {Record<string, string | number>} words
 */
export const fillText = (text, words) => text.replace(/\{(\w+)\}/g, (gap, name) => (Object.hasOwn(words, name) ? String(words[name]) : gap));

/** Return the header with which the API answers in the language of the page. */
export const languageHeader = () => ({ "X-Tailgunner-Language": document.documentElement.lang });
