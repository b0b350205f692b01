// Shares a file with another app if the browser can; otherwise saves it to the phone's downloads.

/**
 * @param {File} file
 * @returns {Promise<boolean>} whether it was saved on this phone, so that the user has to be told where.
 */
export async function shareFile(file) {
  if (navigator.canShare?.({ files: [file] })) {
    await navigator.share({ files: [file] }).catch((error) => { if (error.name !== "AbortError") throw error; });
    return false;
  }
  const address = URL.createObjectURL(file);
  Object.assign(document.createElement("a"), { href: address, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return true;
}
