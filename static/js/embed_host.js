// In pages of other sites: gives each frame of this Tailgunner the height that its content has.

(() => {
  const MAX_HEIGHT = 20_000; // pixels
  const script = /** @type {HTMLScriptElement} */ (document.currentScript);
  const origin = new URL(script.src).origin;
  const listFrames = () => [...document.querySelectorAll("iframe")].filter((frame) => frame.src.startsWith(`${origin}/embed/`));

  window.addEventListener("message", (event) => {
    if (event.origin !== origin || event.data?.type !== "tailgunner:height") return;
    const frame = listFrames().find(({ contentWindow }) => contentWindow === event.source);
    const height = Number(event.data.height);
    if (!frame || !(height > 0 && height <= MAX_HEIGHT)) return;
    const isWithBorder = getComputedStyle(frame).boxSizing === "border-box";
    frame.style.height = `${Math.ceil(height) + (isWithBorder ? frame.offsetHeight - frame.clientHeight : 0)}px`;
  });
  // Those that were there before this script have said it already. Others are still empty, and no secret is sent.
  listFrames().forEach((frame) => frame.contentWindow?.postMessage({ type: "tailgunner:measure" }, "*"));
})();
