import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { MAX_HEIC_PIXELS } from './image-tasks.ts';

/** Bytes that the decoder may hold, which is enough for the pixels above. A file can ask for more than its size says. */
const MAX_DECODER_BYTES = 640 * 1024 * 1024;
const PAGE_BYTES = 65_536;

/** The pixels of an image, upright, in four channels of 8 bits. */
interface DecodedImage {
  width: number;
  height: number;
  data: Uint8ClampedArray;
}

/** The parts of libheif that are used here. */
interface Libheif {
  HeifDecoder: new () => { decode(file: Uint8Array): HeifImage[] };
}
interface HeifImage {
  is_primary(): boolean;
  get_width(): number;
  get_height(): number;
  display(target: DecodedImage, done: (decoded: DecodedImage | null) => void): void;
}
type InstantiateWasm = (
  imports: WebAssembly.Imports,
  receive: (instance: WebAssembly.Instance) => void,
) => WebAssembly.Exports;

const require = createRequire(import.meta.url);
let loading: Promise<Libheif> | undefined;

/**
 * Decodes the primary image of a HEIC file. Works in the thread that calls it, for seconds. Throws when the file is
 * damaged, incomplete or too large.
 */
export async function decodeHeic(path: string): Promise<DecodedImage> {
  loading ??= loadLibheif();
  const { HeifDecoder } = await loading;
  const images = new HeifDecoder().decode(await readFile(path));
  const image = images.find((one) => one.is_primary()) ?? images[0];
  if (!image) throw new Error('There is no image in this file.');
  const [width, height] = [image.get_width(), image.get_height()];
  if (width * height > MAX_HEIC_PIXELS) throw new Error('The image exceeds the HEIC pixel limit.');
  const target = { width, height, data: new Uint8ClampedArray(width * height * 4) };
  return new Promise((resolve, reject) => {
    image.display(target, (decoded) =>
      decoded ? resolve(decoded) : reject(new Error('The image could not be decoded.')),
    );
  });
}

async function loadLibheif(): Promise<Libheif> {
  const program = await WebAssembly.compile(
    await readFile(require.resolve('libheif-js/libheif-wasm/libheif.wasm')),
  );
  const instantiateWasm: InstantiateWasm = (imports, receive) => {
    const instance = new WebAssembly.Instance(program, imports);
    for (const exported of Object.values(instance.exports)) {
      if (exported instanceof WebAssembly.Memory) limitMemory(exported);
    }
    receive(instance);
    return instance.exports;
  };
  // What the decoder prints about a file is not for the log.
  const silent = () => {};
  return require('libheif-js/libheif-wasm/libheif.js')({ instantiateWasm, print: silent, printErr: silent });
}

/** Lets a memory grow to the limit alone. The decoder takes the error for a lack of memory, and gives the file up. */
function limitMemory(memory: WebAssembly.Memory): void {
  const grow = memory.grow.bind(memory);
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * PAGE_BYTES > MAX_DECODER_BYTES) {
      throw new RangeError('The decoder needs too much memory.');
    }
    return grow(pages);
  };
}
