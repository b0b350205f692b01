// Creates or uses a passkey: gives the page's options to the browser, and sends the browser's response with the form.
// Where there is none, the page says why. The button is hidden until the browser can do it.

/**
 * What the page passes: `PublicKeyCredentialCreationOptions` or `PublicKeyCredentialRequestOptions` as JSON, in which
 * binary values are base64url. The browsers' own `parse…OptionsFromJSON` are too new to rely on.
 *
 * @typedef {{ id: string, type: "public-key" }} Descriptor
 * @typedef {Record<string, any> & { challenge: string, user?: { id: string, name: string, displayName: string },
 *   excludeCredentials?: Descriptor[], allowCredentials?: Descriptor[] }} Options
 */

/**
 * @param {string} text base64url
 * @returns {Uint8Array<ArrayBuffer>} what it stands for
 */
function decode(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
}

/**
 * @param {ArrayBuffer} bytes what to write
 * @returns {string} base64url
 */
function encode(bytes) {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * @param {Options} options as the page has them
 * @returns {any} the options that `navigator.credentials` takes
 */
function parse(options) {
  const list = (/** @type {Descriptor[]} */ found) => found.map((one) => ({ ...one, id: decode(one.id) }));
  return {
    ...options,
    challenge: decode(options.challenge),
    ...(options.user && { user: { ...options.user, id: decode(options.user.id) } }),
    ...(options.excludeCredentials && { excludeCredentials: list(options.excludeCredentials) }),
    ...(options.allowCredentials && { allowCredentials: list(options.allowCredentials) }),
  };
}

/**
 * @param {PublicKeyCredential} credential the browser's response
 * @returns {string} the same as JSON
 */
function describe({ id, rawId, type, response }) {
  const parts = ["clientDataJSON", "attestationObject", "authenticatorData", "signature"]
    .filter((name) => name in response)
    .map((name) => [name, encode(/** @type {any} */ (response)[name])]);
  return JSON.stringify({ id, rawId: encode(rawId), type, response: Object.fromEntries(parts) });
}

/**
 * @param {HTMLFormElement} form the form of the page
 * @param {string} why the name of an error, or of another reason; "" for none
 */
function explain(form, why) {
  /** @type {NodeListOf<HTMLElement>} */
  const texts = form.querySelectorAll("[data-why]");
  const isKnown = [...texts].some((text) => text.dataset.why === why);
  texts.forEach((text) => { text.hidden = text.dataset.why !== (isKnown || !why ? why : "failed"); });
}

/**
 * @param {HTMLFormElement} form the form of the page
 */
async function run(form) {
  explain(form, "");
  const publicKey = parse(JSON.parse(form.dataset.options ?? ""));
  const ask = form.dataset.passkey === "create" ? "create" : "get";
  try {
    const credential = /** @type {PublicKeyCredential} */ (await navigator.credentials[ask]({ publicKey }));
    /** @type {HTMLInputElement} */ (form.elements.namedItem("response")).value = describe(credential);
  } catch (error) {
    explain(form, error instanceof Error || error instanceof DOMException ? error.name : "failed");
    return;
  }
  form.requestSubmit();
}

/** @type {HTMLFormElement | null} */
const form = document.querySelector("form[data-passkey]");
const button = form?.querySelector("button");
if (form && button) {
  if (location.origin !== form.dataset.origin) {
    explain(form, "elsewhere");
  } else if (!window.PublicKeyCredential) {
    explain(form, "unsupported");
  } else {
    button.hidden = false;
    button.addEventListener("click", async () => {
      button.disabled = true; // the browser asks one question at a time
      await run(form);
      button.disabled = false;
    });
  }
}
