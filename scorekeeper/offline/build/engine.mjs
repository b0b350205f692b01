// The phone's engine: Pyodide with our library, started once and then asked as often as needed.
// It runs as it is in a browser's worker and in Node; the files come by way of `read`.

import { loadPyodide, version } from "./pyodide.mjs";

const LIBRARY = "/tailgunner";
const LOCAL_FILE = 0x04034b50; // what the header of a file in a zip archive begins with
const PIECE = 2 ** 20; // bytes

/**
 * Start the engine.
 *
 * Starting Python and importing the library takes most of the time. Where there is a place to keep them, a snapshot of the
 * engine's memory is taken at the end of a start, before anything is known of a ride, and the next start restores that.
 * @param {string} home where the built files lie, with a slash at its end: an address, or in Node a folder.
 * @param {(name: string) => Promise<ArrayBuffer | Uint8Array>} read gives one of the files there.
 * @param {{load: (digest: string) => Promise<?Uint8Array>, save: (digest: string, bytes: Uint8Array) => void}} [snapshots]
 *   keeps the snapshot of one build. Without it every start is made anew.
 * @returns {Promise<{ask: (question: string, text: string) => string, isRestored: boolean}>} `ask` asks a function of
 *   scorekeeper/offline/phone.py, and throws what that raises.
 */
export async function startEngine(home, read, snapshots) {
  const [{ pyodide: info, extra_games: extraGames, digest }, archive] = await Promise.all([
    read("manifest.json").then((bytes) => JSON.parse(new TextDecoder().decode(bytes))),
    read("tailgunner.zip").then((bytes) => new Uint8Array(bytes)),
  ]);
  const load = (more) => loadPyodide({
    indexURL: home,
    stdLibURL: `${home}python.zip`,
    lockFileContents: { info: { ...info, version }, packages: {} },
    ...more,
  });
  const snapshot = await snapshots?.load(digest);
  // One that cannot be restored is replaced.
  let pyodide = snapshot && await load({ _loadSnapshot: snapshot, createPyodideModule: withMemory(snapshot.length) }).catch(() => null);
  const isRestored = Boolean(pyodide);
  pyodide ||= await load({ _makeSnapshot: Boolean(snapshots) });
  unpack(pyodide.FS, archive); // files are no part of the memory
  if (!isRestored) {
    pyodide.runPython(`
      import json, sys
      sys.path.insert(0, "${LIBRARY}")
      from scorekeeper.offline import phone_settings
      phone_settings.set_up_django("${LIBRARY}/templates", json.loads(${JSON.stringify(JSON.stringify(extraGames))}))
      from scorekeeper.offline import phone
    `);
    if (snapshots) {
      pyodide.runPython("phone.warm_up()");
      // Before anything of the engine is held here: a snapshot has the memory alone.
      snapshots.save(digest, pyodide.makeMemorySnapshot());
    }
  }
  const phone = pyodide.pyimport("scorekeeper.offline.phone");
  return { ask: (question, text) => phone[question](text), isRestored };
}

/** Return what makes Pyodide's module with as much memory as a snapshot needs, which Pyodide itself does not see to. */
const withMemory = (size) => async (settings) => {
  const { default: create } = await import("./pyodide.asm.mjs");
  const module = await create(settings);
  while (module.HEAP8.length < size) {
    // Restoring undoes what is taken here.
    if (!module._malloc(PIECE)) throw new Error("the phone has no memory for a snapshot");
  }
  return module;
};

/** Write the files of an archive that is not compressed; Python's own unpacking takes as long as the rest of a start. */
function unpack(fs, archive) {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const text = new TextDecoder();
  let at = 0;
  while (view.getUint32(at, true) === LOCAL_FILE) {
    const [size, nameLength, moreLength] = [view.getUint32(at + 18, true), view.getUint16(at + 26, true), view.getUint16(at + 28, true)];
    const path = `${LIBRARY}/${text.decode(archive.subarray(at + 30, at + 30 + nameLength))}`;
    const start = at + 30 + nameLength + moreLength;
    fs.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    fs.writeFile(path, archive.subarray(start, start + size));
    at = start + size;
  }
}
