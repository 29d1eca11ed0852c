import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAX_UPLOAD_BYTES } from '@fabrica/contract';
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createTemporaryFiles } from '../blobs/temporary-files.ts';
import { receiveUpload } from './receive-upload.ts';

const MEBIBYTE = 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), 'fabrica-receive-'));
const temporaryFiles = createTemporaryFiles(folder);
afterEach(() => expect(readdirSync(folder)).toEqual([]));
afterAll(() => rmSync(folder, { recursive: true }));

const part = (name: string, text = '') =>
  `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}`;
const FILE = part('file').replace('name="file"', 'name="file"; filename="x"');

interface Sender {
  body: ReadableStream<Uint8Array>;
  /** Bytes that were asked of it. */
  sent(): number;
}

/** Sends `start`, then `piece` without end, or nothing more without ending where there is none. */
function sender(start: string, piece?: Uint8Array): Sender {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(start)),
    pull(controller) {
      if (!piece) return new Promise<void>(() => {});
      sent += piece.byteLength;
      controller.enqueue(piece);
    },
  });
  return { body, sent: () => sent };
}

function receive(body: ReadableStream<Uint8Array> | string, options?: { silenceMs: number }) {
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  const init = { method: 'POST', body, headers, duplex: 'half' };
  return receiveUpload(new Request('http://localhost/upload', init), temporaryFiles, options);
}

describe('forms without end', () => {
  const zeros = new Uint8Array(MEBIBYTE);
  it.each([
    ['in its file', FILE],
    ['before its first part', ''],
    ['in the head of a part', '--b\r\ncontent-disposition: '],
    ['in a field', part('path')],
    ['behind its end', `${FILE}x\r\n--b--\r\n`],
  ])('a form that goes on without end %s is refused soon after the limit', async (_, start) => {
    const { body, sent } = sender(start, zeros);
    await expect(receive(body)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    expect(sent()).toBeLessThan(MAX_UPLOAD_BYTES + 20 * MEBIBYTE);
  });

  it('a form with endless parts is refused at once', async () => {
    const { body, sent } = sender('', new TextEncoder().encode(`${part('path', 'x')}\r\n`.repeat(1_000)));
    await expect(receive(body)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(sent()).toBeLessThan(10 * MEBIBYTE);
  });
});

describe('senders that fall silent', () => {
  it.each([
    ['before anything', ''],
    ['in the file', `${FILE}half of`],
    ['behind the file', `${FILE}all of it\r\n${part('path', 'a.tx')}`],
  ])('an upload is refused when its sender falls silent %s', async (_, start) => {
    const { body } = sender(start);
    await expect(receive(body, { silenceMs: 50 })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      message: 'The upload stopped: nothing came for 0.05 seconds.',
    });
  });

  it('an upload with pauses shorter than the time-out is received', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const pieces = [FILE, 'one', 'two', 'three', '\r\n', part('path', 'a.txt'), '\r\n--b--\r\n'];
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await vi.advanceTimersByTimeAsync(49);
        const piece = pieces.shift();
        if (piece === undefined) controller.close();
        else controller.enqueue(new TextEncoder().encode(piece));
      },
    });
    const { file, path } = await receive(body, { silenceMs: 50 });
    expect({ size: file.size, path }).toEqual({ size: 11, path: 'a.txt' });
    await file.discard();
  });
});
