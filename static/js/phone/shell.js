// Fills the shell: the page that is shown in place of any other until the engine has started.

import { getElement } from "./elements.js";
import * as engine from "./engine.js";
import { handleGet as answerPage } from "./request_handler.js";
import { show } from "./navigation.js";

export async function fillShell() {
  const shell = document.querySelector("[data-shell]");
  if (!shell) return;
  const path = `${location.pathname}${location.search}`;
  getElement(shell, "[data-shell-link]", HTMLAnchorElement).href = path;
  await engine.start();
  const isExpected = await engine.isExpected();
  if (!shell.isConnected) return; // the user has opened another page, which the server had first
  if (!isExpected) {
    showMessage(shell, engine.status.how === "none" ? "empty" : "failed");
    return;
  }
  try {
    const reply = await answerPage({ method: "GET", path, headers: { accept: "text/html" }, body: "" });
    if (!shell.isConnected) return;
    if (!reply.body) {
      showMessage(shell, "empty");
      return;
    }
    const to = reply.headers["X-Tailgunner-Path"] ?? path;
    await show(reply.body, new URL(to, location.origin).href, { isReplacing: true });
    document.dispatchEvent(new CustomEvent("phone:page", { detail: { isFromPhone: true } }));
  } catch (error) {
    engine.status.error = error.message;
    showMessage(shell, "failed");
  }
}

/**
 * @param {HTMLElement} shell
 * @param {"empty" | "failed"} name
 */
function showMessage(shell, name) {
  getElement(shell, "[data-shell-starting]").hidden = true;
  getElement(shell, `[data-shell-${name}]`).hidden = false;
  getElement(shell, "[data-shell-error]").textContent = engine.status.error;
  getElement(shell, "[data-shell-again]").hidden = false;
}
