// A new event is in the time zone of the organiser's browser, until somebody types another one. A zone that the page
// does not offer, such as UTC, says nothing of a place: then what the server put there stays.

const field = document.querySelector("[data-preset-time-zone]");
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const isOffered = [...(field?.list?.options ?? [])].some((option) => option.value === zone);

if (isOffered && field.value === field.defaultValue) field.value = zone;
