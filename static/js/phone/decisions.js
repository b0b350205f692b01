// Applies the organiser's decisions to this phone's entries that went to review. The copy of the ride contains the
// decisions and is updated with each of them.

import { applyDecisions } from "./outbox.js";
import { open } from "./store.js";

export function listen() {
  document.addEventListener("phone:ride", apply);
  apply();
}

async function apply() {
  const part = await (await open()).get("parts", "own");
  if (part?.own) await applyDecisions(part.own.decisions);
}
