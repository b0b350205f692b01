// Fills in the texts that pages contain for scripts.

/**
 * Return a text with `{name}` replaced by the word of that name, whatever characters the words consist of.
 * @param {string} text
 * @param {Record<string, string | number>} words
 */
export const fillText = (text, words) => text.replace(/\{(\w+)\}/g, (gap, name) => (Object.hasOwn(words, name) ? String(words[name]) : gap));
