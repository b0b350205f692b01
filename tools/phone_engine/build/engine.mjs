// The phone's engine: Pyodide with our library, started once and then called as often as needed.
// It runs unchanged in a browser's worker and in Node; `read` provides the files.

import { loadPyodide, version } from "./pyodide.mjs";

const LIBRARY = "/tailgunner";
const LOCAL_FILE = 0x04034b50; // the signature of a file's header in a zip archive
const PIECE = 2 ** 20; // bytes
const [FOLDER_MODE, FILE_MODE] = [0o040777, 0o100666];

/**
 * Start the engine.
 *
 * Starting Python and importing the library takes most of the time. If there is storage for it, a snapshot of the
 * engine's memory is taken at the end of a start, before a ride is loaded, and the next start restores the snapshot.
 * @param {string} home the location of the build, with a trailing slash: a URL, or in Node a folder.
 * @param {(name: string) => Promise<ArrayBuffer | Uint8Array>} read returns one of the files there.
 * @param {Snapshots} [snapshots] Without them, no start uses a snapshot.
 * @returns {Promise<{call: (name: string, text: string) => string, isRestored: boolean}>} `call` calls a function of
 *   scorekeeper/offline/phone.py, and throws the errors that it raises.
 */
export async function startEngine(home, read, snapshots) {
  const [{ pyodide: info, extra_games: extraGames, digest }, archive] = await Promise.all([
    read("manifest.json").then((bytes) => JSON.parse(new TextDecoder().decode(bytes))),
    read("tailgunner.zip").then((bytes) => new Uint8Array(bytes)),
  ]);
  /** @param {Parameters<typeof loadPyodide>[0]} options */
  const load = (options) => loadPyodide({
    indexURL: home,
    stdLibURL: `${home}python.zip`,
    lockFileContents: { info: { ...info, version }, packages: {} },
    ...options,
  });
  const snapshot = await snapshots?.load(digest);
  // A snapshot that cannot be restored is replaced.
  let pyodide = snapshot && await load({ _loadSnapshot: snapshot, createPyodideModule: withMemory(snapshot.length) }).catch(() => null);
  const isRestored = Boolean(pyodide);
  release(snapshot);
  pyodide ||= await load({ _makeSnapshot: Boolean(snapshots) });
  unpack(pyodide.FS, archive); // files are not part of the memory
  if (!isRestored) {
    pyodide.runPython(`
      import json, sys
      sys.path.insert(0, "${LIBRARY}")
      from tools.phone_engine import phone_settings
      phone_settings.set_up_django("${LIBRARY}/templates", json.loads(${JSON.stringify(JSON.stringify(extraGames))}))
      from scorekeeper.offline import phone
    `);
    if (snapshots) {
      pyodide.runPython("phone.warm_up()");
      // Before JavaScript holds any of the engine's objects: a snapshot contains only the memory.
      const made = /** @type {Uint8Array<ArrayBuffer>} */ (pyodide.makeMemorySnapshot());
      snapshots.save(digest, made).finally(() => release(made));
    }
  }
  const phone = pyodide.pyimport("scorekeeper.offline.phone");
  return { call: (name, text) => phone[name](text), isRestored };
}

/**
 * Give back a snapshot's memory, some 45 MB. Pyodide would hold on to what it has restored for as long as it runs.
 * @param {Uint8Array<ArrayBuffer> | null | undefined} snapshot
 */
const release = (snapshot) => snapshot?.buffer.transfer?.(0);

/**
 * Return a function that creates Pyodide's module with enough memory for a snapshot, as Pyodide itself does not.
 * @param {number} size of the snapshot, in bytes.
 * @returns {typeof import("./pyodide.asm.mjs").default}
 */
const withMemory = (size) => async (settings) => {
  const { default: create } = await import("./pyodide.asm.mjs");
  const module = /** @type {Awaited<ReturnType<typeof create>> & {_malloc: (size: number) => number}} */ (await create(settings));
  while (module.HEAP8.length < size) {
    // Restoring the snapshot releases this memory.
    if (!module._malloc(PIECE)) throw new Error("the phone has not enough memory for a snapshot");
  }
  return module;
};

/**
 * Unpack an uncompressed archive. Nothing is copied: the files remain parts of the archive, and their folders are known.
 * Python's own unpacking takes as long as the rest of a start, and `FS.writeFile` a sixth of it.
 * @param {import("./pyodide.mjs").PyodideAPI["FS"]} fs
 * @param {Uint8Array<ArrayBuffer>} archive
 */
function unpack(fs, archive) {
  const { MEMFS } = fs.filesystems;
  fs.mkdir(LIBRARY);
  const folders = new Map([[LIBRARY, fs.lookupPath(LIBRARY).node]]);
  /**
   * @param {string} path
   * @param {number} mode
   */
  const create = (path, mode) => MEMFS.createNode(getFolder(getParent(path)), path.slice(getParent(path).length + 1), mode, 0);
  /**
   * @param {string} path
   * @returns {object}
   */
  const getFolder = (path) => {
    if (!folders.has(path)) folders.set(path, create(path, FOLDER_MODE));
    return folders.get(path);
  };
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const text = new TextDecoder();
  let at = 0;
  while (view.getUint32(at, true) === LOCAL_FILE) {
    const [size, nameLength, extraLength] = [view.getUint32(at + 18, true), view.getUint16(at + 26, true), view.getUint16(at + 28, true)];
    const path = `${LIBRARY}/${text.decode(archive.subarray(at + 30, at + 30 + nameLength))}`;
    const start = at + 30 + nameLength + extraLength;
    Object.assign(create(path, FILE_MODE), { contents: archive.subarray(start, start + size), usedBytes: size });
    at = start + size;
  }
}

/** @param {string} path */
const getParent = (path) => path.slice(0, path.lastIndexOf("/"));
