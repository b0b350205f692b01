// Presets the time zone of a new event to the browser's, unless the user has entered another one. The server's preset
// is kept if the browser's time zone is not on the page's list: UTC, for example, does not name a place.

/** @type {HTMLInputElement | null} */
const field = document.querySelector("[data-preset-time-zone]");
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const isOffered = [...(field?.list?.options ?? [])].some((option) => option.value === zone);

if (isOffered && field.value === field.defaultValue) field.value = zone;
