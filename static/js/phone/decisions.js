// What the organiser decided about entries of this phone that went to review. The copy of the ride tells it with each change.

import { takeDecisions } from "./outbox.js";
import { open } from "./store.js";

export function listen() {
  document.addEventListener("phone:ride", take);
  take();
}

async function take() {
  const part = await (await open()).get("parts", "own");
  if (part?.own) await takeDecisions(part.own.decisions);
}
