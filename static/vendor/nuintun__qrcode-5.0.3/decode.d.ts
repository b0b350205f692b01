// The types of what the scripts of this project call. The package's own are spread over forty files.

export class Decoder {
  constructor(options?: { decode?: (bytes: Uint8Array) => string });
  /** Throws if the modules are no code. */
  decode(matrix: object): { content: string };
}

export class Detector {
  /** Yields one possible code after another; `next(false)` says that the one before could not be decoded. */
  detect(binarized: object): Iterator<{ matrix: object }, any, boolean | undefined>;
}

export function grayscale(picture: { data: Uint8ClampedArray; width: number; height: number }): Uint8Array;
export function binarize(luminances: Uint8Array, width: number, height: number): object;
