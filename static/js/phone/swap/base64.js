// base64url without padding, as the server expects it.

/** @param {Uint8Array} bytes */
export function encodeBase64(bytes) {
  let text = "";
  // In pieces: the number of arguments of a call is limited.
  for (let start = 0; start < bytes.length; start += 8_192) text += String.fromCharCode(...bytes.subarray(start, start + 8_192));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @param {string} text */
export function decodeBase64(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}
