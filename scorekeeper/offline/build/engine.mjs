// The phone's engine: Pyodide with our library, started once and then asked as often as needed.
// It runs as it is in a browser's worker and in Node; the files come by way of `read`.

import { loadPyodide, version } from "./pyodide.mjs";

/**
 * Start the engine.
 * @param {string} home where the built files lie, with a slash at its end: an address, or in Node a folder.
 * @param {(name: string) => Promise<ArrayBuffer | Uint8Array>} read gives one of the files there.
 * @returns {Promise<(question: string, text: string) => string>} asks a function of scorekeeper/offline/phone.py,
 *   and throws what that raises.
 */
export async function startEngine(home, read) {
  const [{ pyodide: info, extra_games }, archive] = await Promise.all([
    read("manifest.json").then((bytes) => JSON.parse(new TextDecoder().decode(bytes))),
    read("tailgunner.zip"),
  ]);
  const pyodide = await loadPyodide({
    indexURL: home,
    stdLibURL: `${home}python.zip`,
    lockFileContents: { info: { ...info, version }, packages: {} },
  });
  pyodide.unpackArchive(new Uint8Array(archive), "zip", { extractDir: "/tailgunner" });
  pyodide.runPython("import sys; sys.path.insert(0, '/tailgunner')");
  pyodide.pyimport("scorekeeper.offline.django_alone").set_up("/tailgunner/templates", pyodide.toPy(extra_games));
  const phone = pyodide.pyimport("scorekeeper.offline.phone");
  return (question, text) => phone[question](text);
}
