// Shows the band of a practice on pages that are the same for everyone, without signal too. All other pages have it from
// whoever rendered them.

import { getOwner } from "./owner.js";

export function listen() {
  document.addEventListener("phone:page", render);
  document.addEventListener("phone:ride", render);
  return render();
}

async function render() {
  const band = document.querySelector("[data-practice-band]");
  if (!band?.hidden || !(await getOwner())?.is_practice) return;
  band.hidden = false;
  document.title = `${band.dataset.title}${document.title}`;
}
