// Fills the shell: the page that is shown in place of any other until the engine has started.

import { getElement } from "./elements.js";
import * as engine from "./engine.js";
import { explain } from "./failure.js";
import { handleGet as answerPage } from "./request_handler.js";
import { show } from "./navigation.js";

const SHELL = "/crew/shell/"; // opened by itself, it would be its own answer

/** Fill the shell, or say in it why that is not possible. */
export async function fillShell() {
  try {
    await fill();
  } catch (error) {
    // An engine that broke down is started once more.
    if (await engine.isExpected()) await fill().catch(fail);
    else fail(error);
  }
}

/**
 * Say in the shell that the app does not work on this phone now. Other pages came from the server, and work with it.
 * @param {Error} error
 */
export function fail(error) {
  const shell = document.querySelector("[data-shell]");
  if (shell) showMessage(shell, "failed", error);
}

async function fill() {
  const shell = document.querySelector("[data-shell]");
  if (!shell) return;
  const path = `${location.pathname}${location.search}`;
  getElement(shell, "[data-shell-link]", HTMLAnchorElement).href = path;
  if (location.pathname !== SHELL) showServersAnswer(shell, path);
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
 * Show the server's page if it arrives before the engine has started: the server was only slow.
 * @param {HTMLElement} shell
 * @param {string} path
 */
async function showServersAnswer(shell, path) {
  try {
    // The header keeps the service worker out of it: it would answer with what this page's engine says.
    const answer = await fetch(path, { headers: { Accept: "text/html", "X-Tailgunner-Tap": "1" }, credentials: "same-origin", cache: "no-store" });
    if (!answer.ok || !answer.headers.has("X-Tailgunner")) return;
    const text = await answer.text();
    if (!shell.isConnected) return;
    await show(text, answer.url, { isReplacing: true });
    document.dispatchEvent(new CustomEvent("phone:page", { detail: { isFromPhone: false, isFromServer: true } }));
  } catch (error) {
    console.info("The server does not answer:", error.message);
  }
}

/**
 * @param {HTMLElement} shell
 * @param {"empty" | "failed"} name
 * @param {Error | null} [error]
 */
function showMessage(shell, name, error = engine.status.error) {
  getElement(shell, "[data-shell-starting]").hidden = true;
  getElement(shell, `[data-shell-${name}]`).hidden = false;
  const line = getElement(shell, "[data-shell-error]");
  line.textContent = error ? explain(line, error) : "";
  getElement(shell, "[data-shell-again]").hidden = false;
}
