// The group's page: scrolls the row of stops to the current one, and opens the search for a link that leads to it.

import { endIfRepeated } from "./repeated_script.js";

endIfRepeated(import.meta.url);

function prepare() {
  for (const stop of document.querySelectorAll(".stops [aria-current]")) {
    const row = stop.closest("ul");
    row.scrollLeft += stop.getBoundingClientRect().left - row.getBoundingClientRect().left - (row.clientWidth - stop.offsetWidth) / 2;
  }
  if (location.hash === "#q") document.getElementById("q")?.closest("details")?.setAttribute("open", "");
}

prepare();
for (const kind of ["phone:list", "phone:page"]) document.addEventListener(kind, prepare);
