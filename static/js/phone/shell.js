// Fills the shell: the page that is shown in place of any other until the engine has started.

import { getElement } from "./elements.js";
import * as engine from "./engine.js";
import { handleGet as answerPage } from "./request_handler.js";
import { show } from "./navigation.js";

/** Fill the shell, or say in it why that is not possible. */
export async function fillShell() {
  try {
    await fill();
  } catch (error) {
    fail(error);
  }
}

/**
 * Say in the shell that the app does not work on this phone now. Other pages came from the server, and work with it.
 * @param {Error} error
 */
export function fail(error) {
  const shell = document.querySelector("[data-shell]");
  if (shell) showMessage(shell, "failed", error.message);
}

async function fill() {
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
  const reply = await answerPage({ method: "GET", path, headers: { accept: "text/html" }, body: "" });
  if (!shell.isConnected) return;
  if (!reply.body) {
    showMessage(shell, "empty");
    return;
  }
  const to = reply.headers["X-Tailgunner-Path"] ?? path;
  await show(reply.body, new URL(to, location.origin).href, { isReplacing: true });
  document.dispatchEvent(new CustomEvent("phone:page", { detail: { isFromPhone: true } }));
}

/**
 * @param {HTMLElement} shell
 * @param {"empty" | "failed"} name
 * @param {string} [reason]
 */
function showMessage(shell, name, reason = engine.status.error) {
  getElement(shell, "[data-shell-starting]").hidden = true;
  getElement(shell, `[data-shell-${name}]`).hidden = false;
  getElement(shell, "[data-shell-error]").textContent = reason;
  getElement(shell, "[data-shell-again]").hidden = false;
}
