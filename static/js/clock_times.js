// Writes times as this phone writes them: with am and pm, or in 24 hours.

/** The hours of a day that end at noon and midnight: what a phone that is set to am and pm counts in. */
const HALF_DAYS = ["h11", "h12"];

/**
 * Return whether people write times with am and pm.
 * @param {string} [locale] theirs; without it, the phone's.
 */
export function usesHalfDays(locale) {
  return HALF_DAYS.includes(new Intl.DateTimeFormat(locale, { hour: "numeric" }).resolvedOptions().hourCycle ?? "");
}

/**
 * Return a time of 24 hours as this phone writes it.
 * @param {string} text "17:05" or "17:05:30", as the server writes it; any other text is returned unchanged.
 * @param {boolean} [isHalfDay] whether with am and pm.
 */
export function formatClock(text, isHalfDay = usesHalfDays()) {
  const found = /^(\d\d):(\d\d(?::\d\d)?)$/.exec(text);
  if (!found || !isHalfDay) return text;
  const hour = Number(found[1]);
  return `${hour % 12 || 12}:${found[2]} ${hour < 12 ? "am" : "pm"}`;
}

/**
 * Return the time of a moment at the ride, as this phone writes it.
 * @param {Date} moment
 * @param {number} [offset] the ride's offset from UTC in seconds, as the server has it: the browser's time zone data may be
 *   older or newer. Without it, the phone's own.
 * @param {boolean} [isHalfDay] whether with am and pm.
 */
export function formatMoment(moment, offset = -60 * moment.getTimezoneOffset(), isHalfDay = usesHalfDays()) {
  return formatClock(new Date(moment.getTime() + 1000 * offset).toISOString().slice(11, 16), isHalfDay);
}
