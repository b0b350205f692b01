// Shows the times of a page as this phone writes them. The server writes them in the ride's time zone and in 24 hours, as
// `<time>17:05</time>`; where people write them like that, nothing changes.

import { formatClock, usesHalfDays } from "./clock_times.js";
import { endIfRepeated } from "./repeated_script.js";

endIfRepeated(import.meta.url);

function rewrite() {
  document.querySelectorAll("time").forEach((time) => {
    const text = formatClock(time.textContent, true);
    if (text !== time.textContent) time.textContent = text;
  });
}

if (usesHalfDays()) {
  rewrite();
  // Parts of a page, and the next page in the same document, are rewritten before the browser shows them.
  new MutationObserver(rewrite).observe(document.documentElement, { childList: true, subtree: true });
}
