// Fills the shell: the page that stands in for any other until the engine has started.

import * as engine from "./engine.js";
import { show as ask } from "./answering.js";
import { show } from "./pages.js";

export async function fill() {
  const shell = document.querySelector("[data-shell]");
  if (!shell) return;
  const path = `${location.pathname}${location.search}`;
  shell.querySelector("[data-shell-link]").href = path;
  await engine.start();
  if (!(await engine.isExpected())) {
    give(shell, engine.status.how === "none" ? "empty" : "failed");
    return;
  }
  try {
    const told = await ask({ method: "GET", path, headers: { accept: "text/html" }, body: "" });
    if (!told.body) return give(shell, "empty");
    const to = told.headers["X-Tailgunner-Path"] ?? path;
    await show(told.body, new URL(to, location.origin).href, { isReplacing: true });
    document.dispatchEvent(new CustomEvent("phone:page", { detail: { isFromPhone: true } }));
  } catch (error) {
    engine.status.error = error.message;
    give(shell, "failed");
  }
}

function give(shell, what) {
  shell.querySelector("[data-shell-starting]").hidden = true;
  shell.querySelector(`[data-shell-${what}]`).hidden = false;
  shell.querySelector("[data-shell-error]").textContent = engine.status.error;
  shell.querySelector("[data-shell-again]").hidden = false;
}
