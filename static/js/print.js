// A print button appears where the browser can print; elsewhere its own menu does.

document.querySelectorAll("[data-print]").forEach((button) => {
  button.hidden = typeof window.print !== "function";
  button.addEventListener("click", () => window.print());
});
