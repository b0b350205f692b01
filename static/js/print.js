// Shows print buttons where the browser can print. Elsewhere the user prints from the browser's menu.

document.querySelectorAll("[data-print]").forEach((button) => {
  button.hidden = typeof window.print !== "function";
  button.addEventListener("click", () => window.print());
});
