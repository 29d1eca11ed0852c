import { type ChildProcess, fork } from 'node:child_process';
import { ServiceError } from '../http/errors.ts';
import type { DecodeTask } from './decode-images.ts';

/** A picture of more points than this could fill the memory of a small machine. */
const MAX_PIXELS = 100_000_000;
/** The decoding process ends after so long without an image, and its memory with it. */
const IDLE_MS = 5_000;

export interface ImageCheck {
  /** Decodes an image in full. Throws FILE_UNREADABLE when it is broken, cut off or enormous. */
  check(localPath: string): Promise<void>;
  close(): void;
}

/**
 * Images are decoded in a process of their own, one at a time: a picture can take half a gigabyte where its file
 * took little, and one that brings the decoder down brings nobody else down.
 */
export function createImageCheck(): ImageCheck {
  let decoder: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function end(): void {
    clearTimeout(idle);
    decoder?.kill('SIGKILL');
    decoder = undefined;
  }

  async function decode(localPath: string): Promise<void> {
    clearTimeout(idle);
    decoder ??= startDecoder();
    const fault = await ask(decoder, { path: localPath, maxPixels: MAX_PIXELS });
    if (decoder.exitCode !== null || decoder.signalCode !== null) decoder = undefined;
    idle = setTimeout(end, IDLE_MS).unref();
    if (fault !== null) throw new ServiceError('FILE_UNREADABLE', describeFault(fault));
  }

  return {
    check(localPath) {
      const checked = last.then(() => decode(localPath));
      last = checked.catch(() => undefined);
      return checked;
    },
    close: end,
  };
}

function startDecoder(): ChildProcess {
  const decoder = fork(new URL('./decode-images.ts', import.meta.url), {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // Neither the process nor the channel to it keeps the server from ending.
  decoder.unref();
  decoder.channel?.unref();
  return decoder;
}

/** What is wrong with the image; a decoder that ends over it is a fault as well. */
function ask(decoder: ChildProcess, task: DecodeTask): Promise<string | null> {
  return new Promise((resolve) => {
    const settle = (fault: unknown) => {
      decoder.off('message', settle);
      decoder.off('exit', onExit);
      decoder.channel?.unref();
      resolve(typeof fault === 'string' ? fault : null);
    };
    const onExit = () => settle('the decoder ended');
    decoder.channel?.ref();
    decoder.on('message', settle);
    decoder.on('exit', onExit);
    decoder.send(task, (error) => error && settle('the decoder cannot be reached'));
  });
}

function describeFault(reason: string): string {
  if (/pixel limit/i.test(reason)) {
    return `This image is too large: ${MAX_PIXELS / 1_000_000} megapixels at most.`;
  }
  if (/timeout/i.test(reason)) return 'This image takes too long to read. Please save it anew.';
  return 'This image cannot be read: the file is damaged or incomplete.';
}
