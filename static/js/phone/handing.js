// Hands a file to somebody: to another app where the browser can, else into the phone's downloads.

/**
 * @param {File} file
 * @returns {Promise<boolean>} whether it was saved here, so that somebody has to be told where it is.
 */
export async function handOver(file) {
  if (navigator.canShare?.({ files: [file] })) {
    await navigator.share({ files: [file] }).catch((error) => { if (error.name !== "AbortError") throw error; });
    return false;
  }
  const address = URL.createObjectURL(file);
  Object.assign(document.createElement("a"), { href: address, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return true;
}
